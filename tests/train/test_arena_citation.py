"""What a published figure names, and what makes a run unofficial."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version

import pytest

from train.arena.benchmarks import benchmark, benchmark_settings
from train.arena.citation import Origin
from train.arena.play import Outcome
from train.arena.schedule import schedule
from train.arena.tally import tally

IT = benchmark("torres-2p-v0")


def origin(*entrants, **options):
    return Origin(benchmark_settings(IT, entrants, **options), IT, "1.2", "a machine")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (origin(), []),
        (origin("greedy"), []),
        (origin("greedy", seed_set="development"), ["development seeds instead of test seeds"]),
        (origin("greedy", games=40), ["40 games per pairing instead of 400"]),
        (origin("mcts", anchors=["greedy"]), [f"other anchors than random, passive, greedy, {IT.headline}"]),
        (origin("greedy", timeout=5), ["5 s per action instead of 60 s"]),
        (replace(origin("greedy", games=40), benchmark=None), []),
    ],
)
def test_what_is_unofficial(found, expected):
    assert found.differences() == expected


def test_the_line_to_cite():
    """Three of four pairs won, which are worth half as many games as independent ones; and a stopped arena."""
    it = origin("mcts")
    matches = schedule(it.settings)
    places = {"mcts": 1, IT.headline: 2}

    def played(match, k):
        order = [places.get(seat, 2) for seat in match.seats]
        return Outcome(
            match.seed, list(match.seats), order if k else order[::-1], [1, 2], [1, 1], [1, 1], [0.5, 0.5], [1, 1]
        )

    outcomes = [played(match, match.seed % 4) for match in matches]
    (line,) = it.citations(tally(outcomes, list(it.settings.specs), 2))
    rest = "; torres-2p-v0, test seeds, towers 1.2, a machine"
    assert (
        line
        == f"cite: mcts wins 75.0 % of 400 games against {IT.headline} (95 % interval 68.5–80.5 %; 500 ms per turn){rest}"
    )
    (line,) = it.citations(tally(outcomes[:16], list(it.settings.specs), 2))
    assert line.startswith("unofficial: mcts wins ")
    assert line.endswith(f"{rest}; differs from the benchmark: stopped after 16 of 1600 games")
    assert replace(it, benchmark=None).citations(tally(outcomes, list(it.settings.specs), 2)) == []


def test_a_file_of_another_version():
    assert str(origin("mcts").as_in({"version": "0.9", "machine": "another"})).endswith("towers 0.9, another")
    assert origin("mcts").as_in({}) == origin("mcts")


def test_the_version_is_the_installed_one():
    assert Origin(benchmark_settings(IT)).version == version("tower-games-rl")
