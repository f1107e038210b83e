"""``planner`` on Torres: the best whole turn, found by beam search; setup, king and cards by what they promise.

It searches on a copy in which everything hidden from the seat is drawn anew, so what it chooses depends only on what the
seat knows, its seed and its options. It plans from every position that it is asked about: nothing is kept.
"""

from __future__ import annotations

from typing import Any

from agents.native import NativePlayer
from agents.torres.options import CHOOSE, MAX_WIDTH, make_options, number, whole
from tower_core.game import Game


def make_planner(
    game: Game, seed: int = 0, width: int = 32, rival: float = 0.45, noise: float = 0.5, weights: Any = None
) -> NativePlayer:
    """The planner of Torres. *width*: positions kept per number of action points left (1 to 256); *rival*: how much of the
    rivals' worth it takes for its own loss; *noise*: points by which chance may change its mind."""
    whole("planner", "width", width, MAX_WIDTH)
    number("planner", "rival", rival)
    number("planner", "noise", noise)
    options = make_options(game, CHOOSE, 1, (width, width), (rival, rival), noise, weights)
    return NativePlayer("planner", game, seed, CHOOSE, tuple(options[1:-1].tolist()), "thinking")
