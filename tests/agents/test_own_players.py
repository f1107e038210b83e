"""Players without packaging: files, modules, classes, instances, functions and registered names, wherever a player is taken."""

from __future__ import annotations

import sys
import time

import gymnasium
import numpy as np
import pytest

import agents
import torres_env
from market_env import MarketBatch
from torres_env import TorresBatch, TorresState
from tower_core.players import specs
from tower_core.players.python_opponents import PythonOpponents
from train.evaluate import evaluate_all

assert torres_env

SOURCE = """
from neighbour import take

class First:
    def act(self, state):
        return take(state, 0)

class Skip:
    def __init__(self, seed, skip=0):
        self.seed, self.skip = seed, skip
    def act(self, state):
        return take(state, self.skip)

class Rows:
    def act_on_rows(self, rows, masks):
        return masks.argmax(1)

class Helper:
    pass

class Fails:
    def __init__(self):
        raise KeyError("weights")
    def act(self, state):
        return 0

def first(state):
    return take(state, 0)

def nothing(game):
    return None

ready = First()
number = 3
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with ``my.py``, its neighbour and a package, as the current one."""
    (tmp_path / "neighbour.py").write_text("def take(state, n):\n    return state.legal_actions()[n]\n")
    (tmp_path / "my.py").write_text(SOURCE)
    (tmp_path / "broken.py").write_text("class First\n")
    (tmp_path / "own_package").mkdir()
    (tmp_path / "own_package" / "players.py").write_text("class First:\n    def act(self, state):\n        return 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(specs, "_registered", {})
    return tmp_path


class First:
    def act(self, state):
        return state.legal_actions()[0]


class Made(First):
    def __init__(self, game, seed, depth=1):
        self.made_of = game.name, seed, depth


def first(state):
    return state.legal_actions()[0]


def make_with_other_names(g, s, depth=1):
    player = First()
    player.made_of = g.name, s, depth
    return player


@pytest.mark.parametrize(
    "spec",
    [
        "my.py:First",
        "my.py:Skip",
        "my.py:Skip:skip=0",
        "my.py:Rows",
        "my.py:first",
        "my.py:ready",
        "./my.py:First",
        "mine=my.py:First",
        First,
        First(),
        first,
        First().act,
        lambda state: state.legal_actions()[0],
        Made,
        make_with_other_names,
    ],
)
def test_every_form_plays(here, spec):
    state = TorresState(seed=1)
    assert agents.make(spec, "torres").act(state) == state.legal_actions()[0]
    env = gymnasium.make("torres_env/Torres-v0", opponents=[spec], seat=1)
    env.reset(seed=1)
    assert env.unwrapped.game_state.current_player() == 1  # it has moved


def test_arguments_of_factories(here):
    assert agents.make(Made, "market", 5).made_of == ("market", 5, 1)
    assert agents.make(make_with_other_names, "market", 5).made_of == ("market", 5, 1)
    skip = agents.make("my.py:Skip:skip=2", "torres", 7)
    assert (skip.seed, skip.skip) == (7, 2)


def test_modules_and_labels(here):
    player = agents.make("mine=own_package.players:First", "torres")
    assert player.name == "mine"
    assert specs.label_of("mine=my.py:First") == "mine"
    assert specs.label_of("my.py:First") == "my.py:First"
    assert specs.label_of("checkpoint:runs/lr=1") == "checkpoint:runs/lr=1"
    assert [specs.label_of(source) for source in (First, First(), first)] == ["First", "First", "first"]


def test_a_changed_file_is_read_again(here):
    state = TorresState(seed=1)
    assert agents.make("my.py:first", "torres").act(state) == state.legal_actions()[0]
    time.sleep(0.01)
    (here / "my.py").write_text("def first(state):\n    return state.legal_actions()[-1]\n")
    assert agents.make("my.py:first", "torres").act(state) == state.legal_actions()[-1]


def test_registered_names(here):
    agents.register("first", Made)
    agents.register("only-market", First, game="market")
    assert "first" in agents.names("torres") and "only-market" not in agents.names("torres")
    assert agents.make("first:depth=3", "torres", 2).made_of == ("torres", 2, 3)
    agents.make("only-market", "market")
    agents.register("first", First)  # replaces it
    assert not hasattr(agents.make("first", "torres"), "made_of")
    for name, source, said in (
        ("greedy", First, "'greedy' is installed already"),
        ("a.b", First, "letters, digits"),
        ("third", 3, "player 'third' is not a player"),
        ("third", int, "the class has no act"),
    ):
        with pytest.raises(ValueError, match=said):
            agents.register(name, source)
    with pytest.raises(ValueError, match="'only-market' doesn't play torres"):
        agents.make("only-market", "torres")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("nowhere.py:First", "there is no file nowhere.py"),
        ("broken.py:First", "broken.py can't be imported: SyntaxError: expected ':' (broken.py, line 1)"),
        ("my.py:Frist", "my.py has no 'Frist'; it has: First, Skip, Rows, Helper, Fails, first, nothing"),
        ("my.py:Helper", "my.py:Helper is not a player: the class has no act(state)"),
        ("my.py:number", "my.py:number is not a player, a class or a function, but 3"),
        ("my.py:nothing", "player 'my.py:nothing' is not a player: nothing made None, which has no act(state)"),
        ("my.py:Fails", "player 'my.py:Fails' can't be made: KeyError: 'weights'"),
        ("my.py:Skip:depth=2", "player 'my.py:Skip:depth=2' has no option 'depth'; it has: skip"),
        ("my.py", "player 'my.py': name the class too, such as my.py:First"),
        ("own_package.nothing:First", "there is no module own_package.nothing"),
        ("first:First", "unknown player 'first': choose one of"),
        (3, "a player spec must be a string such as 'greedy', or a player, a class or a function, not 3"),
        (int, "int is not a player: the class has no act(state)"),
    ],
)
def test_mistakes_in_one_line(here, spec, said):
    with pytest.raises(ValueError) as caught:
        agents.make(spec, "torres")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------------------------------- where they are taken
class Counting:
    """Acts on rows, with nothing else."""

    def __init__(self):
        self.calls = 0

    def act_on_rows(self, rows, masks):
        self.calls += 1
        return masks.argmax(1)


@pytest.mark.parametrize("kind", [TorresBatch, MarketBatch])
def test_rows_alone_are_asked_in_batches(kind):
    player = Counting()
    batch = kind(50, opponents=[player], seat=1)
    PythonOpponents(batch).settle(np.ones(50, np.bool_))
    assert 0 < player.calls < 20


class OnlyClassic(First):
    def must_play(self, num_players, rules):
        raise ValueError("not these rules")


def test_must_play_is_asked_of_any_player():
    with pytest.raises(ValueError, match="not these rules"):
        TorresBatch(1, opponents=OnlyClassic)


def test_mixtures_and_evaluations(here):
    opponents = {First: 2, "my.py:First": 1, "greedy": 0.5}
    assert len(TorresBatch(2, opponents=opponents).players) == 3
    assert specs.weighted("my.py:First:2,mine=my.py:Skip:skip=1:3,greedy") == [
        ("my.py:First", 2.0),
        ("mine=my.py:Skip:skip=1", 3.0),
        ("greedy", 1.0),
    ]
    game = agents.make("random", "torres").game

    def choose(batch):
        return batch.sample_actions()

    results = evaluate_all(choose, game, ["mine=my.py:First", First], 2, players=2, rules="standard", seed=1)
    assert [result.against for result in results] == ["mine", "First"]
    with pytest.raises(ValueError, match="two players have the name 'mine': name them apart, such as other=random"):
        evaluate_all(choose, game, ["mine=greedy", "mine=random"], 2, players=2, rules="standard", seed=1)
