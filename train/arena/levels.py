"""Strength at equal CPU time: the same players with several budgets per turn, and their ratings over these budgets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tower_core.players.specs import label_of, with_cpu
from train.arena.play import Outcome
from train.arena.ratings import Rating, rate
from train.arena.report import Grid, rating_text, time_text
from train.arena.settings import ArenaSettings
from train.arena.tally import Entrant, Tally, tally

TOLERANCE = 1.2
"""Mean CPU time per turn, as a multiple of the budget, above which a player is flagged."""
_UNITS = {"ms": 0.001, "s": 1.0}


@dataclass(frozen=True)
class Level:
    """An arena in which players have *seconds* of CPU time per turn. *players*: those with a budget, by label here and label
    without it."""

    seconds: float
    settings: ArenaSettings
    players: dict[str, str]

    @property
    def reference(self) -> str | None:
        """The first player without a budget, which plays in every level, anchors first; None if there is none."""
        labels = [*map(label_of, self.settings.anchors), *self.settings.specs]
        return next((label for label in labels if label not in self.players), None)


def arena_levels(settings: ArenaSettings, text: str) -> list[Level]:
    """The arenas of a list of budgets such as ``10ms,100ms,1s``. ValueError if no player takes a budget, or if there are
    several levels and all players do: then nothing connects the levels.
    """
    levels = [at_level(settings, seconds) for seconds in _parse(text)]
    if len(levels) > 1 and levels[0].reference is None:
        raise ValueError("nothing compares the levels: add a player without a budget, or one with --anchor")
    return levels


def _parse(text: str) -> list[float]:
    found = [re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(ms|s)\s*", part) for part in text.split(",")]
    seconds = sorted({float(match[1]) * _UNITS[match[2]] for match in found if match})
    if None in found or not seconds or seconds[0] < 0.001:
        raise ValueError(f"CPU time per turn must be times of at least 1 ms such as 10ms,100ms,1s, not {text!r}")
    return seconds


def at_level(settings: ArenaSettings, seconds: float) -> Level:
    """The arena of *settings* in which every entrant that takes a budget has *seconds* per turn. Anchors are unchanged.

    ValueError if no entrant takes a budget.
    """
    entrants = [(spec, with_cpu(spec, settings.game_object, seconds)) for spec in settings.entrants]
    players = {label_of(given): label_of(spec) for spec, given in entrants if given is not None}
    if not players:
        names = ", ".join(map(label_of, settings.entrants))
        raise ValueError(f"no player takes a budget of CPU time (the option cpu): {names}")
    here = replace(settings, entrants=tuple(given or spec for spec, given in entrants), cpu=True)
    return Level(seconds, here, players)


def budget_grid(counted: Tally, level: Level) -> Grid:
    """The CPU time per turn that players with a budget used, and whether they exceeded it."""
    rows = []
    for label in level.players:
        entrant = counted.entrants[label]
        if entrant.cpu:
            over = float(np.mean(entrant.cpu)) / level.seconds
            kept = f"{100 * (over - 1):.0f} % over" if over > TOLERANCE else "kept"
            rows.append([label, time_text(level.seconds), *_used(entrant), kept])
    note = f"A player exceeds its budget if its mean is more than {100 * TOLERANCE - 100:.0f} % above it."
    return Grid("CPU time per turn", ["player", "budget", "mean", "95th percentile", "budget kept"], rows, note)


def _used(entrant: Entrant) -> list[str]:
    return [time_text(float(value)) for value in (np.mean(entrant.cpu), np.percentile(entrant.cpu, 95))]


@dataclass(frozen=True)
class Point:
    """A player at one budget: seconds of CPU time per turn, allowed and used on average, and its rating."""

    player: str
    budget: float
    used: float
    games: int
    rating: Rating


def scaling(levels: Sequence[Level], outcomes: Sequence[Outcome]) -> list[Point]:
    """The points of all levels, from all their games: ratings above the reference."""
    labels = list(dict.fromkeys(label for level in levels for label in level.settings.specs))
    counted = tally(outcomes, labels, levels[0].settings.players).entrants
    ratings = rate(outcomes, labels, levels[0].reference)
    return [
        Point(player, level.seconds, float(np.mean(counted[label].cpu)), counted[label].seats, ratings[label])
        for level in levels
        for label, player in level.players.items()
        if counted[label].cpu
    ]


def scaling_grid(points: Sequence[Point], reference: str) -> Grid:
    """A row per player and budget."""
    rows = [
        [point.player, time_text(point.budget), time_text(point.used), str(point.games), rating_text(point.rating)]
        for point in sorted(points, key=lambda point: (point.player, point.budget))
    ]
    head = ["player", "CPU budget per turn", "CPU used per turn", "games", "rating"]
    return Grid("scaling", head, rows, f"Ratings are Elo differences from {reference} with its own budget.")
