"""A game of one player in one file: throw a die as often as you dare. A one loses what the turn has brought.

With *goal* points after five turns at most the game is won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tower_core import options
from tower_core.actions import ActionTable, Verb
from tower_core.envs.faces import make_faces
from tower_core.envs.registration import register_game
from tower_core.game import Game
from tower_core.kernels import OVER, allow, below, forbid_all, game_record, implement, jit, smaller, store_byte
from tower_core.observation import Block, Layout, Part

TURNS = 5


@dataclass(frozen=True)
class Rules(options.Rules):
    """How many points must be made."""

    goal: int = 30
    """Points that win the game."""

    def __post_init__(self) -> None:
        options.check_whole("goal", self.goal, 1, 200)

    @classmethod
    def presets(cls) -> dict[str, Rules]:
        return {"standard": cls(), "long": cls(goal=60)}


ACTIONS = ActionTable(
    [Verb("THROW", (), "throws the die"), Verb("STOP", (), "keeps the points of this turn", passes=True)]
)
RECORD = game_record(len(ACTIONS), 1, [("goal", "u1"), ("turn", "u1"), ("gained", "u2"), ("die", "u1")])


@jit
def refresh(s: Any) -> None:
    forbid_all(s)
    s.to_move = 0 if s.turn < TURNS and s.score[0] < s.goal else OVER
    if s.to_move == 0:
        allow(s, 0)
        if s.gained > 0:
            allow(s, 1)


@jit
def new_game(s: Any, seed: Any) -> None:
    s.rng = seed
    s.score[0] = s.turn = s.gained = s.die = 0
    refresh(s)


@jit
def apply(s: Any, action: Any) -> None:
    s.die = below(s, np.int64(6)) + 1 if action == 0 else 0
    if s.die > 1:
        s.gained += s.die
    else:
        s.score[0] += s.gained if action == 1 else 0
        s.gained = 0
        s.turn += 1
    refresh(s)


@jit
def observe(s: Any, seat: Any, at: Any) -> None:
    store_byte(at, np.int64(s.turn))
    store_byte(at + 1, np.int64(smaller(np.int64(s.gained), np.int64(255))))
    store_byte(at + 2, np.int64(smaller(np.int64(s.score[0]), np.int64(255))))
    store_byte(at + 3, np.int64(s.goal))
    store_byte(at + 4, np.int64(s.die))


@jit
def terminal_reward(s: Any, seat: Any, kind: Any) -> Any:
    return 1.0 if s.score[0] >= s.goal else -1.0


implement(RECORD, new_game=new_game, apply=apply, observe=observe, refresh=refresh, terminal_reward=terminal_reward)

LAYOUT = Layout(
    [
        Block("turn", 1, "turns that are over", "0–5", high=TURNS),
        Block("gained", 1, "points of this turn", "0–255, clipped", high=255, unit=10),
        Block("score", 1, "points kept", "0–255, clipped", high=255, unit=30),
        Block("goal", 1, "points that win", "1–200", high=200, unit=30),
        Block("die", 1, "what the die shows", "0–6", high=6),
    ]
)
GAME = Game(
    name="dice_run",
    title="Dice Run",
    package="dice_run",
    prefix="DiceRun",
    kernels="dice_run",
    faces="dice_run",
    record=RECORD,
    actions=ACTIONS,
    observation=(Part("numbers", LAYOUT, (LAYOUT.size,)),),
    rules=Rules,
    seats=range(1, 2),
)
DiceRunState, DiceRunBatch, DiceRunEnv, DiceRunVectorEnv, raw_env, env = make_faces(GAME, __name__)
register_game(GAME.gym_id, __name__)
