"""The leaderboard: entries from outside contributors, checked by replaying their games."""
