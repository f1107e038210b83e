"""The page of the leaderboard, from its entries."""

from __future__ import annotations

import os
import re
from pathlib import Path

from train.arena.benchmarks import Benchmark, benchmarks
from train.arena.ratings import rate
from train.arena.report import Grid, headline_note, markdown_table, per_turn, rating_text
from train.arena.tally import tally
from train.leaderboard.entry import Entry, read_entry
from train.statistics import percent, percents

_HEAD = """# Leaderboard

Results on the published benchmarks, open to everyone ([how to enter](how_to/enter_the_leaderboard.md)). Every game has been
replayed: the player's moves are legal and lead to the result, and the anchors' moves are those of the suite's own players.

- **win rate**: against the strongest anchor on the test seeds, with its 95 % interval ([statistics](arena.md#statistics)).
- **rating**: Elo difference from this anchor, from all games of all entries of the benchmark, with its 95 % interval. Compare
  ratings only within one table.
- **per turn**: as measured on the entrant's machine; not verified.

`towers leaderboard page` writes this page.
"""


def page(folder: Path, base: Path) -> str:
    """The page of all entries in *folder*, as Markdown with links relative to the folder *base*."""
    parts = []
    for name, it in benchmarks().items():
        if entries := [read_entry(path) for path in sorted((folder / name).glob("*.toml"))]:
            note = "" if it.players == 2 else f"\n{headline_note(it.players, it.headline)}\n"
            parts.append(f"\n## {name}\n\n{it.about}.\n{note}\n{markdown_table(_table(it, entries, base))}")
    return _HEAD + ("".join(parts) or "\nThere are no entries yet.\n")


def _table(it: Benchmark, entries: list[Entry], base: Path) -> Grid:
    """The entries of a benchmark, best first."""
    labels = [*(entry.name for entry in entries), *it.anchors]
    outcomes = [outcome for entry in entries for outcome in entry.outcomes]
    counted, ratings = tally(outcomes, labels, it.players), rate(outcomes, labels, it.headline)
    rates = {entry.name: counted.win_rates[entry.name, it.headline] for entry in entries}
    rows = []
    for entry in sorted(entries, key=lambda entry: (-rates[entry.name].rate, entry.name)):
        won = rates[entry.name]
        rows.append(
            [
                f"[{entry.name}]({Path(os.path.relpath(entry.path, base)).as_posix()})",
                _plain(entry.description.authors),
                percent(won.rate, 1),
                percents(*won.interval),
                str(won.games),
                rating_text(ratings[entry.name]),
                per_turn(counted, entry.name),
                str(entry.description.date),
            ]
        )
    head = [
        "player",
        "authors",
        f"win rate against {it.headline}",
        "95 % interval",
        "games",
        "rating",
        "per turn",
        "date",
    ]
    return Grid(it.name, head, rows)


def _plain(text: str) -> str:
    """An untrusted text, with Markdown escaped; `markdown_table` escapes the bars."""
    return re.sub(r"([\\`*_\[\]<>&~#!(){}:@])", r"\\\1", text)
