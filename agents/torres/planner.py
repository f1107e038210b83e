"""``planner`` on Torres: the best turn found by beam search; setup, king and PICK by a heuristic value.

It plans again at every action, on a copy with resampled hidden information: its choice depends only on what the seat knows, its
seed and its options.
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
    """Beam search for the best turn.

    *width*: positions kept per number of action points left (1 to 256); *rival*: weight of the rivals' worth; *noise*:
    largest random change of a turn's value, in points.
    """
    check_whole("planner: width", width, 1, MAX_WIDTH)
    check_number("planner: rival", rival, 0, MOST_NUMBER)
    check_number("planner: noise", noise, 0, MOST_NUMBER)
    options = make_options(game, CHOOSE, 1, (width, width), (rival, rival), noise, weights)
    return NativePlayer("planner", game, seed, compile_thinking, tuple(options[:-1].tolist()))
