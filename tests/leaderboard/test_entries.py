"""Entries of the leaderboard: made, checked, shown; and every kind of forgery is refused in one line."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import replace

import pytest

from towers.cli import run
from train.arena.benchmarks import benchmark, benchmark_settings, benchmarks
from train.arena.citation import Origin
from train.arena.run import run_arena
from train.leaderboard.entry import enter
from train.leaderboard.page import page

SMALL = replace(
    benchmark("torres-2p-v0"), name="small-v0", games=2, anchors=("random", "greedy"), headline="greedy", guests=()
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A results file with a player `x`, and a folder with its entry `mine`."""
    folder = tmp_path_factory.mktemp("leaderboard")
    benchmarks()[SMALL.name] = SMALL
    settings = benchmark_settings(SMALL, ("x=passive",))
    run_arena(settings, folder / "x.jsonl", 0, about=Origin(settings, SMALL).header())
    enter(folder / "x.jsonl", folder / "board", "mine", "pip install mine", authors="A. [B](c) <d>")
    yield folder
    del benchmarks()[SMALL.name]


@pytest.fixture
def entry(made, tmp_path):
    """The description of a copy of the entry."""
    shutil.copytree(made / "board", tmp_path / "board")
    return tmp_path / "board" / "small-v0" / "mine.toml"


def refusal(entry, capsys):
    """The line that refuses an entry."""
    assert run(["leaderboard", "check", str(entry)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith(f"towers: {entry}: ")
    return err


def test_an_entry(entry, capsys):
    assert run(["leaderboard", "check", str(entry)]) == 0
    assert "4 games are right" in capsys.readouterr().out
    assert 'player = "passive"\nget = "pip install mine"\n' in entry.read_text()
    text = page(entry.parents[1], entry.parents[1])
    assert r"| [mine](small-v0/mine.toml) | A. \[B\]\(c\) \<d\> | 0.0 % | 0.0–98.8 % | 2 |" in text


def test_the_same_results_give_the_same_file(made, entry):
    again = enter(made / "x.jsonl", made / "again", "mine", "pip install mine")
    name = "mine.jsonl.gz"
    assert (again.parent / name).read_bytes() == (entry.parent / name).read_bytes()


LOST = {"seat": 0, "kind": "error", "message": ""}
# Lines 2 and 3: the seats are (mine, random), then (random, mine); 4 and 5: the same with greedy.
FORGED = {
    "scores": (lambda head, games: games[0].update(scores=[999, 0]), "line 2, seed 20000000: scores: the record has [999"),
    "places": (lambda head, games: games[0]["places"].reverse(), "places: the record has"),
    "turns": (lambda head, games: games[0].update(turns=[1000, 13]), "turns: the record has"),
    "truncated": (lambda head, games: games[0].update(truncated=True), "truncated: the record has True"),
    "seed": (lambda head, games: games[0].update(seed=20000001), "line 2: seed 20000001 with the seats 'mine, random' is"),
    "seats": (lambda head, games: games[0]["seats"].reverse(), "line 3: seed 20000000 with the seats 'random, mine' is"),
    "stranger": (lambda head, games: games[0].update(seats=["mine", "weak"]), "'mine, weak' is not a game of mine in small-v0"),
    "illegal move": (lambda head, games: games[2]["actions"].__setitem__(0, 661), "line 4, seed 20000000: move 1: "),
    "huge move": (lambda head, games: games[2]["actions"].__setitem__(0, 10**40), "move 1: "),
    "anchor's move": (lambda head, games: games[3]["actions"].__setitem__(0, -1), "move 1: the record has action -1, and"),
    "short": (lambda head, games: games[2]["actions"].pop(), "moves"),
    "long": (lambda head, games: games[2]["actions"].append(0), "moves, and the game "),
    "no moves": (lambda head, games: games[2].pop("actions"), "the game has no moves"),
    "anchor's fault": (lambda head, games: games[3].update(fault=LOST, scores=None), "an anchor lost by a fault (error)"),
    "fault of a winner": (lambda head, games: games[2].update(fault=LOST, scores=None, places=[1, 2]), "[1, 2]"),
    "missing": (lambda head, games: games.pop(), "1 of 4 games are missing, the first is seed 20000000 with the"),
    "duplicate": (lambda head, games: games.append(games[1]), "line 6: seed 20000000 with the seats "),
    "rules": (lambda head, games: head["rules"].update(draw_choice=1), "holds games with other rules"),
    "game": (lambda head, games: head.update(game="market"), 'holds games with game "market", not "torres"'),
    "benchmark": (lambda head, games: head.update(benchmark="small-v1"), 'with benchmark "small-v1", not "small-v0"'),
    "seed set": (lambda head, games: head.update(seeds="development seeds"), 'with seeds "development seeds"'),
    "version": (lambda head, games: head.update(version="0.0"), "was played with towers '0.0'"),
}  # fmt: skip


def forged(entry, forge):
    path = entry.with_suffix(".jsonl.gz")
    head, *games = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    forge(head, games)
    path.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in (head, *games))))


@pytest.mark.parametrize(("forge", "reason"), FORGED.values(), ids=FORGED)
def test_forged_games(entry, forge, reason, capsys):
    forged(entry, forge)
    assert reason in refusal(entry, capsys)


def test_a_player_that_failed(entry, capsys):
    """At its first move; and its process ended, so that there are no moves."""

    def fail(head, games):
        games[2].update(fault=LOST, scores=None, places=[2, 1], actions=[])
        games[3].update(fault={**LOST, "seat": 1, "kind": "died"}, scores=None, places=[1, 2], actions=None)

    forged(entry, fail)
    assert run(["leaderboard", "check", str(entry)]) == 0


DAMAGED = {
    "no gzip": (lambda data: b"{}", "the games are not gzip data"),
    "cut": (lambda data: data[:-9], "must be one complete gzip stream"),
    "more": (lambda data: data + data, "must be one complete gzip stream"),
    "large": (lambda data: data + bytes(10**6), "must have at most 1,000,000 bytes, not"),
    "bomb": (lambda data: gzip.compress(bytes(9 * 10**6)), "must have at most 8,000,000 bytes when decompressed"),
    "deep": (lambda data: lines(data, b"[" * 10**6), "line 6 is damaged"),
    "no UTF-8": (lambda data: lines(data, b'{"seed": "\xff"}'), "line 6 is damaged"),
    "long number": (lambda data: lines(data, b'{"seed": ' + b"9" * 10**6 + b"}"), "line 6 is damaged"),
    "no line end": (lambda data: gzip.compress(gzip.decompress(data)[:-1]), "the last line is incomplete"),
    "nothing": (lambda data: gzip.compress(b""), "is not a results file"),
}  # fmt: skip


def lines(data, line):
    return gzip.compress(gzip.decompress(data) + line + b"\n")


@pytest.mark.parametrize(("damage", "reason"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_games(entry, damage, reason, capsys):
    path = entry.with_suffix(".jsonl.gz")
    path.write_bytes(damage(path.read_bytes()))
    assert reason in refusal(entry, capsys)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"\xff", "can't decode byte"),
        (b"a = " + b"[" * 5000, "nested too deeply"),
        (b"a = 1\n" * 10**4, "must have at most 10,000 bytes"),
        (b'player = "x"\ndate = 2026-12-01\n', "get: is missing"),
        (b'player = "x"\nget = ""\ndate = 2026-12-01\n', "get: must be the command"),
        (b'player = "x"\nget = "y"\ndate = "soon"\n', "date: "),
        (b'player = "x"\nget = "y"\ndate = 2026-12-01\nrun = "rm"\n', "unknown entry 'run'"),
        (b'player = "x"\nget = "y"\ndate = 2026-12-01\nauthors = "a\\n# b"\n', "authors: must be one printable line"),
    ],
)
def test_wrong_descriptions(entry, text, reason, capsys):
    entry.write_bytes(text)
    assert reason in refusal(entry, capsys)


def test_wrong_places(entry, capsys):
    games = entry.with_suffix(".jsonl.gz")
    other = entry.parents[1] / "small-v1" / "mine.toml"
    shutil.copytree(entry.parent, other.parent)
    assert "unknown benchmark 'small-v1'" in refusal(other, capsys)
    assert "'greedy' is an anchor of small-v0" in refusal(entry.rename(entry.with_name("greedy.toml")), capsys)
    entry.with_name("greedy.toml").rename(entry)
    games.rename(entry.with_name("elsewhere"))
    assert "mine.jsonl.gz is missing or not a regular file" in refusal(entry, capsys)
    games.symlink_to("elsewhere")
    assert "mine.jsonl.gz is missing or not a regular file" in refusal(entry, capsys)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("../../x", "a name has 1 to 40"), ("X", "a name has"), ("greedy", "is an anchor"), ("mine", "mine.toml exists")],
)
def test_names(made, name, reason, capsys):
    line = [
        "leaderboard",
        "enter",
        str(made / "x.jsonl"),
        "--name",
        name,
        "--get",
        "y",
        "--folder",
        str(made / "board"),
    ]
    assert run(line) == 2
    assert reason in capsys.readouterr().err
