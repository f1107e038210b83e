"""How opponents and players are named: weights, specs, options, and what is said about wrong ones."""

from __future__ import annotations

import math
import sys

import pytest
from distributions import write_distribution

from torres_env.game import GAME
from tower_core.players.protocol import Native, Player
from tower_core.players.specs import make_player, player_names, weighted


class Somebody:
    name = "somebody"
    native = None

    def act(self, state):
        return 0


SOMEBODY = Somebody()


@pytest.mark.parametrize(
    ("opponents", "expected"),
    [
        ("greedy", [("greedy", 1)]),
        ("greedy:2", [("greedy", 2)]),
        ("random:1,greedy:3", [("random", 1), ("greedy", 3)]),
        (" random , greedy:0.5", [("random", 1), ("greedy", 0.5)]),
        ("greedy:1e2", [("greedy", 100)]),
        ("random:0,greedy:1", [("random", 0), ("greedy", 1)]),
        ("checkpoint:runs/a.zip", [("checkpoint:runs/a.zip", 1)]),
        ("checkpoint:runs/a.zip:2", [("checkpoint:runs/a.zip", 2)]),
        ("plan:depth=3,width=4", [("plan:depth=3,width=4", 1)]),
        ("plan:depth=3,width=4:2,random", [("plan:depth=3,width=4", 2), ("random", 1)]),
        (["random", ("greedy", 2)], [("random", 1), ("greedy", 2)]),
        (("random", "greedy"), [("random", 1), ("greedy", 1)]),
        ({"random": 1, "greedy": 2.5}, [("random", 1), ("greedy", 2.5)]),
        (SOMEBODY, [(SOMEBODY, 1)]),
        ([SOMEBODY, "greedy"], [(SOMEBODY, 1), ("greedy", 1)]),
        ([(SOMEBODY, 3)], [(SOMEBODY, 3)]),
    ],
)
def test_weights(opponents, expected):
    assert weighted(opponents) == expected


NO_WEIGHTS = [
    "greedy:0",
    "greedy:-1",
    [],
    {},
    {"greedy": -1},
    {"greedy": math.nan},
    {"greedy": math.inf},
    {"greedy": True},
]
NO_WEIGHTS += [{"greedy": "1"}, {"greedy": None}, [("greedy", -1)], [("greedy", "x")], "greedy:0,random:0"]


@pytest.mark.parametrize("opponents", NO_WEIGHTS)
def test_weights_that_are_none(opponents):
    with pytest.raises(ValueError, match=r"opponents: .*weight"):
        weighted(opponents)


def test_specs_become_players():
    for name in ("random", "passive", "greedy"):
        player = make_player(name, GAME, 3)
        assert player.name == name
        assert isinstance(player, Player)
        assert isinstance(player.native, Native)
        assert player.native.address
    assert make_player(SOMEBODY, GAME) is SOMEBODY
    assert {"greedy", "passive", "random"} <= set(player_names())


@pytest.mark.parametrize("spec", [None, 3, 1.5, math.nan, object(), b"greedy", ["greedy"]])
def test_what_is_no_spec(spec):
    with pytest.raises(ValueError, match="a player spec must be a string"):
        make_player(spec, GAME)


@pytest.mark.parametrize("spec", ["", "nobody", "Greedy", "greedy ", "nobody:depth=3", ":3"])
def test_unknown_players(spec):
    with pytest.raises(ValueError, match=r"unknown player .*greedy, .*random"):
        make_player(spec, GAME)


@pytest.mark.parametrize("spec", ["greedy:depth=3", "random:path", "greedy:depth=3,x", "passive:a=1,b=2"])
def test_options_that_a_player_does_not_take(spec):
    with pytest.raises(ValueError, match=r"greedy|random|passive|key=value"):
        make_player(spec, GAME)


class Fake:
    """A player that keeps the arguments of its factory."""

    def __init__(self, *given):
        self.given = given

    def act(self, state):
        raise AssertionError("it is only made")


def make_fake(game, seed, **options):
    return Fake(game, seed, options)


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """An installed package with this module's player ``fake``."""
    write_distribution(tmp_path, "fake_player", f"[towers.players]\nfake = {__name__}:make_fake\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("fake", {}),
        ("fake:depth=3", {"depth": 3}),
        ("fake:depth=3,c=1.5,mode=fast", {"depth": 3, "c": 1.5, "mode": "fast"}),
        ("fake: depth = 3 , x=-2", {"depth": 3, "x": -2}),
        ("fake:runs/3", {"path": "runs/3"}),
        ("fake:a=", {"a": ""}),
    ],
)
def test_options(spec, options):
    assert make_player(spec, GAME, 7).given == (GAME, 7, options)


@pytest.mark.usefixtures("fake")
def test_a_part_without_a_value():
    with pytest.raises(ValueError, match="key=value, not 'b'"):
        make_player("fake:a=1,b", GAME)
