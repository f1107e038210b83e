"""Torres as the shared classes see it."""

from __future__ import annotations

from torres_env.actions import NUM_ACTIONS
from torres_env.observation import GLOBALS_SIZE, PLANES
from torres_env.position import make_record, to_position
from torres_env.record import RECORD
from torres_env.rules import MAX_PLAYERS, MIN_PLAYERS, PRESETS, resolve
from torres_env.scoring import PROGRESS, REWARDS, SCORE
from tower_core.game import Game

GAME = Game(
    name="torres",
    title="Torres",
    package="torres_env",
    record=RECORD,
    num_actions=NUM_ACTIONS,
    observation_shapes=(("board", (PLANES.size, 8, 8)), ("globals", (GLOBALS_SIZE,))),
    rewards=REWARDS,
    dense_rewards=frozenset(name for name, kind in REWARDS.items() if kind in (SCORE, PROGRESS)),
    seats=range(MIN_PLAYERS, MAX_PLAYERS + 1),
    default_rules="standard",
    presets=tuple(PRESETS),
    make_record=make_record,
    to_position=to_position,
    resolve_rules=resolve,
    state_name="TorresState",
    batch_name="TorresBatch",
    gym_id="torres_env/Torres-v0",
    measured=(2, "standard"),
)
"""The game's description (see tower_core.game.Game)."""
