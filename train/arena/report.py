"""The tables of an arena, for the terminal and for Markdown."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rich.table import Table

from train.arena.tally import Entrant, Tally
from train.statistics import percent, percents


@dataclass(frozen=True)
class Grid:
    """The content of a table: column heads (the first column is text, the others are numbers) and rows."""

    title: str
    head: list[str]
    rows: list[list[str]]


def _time(seconds: float) -> str:
    """A time with three significant digits, in milliseconds below one second."""
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def _by_rating(tally: Tally) -> list[Entrant]:
    """Entrants that have played, best rating first."""
    entrants = [entrant for entrant in tally.entrants.values() if entrant.seats]
    return sorted(entrants, key=lambda entrant: -(entrant.rating.mu if entrant.rating else 0.0))


def entrants_grid(tally: Tally) -> Grid:
    """Ratings, win shares and points, best rating first."""
    head = ["player", "rating", "games", "won", "95 % interval", "points a game"]
    rows = []
    for e in _by_rating(tally):
        rating = f"{e.rating.mu:.1f} ± {1.96 * e.rating.sigma:.1f}" if e.rating else "–"
        points = "–" if math.isnan(e.mean_points) else f"{e.mean_points:.1f}"
        rows.append([e.label, rating, str(e.seats), percent(e.rate, 1), percents(*e.interval), points])
    return Grid("players", head, rows)


def times_grid(tally: Tally) -> Grid:
    """Win share by seat, and thinking times."""
    rows = [
        [
            e.label,
            " / ".join(percent(rate, 1).removesuffix(" %") for rate in e.seat_rates),
            _time(e.seconds / max(e.moves, 1)),
            _time(e.seconds / max(e.turns, 1)),
            _time(e.slowest),
        ]
        for e in _by_rating(tally)
    ]
    return Grid("seats and times", ["player", "won by seat, %", "per action", "per turn", "slowest action"], rows)


def pairings_grid(tally: Tally) -> Grid:
    """One row per pairing. With more than two players: how often the first ranked above the second; ties count half."""
    first = "win rate" if tally.players == 2 else "ahead"
    rows = []
    for pairing in tally.pairings.values():
        better = pairing if pairing.rate >= 0.5 else tally.ahead(pairing.second, pairing.first)
        assert better is not None
        rows.append(
            [
                f"{better.first} – {better.second}",
                str(better.games),
                percent(better.rate, 1),
                percents(*better.interval),
                percent(better.level / better.games, 1),
            ]
        )
    return Grid("pairings", ["better – other", "games", first, "95 % interval", "ties"], rows)


def faults_grid(tally: Tally) -> Grid | None:
    """Players that lost games by faults; None if there are none."""
    rows = [
        [e.label, ", ".join(f"{count} {kind}" for kind, count in sorted(e.faults.items())), e.first_fault]
        for e in tally.entrants.values()
        if e.faults
    ]
    return Grid("games lost by a fault", ["player", "faults", "first fault"], rows) if rows else None


def grids(tally: Tally) -> list[Grid]:
    """All tables of an arena."""
    return [
        grid
        for grid in (entrants_grid(tally), pairings_grid(tally), times_grid(tally), faults_grid(tally))
        if grid is not None
    ]


def terminal_table(grid: Grid) -> Table:
    table = Table(title=grid.title, title_justify="left")
    for place, name in enumerate(grid.head):
        table.add_column(
            name, overflow="fold", justify="left" if place == 0 or grid.title.startswith("games lost") else "right"
        )
    for row in grid.rows:
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    return table


def markdown_table(grid: Grid) -> str:
    lines = ["| " + " | ".join(grid.head) + " |", "|---|" + "---:|" * (len(grid.head) - 1)]
    lines += ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in grid.rows]
    return "\n".join(lines) + "\n"
