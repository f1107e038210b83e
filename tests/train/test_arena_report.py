"""What the arena counts, rates, prints and draws, against sums made by hand."""

from __future__ import annotations

import math
import random

import pytest
from rich.console import Console

from train.arena.play import Outcome, faulted
from train.arena.ratings import rate
from train.arena.report import grids, markdown_table, terminal_table
from train.arena.schedule import Match
from train.arena.tally import tally
from train.plots import arena_picture
from train.statistics import block_interval


def game(seats, places, scores=None, seed=1):
    count = len(seats)
    return Outcome(
        seed,
        list(seats),
        places,
        scores,
        [4] * count,
        [2] * count,
        [0.5] * count,
        [0.25 + 0.1 * p for p in range(count)],
    )


def test_two_players():
    outcomes = [
        game("ab", [1, 2], [30, 20]),
        game("ba", [1, 2], [40, 10]),
        game("ab", [1, 1], [25, 25]),
        game("ba", [2, 1], [5, 15]),
        faulted(Match(3, ("a", "b")), 1, "illegal", "no\nsuch | [action]"),
        faulted(Match(4, ("b", "a")), 0, "died", "gone"),
    ]
    found = tally(outcomes, ["a", "b"], 2)
    pairing = found.ahead("a", "b")
    assert (pairing.games, pairing.ahead, pairing.level) == (6, 4.5, 1)
    assert pairing.interval == block_interval([(2.5, 4), (1, 1), (1, 1)])
    turned = found.ahead("b", "a")
    assert (turned.games, turned.ahead, turned.level) == (6, 1.5, 1)
    a, b = found.entrants["a"], found.entrants["b"]
    assert (a.seats, a.wins, b.wins) == (6, 4.5, 1.5)
    assert a.seat_rates == [pytest.approx(2.5 / 3), pytest.approx(2 / 3)]
    assert a.mean_points == (30 + 10 + 25 + 15) / 4
    assert (a.moves, a.turns, a.seconds) == (16, 8, 2.0)
    assert a.slowest == 0.35
    assert (a.faults, b.faults) == ({}, {"illegal": 1, "died": 1})
    assert b.first_fault == "illegal: no such | [action] (seed 3)"
    assert a.rating.mu > b.rating.mu


def test_more_players_share_wins():
    outcomes = [game("abc", [1, 1, 3]), game("bca", [1, 1, 1]), game("abb", [2, 1, 3]), game("abb", [1, 1, 3])]
    found = tally(outcomes, ["a", "b", "c"], 3)
    assert found.entrants["a"].wins == pytest.approx(1 / 2 + 1 / 3 + 0 + 1 / 2)
    assert found.entrants["b"].wins == pytest.approx(1 / 2 + 1 / 3 + 1 + 1 / 2)
    assert found.entrants["b"].seats == 6
    pairing = found.ahead("a", "b")
    assert pairing.games == 4
    assert pairing.ahead == pytest.approx(0.5 + 0.5 + 0.5 + 0.75)
    assert pairing.level == pytest.approx(1 + 1 + 0 + 0.5)
    assert found.ahead("a", "c").ahead == 1.5
    assert list(found.pairings) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert math.isnan(found.entrants["a"].mean_points)


def test_win_rates_are_against_copies_of_one_player():
    outcomes = [
        game("abb", [1, 2, 3]),
        game("bab", [1, 1, 3]),
        game("abc", [1, 2, 3]),
        game("aab", [1, 2, 3]),
        game("aaa", [1, 2, 3]),
    ]
    found = tally(outcomes, ["a", "b", "c"], 3).win_rates
    assert {pair: (rate.wins, rate.games) for pair, rate in found.items()} == {("a", "b"): (1.5, 2), ("b", "a"): (0, 1)}


def test_ratings_find_the_order_whatever_the_order_of_games():
    chance = random.Random(1)
    strength = {"a": 0, "b": 1, "c": 2, "d": 3}
    games = []
    for _ in range(300):
        seats = chance.sample(sorted(strength), 3)
        by = sorted(range(3), key=lambda seat: -(strength[seats[seat]] + chance.gauss(0, 1)))
        games.append(game(seats, [by.index(seat) + 1 for seat in range(3)]))
    ratings = rate(games, sorted(strength))
    values = [ratings[label].mu for label in "abcd"]
    assert values == sorted(values)
    assert ratings["a"].interval[1] < ratings["d"].interval[0]
    backwards = rate(games[::-1], sorted(strength))
    for label, rating in ratings.items():
        assert backwards[label].mu == pytest.approx(rating.mu)


def test_even_players_are_rated_even():
    games = [game("ab" if i % 2 else "ba", [1, 2]) for i in range(100)]
    ratings = rate(games, ["a", "b"])
    assert ratings["a"].mu == pytest.approx(ratings["b"].mu)
    assert rate([game("aa", [1, 2])], ["a"])["a"].mu == 0


FAULTY = [game("ab", [1, 2], [30, 20]), faulted(Match(3, ("a", "b")), 1, "timeout", "x [red]late[/red] | y")]


def test_tables():
    found = tally(FAULTY, ["a", "b", "nobody"], 2)
    console = Console(record=True, width=140)
    for grid in grids(found):
        console.print(terminal_table(grid))
    text = console.export_text()
    for part in (
        "a – b",
        "100.0 %",
        "9.7–100.0 %",
        "2 games are not in the pairs",
        "30.0",
        "20.0",
        "1 timeout",
        "x [red]late[/red] | y",
        "125 ms",
        "250 ms",
    ):
        assert part in text
    assert "nobody" not in text
    markdown = "\n".join(markdown_table(grid) for grid in grids(found))
    assert r"x [red]late[/red] \| y (seed 3)" in markdown
    rows = [line for line in markdown.splitlines() if line.startswith("| a ")]
    assert len(rows) == 3
    assert "faults" not in "".join(grid.title for grid in grids(tally(FAULTY[:1], ["a", "b"], 2)))


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_the_picture(tmp_path, labels):
    outcomes = [*FAULTY, game("ca", [1, 2])][: len(labels)]
    path = arena_picture(tally(outcomes, list(labels), 2), tmp_path / "arena.png", "An arena")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert [entry.name for entry in tmp_path.iterdir()] == ["arena.png"]
