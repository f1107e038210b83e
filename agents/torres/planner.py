"""``planner`` on Torres: the best whole turn, found by beam search; setup, king and cards by what they promise.

It searches on a copy in which everything hidden from the seat is drawn anew, so what it chooses depends only on what the
seat knows, its seed and its options. It plans from every position that it is asked about: nothing is kept.
"""

from __future__ import annotations

from typing import Any

from agents.torres.options import CHOOSE, MAX_WIDTH, MOST_NUMBER, make_options
from agents.torres.thinking import compile_thinking
from tower_core.game import Game
from tower_core.options import check_number, check_whole
from tower_core.players.native_player import NativePlayer


def make_planner(
    game: Game, seed: int = 0, width: int = 32, rival: float = 0.45, noise: float = 0.5, weights: Any = None
) -> NativePlayer:
    """The planner of Torres. *width*: positions kept per number of action points left (1 to 256); *rival*: how much of the
    rivals' worth it takes for its own loss; *noise*: points by which chance may change its mind."""
    check_whole("planner: width", width, 1, MAX_WIDTH)
    check_number("planner: rival", rival, 0, MOST_NUMBER)
    check_number("planner: noise", noise, 0, MOST_NUMBER)
    options = make_options(game, CHOOSE, 1, (width, width), (rival, rival), noise, weights)
    return NativePlayer("planner", game, seed, compile_thinking, tuple(options[:-1].tolist()))
