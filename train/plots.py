"""Plots with Matplotlib, each a PNG: learning curves, an arena's cross-table, points over a game.

Their colours are distinguishable for colour-blind readers; files are written atomically.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tower_core.files import replacing

if TYPE_CHECKING:
    from tower_core.records import Record
    from train.arena.levels import Point
    from train.arena.tally import Tally
    from train.regret.measure import Regret

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")


def _axes(rows: int, columns: int, size: tuple[float, float], **options: Any) -> tuple[Any, Any]:
    """A figure and its axes, without ``pyplot`` and its global state."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, columns, **options)
    for each in np.atleast_1d(axes).ravel():
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _write(figure: Any, path: Path) -> Path:
    with replacing(path) as partial:
        figure.savefig(partial, dpi=130, format="png")
    return path


# ---------------------------------------------------------------------------------------------- learning
def curve_picture(rows: Sequence[Mapping[str, Any]], path: Path, title: str) -> Path:
    """Win rates and points over the decisions of a run, from the rows of its ``curve.jsonl``."""
    figure, (rates, points) = _axes(1, 2, (11, 4.2))
    for name, colour in _coloured(_opponents(rows)):
        steps, rate = _series(rows, name, "rate")
        rates.plot(steps, 100 * rate, "o-", color=colour, label=f"against {name}")
        points.plot(*_series(rows, name, "score"), "o-", color=colour, label=f"against {name}")
        points.plot(*_series(rows, name, "their_score"), ":", color=colour, alpha=0.6)
    _rate_axes(rates, f"{title}: games won")
    points.set(xlabel="decisions", ylabel="points a game", title="points (dotted: the opponents')")
    points.set_ylim(bottom=0)
    points.grid(alpha=0.3)
    return _write(figure, path)


def seeds_picture(groups: Mapping[str, Sequence[str | Path]], against: str, path: Path, title: str) -> Path:
    """Win rates against one opponent over the decisions, for groups of runs that differ only in their seed.

    *groups*: run directories by label. A line is the mean over the runs, its band reaches from the worst to the best; a
    group ends with its shortest run. ValueError names a run without such evaluations.
    """
    figure, rates = _axes(1, 1, (7, 4.2))
    for (label, runs), colour in zip(groups.items(), COLOURS * len(groups), strict=False):
        if not runs:
            raise ValueError(f"{label!r} has no runs")
        curves = [_curve_of(Path(run), against) for run in runs]
        last = min(steps[-1] for steps, _ in curves)
        # Evaluations come by the clock, so runs have theirs after different numbers of decisions.
        grid = np.unique(np.concatenate([steps[steps <= last] for steps, _ in curves]))
        values = 100 * np.array([np.interp(grid, steps, rate) for steps, rate in curves])
        named = f"{label} ({len(curves)} seed{'s' * (len(curves) > 1)})"
        rates.plot(grid, values.mean(axis=0), "o-", markersize=3, color=colour, label=named)
        rates.fill_between(grid, values.min(axis=0), values.max(axis=0), color=colour, alpha=0.2, linewidth=0)
    _rate_axes(rates, f"{title}: games won against {against}")
    return _write(figure, path)


def _curve_of(run: Path, against: str) -> tuple[Any, Any]:
    """Decisions and win rates of a run's evaluations."""
    from train.callbacks import Curve

    rows = Curve(run / "curve.jsonl").rows()
    steps, rate = _series(rows, against, "rate")
    if not len(steps):
        raise ValueError(
            f"{run} has no games against {against!r}: choose one of {', '.join(_opponents(rows)) or '(none)'}"
        )
    return steps, rate


def _opponents(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row["results"]))


def _coloured(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    return zip(names, COLOURS * len(names), strict=False)


def _series(rows: Iterable[Mapping[str, Any]], name: str, value: str) -> tuple[Any, Any]:
    here = [row for row in rows if name in row["results"]]
    steps = np.array([row["steps"] for row in here], np.float64)
    return steps, np.array([row["results"][name][value] for row in here], np.float64)


def _rate_axes(rates: Any, title: str) -> None:
    rates.axhline(50, color="#999999", linewidth=0.8)
    rates.set(ylim=(-2, 102), xlabel="decisions", ylabel="games won, %", title=title)
    rates.legend(loc="best")
    rates.grid(alpha=0.3)


# ---------------------------------------------------------------------------------------------- arena, games
def arena_picture(tally: Tally, path: Path, title: str) -> Path:
    """The cross-table of win rates, and the ratings with their intervals."""
    entrants = [entrant for entrant in tally.entrants.values() if entrant.seats and entrant.rating]
    entrants.sort(key=lambda entrant: -entrant.rating.mu)  # type: ignore[union-attr]
    names = [entrant.label for entrant in entrants]
    size = len(names)
    rates = np.full((size, size), np.nan)
    for row, first in enumerate(names):
        for column, second in enumerate(names):
            pairing = tally.ahead(first, second)
            if pairing is not None:
                rates[row, column] = 100 * pairing.rate
    figure, (cross, ratings) = _axes(1, 2, (7 + 0.8 * size, 2.6 + 0.55 * size), width_ratios=(3, 2))
    cross.imshow(np.ma.masked_invalid(rates), cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    for row, column in np.argwhere(~np.isnan(rates)):
        value = rates[row, column]
        colour = "white" if abs(value - 50) > 30 else "black"
        cross.text(column, row, f"{value:.1f}", ha="center", va="center", color=colour)
    cross.set_xticks(range(size), names, rotation=30, ha="right")
    cross.set_yticks(range(size), names)
    cross.set_title("row beats column, % of games" if tally.players == 2 else "row ranks above column, % of games")
    for place, entrant in enumerate(entrants):
        rating = entrant.rating
        if rating is not None and math.isfinite(rating.sigma):
            ratings.errorbar(rating.mu, place, xerr=1.96 * rating.sigma, fmt="o", color=COLOURS[0], capsize=4)
    ratings.set_yticks(range(size), names)
    ratings.set_ylim(size - 0.5, -0.5)
    ratings.set_title("rating in this arena (Elo), with 95 % interval")
    ratings.grid(axis="x", alpha=0.3)
    figure.suptitle(title)
    return _write(figure, path)


def scaling_picture(points: Sequence[Point], reference: str, path: Path, title: str) -> Path:
    """Ratings over the CPU time used per turn, with 95 % intervals."""
    figure, axes = _axes(1, 1, (7, 4.2))
    for name, colour in _coloured(list(dict.fromkeys(point.player for point in points))):
        own = sorted((point for point in points if point.player == name), key=lambda point: point.used)
        used, rating = [1000 * point.used for point in own], [point.rating.mu for point in own]
        errors = [1.96 * point.rating.sigma for point in own]
        axes.errorbar(used, rating, yerr=errors, fmt="o-", color=colour, capsize=4, label=name)
    axes.axhline(0, color="#999999", linewidth=0.8)
    axes.set(xscale="log", xlabel="CPU time used per turn, ms", ylabel=f"Elo above {reference}", title=title)
    axes.legend(loc="best")
    axes.grid(alpha=0.3)
    return _write(figure, path)


def points_picture(record: Record, path: Path) -> Path:
    """Points of every seat after each move of a recorded game."""
    from tower_core.drawing import SEATS
    from tower_core.records import replay

    scores = np.array([state.scores() for state in replay(record)])
    figure, points = _axes(1, 1, (7, 3.6))
    names = record.names or [f"player_{seat}" for seat in range(record.num_players)]
    for seat, name in enumerate(names):
        points.step(range(len(scores)), scores[:, seat], where="post", color=SEATS[seat], label=name)
    points.set(xlabel="moves", ylabel="points", title=record.game.title)
    points.set_ylim(bottom=0)
    points.legend(loc="best")
    points.grid(alpha=0.3)
    return _write(figure, path)


def regret_picture(
    regrets: Mapping[str, Regret], results: Mapping[str, tuple[float, float]], path: Path, title: str
) -> Path:
    """Match results over the regret per turn of the same players: win rates and leads over the best rival.

    *results*: win rate and lead by player. The bars are 95 % intervals of the regret.
    """
    figure, axes = _axes(1, 2, (11, 4.6))
    names = ("share", "points")
    for which, (axis, name) in enumerate(zip(axes, names, strict=True)):
        scale = 1 if which else 100
        for player, regret in regrets.items():
            value = getattr(regret, name)["all"]
            x, y = scale * value.mean, scale * results[player][which]
            axis.errorbar(x, y, xerr=scale * 1.96 * value.error, fmt="o", color=COLOURS[which], capsize=3)
            axis.annotate(player, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=7)
        axis.grid(alpha=0.3)
    axes[0].set(xlabel="regret per turn, % of a win", ylabel="games won against the others, %", title="wins")
    axes[1].set(xlabel="regret per turn, points", ylabel="lead over the best rival, points", title="points")
    figure.suptitle(title)
    return _write(figure, path)
