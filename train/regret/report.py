"""The table of regrets."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from train.regret.measure import Mean, Regret
from train.regret.sets import PHASE_NAMES, RegretSet


def regret_table(measured: Sequence[Regret], regret_set: RegretSet) -> Table:
    """Regret per turn with standard errors, in the order of the players."""
    settings, entries = regret_set.settings, measured[0].share["all"].positions
    title = f"{settings.game}, {settings.players} players: regret per turn ± standard error over {entries} positions"
    table = Table(title=title, title_justify="left")
    table.add_column("player")
    for head in ("win share, %", *(f"{name}, %" for name in PHASE_NAMES), "points", "new turns", "CPU ms per turn"):
        table.add_column(head, justify="right")
    for each in measured:
        shares = [_percent(each.share[name]) if name in each.share else "–" for name in ("all", *PHASE_NAMES)]
        points = each.points["all"]
        row = [f"{points.mean:.2f} ± {points.error:.2f}", str(each.new), f"{1000 * each.cpu:.3g}"]
        table.add_row(each.player, *shares, *row)
    return table


def _percent(share: Mean) -> str:
    return f"{100 * share.mean:.1f} ± {100 * share.error:.1f}"
