"""The description of Torres (see tower_core.game.Game)."""

from __future__ import annotations

from torres_env.actions import ACTIONS
from torres_env.card_table import CARD_HELP
from torres_env.observation import GLOBALS, GLOBALS_SIZE, PLANES
from torres_env.position import to_position, write_rules
from torres_env.reader import fill_hidden, from_position
from torres_env.record import RECORD
from torres_env.rules import MAX_PLAYERS, MIN_PLAYERS, TorresRules
from torres_env.scoring import PROGRESS, REWARDS, SCORE
from tower_core.game import Game
from tower_core.observation import Part

GAME = Game(
    name="torres",
    title="Torres",
    package="torres_env",
    record=RECORD,
    actions=ACTIONS,
    observation=(Part("board", PLANES, (PLANES.size, 8, 8)), Part("globals", GLOBALS, (GLOBALS_SIZE,))),
    rules=TorresRules,
    rewards=REWARDS,
    dense_rewards=frozenset(name for name, kind in REWARDS.items() if kind in (SCORE, PROGRESS)),
    seats=range(MIN_PLAYERS, MAX_PLAYERS + 1),
    prefix="Torres",
    faces="torres_env.torres_v0",
    chance_module="torres_env.chance",
    drawing="torres_env.drawing.picture",
    hidden=True,
    write_rules=write_rules,
    to_position=to_position,
    from_position=from_position,
    fill_hidden=fill_hidden,
    symmetries="torres_env.symmetries",
    measured=(2, "standard"),
    turn_fields=("phase", "round", "turn", "to_move"),
    card_help=CARD_HELP,
)
