"""``towers play``: a game by typing, help, wrong input, taking back, hints, records, and the end of the input."""

from __future__ import annotations

import builtins
import re

import pytest
from distributions import write_distribution

from tower_core.records import check, read_records
from towers.cli import run


@pytest.fixture
def typing(monkeypatch, capsys):
    """Run a command line with lines typed; what is printed comes back. Lines are texts or an exception to raise."""

    def play(arguments, lines):
        waiting = iter(lines)

        def read(prompt=""):
            line = next(waiting, EOFError())
            if isinstance(line, BaseException):
                raise line
            print(f"{prompt}{line}")
            return line

        monkeypatch.setattr(builtins, "input", read)
        status = run(["play", *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return play


def test_watching_players_to_the_end(typing, tmp_path):
    path = tmp_path / "games.txt"
    status, out, err = typing(["market", "--players", "greedy,random", "--seed", "2", "--save", str(path)], [])
    assert (status, err) == (0, "")
    assert re.search(r"player_\d wins: player_0 \(greedy\) \d", out)
    [record] = read_records(path)
    assert record.names == ("greedy", "random") and record.seed == 2
    check(record)


def test_a_person_plays(typing):
    lines = ["?", "? N", "? ZZ", "B d3", "nonsense", "hint", "N d1", "log", "undo", "board", "help", "save", "quit"]
    status, out, err = typing(["torres", "--seed", "3"], lines)
    assert (status, err) == (0, "")
    assert "N d1             a new knight on d1" in out
    assert "no ZZ is legal here; legal verbs: N" in out
    assert "B d3 is not legal here: during setup a knight is put (N)" in out
    assert "unknown action 'nonsense'" in out
    assert "would play N " in out
    assert "player_0: N d1" in out
    assert "save needs the name of a file" in out
    assert out.rstrip().endswith("stopped")


@pytest.mark.parametrize("end", [EOFError(), KeyboardInterrupt()])
def test_the_end_of_the_input_is_polite(typing, end, tmp_path):
    path = tmp_path / "game.txt"
    status, out, err = typing(["torres", "--seed", "3", "--save", str(path)], ["N d1", end])
    assert (status, err) == (0, "")
    assert out.rstrip().endswith("stopped")
    [record] = read_records(path)
    assert record.moves[0].action == "N d1" and record.result == "unfinished"


MOODY = """
class Moody:
    name, native = "moody", None

    def act(self, state):
        raise RuntimeError("not today")

    def judge(self, state):
        raise KeyError("no value")


def make(game, seed=0):
    return Moody()
"""


@pytest.fixture
def moody(tmp_path, monkeypatch):
    """An installed player that always fails."""
    write_distribution(tmp_path, "moody", "[towers.players]\nmoody = moody:make\n", MOODY)
    monkeypatch.syspath_prepend(tmp_path)
    return "player moody failed as player_1: RuntimeError: not today"


def test_a_player_that_fails_does_not_end_the_game(typing, moody, tmp_path):
    path = tmp_path / "game.txt"
    lines = ["N d1", "retry", "nonsense", f"save {path}", "undo", "hint", "N c3", "quit"]
    status, out, err = typing(["torres", "--players", "human,moody", "--seed", "3"], lines)
    assert (status, err) == (0, "")
    assert out.count(f"{moody}\nretry, undo, save FILE or quit> ") == 3
    assert "player_0> N c3" in out and out.rstrip().endswith("stopped")
    [record] = read_records(path)
    assert [move.action for move in record.moves] == ["N d1"]


def test_a_failing_hint_is_one_line(typing, moody):
    status, out, err = typing(["torres", "--hint", "moody", "--seed", "3"], ["hint", "quit"])
    assert (status, err) == (0, "")
    assert "player moody failed as player_0: RuntimeError: not today\n" in out


def test_a_player_that_fails_without_a_person_ends_the_command(typing, moody, tmp_path):
    path = tmp_path / "game.txt"
    arguments = ["torres", "--players", "greedy,moody", "--seed", "3", "--save", str(path)]
    status, _, err = typing(arguments, [])
    assert (status, err) == (2, f"towers: {moody}\n")
    [record] = read_records(path)
    assert len(record.moves) == 1


def test_what_others_hold_is_not_shown(typing):
    """Neither the seed, which tells every deck, nor which cards machines take."""
    # Greedy may stand on one of them: what isn't legal is told and asked again.
    lines = ["N d1", "N e8", "K c3", "K f6", "K d2", *["END"] * 30]
    status, out, _ = typing(["torres", "--players", "greedy,human", "--seed", "5"], lines)
    assert status == 0
    assert "seed" not in out.splitlines()[0]
    during = out.split("Game over")[0]
    assert "player_0 (greedy): BUY\nplayer_0 (greedy): ?\n" in during
    assert "player_0 (greedy): PICK" not in during


def test_people_hand_the_screen_over(typing):
    lines = ["N d1", "", "N c3", "", "quit"]
    status, out, _ = typing(["torres", "--players", "human,human", "--rules", "standard", "--seed", "5"], lines)
    assert status == 0
    assert "player_1> N c3" in out or "player_1, press Enter" in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess"], "unknown game 'chess'"),
        (["torres", "--players", "human,nobody"], "unknown player 'nobody'"),
        (["torres", "--players", "human,"], "a name is missing"),
        (["torres", "--players", "human"], "num_players must be"),
        (["torres", "--hint", "human"], "--hint must be a player's name"),
        (["torres", "--hint", "nobody"], "unknown player 'nobody'"),
        (["torres", "--save", "."], "is a folder"),
    ],
)
def test_mistakes_are_one_line(typing, arguments, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, err = typing(arguments, [])
    assert status == 2
    assert reason in err and len(err.splitlines()) == 1
