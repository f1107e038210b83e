"""What a person sees of results: a table with intervals, and the learning curve as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from train.evaluate import Result


def results_table(results: list[Result], title: str) -> Table:
    """Win rates with 95 % intervals, per opponent."""
    table = Table(title=title, title_justify="left")
    table.add_column("against")
    for column in ("games", "win rate", "95 % interval", "points", "theirs", "by seat"):
        table.add_column(column, justify="right")
    for r in results:
        low, high = r.interval
        table.add_row(
            r.against,
            str(r.games),
            f"{100 * r.rate:.1f} %",
            f"{100 * low:.1f}–{100 * high:.1f} %",
            f"{r.score:.0f}",
            f"{r.their_score:.0f}",
            " / ".join(f"{100 * rate:.0f} %" for rate in r.by_seat),
        )
    return table


def curve_picture(rows: list[dict[str, Any]], path: Path, title: str) -> Path:
    """Win rates over decisions and points over decisions, as PNG."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (rates, points) = plt.subplots(1, 2, figsize=(11, 4.2), constrained_layout=True)
    names = list(dict.fromkeys(name for row in rows for name in row["results"]))
    colours = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
    for name, colour in zip(names, colours * len(names), strict=False):
        here = [row for row in rows if name in row["results"]]
        steps = [row["steps"] for row in here]
        rates.plot(
            steps, [100 * row["results"][name]["rate"] for row in here], "o-", color=colour, label=f"against {name}"
        )
        points.plot(steps, [row["results"][name]["score"] for row in here], "o-", color=colour, label=f"against {name}")
        points.plot(steps, [row["results"][name]["their_score"] for row in here], ":", color=colour, alpha=0.6)
    rates.axhline(50, color="#999999", linewidth=0.8)
    rates.set(ylim=(-2, 102), xlabel="decisions", ylabel="games won, %", title=f"{title}: games won")
    points.set(xlabel="decisions", ylabel="points a game", title="points (dotted: the opponents')")
    points.set_ylim(bottom=0)
    rates.legend(loc="best")
    for axes in (rates, points):
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)
    plt.close(figure)
    return path
