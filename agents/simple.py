"""The two yardsticks: ``random`` plays uniformly among the legal actions, ``passive`` only ever ends its turn."""

from __future__ import annotations

from agents.native import PASSIVE, RANDOM, NativePlayer
from tower_core.game import Game


def make_random(game: Game, seed: int = 0) -> NativePlayer:
    """Uniformly random legal actions."""
    return NativePlayer("random", game, seed, RANDOM)


def make_passive(game: Game, seed: int = 0) -> NativePlayer:
    """Ends its turn whenever that is legal, and plays at random where it must choose."""
    return NativePlayer("passive", game, seed, PASSIVE)
