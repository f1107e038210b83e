"""Comparison of runs: grouped by their settings, with means and intervals over seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
from rich.table import Table

from tower_core.schema import read
from train.callbacks import Curve
from train.config import read_config
from train.statistics import mean_interval, percent, percents

_NOT_COMPARED = ("seed", "run", "resume")


class _Machine(msgspec.Struct):
    """What a run's ``machine.json`` must have."""

    game: str


def group_runs(runs: Sequence[Path]) -> dict[str, list[Path]]:
    """Runs whose settings differ only in their seed, by a label of the settings in which the groups differ.

    ValueError for a directory that is not a run directory, or for runs of different games.
    """
    if len({run.resolve() for run in runs}) < len(runs):
        raise ValueError("a run is named twice")
    settings, games = [], set()
    for run in runs:
        try:
            values = asdict(read_config(run / "args.json"))
            games.add(read(_Machine, json.loads((run / "machine.json").read_text("utf-8")), "machine.json").game)
        except (OSError, ValueError, RecursionError) as error:
            raise ValueError(f"{run} is not a run directory: {error}") from error
        settings.append({name: value for name, value in values.items() if name not in _NOT_COMPARED})
    if len(games) > 1:
        raise ValueError(f"these runs are of different games: {', '.join(sorted(games))}")
    differing = [name for name in settings[0] if len({str(values[name]) for values in settings}) > 1]
    groups: dict[str, list[Path]] = {}
    for run, values in zip(runs, settings, strict=True):
        label = ", ".join(f"{name.replace('_', '-')}={values[name]}" for name in differing)
        groups.setdefault(label or next(iter(games)), []).append(run)
    return groups


def last_results(run: Path) -> dict[str, Any]:
    """The last row of a run's curve. ValueError if it has none."""
    rows = Curve(run / "curve.jsonl").rows()
    if not rows or not rows[-1]["results"]:
        raise ValueError(f"{run} has no evaluation yet")
    return rows[-1]


def compare_table(groups: Mapping[str, Sequence[Path]]) -> Table:
    """Win rates in the last evaluations: means over the runs of a group, with 95 % intervals (Student's t)."""
    rows = {label: [last_results(run) for run in runs] for label, runs in groups.items()}
    opponents = list(dict.fromkeys(name for group in rows.values() for row in group for name in row["results"]))
    table = Table(title="games won in the last evaluation: mean over seeds (95 % interval)", title_justify="left")
    table.add_column("settings")
    for column in ("seeds", "decisions", *(f"against {name}" for name in opponents)):
        table.add_column(column, justify="right")
    for label, group in rows.items():
        cells = []
        for name in opponents:
            rates = [row["results"][name]["rate"] for row in group if name in row["results"]]
            if not rates:
                cells.append("–")
                continue
            mean, low, high = mean_interval(rates)
            cells.append(percent(mean, 1) + (f" ({percents(low, high)})" if len(rates) > 1 else ""))
        decisions = sum(row["steps"] for row in group) / len(group)
        table.add_row(label, str(len(group)), f"{decisions:,.0f}", *cells)
    return table


def strongest_opponent(groups: Mapping[str, Sequence[Path]]) -> str:
    """The last opponent of the first run's evaluations that all runs met: settings list them from weak to strong."""
    first, *others = (list(last_results(run)["results"]) for runs in groups.values() for run in runs)
    return str(([name for name in first if all(name in met for met in others)] or first)[-1])
