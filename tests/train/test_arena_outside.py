"""Players from outside in the arena: the ten lines of docs/players.md, installed as its page says, and players without
packaging."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from distributions import write_distribution

import agents
from tower_core.players import specs
from train.arena import ArenaSettings, run_arena
from train.arena.results import ResultsError, read_results

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "players.md").read_text("utf-8").split("## Ten lines")[1]


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[1]


@pytest.fixture
def example(tmp_path, monkeypatch):
    project = tomllib.loads(block("toml"))
    (module,) = project["tool"]["setuptools"]["py-modules"]
    points = project["project"]["entry-points"]["towers.players"]
    text = "[towers.players]\n" + "".join(f"{name} = {target}\n" for name, target in points.items())
    write_distribution(tmp_path / "packages", module, text, block("python"))
    monkeypatch.syspath_prepend(tmp_path / "packages")


def test_it_is_ten_lines():
    assert len([line for line in block("python").splitlines() if line.strip()]) <= 10


def test_it_plays(example):
    assert "first" in agents.names()
    settings = ArenaSettings("torres", ("first", "first:skip=1", "random"), games=2)
    tally = run_arena(settings, jobs=1)
    assert tally.games == 6
    assert all(not entrant.faults for entrant in tally.entrants.values())
    assert tally.entrants["first"].moves > 50
    market = run_arena(ArenaSettings("market", ("first", "passive"), players=3, games=3), jobs=0)
    assert market.games == 6
    assert all(not entrant.faults for entrant in market.entrants.values())
    with pytest.raises(ValueError, match="'first:depth=1' has no option 'depth'; it has: skip"):
        agents.make("first:depth=1", game="torres")


# ---------------------------------------------------------------------------------------------- without packaging
class First:
    """A class in a module that worker processes can import."""

    def act(self, state):
        return state.legal_actions()[0]


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A file with a player, in the current folder."""
    (tmp_path / "my.py").write_text(
        "class Mine:\n    def act(self, state):\n        return state.legal_actions()[-1]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(specs, "_registered", {})


@pytest.mark.parametrize("jobs", [0, 1])
def test_files_classes_and_registered_names(mine, jobs):
    agents.register("again", First)
    settings = ArenaSettings("torres", ("my.py:Mine", "other=my.py:Mine", First, "again"), games=2)
    tally = run_arena(settings, jobs=jobs)
    assert list(tally.entrants) == ["my.py:Mine", "other", "First", "again"]
    assert tally.games == 12
    assert all(not entrant.faults for entrant in tally.entrants.values())


def test_what_cannot_be_sent_to_other_processes(mine):
    class Local(First):
        pass

    for source, name in ((Local, "Local"), (Local(), "Local"), (lambda state: 0, "<lambda>")):
        settings = ArenaSettings("torres", (source, "random"), games=2)
        with pytest.raises(ValueError, match=f"player '{name}' can't be sent to other processes: play with jobs=0, or"):
            run_arena(settings, jobs=1)
    assert run_arena(ArenaSettings("torres", (Local, "random"), games=2), jobs=0).games == 2
    agents.register("local", Local)
    with pytest.raises(ValueError, match="player 'local' can't be sent"):
        run_arena(ArenaSettings("torres", ("local", "random"), games=2), jobs=1)


def test_a_script_without_a_file(child):
    """As in a notebook, other processes can't import what it defines."""
    code = (
        "class Mine:\n    def act(self, state):\n        return state.legal_actions()[0]\n"
        "from train.arena import ArenaSettings, run_arena\n"
        "run_arena(ArenaSettings('torres', (Mine, 'random'), games=2), jobs=1)\n"
    )
    assert "ValueError: player 'Mine' can't be sent to other processes" in child(code).stderr


def test_one_name_means_one_player(mine):
    with pytest.raises(ValueError, match="two players have the name 'x': name them apart, such as other=random"):
        ArenaSettings("torres", ("x=greedy", "x=random"))
    with pytest.raises(ValueError, match="two players have the name 'greedy'"):
        ArenaSettings("torres", ("greedy",), anchors=("greedy=random",))
    settings = ArenaSettings("torres", ("x=greedy", "x=greedy"), anchors=("x=greedy", "y=random"))
    assert settings.specs == {"x": "x=greedy", "x (2)": "x=greedy", "y": "y=random"}


def test_results_keep_what_a_name_meant(mine, tmp_path):
    path = tmp_path / "games.jsonl"
    settings = ArenaSettings("torres", ("x=my.py:Mine", "random"), games=2)
    run_arena(settings, path, jobs=0)
    assert [outcome.specs for outcome in read_results(path)[1]] == [{"x": "my.py:Mine"}] * 2
    assert run_arena(settings, path, jobs=0).games == 2
    before = path.read_bytes()
    for other in ("x=greedy", "random=greedy"):
        with pytest.raises(ResultsError, match=r"games.jsonl, '\w+' is [\w.:]+, not greedy: choose another name"):
            run_arena(ArenaSettings("torres", (other, "passive"), games=2), path, jobs=0)
    assert path.read_bytes() == before
    more = ArenaSettings("torres", ("x=my.py:Mine", "x=my.py:Mine", "random", "random"), games=2)
    run_arena(more, path, jobs=0)
    assert run_arena(more, path, jobs=0).games == 12


def test_games_that_a_player_does_not_play(tmp_path):
    """The refusal comes before the first game."""
    path = tmp_path / "games.jsonl"
    for spec in ("learned", "mine=learned", "mcts:network=learned"):
        with pytest.raises(ValueError, match="learned was trained for .*, not for 2 players under classic"):
            run_arena(ArenaSettings("torres", (spec, "random"), rules="classic", games=2), path, jobs=0)
    assert not path.exists()
