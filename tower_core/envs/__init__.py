"""Environments over any game: PettingZoo, Gymnasium, vector environment, batch."""
