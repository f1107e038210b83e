"""`towers replay`: stepping through games, one position, the list, the check, and every mistake in one line."""

from __future__ import annotations

import re

import pytest

from market_env import MarketState
from torres_env import TorresState
from tower_core.records import write_records
from towers.cli import run


def played(state, moves):
    for k in range(moves):
        legal = state.legal_actions()
        state.apply_action(legal[k % len(legal)])
    return state


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.delenv("TOWERS_TRACEBACK", raising=False)
    path = tmp_path / "games.txt"
    torres = played(TorresState(2, "digest", seed=3), 12).to_record(["Ada", "Bob"])
    market = played(MarketState(3, "guard", seed=3), 20).to_record()
    write_records(path, [torres, market])
    return path


def test_list(file, capsys):
    assert run(["replay", str(file), "--list"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"1: torres, digest, 12 moves, unfinished: Ada \d+, Bob \d+", first)
    assert re.fullmatch(r"2: market, guard, 20 moves, unfinished: player_0 \d, player_1 \d, player_2 \d", second)


@pytest.mark.parametrize("move", [0, 1, 7, 12])
def test_one_position(file, capsys, move):
    assert run(["replay", str(file), "--move", str(move)]) == 0
    out = capsys.readouterr().out
    state = played(TorresState(2, "digest", seed=3), move)
    assert out.startswith(str(state))
    assert f"move {move} of 12: " in out
    if move:
        seat, action = state.history()[-1]
        assert f"player_{seat} ({('Ada', 'Bob')[seat]}): {action}\n" in out
    else:
        assert "  king " in out


def test_what_chance_did_is_shown(file, capsys):
    state = MarketState(3, "guard", seed=3)
    k = 0
    while not (state.history() and state.history()[-1][1] == "END"):
        state = played(MarketState(3, "guard", seed=3), k)
        k += 1
    assert run(["replay", str(file), "--game", "2", "--move", str(len(state.history()))]) == 0
    assert re.search(r"player_\d: END \{.*draw player_\d( \w+)+\}\n", capsys.readouterr().out)


def test_stepping(file, capsys, monkeypatch):
    said = iter(["", "n", "b", "what", "9", "e", "", "99", "0", "b", "q", "never read"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(said))
    assert run(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert re.findall(r"^move (\d+) of 12", out, re.MULTILINE) == ["0", "1", "2", "1", "9", "12", "0"]
    assert out.count("the game has 12 moves") == 2 and out.count("this is the start") == 1
    assert out.count("q: quit") == 2, "at the start and after what it doesn't know"
    assert next(said) == "never read"


def test_the_end_of_input_ends_it(file, capsys, monkeypatch):
    def ended(prompt):
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    assert run(["replay", str(file)]) == 0
    assert "move 0 of 12" in capsys.readouterr().out


# ---------------------------------------------------------------------------------------------- check
def test_check(file, capsys):
    assert run(["replay", str(file), "--check"]) == 0
    out, err = capsys.readouterr()
    assert [line.rsplit(": ", 1)[1] for line in out.splitlines()] == ["right", "right"]
    assert err == ""


def test_check_goes_on_after_a_wrong_game(file, capsys):
    text = file.read_text("utf-8")
    file.write_text(re.sub(r"scores: \d+", "scores: 77", text, count=1), "utf-8")
    assert run(["replay", str(file), "--check"]) == 2
    out, err = capsys.readouterr()
    first, second = out.splitlines()
    assert "wrong: line 10: scores: the record has [77, " in first
    assert second.endswith(": right")
    assert err.startswith(f"towers: {file}: line 10: scores: the record has [77, ")
    assert err.count("\n") == 1


# ---------------------------------------------------------------------------------------------- mistakes
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "3"], "--game must be at most 2"),
        (["--game", "0"], "--game must be at least 1"),
        (["--move", "13"], "--move must be from 0 to 12"),
        (["--move", "-1"], "--move must be from 0 to 12"),
        (["--move", "x"], "--move"),
        (["--list", "--check"], "choose one of --move, --list and --check"),
        (["--list", "--move", "0"], "choose one of --move, --list and --check"),
    ],
)
def test_mistakes(file, capsys, arguments, words):
    assert run(["replay", str(file), *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err and err.startswith("towers: ") and err.count("\n") == 1


@pytest.mark.parametrize("option", [[], ["--list"], ["--check"], ["--move", "1"]])
@pytest.mark.parametrize("content", [b"", b"\x00\x01\xff" * 50, b"PGN", b"towers record 9\n", b"towers record 1\n" * 9])
def test_foreign_files(tmp_path, capsys, option, content):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    assert run(["replay", str(path), *option]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.match(rf"towers: {re.escape(str(path))}: line \d: ", err) and err.count("\n") == 1
    assert path.read_bytes() == content


def test_no_file_and_a_folder(tmp_path, capsys):
    assert run(["replay", str(tmp_path / "none.txt")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert run(["replay", str(tmp_path)]) == 2
    assert "Is a directory" in capsys.readouterr().err


def test_a_game_that_cannot_go_on(file, capsys):
    text = file.read_text("utf-8")
    file.write_text(text.replace("1. player_0: N ", "1. player_0: B ", 1), "utf-8")
    assert run(["replay", str(file), "--move", "0"]) == 0
    capsys.readouterr()
    assert run(["replay", str(file), "--move", "1"]) == 2
    assert re.match(r"towers: .*games\.txt: line 15: move 1, player_0, 'B ", capsys.readouterr().err)
