"""The report on the market game's balance: its figures are those of the games that are played, and it repeats."""

from __future__ import annotations

import importlib.util
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import agents
from market_env import MarketRules, MarketState

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def balance():
    spec = importlib.util.spec_from_file_location("market_balance", ROOT / "benchmarks" / "market_balance.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("preset", "players"), [("full", 3), ("solo", 1)])
def test_counts_are_those_of_the_same_games_played_one_by_one(balance, preset, players):
    rules, games = MarketRules.preset(preset), 5
    played = balance.play(preset, players, rules, games, 40)
    action_counts, ends, turns = np.zeros_like(played.action_counts), [], [0, 0, 0]
    for seed in range(40, 40 + games):
        state, player, turn = MarketState(players, rules, seed), agents.make("greedy", game="market"), None
        while not state.is_terminal():
            position = state.position()
            seat = position["to_move"]
            if (position["turn"], seat) != turn:
                turn = position["turn"], seat
                held = {material for market in position["circles"] for material in market}
                gone = set(rules.components.materials) - held
                names, asked = rules.components.materials, rules.components.lists[position["lists"][seat]]
                lacking = {m for m, n in zip(names, asked, strict=True) if position["materials"][seat][m] < n}
                turns = [turns[0] + 1, turns[1] + bool(gone), turns[2] + bool(gone & lacking)]
            action = player.act(state)
            action_counts[action] += 1
            state.apply_action(action)
        position = state.position()
        winners = [seat for seat, towers in enumerate(position["towers"]) if towers == 3]
        ends.append([position["turn"], winners[0] if winners else -1, state.is_truncated()])
    assert played.action_counts.tolist() == action_counts.tolist()
    assert played.ends.tolist() == ends
    assert played.turns.tolist() == turns


def test_every_action_has_a_verb(balance):
    places = sorted(balance.VERBS.values())
    assert all(first + count <= after for (first, count), (after, _) in pairwise(places))
    missing = set(range(151)) - {k for first, count in places for k in range(first, first + count)}
    assert missing == set()


def test_the_report_repeats_and_is_well_formed(balance):
    text = balance.report(4, 1)
    assert text == balance.report(4, 1)
    for line in text.splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    assert text.count("| `full` | 4 |") == 6  # five tables by players, and one by tokens more


def test_the_published_report_is_of_the_command_that_it_names():
    text = (ROOT / "docs" / "notes" / "market_balance.md").read_text("utf-8")
    assert "python benchmarks/market_balance.py --games 10000 --seed 1`" in text
    assert text.startswith("# Balance of the market game\n")
