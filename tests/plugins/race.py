"""A game of somebody else's, as small as one can be: no drawing, no help, 7 actions, 1 to 4 seats, odd observation size.

Seats take steps in turn; the first to come to the goal wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tower_core.actions import ActionTable, Verb
from tower_core.engine.batch_structs import padded
from tower_core.engine.compiling import jit
from tower_core.engine.hooks import implement
from tower_core.engine.intrinsics import store_byte
from tower_core.envs.faces import make_faces
from tower_core.game import Game
from tower_core.observation import Block, Layout, Part
from tower_core.options import Rules, check_whole

STEPS, SEATS = 6, 4
OVER = np.int8(-4)
ALL = np.uint64(0b1111111)
RECORD = padded(
    np.dtype(
        [
            ("legal", "u8", (1,)), ("rng", "u8"), ("score", "i4", (SEATS,)), ("goal", "i4"), ("first_word", "u1"),
            ("to_move", "i1"), ("num_players", "u1"), ("truncated", "u1"),
        ],
        align=True,
    )
)  # fmt: skip


@dataclass(frozen=True)
class RaceRules(Rules):
    goal: int = 12
    """Steps to go."""
    mood: Literal["calm", "wild"] = "calm"
    """Changes nothing."""

    def __post_init__(self) -> None:
        check_whole("goal", self.goal, 1, 100)

    @classmethod
    def presets(cls):
        return {"standard": cls(), "short": cls(goal=4)}


@jit
def refresh(s):
    s.legal[0] = np.uint64(0) if s.to_move == OVER else ALL


@jit
def new_game(s, seed):
    s.rng = seed
    s.to_move = 0
    s.truncated = 0
    for seat in range(SEATS):
        s.score[seat] = 0
    refresh(s)


@jit
def apply(s, action):
    if action < STEPS:
        s.score[s.to_move] += np.int32(action + 1)
    s.to_move = OVER if s.score[s.to_move] >= s.goal else np.int8((s.to_move + 1) % s.num_players)
    refresh(s)


@jit
def observe(s, seat, at):
    for other in range(SEATS):
        place = (seat + other) % SEATS
        store_byte(at + other, np.int64(s.score[place]))
    store_byte(at + SEATS, np.int64(s.goal))


implement(RECORD, new_game=new_game, apply=apply, observe=observe, refresh=refresh)

LAYOUT = Layout(
    [
        Block("steps", SEATS, "steps made, own seat first", "0–105", high=105),
        Block("goal", 1, "steps to go", "1–100", high=100),
    ]
)
GAME = Game(
    name="race",
    title="Race",
    package="race",
    record=RECORD,
    actions=ActionTable([Verb("STEP", (tuple("123456"),)), Verb("WAIT", passes=True)]),
    observation=(Part("vector", LAYOUT, (LAYOUT.size,)),),
    rules=RaceRules,
    seats=range(1, SEATS + 1),
    prefix="Race",
    kernels="race",
    faces="race",
    derived=frozenset({"legal"}),
)
RaceState, RaceBatch, RaceEnv, RaceVectorEnv, raw_env, env = make_faces(GAME, __name__)
