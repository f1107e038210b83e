"""Strength at equal CPU time: budgets in specs, the time that players use, and ratings over budgets."""

from __future__ import annotations

import statistics
import time

import pytest

import agents
from torres_env import TorresState
from torres_env.game import GAME
from tower_core.players.specs import with_cpu
from train.arena import ArenaSettings, run_arena
from train.arena.levels import arena_levels, budget_grid, scaling, scaling_grid
from train.arena.play import Outcome
from train.arena.results import read_results
from train.plots import scaling_picture


class Burner:
    """Works for a multiple of its budget at the first action of a turn."""

    def __init__(self, cpu=None, times=1.0):
        self.seconds, self.turn = cpu * times if cpu else 0.0, None

    def act(self, state):
        turn = GAME.turn_of(state._record)
        end = time.process_time() + (self.seconds if turn != self.turn else 0.0)
        while time.process_time() < end:
            pass
        self.turn = turn
        return state.legal_actions()[0]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("planner", "planner:cpu=0.01"),
        ("mcts:sims=5", "mcts:sims=5,cpu=0.01"),
        ("mine=mcts", "mine-10ms=mcts:cpu=0.01"),
        ("greedy", None),
        ("mcts:cpu=1", None),
        (Burner, None),
    ],
)
def test_budgets_in_specs(spec, expected):
    assert with_cpu(spec, GAME, 0.01) == expected


@pytest.fixture
def burner():
    agents.register("burner", Burner)


def test_time_is_measured_and_checked(burner, tmp_path):
    settings = ArenaSettings("torres", ("burner", "burner:times=2", "passive"), games=2)
    (level,) = arena_levels(settings, "5ms")
    tally = run_arena(level.settings, tmp_path / "games.jsonl", jobs=0)
    rows = budget_grid(tally, level).rows
    assert [(row[0], row[1]) for row in rows] == [("burner:cpu=0.005", "5 ms"), ("burner:times=2,cpu=0.005", "5 ms")]
    assert rows[0][-1] == "kept"
    assert rows[1][-1].endswith("% over")
    outcome = read_results(tmp_path / "games.jsonl")[1][0]
    assert outcome.cpu is not None and [len(turns) for turns in outcome.cpu] >= outcome.turns


@pytest.mark.parametrize(("text", "words"), [("5", "such as 10ms"), ("", "such as 10ms"), ("0ms", "at least 1 ms")])
def test_wrong_levels(text, words):
    with pytest.raises(ValueError, match=words):
        arena_levels(ArenaSettings("torres", ("planner", "greedy")), text)


def test_levels_need_a_common_opponent():
    with pytest.raises(ValueError, match="no player takes a budget"):
        arena_levels(ArenaSettings("torres", ("random", "greedy")), "5ms")
    with pytest.raises(ValueError, match="nothing compares the levels"):
        arena_levels(ArenaSettings("torres", ("planner", "mcts")), "5ms,10ms")


def test_ratings_over_budgets(tmp_path):
    """Half of the games won at 10 ms, all at 1 s; the reference is the anchor."""
    levels = arena_levels(ArenaSettings("torres", ("planner",), anchors=("greedy",)), "1s,10ms")

    def game(label, places, seed):
        return Outcome(seed, [label, "greedy"], places, None, [1, 1], [1, 1], [0, 0], [0, 0], cpu=[[0.25], [0.0]])

    outcomes = [game("planner:cpu=0.01", [1 + seed % 2, 2 - seed % 2], seed) for seed in range(40)]
    outcomes += [game("planner:cpu=1", [1, 2], seed) for seed in range(40)]
    points = scaling(levels, outcomes)
    assert [(point.player, point.budget, point.used, point.games) for point in points] == [
        ("planner", 0.01, 0.25, 40),
        ("planner", 1.0, 0.25, 40),
    ]
    assert points[0].rating.mu == pytest.approx(0, abs=1)
    assert points[1].rating.interval[0] > 200
    assert scaling_grid(points, "greedy").rows[0][:4] == ["planner", "10 ms", "250 ms", "40"]
    assert scaling_picture(points, "greedy", tmp_path / "a.png", "Torres").read_bytes().startswith(b"\x89PNG")


def test_searching_players_keep_a_budget():
    state = TorresState(2, seed=1)
    for _ in range(20):
        state.apply_action(state.legal_actions()[0])
    search = agents.make("mcts:cpu=0.05", game="torres")
    search.act(state)  # loads the compiled code
    search = agents.make("mcts:cpu=0.05", game="torres")
    start = time.process_time()
    search.act(state)
    assert 0.02 < time.process_time() - start < 0.075
    efforts = []
    for cpu in (0.001, 10):
        planner = agents.make(f"planner:cpu={cpu}", game="torres")
        game, used = state.clone(), []
        while not game.is_terminal():
            game.apply_action(planner.act(game))
            used.append(planner._effort)
        efforts.append(statistics.median(used))
    assert 2 * efforts[0] < efforts[1] and efforts[1] > 32
