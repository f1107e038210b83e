"""Match results and correlations of benchmarks/regret_matches.py, counted by hand."""

from __future__ import annotations

import json

import pytest

from benchmarks.regret_matches import correlations, match_results
from train.arena.play import Outcome
from train.arena.results import FORMAT
from train.regret.measure import Mean, Regret


def test_results_are_means_over_games_without_faults(tmp_path):
    places = [([1, 2], [30, 10]), ([1, 1], [20, 20]), ([2, 1], None)]
    lines = [{"format": FORMAT, "game": "torres", "players": 2}]
    for seed, (ranks, scores) in enumerate(places):
        zeros = [0, 0]
        outcome = Outcome(seed, ["a", "b"], ranks, scores, zeros, zeros, [0.0, 0.0], [0.0, 0.0])
        lines.append(outcome.to_dict())
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert match_results(file) == {"a": (0.75, 10.0), "b": (0.25, -10.0)}


def test_a_falling_line_and_a_falling_order():
    def regret(player, share, points):
        return Regret(player, {"all": Mean(share, 0.1, 9)}, {"all": Mean(points, 1, 9)}, 0, 0.0)

    regrets = {name: regret(name, share, points) for name, share, points in (("a", 1, 1), ("b", 2, 2), ("c", 3, 9))}
    results = {"a": (0.9, 50.0), "b": (0.5, 40.0), "c": (0.1, -1000.0)}
    found = correlations(regrets, results)
    assert found["share"] == pytest.approx((-1, -1))
    assert found["points"][1] == pytest.approx(-1)
    assert found["points"][0] > -1
