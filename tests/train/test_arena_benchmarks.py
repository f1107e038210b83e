"""The published benchmarks: files and copies are fresh, seeds are pinned, and an arena plays them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from tower_core.registry import get_game
from train.arena.benchmarks import benchmark, benchmark_settings, benchmarks, openings
from train.arena.schedule import schedule
from train.arena.settings import SEED_SETS

ROOT = Path(__file__).resolve().parents[2]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_and_copies_are_fresh():
    """Every opening of every seed is what was published."""
    assert load(ROOT / "seeds" / "publish.py").stale() == []


def test_what_there_is():
    names = {"torres-2p-v0", "torres-3p-v0", "torres-4p-v0", "torres-master-2p-v0"}
    names |= {"market-2p-v0", "market-full-2p-v0", "market-full-4p-v0"}
    assert names <= set(benchmarks())
    presets = {
        "torres-2p-v0": "standard",
        "torres-master-2p-v0": "master",
        "market-2p-v0": "base",
        "market-full-4p-v0": "full",
    }
    for name, preset in presets.items():
        it = benchmark(name)
        assert get_game(it.game).resolve_rules(it.rules) == get_game(it.game).resolve_rules(preset)
        assert f"-{it.players}p-" in name
    with pytest.raises(ValueError, match="unknown benchmark 'torres': choose one of market-2p-v0"):
        benchmark("torres")


@pytest.mark.parametrize("name", benchmarks())
def test_sets_are_apart_and_large_enough(name):
    it = benchmark(name)
    assert it.first_seed == SEED_SETS
    assert it.first_seed["development"] + it.seeds <= it.first_seed["test"]
    assert it.openings["development"] != it.openings["test"]
    for seed_set, start in it.first_seed.items():
        matches = schedule(benchmark_settings(it, seed_set=seed_set))
        assert {match.seed for match in matches} <= set(range(start, start + it.seeds))
        assert it.games <= len(matches)
        assert len({match.seed for match in matches}) >= 10
    with pytest.raises(ValueError, match="games must be at most"):
        schedule(benchmark_settings(it, games=30 * it.seeds))


def test_who_plays():
    it = benchmark("torres-2p-v0")
    among_each_other = benchmark_settings(it)
    assert among_each_other.entrants == it.entrants
    assert among_each_other.anchors == ()
    mine = benchmark_settings(it, ["greedy"], "development")
    assert {match.seats for match in schedule(mine)} == {
        ("greedy", "random"), ("random", "greedy"), ("greedy", "passive"), ("passive", "greedy"),
        ("greedy", it.headline), (it.headline, "greedy"),
    }  # fmt: skip
    assert mine.guests == ()
    assert benchmark_settings(it, ["random"], anchors=["greedy"], games=10).games == 10


def test_the_headline_is_against_an_anchor():
    for it in benchmarks().values():
        assert it.headline in it.anchors


def test_slow_players_are_guests():
    it = benchmark("torres-2p-v0")
    assert {guest.against for guest in it.guests} == {it.headline}
    assert benchmark_settings(it).guests == it.guests
    assert {guest.games for guest in benchmark_settings(it, games=6).guests} == {6}
    assert (
        max(guest.games for guest in benchmark_settings(it, games=it.games).guests if guest.spec != "planner")
        < it.games
    )
    for other in benchmarks().values():
        assert {guest.against for guest in other.guests} <= set(other.entrants)


def test_openings_tell_games_apart():
    torres, market = get_game("torres"), get_game("market")
    one = openings(torres, 2, torres.resolve_rules("standard"), range(5))
    assert one == openings(torres, 2, torres.resolve_rules("standard"), range(5))
    others = [
        openings(torres, 2, torres.resolve_rules("standard"), range(1, 6)),
        openings(torres, 3, torres.resolve_rules("standard"), range(5)),
        openings(torres, 2, torres.resolve_rules("master"), range(5)),
        openings(market, 2, market.resolve_rules("base"), range(5)),
    ]
    assert len({one, *others}) == 5


def test_the_page_of_results(tmp_path, capsys):
    results = load(ROOT / "docs" / "results.py")
    assert set(results.parts_of(results.RESULTS.read_text("utf-8"))) >= set(benchmarks()), "run make results"
    page = tmp_path / "results.md"
    options = ["--games", "2", "--no-guests", "--jobs", "0", "--games-in", str(tmp_path), "--page", str(page)]
    assert results.main(["market-2p-v0", *options]) == 0
    assert results.main(["torres-2p-v0", *options]) == 0
    text = page.read_text("utf-8")
    assert list(results.parts_of(text)) == ["market-2p-v0", "torres-2p-v0"]
    assert results.page(results.parts_of(text)) == text
    assert "| greedy – random | 2 |" in text
    summary, rates = text.split("## market-2p-v0")[0], {}
    for name in ("market-2p-v0", "torres-2p-v0"):
        (row,) = [line for line in summary.splitlines() if line.startswith(f"| [{name}]")]
        rates[name] = row.split(" | ")
    assert len(rates["torres-2p-v0"]) == 5 and rates["torres-2p-v0"].count("0.0 % (0.0–98.8 %, 2 games)") >= 2
    assert "Unofficial: 2 games per pairing instead of 400." in text
    assert "learned" not in text
    kinds = {name: {guest.against for guest in results.learned_guests(benchmark(name))} for name in benchmarks()}
    trained = {"torres-2p-v0", "market-2p-v0", "market-full-2p-v0"}
    assert kinds == {name: {"greedy", it.headline} if name in trained else set() for name, it in benchmarks().items()}
    head = json.loads((tmp_path / "torres-2p-v0.jsonl").read_text().splitlines()[0])
    assert head["game"] == "torres"
    assert results.main(["torres-2p-v0", "--cpu-per-turn", "2ms,4ms", *options]) == 0
    scaled = page.read_text("utf-8")
    assert results.page(results.parts_of(scaled)) == scaled and scaled.endswith(text[text.index("## Summary") :])
    assert "## Strength at equal time" in scaled and scaled.count("| mcts | ") == 2
    assert (tmp_path / "images" / "scaling-torres-2p-v0.png").exists()
