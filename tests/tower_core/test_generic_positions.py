"""Positions of games that declare none of their own: the fields of the record, checked one by one."""

from __future__ import annotations

import json

import pytest

from torres_env import TorresState
from torres_env.game import GAME
from tower_core.position import from_position, to_position


def written(seat=None):
    state = TorresState(3, "classic", 4)
    for _ in range(9):
        state.apply_action(state.legal_actions()[-1])
    return state, json.loads(json.dumps(to_position(GAME, state._record, state.rules, seat)))


def test_round_trip():
    state, position = written()
    record, rules = from_position(GAME, position)
    assert rules == state.rules
    assert to_position(GAME, record, rules) == position
    assert record["rng"] == state._record["rng"] and "rng" not in written(1)[1]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("to_move", 3, "to_move: must be an integer from 0 to 2, not 3"),
        ("num_players", "3", "num_players: must be an integer, not '3'"),
        ("num_players", 5, "num_players must be 2, 3 or 4, not 5"),
        ("truncated", 1, "truncated: must be true or false, not 1"),
        ("truncated", True, "truncated: must be false unless the game is over"),
        ("rng", -1, "rng: must be an integer from 0 to 18446744073709551615, not -1"),
        ("height", [0] * 63, "height: must be a list of 64 entries"),
        ("height", [0] * 63 + [300], "height [63]: must be an integer from 0 to 255, not 300"),
        ("height", [0] * 63 + [True], "height [63]: must be an integer from 0 to 255, not True"),
        ("height", {1}, "height: must be a list of 64 entries"),
        ("king", None, "king: must be an integer from 0 to 255, not None"),
        ("game", "market", "game: must be torres, not 'market'"),
        ("rules", "chess", "rules: unknown preset 'chess'"),
    ],
)
def test_refused(field, value, told):
    with pytest.raises(ValueError) as error:
        from_position(GAME, written()[1] | {field: value})
    assert str(error.value).startswith(told)


def test_missing():
    position = written()[1]
    del position["height"]
    with pytest.raises(ValueError, match="^height: is missing"):
        from_position(GAME, position)
    with pytest.raises(ValueError, match="^position must be a dict, not list"):
        from_position(GAME, [])
