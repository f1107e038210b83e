"""Torres as the shared classes see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torres_env.actions import NUM_ACTIONS
from torres_env.observation import GLOBALS_SIZE, PLANES
from torres_env.position import make_record
from torres_env.record import RECORD
from torres_env.rules import MAX_PLAYERS, MIN_PLAYERS, PRESETS, resolve
from torres_env.scoring import PROGRESS, REWARDS, SCORE
from tower_core.game import Game

if TYPE_CHECKING:
    from tower_core.batch import Batch
    from tower_core.chance import Chance
    from tower_core.state import State


def _compile() -> tuple[Any, int]:
    from torres_env.kernels import compile_torres

    return compile_torres()


def _state_class() -> type[State]:
    from torres_env.state import TorresState

    return TorresState


def _batch_class() -> type[Batch]:
    from torres_env.batch import TorresBatch

    return TorresBatch


def _chance() -> Chance:
    from torres_env import chance

    return chance


GAME = Game(
    name="torres",
    title="Torres",
    package="torres_env",
    record=RECORD,
    num_actions=NUM_ACTIONS,
    parts=(("board", (PLANES.size, 8, 8)), ("globals", (GLOBALS_SIZE,))),
    rewards=REWARDS,
    dense_rewards=frozenset(name for name, kind in REWARDS.items() if kind in (SCORE, PROGRESS)),
    seats=range(MIN_PLAYERS, MAX_PLAYERS + 1),
    default_rules="standard",
    presets=tuple(PRESETS),
    compile=_compile,
    make_record=make_record,
    resolve_rules=resolve,
    state_class=_state_class,
    batch_class=_batch_class,
    gym_id="torres_env/Torres-v0",
    chance=_chance,
)
"""The game's description (see tower_core.game.Game)."""
