"""The schedule of an arena: every line-up in every order of seats, on the same seeds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

from tower_core.players.specs import label_of
from train.arena.settings import ArenaSettings


@dataclass(frozen=True)
class Match:
    """One game: its seed and the player labels by seat."""

    seed: int
    seats: tuple[str, ...]


def line_ups(settings: ArenaSettings) -> list[tuple[str, ...]]:
    """The players of each table, guests excluded.

    Without anchors: every combination of entrants that fills the seats; with fewer entrants than seats, one copy of each
    entrant against copies of each other entrant. With anchors: one copy of each entrant against copies of each anchor.
    """
    labels = list(settings.specs)[: len(settings.entrants)]
    seats = settings.players
    if settings.anchors:
        pairs = [(a, label_of(b)) for b in settings.anchors for a in labels if a != label_of(b)]
        if seats == 2:  # where both are entrants and anchors, they are one pairing
            pairs = [pair for i, pair in enumerate(pairs) if pair[::-1] not in pairs[:i]]
    elif len(labels) < seats:
        pairs = list(permutations(labels, 2))
    else:
        return list(combinations(labels, seats))
    return [(a, *[b] * (seats - 1)) for a, b in pairs]


def orders(line_up: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All distinct orders of seats, in a fixed sequence."""
    return list(dict.fromkeys(permutations(line_up)))


def schedule(settings: ArenaSettings) -> list[Match]:
    """All games, seed by seed, so that an arena stopped early has played all pairings equally often.

    ValueError if there are fewer seeds than the games need.
    """
    tables = [(orders(line_up), settings.games) for line_up in line_ups(settings)]
    if not tables:
        raise ValueError("there is no pairing to play: name another player or anchor")
    tables += [
        (orders((label_of(guest.spec), *[label_of(guest.against)] * (settings.players - 1))), guest.games)
        for guest in settings.guests
    ]
    for table, games in tables:
        if -(-games // len(table)) > settings.seeds:
            most = settings.seeds * len(table)
            raise ValueError(f"games must be at most {most} per pairing, for the seeds there are, not {games}")
    seeds_of = [-(-games // len(table)) for table, games in tables]
    return [
        Match(settings.first_seed + k, seats)
        for k in range(max(seeds_of))
        for (table, _), seeds in zip(tables, seeds_of, strict=True)
        if k < seeds
        for seats in table
    ]
