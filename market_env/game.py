"""The market game as the shared classes see it."""

from __future__ import annotations

from market_env.actions import NUM_ACTIONS
from market_env.observation import OBSERVATION_SIZE
from market_env.position import make_record, to_position
from market_env.record import RECORD
from market_env.rules import MAX_PLAYERS, MIN_PLAYERS, PRESETS, resolve, solo_levels
from market_env.scoring import PROGRESS, REWARDS
from tower_core.game import Game

GAME = Game(
    name="market",
    title="The market game",
    package="market_env",
    record=RECORD,
    num_actions=NUM_ACTIONS,
    observation_shapes=(("vector", (OBSERVATION_SIZE,)),),
    rewards=REWARDS,
    dense_rewards=frozenset(name for name, kind in REWARDS.items() if kind == PROGRESS),
    seats=range(MIN_PLAYERS, MAX_PLAYERS + 1),
    default_rules="base",
    presets=tuple(PRESETS),
    make_record=make_record,
    to_position=to_position,
    resolve_rules=resolve,
    state_name="MarketState",
    batch_name="MarketBatch",
    gym_id="market_env/Market-v0",
    measured=(4, "full"),
    has_truncation=True,
    levels=solo_levels,
)
"""The game's description (see tower_core.game.Game)."""
