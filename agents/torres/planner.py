"""``planner`` on Torres: the best turn found by beam search; setup, king and PICK by a heuristic value.

It plans again at every action, on a copy with resampled hidden information: its choice depends only on what the seat knows, its
seed and its options.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.paced import PacedPlayer
from agents.search.tree import MAX_TURNS, TURN, turns_of
from agents.torres.options import (
    CHOOSE,
    KEEP,
    KIND,
    MAX_WIDTH,
    MOST_NUMBER,
    PROPOSE,
    SEED,
    WIDTH,
    WIDTH_PLAIN,
    make_options,
)
from agents.torres.thinking import compile_thinking
from tower_core.engine.batch_structs import copied
from tower_core.engine.loops import RESAMPLE
from tower_core.engine.random import SplitMix64, to_i64
from tower_core.game import Game
from tower_core.options import check_number, check_whole
from tower_core.players.protocol import Choice, must_move
from tower_core.state import State


class Planner(PacedPlayer):
    """Beam search for the best turn. With a budget of CPU time, the beam width follows it."""

    effort_at, most_effort = (WIDTH, WIDTH_PLAIN), MAX_WIDTH

    unit = "points"
    """expected points of the seat, less those of its best rival times *rival*"""

    def rank(self, state: State, n: int) -> list[Choice]:
        """The *n* best turns (at most 64) from here, best first. It leaves the player's random stream as it is."""
        check_whole("n", n, 1, 1_000_000)
        must_move(self.name, self.game, state)
        seed = SplitMix64(int(self._stream[0])).next()  # that of the next action
        options = self._options.copy()
        options[KIND], options[KEEP] = PROPOSE, min(n, MAX_TURNS)
        options.view(np.uint64)[SEED] = np.uint64(seed)
        record, turns = copied(state._record), np.zeros(MAX_TURNS, TURN)
        self.game.entry(RESAMPLE, record.ctypes.data, state.current_player(), to_i64(seed >> 1))
        count = self._choose(record.ctypes.data, turns.ctypes.data, options.ctypes.data)
        return turns_of(turns[:count])


def make_planner(
    game: Game,
    seed: int = 0,
    width: int = 32,
    rival: float = 1.0,
    noise: float = 0.5,
    outlook: float = 1.0,
    weights: Any = None,
    cpu: float | None = None,
) -> Planner:
    """Beam search for the best turn.

    *width*: positions kept per number of action points left (1 to 256); *rival*: weight of the rivals' worth; *noise*:
    largest random change of a turn's value, in points; *outlook*: weight, within a seat's last turn, of points still to gain
    (0: none, and only the game's last turn is valued by its exact score); *cpu*: seconds of CPU time per turn, from which the
    width follows.
    """
    check_whole("planner: width", width, 1, MAX_WIDTH)
    check_number("planner: rival", rival, 0, MOST_NUMBER)
    check_number("planner: noise", noise, 0, MOST_NUMBER)
    check_number("planner: outlook", outlook, 0, MOST_NUMBER)
    options = make_options(game, CHOOSE, 1, (width, width), (rival, rival), noise, outlook, weights)
    return Planner("planner", game, seed, compile_thinking, tuple(options[:-1].tolist())).with_cpu(cpu)
