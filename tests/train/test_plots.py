"""Plots: bands over seeds, points over a game; the others are tested with what they show."""

from __future__ import annotations

import json

import pytest

from torres_env import TorresState
from train.plots import points_picture, seeds_picture


def run_folder(path, rates, against="greedy"):
    path.mkdir()
    rows = [
        {"steps": 100 * k, "seconds": k, "results": {against: {"rate": r, "games": 4, "score": 1, "their_score": 2}}}
        for k, r in enumerate(rates, start=1)
    ]
    (path / "curve.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_bands_over_seeds(tmp_path):
    runs = [run_folder(tmp_path / str(k), rates) for k, rates in enumerate([(0.1, 0.5), (0.2, 0.6, 0.9), (0.3,)])]
    wide = seeds_picture({"a": runs[:2], "b": runs[2:]}, "greedy", tmp_path / "wide.png", "Torres").read_bytes()
    same = seeds_picture({"a": runs[:1], "b": runs[2:]}, "greedy", tmp_path / "same.png", "Torres").read_bytes()
    assert wide.startswith(b"\x89PNG") and wide != same
    assert not list(tmp_path.glob(".*"))


def test_what_is_no_curve_is_told(tmp_path):
    good = run_folder(tmp_path / "good", (0.5,))
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "curve.jsonl").write_text('{"steps": 1}\n')
    for runs, against, words in (
        ([good], "random", "no games against 'random': choose one of greedy"),
        ([tmp_path / "bad"], "greedy", "not a row of a learning curve"),
        ([tmp_path / "none"], "greedy", "has no games against"),
        ([], "greedy", "'a' has no runs"),
    ):
        with pytest.raises(ValueError, match=words):
            seeds_picture({"a": runs}, against, tmp_path / "x.png", "Torres")
    assert not (tmp_path / "x.png").exists()


def test_points_over_a_game(tmp_path):
    state = TorresState(2, seed=3)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    path = points_picture(state.to_record(["Ada", "Bob"]), tmp_path / "points.png")
    assert path.read_bytes().startswith(b"\x89PNG")
