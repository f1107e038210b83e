"""Play the published benchmarks and write docs/results.md: the results of the built-in players on the test seeds.

    python docs/results.py                       all benchmarks (games in --games-in are not played again)
    python docs/results.py torres-2p-v0          only these; the other tables stay as they are
    python docs/results.py --games 40            fewer games per pairing, for a quick look
    python docs/results.py --no-guests           without slow players and networks

The part of a benchmark is the text between ``<!-- results: NAME -->`` and ``<!-- end -->``; the summary is made from the parts.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

from tower_core.registry import get_game
from train.arena.benchmarks import Benchmark, benchmark, benchmark_settings, benchmarks
from train.arena.citation import Origin
from train.arena.report import Grid, grids, headline_grid, markdown_table
from train.arena.results import read_results
from train.arena.run import run_arena
from train.arena.settings import Guest
from train.arena.tally import Tally
from train.statistics import percent

DOCS = Path(__file__).resolve().parent
RESULTS = DOCS / "results.md"
_PART = re.compile(r"<!-- results: (?P<name>[\w-]+) -->\n(?P<text>.*?)<!-- end -->\n", re.DOTALL)
_RATES = re.compile(r"^\| player \| win rate against .*\n.*\n(?P<rows>(?:\| .*\n)*)", re.MULTILINE)
_SEATS = """With three and four players, one copy of the player plays against copies of the headline's player. In brackets: the
95 % interval, the number of games, and the player's options.
"""
_HEAD = """# Results

Results of the built-in players on the published benchmarks ([seeds](../seeds/README.md), [statistics](arena.md#statistics)).
The headline of a benchmark is the win rate against its strongest anchor on the test seeds: `planner` in the market game,
`planner:width=32,rival=0.45,outlook=0` in Torres, the planner's defaults when the benchmarks were published; [how to report
yours](how_to/report_a_number.md). `make results` replays all games and writes this page. Win rates and points are the same on
every machine, except for players with a budget in seconds. Times are wall-clock times, with other work on the machine.
Tables without `mcts` have not been played with it since the last changes of the rules: [earlier
figures](notes/search_players.md#mcts-before-the-last-changes-of-the-rules).

"""


def part(it: Benchmark, tally: Tally, origin: Origin) -> str:
    """The text of one benchmark."""
    tables = "\n".join(markdown_table(grid) for grid in [headline_grid(tally, it.headline), *grids(tally)])
    unofficial = "".join(f" Unofficial: {reason}." for reason in origin.differences(tally.games))
    return (
        f"{it.about}. {origin.seeds.capitalize()}, {tally.games} games"
        + (f", {tally.truncated} of them ended by the limit of turns" if tally.truncated else "")
        + f". Version {origin.version}, {origin.machine}.{unofficial}\n\n{tables}\n"
    )


def summary(parts: dict[str, str]) -> str:
    """A table of the headlines in *parts*: a row per benchmark, a column per player, whatever its options."""
    cells: dict[tuple[str, str], list[str]] = {}
    for name, text in parts.items():
        found = _RATES.search(text)
        for row in found["rows"].splitlines() if found else ():
            label, rate, interval, games, _ = (cell.strip() for cell in row.strip("|").split(" | "))
            player, _, options = label.partition(":")
            details = ", ".join(filter(None, [interval, f"{games} games", options]))
            cells.setdefault((name, player), []).append(f"{rate} ({details})")
    best = {
        player: max(float(text.split()[0]) for key in cells if key[1] == player for text in cells[key])
        for _, player in cells
    }
    players = sorted(best, key=lambda player: (-best[player], player))
    rows = [
        [f"[{name}](#{name})", percent(1 / benchmark(name).players, 1)]
        + ["; ".join(cells.get((name, player), ["–"])) for player in players]
        for name in parts
    ]
    table = markdown_table(Grid("summary", ["win rate against the headline's player", "equal players", *players], rows))
    return f"## Summary\n\n{table}\n{_SEATS}\n"


def learned_guests(it: Benchmark) -> tuple[Guest, ...]:
    """The packaged network, if there is one for these games. The benchmarks omit it because it needs more packages."""
    # Imported late: the arena's processes import this file too, and limit the threads of later imports.
    from train.checkpoint import CheckpointError
    from train.player import LearnedPlayer

    game = get_game(it.game)
    try:
        LearnedPlayer(game).network_for(it.players, game.resolve_rules(it.rules))
    except CheckpointError:
        return ()
    return tuple(Guest(LearnedPlayer.name, other, it.games) for other in ("greedy", it.headline))


def parts_of(text: str) -> dict[str, str]:
    """The parts of a results page by benchmark."""
    return {match["name"]: match["text"] for match in _PART.finditer(text)}


def page(parts: dict[str, str]) -> str:
    """The whole page from its parts."""
    body = "\n".join(
        f"## {name}\n\n<!-- results: {name} -->\n{parts[name]}<!-- end -->\n" for name in benchmarks() if name in parts
    )
    return _HEAD + summary({name: parts[name] for name in benchmarks() if name in parts}) + body


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="benchmarks (default: all)")
    parser.add_argument("--games", type=int, help="games per pairing (default: the benchmark's)")
    parser.add_argument("--no-guests", action="store_true", help="omit slow players and networks")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of worker processes")
    parser.add_argument("--games-in", type=Path, default=Path("runs/results"), help="folder of the results files")
    parser.add_argument("--page", type=Path, default=RESULTS, help="page to write")
    options = parser.parse_args(arguments)
    parts = parts_of(options.page.read_text("utf-8")) if options.page.exists() else {}
    for name in options.names or benchmarks():
        it = benchmark(name)
        settings = benchmark_settings(it, games=options.games)
        learned = tuple(replace(guest, games=options.games or guest.games) for guest in learned_guests(it))
        settings = replace(settings, guests=() if options.no_guests else (*settings.guests, *learned))
        file = options.games_in / f"{name}.jsonl"
        print(f"{name} …", end=" ", flush=True)
        tally = run_arena(settings, file, options.jobs)
        print(f"{tally.games} games")
        parts[name] = part(it, tally, Origin(settings, it).as_in(read_results(file)[0]))
        new = options.page.with_name(f".{options.page.name}.part")
        new.write_text(page(parts), "utf-8")
        os.replace(new, options.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
