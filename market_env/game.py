"""The description of the market game (see tower_core.game.Game)."""

from __future__ import annotations

from market_env.actions import ACTIONS
from market_env.card_table import CARD_HELP
from market_env.observation import OBSERVATION_SIZE, VECTOR
from market_env.position import to_position, write_rules
from market_env.reader import fill_hidden, from_position
from market_env.record import RECORD
from market_env.rules import MAX_PLAYERS, MIN_PLAYERS, MarketRules, solo_levels
from market_env.scoring import PROGRESS, REWARDS
from tower_core.game import Game
from tower_core.observation import Part

GAME = Game(
    name="market",
    title="The market game",
    package="market_env",
    record=RECORD,
    actions=ACTIONS,
    observation=(Part("vector", VECTOR, (OBSERVATION_SIZE,)),),
    rules=MarketRules,
    rewards=REWARDS,
    dense_rewards=frozenset(name for name, kind in REWARDS.items() if kind == PROGRESS),
    seats=range(MIN_PLAYERS, MAX_PLAYERS + 1),
    default_rules="base",
    prefix="Market",
    faces="market_env.market_v0",
    chance_module="market_env.chance",
    drawing="market_env.drawing.picture",
    hidden=True,
    write_rules=write_rules,
    to_position=to_position,
    from_position=from_position,
    fill_hidden=fill_hidden,
    card_help=CARD_HELP,
    measured=(4, "full"),
    turn_fields=("round", "to_move"),
    has_truncation=True,
    levels=solo_levels,
)
