"""Regret sets: fixed positions with labelled turns, and how much a player loses in them (docs/regret.md)."""
