"""Take 1 to ``most`` stones; the last stone wins a point. Under ``wind`` chance sometimes takes one more, under ``bags``
each player hides a number. Alone, a player wants few moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tower_core.actions import ActionTable, Verb
from tower_core.engine.batch_structs import MAX_SEATS, padded
from tower_core.game import Game
from tower_core.observation import Block, Layout, Part
from tower_core.options import Rules

MOST = 200
RECORD = padded(
    np.dtype(
        [
            ("legal", "u8", (-(-MOST // 64),)),
            ("rng", "u8"),
            ("heap", "i4"),
            ("moves", "i4"),
            ("stones", "i4"),
            ("most", "i4"),
            ("wind", "i4"),
            ("bags", "i4"),
            ("score", "i4", (MAX_SEATS,)),
            ("bag", "i4", (MAX_SEATS,)),
            ("first_word", "u1"),
            ("to_move", "i1"),
            ("num_players", "u1"),
            ("truncated", "u1"),
        ],
        align=True,
    )
)


@dataclass(frozen=True)
class StonesRules(Rules):
    """Options of the game."""

    stones: int = 15
    """In the heap at first."""
    most: int = 3
    """The most that a player may take."""
    wind: int = 0
    """1: after a move, one more stone is lost half the time, never the last."""
    bags: int = 0
    """1: each player has a secret number from 0 to 9, known to itself alone."""


GAME = Game(
    name="stones",
    title="Stones",
    package="stones",
    record=RECORD,
    actions=ActionTable([Verb("TAKE", ([str(n) for n in range(1, MOST + 1)],))]),
    observation=(
        Part("view", Layout([Block("heap", 1, "stones", high=255), Block("bag", 1, "own bag", high=9)]), (2,)),
    ),
    rules=StonesRules,
    seats=range(1, 5),
    prefix="Stones",
    hidden=True,
)
