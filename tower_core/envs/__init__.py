"""The faces of a game, written once for all games: PettingZoo, Gymnasium, vector environment, batch."""
