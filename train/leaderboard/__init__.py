"""The leaderboard: entries of players from anywhere, checked by replaying their games."""
