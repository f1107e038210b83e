"""``greedy``: looks one action ahead (and at a card's follow-up) and takes what promises most points."""

from __future__ import annotations

from agents.native import GREEDY, NativePlayer
from tower_core.game import Game

# Weights of the evaluation, in the order that the compiled function reads them (agents/GAME_native.py).
WEIGHTS: dict[str, tuple[float, ...]] = {"torres": (0.5, 0.25, 1.5, 1.5)}


def make_greedy(game: Game, seed: int = 0) -> NativePlayer:
    """A sensible one-step player."""
    return NativePlayer("greedy", game, seed, GREEDY, WEIGHTS[game.name])
