"""What a person sees of results: a table with intervals."""

from __future__ import annotations

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
