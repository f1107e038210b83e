"""The ten lines of docs/players.md: installed as its page says, named everywhere, and playing in the arena."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

import agents
from train.arena import ArenaSettings, run_arena

sys.path.insert(0, str(Path(__file__).parent))

from outside_player import install

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "players.md").read_text("utf-8").split("## Ten lines")[1]


def block(language):
    return re.search(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[1]


@pytest.fixture
def example(tmp_path, monkeypatch):
    project = tomllib.loads(block("toml"))
    (module,) = project["tool"]["setuptools"]["py-modules"]
    install(tmp_path / "packages", module, block("python"), project["project"]["entry-points"]["towers.players"])
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
