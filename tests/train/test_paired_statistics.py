"""Games of one seed as blocks: intervals, pentanomials and the sequential test, against sums made on paper."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from train.arena import ArenaSettings, run_arena
from train.arena.ratings import rate
from train.arena.results import read_results
from train.arena.run import count_results
from train.arena.schedule import Match
from train.arena.sprt import SequentialTest, Sprt
from train.arena.tally import pentanomial, tally
from train.statistics import block_interval, elo, elo_text, wilson

CHANCES = [0.2, 0.0, 0.6, 0.0, 0.2]  # of pairs, for equal players and a seat that decides much


def test_the_interval_of_four_pairs():
    """Scores 2, 1, 1, 0: variance 8/3, +1/2 imagined; binomial 2, +1/2; t of 4 degrees of freedom is 2.776."""
    independent = 8 / ((8 / 3 + 0.5) / 2.5) * (1.959964 / 2.776445) ** 2
    assert block_interval([(2, 2), (1, 2), (1, 2), (0, 2)]) == pytest.approx(wilson(0.5, independent), abs=1e-3)
    assert wilson(0.5, independent) == pytest.approx((0.1293, 0.8707), abs=1e-4)


def test_intervals_of_one_result():
    low, high = block_interval([(2, 2)] * 200)
    assert (low, high) == (pytest.approx(wilson(1, 400)[0], abs=3e-4), 1.0)
    low, high = block_interval([(1, 2)] * 200)  # a player against itself
    assert 0.495 < low < 0.5 < high < 0.505
    assert block_interval([(1, 2)])[1] > 0.95


@pytest.mark.parametrize(
    ("chances", "width"), [(CHANCES, 0.95), ((0.04, 0, 0.32, 0, 0.64), 1.05), ((0.4, 0, 0.2, 0, 0.4), 1.35)]
)
def test_intervals_hold_the_rate(chances, width):
    """Of 1,000 matches of 40 pairs; *width*: the most in Wilson's for independent games."""
    drawn = np.random.default_rng(1).choice(5, size=(1000, 40), p=chances) / 2
    rate = float(np.dot(chances, np.arange(5) / 4))
    found = [block_interval([(won, 2) for won in match]) for match in drawn.tolist()]
    assert 0.93 < np.mean([low <= rate <= high for low, high in found]) < 0.985
    low, high = wilson(rate, 80)
    assert np.mean([high - low for low, high in found]) < width * (high - low)


def test_elo():
    assert elo(10 / 11) == pytest.approx(400)
    assert (elo(0.5), elo(1), elo(0)) == (0, math.inf, -math.inf)
    assert elo_text(0.25, 0.75) == "-191 to +191"
    assert (elo_text(0.75, 1), elo_text(0, 0.25), elo_text(0, 1)) == ("at least +191", "at most -191", "–")
    assert pentanomial([0, 0.5, 2, 2, 1.5, 1, 2]) == [1, 1, 1, 1, 3]


def test_the_likelihood_ratio_of_pairs_won_or_lost():
    """With two possible scores, the probabilities of a hypothesis are its win rate: 30 ln(0.75 / 0.5) + 10 ln(0.25 / 0.5)."""
    sprt = Sprt(0, elo(0.75))
    assert float(sprt.llr([10, 0, 0, 0, 30])) == pytest.approx(30 * math.log(1.5) - 10 * math.log(2), abs=0.01)
    assert sprt.bounds == pytest.approx((-math.log(19), math.log(19)))
    turned = Sprt(-elo(0.75), 0)
    assert float(turned.llr([30, 0, 0, 0, 10])) == pytest.approx(-float(sprt.llr([10, 0, 0, 0, 30])))
    assert float(Sprt(0, 20).llr([0, 0, 50, 0, 0])) < -2.9  # pairs that always end level


@pytest.mark.parametrize(("difference", "wrong"), [(0, "H1"), (100, "H0")])
def test_error_rates(difference, wrong):
    """Near 5 % in 1,000 tests of 0 against 100 Elo; the ends are exceeded a little, so they are below it."""
    sprt = Sprt(0, 100)
    shift = 1 / (1 + 10 ** (-difference / 400)) - 0.5
    chances = np.array(CHANCES) + [-shift, 0, 0, 0, shift]
    drawn = np.random.default_rng(2).choice(5, size=(1000, 300), p=chances)
    llr = sprt.llr(np.cumsum(np.eye(5)[drawn], axis=1))
    low, high = sprt.bounds
    first = ((llr <= low) | (llr >= high)).argmax(axis=1)
    ends = llr[np.arange(1000), first]
    assert np.all((ends <= low) | (ends >= high))
    assert 0.02 < np.mean(ends >= high if wrong == "H1" else ends <= low) < 0.065


def test_an_arena_ends_with_the_test(tmp_path):
    """It stops where the pairs in the order of seeds say so, however the games end, and plays nothing afterwards."""
    settings = ArenaSettings("torres", ("greedy", "random"), games=400)
    path = tmp_path / "games.jsonl"
    test = SequentialTest(Sprt(0, 100), settings)
    counted = run_arena(settings, path, jobs=0, test=test)
    assert test.decision == "H1"
    assert "accepted H1: the Elo difference of greedy from random is above 0" in str(test)
    outcomes = read_results(path)[1]
    wins = [outcome.places[outcome.seats.index("greedy")] == 1 for outcome in outcomes]
    pairs = [2 * (a + b) for a, b in zip(wins[::2], wins[1::2], strict=True)]
    crossed = [
        float(Sprt(0, 100).llr(np.bincount(pairs[:k], minlength=5))) >= math.log(19) for k in range(len(pairs) + 1)
    ]
    assert crossed.index(True) == len(pairs) == sum(test.pairs)
    again = SequentialTest(Sprt(0, 100), settings)
    resumed = run_arena(settings, path, jobs=0, test=again)
    assert resumed == count_results(settings, path, test)
    assert resumed.pairings == counted.pairings
    assert (again.pairs, len(read_results(path)[1])) == (test.pairs, len(outcomes))
    mixed = SequentialTest(Sprt(0, 100), settings)
    for outcome in random.Random(1).sample(outcomes, len(outcomes)):
        mixed.add(outcome)
    assert (mixed.pairs, mixed.llr) == (test.pairs, test.llr)


def test_ratings_are_as_certain_as_pairs(game_of):
    """Pairs that end level tell more than independent games; players without a chain of games are not compared."""
    level = [game_of("ab" if k % 2 else "ba", [1, 2], k // 2) for k in range(100)]
    free = [game_of("ab" if k % 2 else "ba", [1, 2], k) for k in range(100)]
    a, b = (rate(games, ["a", "b"], "a")["b"].sigma for games in (level, free))
    assert a < 0.5 * b
    assert b == pytest.approx(400 / math.log(10) / math.sqrt(102 / 4), rel=0.02)
    apart = rate([*level, game_of("cd", [1, 2], 1)], list("abcde"), "a")
    assert [math.isfinite(apart[label].sigma) for label in "abcde"] == [True, True, False, False, False]


@pytest.fixture
def game_of():
    from train.arena.play import Outcome

    return lambda seats, places, seed: Outcome(seed, list(seats), places, None, [1, 1], [1, 1], [0, 0], [0, 0])


def test_unfinished_pairs_count_as_single_games(game_of):
    outcomes = [game_of("ab", [1, 2], 1), game_of("ba", [2, 1], 1), game_of("ab", [1, 2], 2)]
    pairing = tally(outcomes, ["a", "b"], 2).pairings["a", "b"]
    assert (pairing.pairs, pairing.games, pairing.rate) == ([0, 0, 0, 0, 1], 3, 1.0)
    test = SequentialTest(Sprt(0, 20), ArenaSettings("torres", ("greedy", "random"), first_seed=1))
    for match in (Match(1, ("greedy", "random")), Match(2, ("greedy", "random")), Match(2, ("random", "greedy"))):
        test.add(game_of(match.seats, [1, 2], match.seed))
    assert sum(test.pairs) == 0
