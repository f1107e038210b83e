"""A game's description is checked when it is made: the error names the game and the field that is wrong."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tower_core import options
from tower_core.actions import ActionTable, Verb
from tower_core.engine.batch_structs import game_record, padded
from tower_core.game import Game
from tower_core.game_checks import GameError
from tower_core.observation import Block, Layout, Part


@dataclasses.dataclass(frozen=True)
class Rules(options.Rules):
    """No options."""


def part(name="numbers", size=5):
    return Part(name, Layout([Block("all", size, "numbers")]), (size,))


RIGHT = {
    "name": "toy",
    "title": "Toy",
    "package": "toy",
    "prefix": "Toy",
    "record": game_record(7, 2, [("board", "u1", (3,))]),
    "actions": ActionTable([Verb("DROP", (tuple("1234567"),))]),
    "observation": (part(),),
    "rules": Rules,
    "seats": range(2, 3),
}
FIELDS = [(name, *RIGHT["record"].fields[name][:1]) for name in RIGHT["record"].names if name != "padding"]


def record(**changed):
    """The right record with some fields of other types; None leaves a field out."""
    kinds = [(name, changed.get(name, kind)) for name, kind in FIELDS]
    return padded(np.dtype([(name, kind) for name, kind in kinds if kind is not None], align=True))


def without_rules():
    return type("Rules", (), {})


class Failing(Rules):
    @classmethod
    def presets(cls):
        raise RuntimeError("no presets today")


@dataclasses.dataclass(frozen=True)
class Shadowing(options.Rules):
    """An option with clashes with a field that every record has."""

    rng: int = 0


WRONG = [
    ("name", {"name": "Toy"}, "lower-case letters"),
    ("name", {"name": "connect-four"}, "lower-case letters"),
    ("prefix", {"prefix": "toy"}, "a name such as ConnectFour"),
    ("version", {"version": "1"}, "v0, v1"),
    ("seats", {"seats": range(3)}, "from 1 to 4"),
    ("seats", {"seats": range(2, 6)}, "from 1 to 4"),
    ("seats", {"seats": range(2, 2)}, "from 1 to 4"),
    ("seats", {"seats": range(2, 5, 2)}, "from 1 to 4"),
    ("record", {"record": np.dtype("u8")}, "structured dtype"),
    ("record", {"record": np.dtype([("legal", "u8", (1,))])}, "has 8 bytes: use tower_core.engine.batch_structs.padded"),
    ("record.first_word", {"record": record(first_word=None)}, "is missing"),
    ("record.to_move", {"record": record(to_move=None)}, "is missing"),
    ("record.to_move", {"record": record(to_move="u1")}, "a signed integer"),
    ("record.num_players", {"record": record(num_players="f4")}, "integer"),
    ("record.truncated", {"record": record(truncated=("u1", (2,)))}, "integer"),
    ("record.rng", {"record": record(rng="u4")}, "at least 8 bytes"),
    ("record.rng", {"record": record(rng="i8")}, "at least 8 bytes"),
    ("record", {"record": record(score=None)}, "must have the fields legal and score"),
    ("record", {"record": record(legal=None)}, "must have the fields legal and score"),
    ("record.legal", {"record": record(legal=("u8", (2,)))}, "must be .'u8', .1,.. for 7 actions"),
    ("record.legal", {"record": record(legal=("u4", (1,)))}, "must be .'u8', .1,.. for 7 actions"),
    ("record.legal", {"actions": ActionTable([Verb("A", (tuple(map(str, range(65))),))])}, "for 65 actions"),
    ("record.score", {"record": record(score=("i4", (1,)))}, "for 2 seats"),
    ("record.score", {"record": record(score=("f4", (2,)))}, "integers"),
    ("record.script", {"record": padded(np.dtype([*FIELDS, ("script", "u4")], align=True))}, "u8"),
    ("observation", {"observation": ()}, "must have one or two parts"),
    ("observation", {"observation": (part(), part("a"), part("b"))}, "must have one or two parts"),
    ("observation", {"observation": (part(), part())}, "has two parts of one name"),
    ("rewards", {"rewards": {"score": 0}}, "must map 'outcome' to 0"),
    ("rewards", {"rewards": {"outcome": 0, "score": 0}}, "maps two names to the same number"),
    ("dense_rewards", {"dense_rewards": frozenset({"outcome"})}, "must be among"),
    ("dense_rewards", {"dense_rewards": frozenset({"score"})}, "must be among"),
    ("rules", {"rules": without_rules()}, "a frozen dataclass"),
    ("rules", {"rules": Failing}, "no presets today"),
    ("rules.rng", {"rules": Shadowing}, "clashes with a field that every record has"),
    ("default_rules", {"default_rules": "classic"}, "must be a preset: standard"),
    ("measured", {"measured": (3, "standard")}, "must be .players, preset."),
    ("derived", {"derived": frozenset({"castles"})}, "unknown record field.s. castles"),
]  # fmt: skip


def test_the_right_one_is_right():
    assert Game(**RIGHT).observation_size == 5
    assert Game(**{**RIGHT, "seats": range(1, 3)}).seats[0] == 1


@pytest.mark.parametrize(("field", "change", "reason"), WRONG)
def test_what_is_wrong_is_named(field, change, reason):
    with pytest.raises(GameError, match=f"{field.replace('.', '[.]')}: .*{reason}") as caught:
        Game(**{**RIGHT, **change})
    assert str(caught.value).startswith("game '")
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 128, 129, 662])
def test_any_number_of_actions(count):
    actions = ActionTable([Verb("A", (tuple(map(str, range(count))),))])
    game = Game(**{**RIGHT, "actions": actions, "record": game_record(count, 2, [])})
    made = game.make_record(2, Rules())
    assert int(made["first_word"][0]) + 64 * (made["legal"].shape[1] - 1) == count
    assert 1 <= int(made["first_word"][0]) <= 64
    assert made.dtype.itemsize % 64 == 0


@pytest.mark.parametrize(
    "verbs",
    [
        [],
        [Verb("A"), Verb("A")],
        [Verb("A", ((),))],
        [Verb("A", (("x", "x"),))],
        [Verb("TWO WORDS")],
        [Verb("A", (("two words",),))],
        [Verb("")],
    ],
)
def test_verbs_that_cannot_be(verbs):
    with pytest.raises(ValueError, match="^actions: "):
        ActionTable(verbs)


def test_numbers_have_no_gaps():
    table = ActionTable([Verb("A"), Verb("B", (tuple("xyz"), tuple("12"))), Verb("C", (tuple("pq"),))])
    assert len(table) == 1 + 6 + 2
    assert [table.text(action) for action in range(9)] == [
        "A", "B x 1", "B x 2", "B y 1", "B y 2", "B z 1", "B z 2", "C p", "C q",
    ]  # fmt: skip
    assert [table.parse(table.text(action)) for action in range(9)] == list(range(9))
    for wrong in (-1, 9):
        with pytest.raises(ValueError, match="action must be from 0 to 8"):
            table.text(wrong)
