"""The tables of an arena, for the terminal and for Markdown."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rich.table import Table

from train.arena.ratings import Rating
from train.arena.tally import Entrant, Tally
from train.statistics import elo_text, percent, percents


@dataclass(frozen=True)
class Grid:
    """The content of a table: column heads (the first column is text, the others are numbers), rows, and a remark."""

    title: str
    head: list[str]
    rows: list[list[str]]
    note: str = ""


def time_text(seconds: float) -> str:
    """A time with three significant digits, in milliseconds below one second."""
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def _by_rating(tally: Tally) -> list[Entrant]:
    """Entrants that have played, best rating first."""
    entrants = [entrant for entrant in tally.entrants.values() if entrant.seats]
    return sorted(entrants, key=lambda entrant: -(entrant.rating.mu if entrant.rating else 0.0))


def headline_grid(tally: Tally, anchor: str) -> Grid:
    """Win rates against copies of *anchor*, best first."""
    found = [rate for (_, against), rate in tally.win_rates.items() if against == anchor]
    rows = [
        [r.player, percent(r.rate, 1), percents(*r.interval), str(r.games), per_turn(tally, r.player)]
        for r in sorted(found, key=lambda r: -r.rate)
    ]
    note = "" if tally.players == 2 else headline_note(tally.players, anchor)
    return Grid("headline", ["player", f"win rate against {anchor}", "95 % interval", "games", "per turn"], rows, note)


def headline_note(players: int, anchor: str) -> str:
    """What a win rate against copies of *anchor* means with more than two players."""
    return f"One copy of the player against {players - 1} of {anchor}: an equally strong player wins {percent(1 / players, 1)}."


def per_turn(tally: Tally, label: str) -> str:
    """A player's mean time per turn."""
    entrant = tally.entrants[label]
    return time_text(entrant.seconds / max(entrant.turns, 1))


def entrants_grid(tally: Tally) -> Grid:
    """Ratings, win shares and points, best rating first."""
    head = ["player", "rating", "games", "won", "95 % interval", "points a game"]
    rows = []
    for e in _by_rating(tally):
        points = "–" if math.isnan(e.mean_points) else f"{e.mean_points:.1f}"
        rows.append([e.label, rating_text(e.rating), str(e.seats), percent(e.rate, 1), percents(*e.interval), points])
    zero = next((e.label for e in tally.entrants.values() if e.rating and not e.rating.sigma), "–")
    return Grid("players", head, rows, f"Ratings are Elo differences from {zero}, comparable within this table only.")


def rating_text(rating: Rating | None) -> str:
    """A rating with its 95 % interval; "–" if it is unknown."""
    if rating is None or math.isinf(rating.sigma):
        return "–"
    return f"{rating.mu:.0f} ± {1.96 * rating.sigma:.0f}" if rating.sigma else "0"


def times_grid(tally: Tally) -> Grid:
    """Win share by seat, and thinking times."""
    rows = [
        [
            e.label,
            " / ".join(percent(rate, 1).removesuffix(" %") for rate in e.seat_rates),
            time_text(e.seconds / max(e.moves, 1)),
            per_turn(tally, e.label),
            time_text(e.slowest),
        ]
        for e in _by_rating(tally)
    ]
    return Grid("seats and times", ["player", "won by seat, %", "per action", "per turn", "slowest action"], rows)


def pairings_grid(tally: Tally) -> Grid:
    """One row per pairing. With more than two players: how often the first ranked above the second; ties count half."""
    two = tally.players == 2
    rows, single = [], 0
    for pairing in tally.pairings.values():
        better = pairing if pairing.rate >= 0.5 else tally.ahead(pairing.second, pairing.first)
        assert better is not None
        row = [
            f"{better.first} – {better.second}",
            str(better.games),
            percent(better.rate, 1),
            percents(*better.interval),
        ]
        if two:
            row += [elo_text(*better.interval), " / ".join(map(str, better.pairs))]
            single += better.games - 2 * sum(better.pairs)
        rows.append([*row, percent(better.level / better.games, 1)])
    head = ["better – other", "games", "win rate" if two else "ahead", "95 % interval"]
    head += ["Elo difference", "pairs won 0 / ½ / 1 / 1½ / 2"] if two else []
    note = f"{single} games are not in the pairs: the other order of seats is missing." if single else ""
    return Grid("pairings", [*head, "ties"], rows, note)


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
    title = f"{grid.title} ({grid.note[0].lower()}{grid.note[1:].removesuffix('.')})" if grid.note else grid.title
    table = Table(title=title, title_justify="left")
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
    return "\n".join(lines) + "\n" + (f"\n{grid.note}\n" if grid.note else "")
