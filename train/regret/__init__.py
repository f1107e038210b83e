"""Regret sets: fixed positions with labelled turns, and what a player loses in them (docs/regret.md)."""
