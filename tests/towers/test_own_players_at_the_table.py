"""Players from files, and labels, on the command line: table, browser, evaluation, training."""

from __future__ import annotations

import pytest

from towers.cli import run
from towers.errors import UserError
from towers.web.offer import find_offer

SOURCE = """
class First:
    def act(self, state):
        return next((action for action in state.legal_actions() if action != 0), 0)

class OnlyThree(First):
    def must_play(self, num_players, rules):
        if num_players != 3:
            raise ValueError("it plays with three")
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "my.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)


def test_at_the_table(capsys):
    assert run(["play", "torres", "--players", "mine=my.py:First,greedy", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "player_0: mine, player_1: greedy" in out
    assert "player_0 (mine): N d1" in out


def test_in_the_browser():
    offer = find_offer(["mine=my.py:First"])
    assert all("mine=my.py:First" in players for players in offer.players.values())
    with pytest.raises(UserError, match="--players: my.py:Second: my.py has no 'Second'; it has: First"):
        find_offer(["my.py:Second"])


def test_in_training_and_evaluation(capsys):
    small = "--decisions 256 --envs 8 --rollout 8 --batch-size 32 --width 2 --blocks 1 --threads 1 --evaluate-every 0 --run run"
    mixed = "--opponents my.py:First:2,random:1 --against mine=my.py:First,random --final-games 2"
    assert run(["train", "torres", *small.split(), *mixed.split()]) == 0
    assert run(["evaluate", "run", "--against", "my.py:First,mine=nobody", "--games", "2"]) == 2
    assert "unknown player 'nobody'" in capsys.readouterr().err
    assert run(["evaluate", "run", "--against", "my.py:First,me=checkpoint:run", "--games", "2"]) == 0
    out = capsys.readouterr().out
    assert "my.py:First" in out and "me " in out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("play torres --players my.py:OnlyThree,greedy", "it plays with three"),
        ("play torres --players x=greedy,x=random", "two players have the name 'x'"),
        ("arena torres my.py:OnlyThree greedy", "it plays with three"),
        ("train torres --opponents my.py:OnlyThree", "it plays with three"),
        ("train torres --opponents my.py:Second", "my.py has no 'Second'; it has: First, OnlyThree"),
        (
            "arena torres greedy --benchmark torres-2p-v0",
            "the benchmark sets the game: leave out 'torres' or --benchmark",
        ),
    ],
)
def test_mistakes_in_one_line(command, said, capsys):
    assert run(command.split()) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert (out, err.count("\n")) == ("", 1)
