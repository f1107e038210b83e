"""Paths in the specs of players: names as sweeps make them, with "=" and commas."""

from __future__ import annotations

import pytest

from tower_core.players.specs import _options, split_specs, weighted

PATHS = ["path"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("runs/x", "runs/x"),
        ("runs/lr=0.001", "runs/lr=0.001"),
        ("runs/lr=0.001,width=32", "runs/lr=0.001,width=32"),
        ('"runs/a,b"', "runs/a,b"),
        ("'runs/lr=1,b'", "runs/lr=1,b"),
        ("path=runs/lr=0.001", "runs/lr=0.001"),
        ("C:/runs/x", "C:/runs/x"),
    ],
)
def test_paths(text, path):
    assert _options(text, PATHS) == {"path": path}


def test_options_are_no_paths():
    assert _options("depth=3,mode=fast", ["depth", "mode"]) == {"depth": 3, "mode": "fast"}
    assert _options("depth=3", None) == {"depth": 3}


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("greedy", ["greedy"]),
        ("random,greedy", ["random", "greedy"]),
        ("mcts:sims=2,worlds=3,greedy", ["mcts:sims=2,worlds=3", "greedy"]),
        ("checkpoint:runs/lr=0.001,greedy:2", ["checkpoint:runs/lr=0.001", "greedy:2"]),
        ('checkpoint:"runs/a,b=1",greedy', ['checkpoint:"runs/a,b=1"', "greedy"]),
        ("my.py:First,mine=greedy", ["my.py:First", "mine=greedy"]),
        ("checkpoint:runs/a,mine=greedy:2", ["checkpoint:runs/a", "mine=greedy:2"]),
        ("greedy:1,mine=checkpoint:runs/a=1:2", ["greedy:1", "mine=checkpoint:runs/a=1:2"]),
        ("mcts:sims=2,mine=checkpoint:runs/a", ["mcts:sims=2", "mine=checkpoint:runs/a"]),
        ("mcts:sims=2,mine=a.py:First:2", ["mcts:sims=2", "mine=a.py:First:2"]),
        ("mcts:sims=2,network=learned:2,greedy", ["mcts:sims=2,network=learned:2", "greedy"]),
        ("random,,greedy", ["random", "", "greedy"]),
        ("random,", ["random", ""]),
        ("", [""]),
    ],
)
def test_commas(text, specs):
    assert split_specs(text) == specs


def test_weights_of_paths():
    assert weighted('checkpoint:runs/lr=0.001:2,checkpoint:"runs/a,b":3,checkpoint:"runs/15:08:21",greedy') == [
        ("checkpoint:runs/lr=0.001", 2.0),
        ('checkpoint:"runs/a,b"', 3.0),
        ('checkpoint:"runs/15:08:21"', 1.0),
        ("greedy", 1.0),
    ]
