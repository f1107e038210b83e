"""Arena games as records: replayed, verified, and refused when a line doesn't follow from its moves."""

from __future__ import annotations

import json

import pytest

from tower_core.records import RecordError, check
from towers.cli import run
from train.arena.records import results_records
from train.arena.run import run_arena
from train.arena.settings import ArenaSettings


@pytest.fixture(scope="module", params=["torres", "market"])
def played(tmp_path_factory, request):
    path = tmp_path_factory.mktemp("arena") / "results.jsonl"
    run_arena(ArenaSettings(request.param, ("random", "greedy"), games=4), path, jobs=0)
    return path.read_bytes()


@pytest.fixture
def results(played, tmp_path):
    (tmp_path / "results.jsonl").write_bytes(played)
    return tmp_path / "results.jsonl"


def change(path, number, **entries):
    lines = path.read_text().splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **entries})
    path.write_text("\n".join([*lines, ""]))


def test_every_game_has_a_record(results):
    lines = [json.loads(line) for line in results.read_text().splitlines()[1:]]
    records = list(results_records(results))
    assert len(records) == 4
    for record, line in zip(records, lines, strict=True):
        assert (record.seed, list(record.names), list(record.scores)) == (line["seed"], line["seats"], line["scores"])
        assert len(record.moves) == sum(line["moves"])
        check(record)


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ({"scores": [999, 0]}, "scores: the file has"),
        ({"places": [1, 1]}, "ranking: the file has"),
        ({"truncated": True}, "truncated: the file has True"),
        ({"seed": 1}, "line 3: "),
        ({"actions": [0]}, "line 3: "),
        ({"actions": []}, "don't lead to the end"),
        ({"actions": None}, "the game has no moves"),
        ({"fault": {"seat": 0, "kind": "error", "message": ""}}, "lost by a fault, but"),
    ],
)
def test_forged_lines(results, entries, reason, capsys):
    change(results, 3, **entries)
    with pytest.raises(RecordError, match=reason):
        list(results_records(results))
    assert run(["replay", str(results), "--check"]) == 2
    out, err = capsys.readouterr()
    assert [line.split(": ")[-1] for line in out.splitlines()].count("right") == 3
    assert reason.removeprefix("line 3: ") in err


def test_replay(results, capsys):
    seed = 10_000_001
    assert run(["replay", str(results), "--list", "--seed", str(seed), "--player", "greedy"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"3: seed {seed}, ") and second.startswith(f"4: seed {seed}, ")
    assert run(["replay", str(results), "--seed", str(seed), "--move", "1"]) == 0
    chosen = capsys.readouterr().out
    assert run(["replay", str(results), "--game", "3", "--move", "1"]) == 0
    assert capsys.readouterr().out == chosen
    for options in (["--seed", "5"], ["--player", "planner"], ["--game", "1", "--seed", str(seed)]):
        assert run(["replay", str(results), *options, "--list"]) == 2
        assert "no game of the file has this number, seed and players" in capsys.readouterr().err
    assert run(["replay", str(results), "--game", "5"]) == 2
    assert "--game must be at most 4" in capsys.readouterr().err


def test_a_game_lost_by_a_fault(tmp_path, capsys):
    """Its moves up to the fault."""
    path = tmp_path / "results.jsonl"
    run_arena(ArenaSettings("torres", ("random", "greedy"), games=2, timeout=1e-7), path, jobs=0)
    first = next(results_records(path))
    assert (first.result, first.moves) == ("unfinished", ())
    assert run(["replay", str(path), "--list"]) == 0
    assert (
        capsys.readouterr().out.splitlines()[0]
        == "1: seed 10000000, 1 moves, random, greedy: lost by timeout of random"
    )


def test_a_file_of_an_earlier_version(results):
    """Without moves, version and machine it is resumed and counted as before."""
    head, *lines = [json.loads(line) for line in results.read_text().splitlines()]
    head = {name: value for name, value in head.items() if name not in ("seeds", "version", "machine", "benchmark")}
    for line in lines:
        del line["actions"]
    results.write_text("".join(json.dumps(line) + "\n" for line in (head, *lines[:2])))
    assert run_arena(ArenaSettings(head["game"], ("random", "greedy"), games=4), results, jobs=0).games == 4
    assert ["actions" in json.loads(line) for line in results.read_text().splitlines()[1:]] == [
        False,
        False,
        True,
        True,
    ]
