"""The published benchmarks: their games, players and seeds, and digests that pin the openings of those seeds.

``published/`` is the packaged copy of the repository's ``seeds/`` (seeds/publish.py writes both).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from tower_core.game import Game
from tower_core.players.loading import PlayerSource
from tower_core.registry import get_game
from train.arena.settings import ArenaSettings, Guest

SETS = ("development", "test")


@dataclass(frozen=True)
class Benchmark:
    """One benchmark. *first_seed* and *openings* (digests, see :func:`openings`) are by seed set.

    *entrants* and *guests* are the players of docs/results.md; guests are slow and play fewer games. *anchors* are the
    opponents of a user's player. *headline* is the strongest of them: the figure of a player is its win rate against it.
    """

    name: str
    about: str
    game: str
    players: int
    rules: dict[str, Any]
    games: int
    entrants: tuple[str, ...]
    guests: tuple[Guest, ...]
    anchors: tuple[str, ...]
    headline: str
    seeds: int
    first_seed: dict[str, int]
    openings: dict[str, str]

    @property
    def game_object(self) -> Game:
        return get_game(self.game)


@cache
def benchmarks() -> dict[str, Benchmark]:
    """All published benchmarks by name."""
    folder = files("train.arena") / "published"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    read = [benchmark_from(json.loads((folder / name).read_text("utf-8"))) for name in names]
    return {benchmark.name: benchmark for benchmark in read}


def benchmark(name: str) -> Benchmark:
    """A benchmark by name; ValueError lists the names."""
    if name not in benchmarks():
        raise ValueError(f"unknown benchmark {name!r}: choose one of {', '.join(benchmarks())}")
    return benchmarks()[name]


def benchmark_from(content: dict[str, Any]) -> Benchmark:
    """A benchmark from the content of its file."""
    sets = content["sets"]
    return Benchmark(
        **{name: content[name] for name in ("name", "about", "game", "players", "rules", "games", "headline", "seeds")},
        entrants=tuple(content["entrants"]),
        guests=tuple(Guest(guest["player"], guest["against"], guest["games"]) for guest in content["guests"]),
        anchors=tuple(content["anchors"]),
        first_seed={name: sets[name]["first_seed"] for name in SETS},
        openings={name: sets[name]["openings_sha256"] for name in SETS},
    )


def openings(game: Game, players: int, rules: Any, seeds: Iterable[int]) -> str:
    """SHA-256 of the openings of *seeds*, which pins decks, hands, lists, king, bag and random stream.

    The input has one line per seed: its ``position()`` before the first action, without the rules, as JSON with sorted
    keys and no spaces.
    """
    digest = hashlib.sha256()
    for seed in seeds:
        position = game.state_class()(players, rules, seed).position()
        del position["rules"]
        digest.update(json.dumps(position, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


def benchmark_settings(
    benchmark: Benchmark,
    entrants: Sequence[str | PlayerSource] = (),
    seed_set: str = "test",
    games: int | None = None,
    anchors: Sequence[str | PlayerSource] | None = None,
    timeout: float = 60.0,
    record: bool = True,
) -> ArenaSettings:
    """Arena settings for a benchmark: *entrants* against its anchors, or without any, its own entrants and guests.

    *games* is per pairing, for guests an upper limit.
    """
    guests = () if entrants else benchmark.guests
    if games is not None:
        guests = tuple(replace(guest, games=min(guest.games, games)) for guest in guests)
    if anchors is None:
        anchors = benchmark.anchors if entrants else ()
    return ArenaSettings(
        benchmark.game,
        tuple(entrants) or benchmark.entrants,
        benchmark.players,
        benchmark.rules,
        benchmark.games if games is None else games,
        tuple(anchors),
        benchmark.first_seed[seed_set],
        benchmark.seeds,
        timeout,
        record,
        guests,
    )
