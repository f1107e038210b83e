"""Compiled players of the market game."""
