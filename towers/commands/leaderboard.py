"""``towers leaderboard``: make and check entries, and write the page."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from cyclopts import App

from tower_core.files import replacing
from towers.commands.arena import need_arena
from towers.errors import UserError
from towers.terminal import console

leaderboard = App(
    name="leaderboard", help="Enter players into the leaderboard, check entries, and write the leaderboard page."
)


def enter(
    results: Path,
    /,
    *,
    name: str,
    get: str,
    authors: str = "",
    contact: str = "",
    folder: Path = Path("leaderboard"),
) -> None:
    """Make an entry from the results of ``towers arena --benchmark NAME --seed-set test``.

    Parameters
    ----------
    results
        results file of the arena
    name
        name of the entry, and of its player if the arena had several
    get
        command or URL to get the player
    authors
        shown on the page
    contact
        address or URL of the authors
    folder
        folder of the leaderboard
    """
    need_arena()
    from train.leaderboard.entry import enter, games_file

    path = enter(results, folder, name, get, authors, contact)
    size = games_file(path).stat().st_size
    print(f"{path}, {games_file(path)} ({size:,} bytes)\ncheck it: towers leaderboard check {path}")


def check(*entries: Path) -> int:
    """Replay all games of entries and verify the results and the anchors' moves; exit status 2 if an entry is refused.

    Parameters
    ----------
    entries
        description files, BENCHMARK/NAME.toml
    """
    need_arena()
    from rich.progress import Progress

    from train.arena.report import entrants_grid, headline_grid, terminal_table
    from train.leaderboard.check import check_entry
    from train.leaderboard.entry import EntryError, read_entry

    if not entries:
        raise UserError("name an entry, such as leaderboard/torres-2p-v0/NAME.toml")
    refused = 0
    for path in entries:
        try:
            entry = read_entry(path)
            with Progress(console=console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
                task = bar.add_task(str(path), total=len(entry.outcomes))
                check_entry(entry, partial(bar.advance, task))
        except EntryError as error:
            refused += 1
            print(f"towers: {' '.join(str(error).split())}", file=sys.stderr)
        else:
            print(f"{path}: {len(entry.outcomes)} games are right")
            tally = entry.tally()
            for grid in (headline_grid(tally, entry.benchmark.headline), entrants_grid(tally)):
                console().print(terminal_table(grid))
    return 2 if refused else 0


def page(*, folder: Path = Path("leaderboard"), out: Path = Path("docs/leaderboard.md")) -> None:
    """Write the leaderboard page. Games are counted, not replayed.

    Parameters
    ----------
    folder
        folder of the leaderboard
    out
        page to write
    """
    need_arena()
    from train.leaderboard.page import page

    text = page(folder, out.parent)
    with replacing(out) as partial:
        partial.write_text(text, "utf-8")
    print(f"{out} written")


for _command in (enter, check, page):
    leaderboard.command(_command)
