"""Runs over seeds: groups, means and intervals, and the command."""

from __future__ import annotations

import json

import pytest

from towers.cli import run
from train.compare import group_runs, strongest_opponent
from train.config import TrainArgs
from train.statistics import mean_interval


def run_folder(path, rates, game="torres", **settings):
    """A run directory with one evaluation."""
    path.mkdir()
    results = {name: {"rate": rate, "games": 9, "score": 1, "their_score": 2} for name, rate in rates.items()}
    (path / "curve.jsonl").write_text(json.dumps({"steps": 1000, "seconds": 1.0, "results": results}) + "\n")
    (path / "args.json").write_text(TrainArgs(run=str(path), **settings).to_json())
    (path / "machine.json").write_text(json.dumps({"game": game}))
    return path


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ([0.5], (0.5, 0.5, 0.5)),
        ([0.4, 0.6], (0.5, 0.0, 1.0)),  # 12.706 × 0.1 above and below, cut off
        ([0.4, 0.5, 0.6], (0.5, 0.5 - 4.303 * 0.1 / 3**0.5, 0.5 + 4.303 * 0.1 / 3**0.5)),
        ([0.4, 0.4, 0.5, 0.6, 0.6], (0.5, 0.5 - 2.776 * 0.1 / 5**0.5, 0.5 + 2.776 * 0.1 / 5**0.5)),
    ],
)
def test_means_have_the_interval_of_students_t(rates, expected):
    assert mean_interval(rates) == pytest.approx(expected, abs=1e-3)


def test_runs_that_differ_only_in_the_seed_are_a_group(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed, entropy, rate in ((1, 0.01, 0.2), (2, 0.01, 0.4), (3, 0.01, 0.6), (1, 0.003, 0.9)):
        run_folder(tmp_path / f"{entropy}-{seed}", {"random": 1.0, "greedy": rate}, seed=seed, entropy=entropy)
    runs = sorted(path for path in tmp_path.iterdir())
    groups = group_runs(runs)
    assert {label: len(members) for label, members in groups.items()} == {"entropy=0.003": 1, "entropy=0.01": 3}
    assert run(["compare", *map(str, runs)]) == 0
    out = capsys.readouterr().out
    assert "40.0 %" in out and "90.0 %" in out and "100.0 % (100.0–100.0 %)" in out
    assert (tmp_path / "compare.png").read_bytes().startswith(b"\x89PNG")


def test_the_curves_show_an_opponent_that_all_runs_met(tmp_path):
    one = run_folder(tmp_path / "a", {"random": 1.0, "passive": 0.9, "greedy": 0.5})
    other = run_folder(tmp_path / "b", {"passive": 0.8, "random": 1.0}, width=8)
    assert strongest_opponent(group_runs([one, other])) == "passive"


def test_what_cannot_be_compared_is_one_line(tmp_path, capsys):
    one = run_folder(tmp_path / "a", {"greedy": 0.5})
    other = run_folder(tmp_path / "b", {"greedy": 0.5}, game="market")
    for runs, message in (
        ([], "name run directories to compare"),
        ([one, other], "these runs are of different games: market, torres"),
        ([one, one], "a run is named twice"),
        ([tmp_path], "is not a run directory"),
        ([one, "--against", "queen"], "has no games against 'queen': choose one of greedy"),
        ([one, "--picture", "x.jpg"], "--picture must end in .png"),
    ):
        assert run(["compare", *map(str, runs)]) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("curve.jsonl", '{"steps": 1}'),
        ("curve.jsonl", '{"steps": 1, "results": {}}'),
        ("curve.jsonl", '{"steps": 1, "results": {"greedy": 5}}'),
        ("curve.jsonl", '{"steps": 1, "results": {"greedy": {"rate": "x"}}}'),
        ("curve.jsonl", '{"steps": 1, "results": {"greedy": {"rate": NaN}}}'),
        ("curve.jsonl", '{"steps": 1%s, "results": {"greedy": {"rate": 1}}}' % ("0" * 400)),
        ("curve.jsonl", "[" * 100_000),
        ("curve.jsonl", "\xff"),
        ("machine.json", '{"game": 5}'),
        ("machine.json", "[" * 100_000),
    ],
)
def test_damaged_runs_are_named_in_one_line(tmp_path, capsys, file, content):
    folder = run_folder(tmp_path / "a", {"greedy": 0.5})
    (folder / file).write_bytes(content.encode("latin-1"))
    assert run(["compare", str(folder), "--picture", str(tmp_path / "a.png")]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"towers: {folder}") and said.count("\n") == 1
