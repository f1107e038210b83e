"""The market game as the shared classes see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from market_env.actions import NUM_ACTIONS
from market_env.observation import OBSERVATION_SIZE
from market_env.position import make_record
from market_env.record import RECORD
from market_env.rules import MAX_PLAYERS, MIN_PLAYERS, PRESETS, resolve
from market_env.scoring import PROGRESS, REWARDS
from tower_core.game import Game

if TYPE_CHECKING:
    from tower_core.batch import Batch
    from tower_core.chance import Chance
    from tower_core.state import State


def _compile() -> tuple[Any, int]:
    from market_env.kernels import compile_market

    return compile_market()


def _state_class() -> type[State]:
    from market_env.state import MarketState

    return MarketState


def _batch_class() -> type[Batch]:
    from market_env.batch import MarketBatch

    return MarketBatch


def _chance() -> Chance:
    from market_env import chance

    return chance


GAME = Game(
    name="market",
    title="The market game",
    package="market_env",
    record=RECORD,
    num_actions=NUM_ACTIONS,
    parts=(("vector", (OBSERVATION_SIZE,)),),
    rewards=REWARDS,
    dense_rewards=frozenset(name for name, kind in REWARDS.items() if kind == PROGRESS),
    seats=range(MIN_PLAYERS, MAX_PLAYERS + 1),
    default_rules="base",
    presets=tuple(PRESETS),
    compile=_compile,
    make_record=make_record,
    resolve_rules=resolve,
    state_class=_state_class,
    batch_class=_batch_class,
    gym_id="market_env/Market-v0",
    chance=_chance,
    has_truncation=True,
)
"""The game's description (see tower_core.game.Game)."""
