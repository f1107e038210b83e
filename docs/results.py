"""Play the published benchmarks and write docs/results.md: the results of the built-in players on the test seeds.

    python docs/results.py                       all benchmarks (games in --games-in are not played again)
    python docs/results.py torres-2p-v0          only these; the other tables stay as they are
    python docs/results.py --games 40            fewer games per pairing, for a quick look
    python docs/results.py --no-guests           without slow players and networks
    python docs/results.py --cpu-per-turn 10ms,100ms,1s --games 400 torres-2p-v0 market-2p-v0
                                                 the searching players at equal CPU time, with a picture, in place of the tables

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
from train.arena.levels import arena_levels, scaling, scaling_grid
from train.arena.report import Grid, grids, headline_grid, markdown_table
from train.arena.results import read_results
from train.arena.run import played_games, run_arena
from train.arena.settings import Guest
from train.arena.tally import Tally
from train.plots import scaling_picture
from train.statistics import percent

DOCS = Path(__file__).resolve().parent
RESULTS = DOCS / "results.md"
_PART = re.compile(r"<!-- results: (?P<name>[\w-]+) -->\n(?P<text>.*?)<!-- end -->\n", re.DOTALL)
_RATES = re.compile(r"^\| player \| win rate against .*\n.*\n(?P<rows>(?:\| .*\n)*)", re.MULTILINE)
_SEATS = """With three and four players, one copy of the player plays against copies of the headline's player. In brackets: the
95 % interval, the number of games, and the player's options.
"""
_SEARCHING = ("mcts", "planner")
_SCALING = """## Strength at equal time

Players with a budget of CPU time per turn ([how it is measured](arena.md#equal-cpu-time)) against `planner` with its own
budget, on the test seeds: `python docs/results.py --cpu-per-turn LIST` plays the games and writes this section.

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
    scaling = [
        f"<!-- results: scaling-{name} -->\n{parts[f'scaling-{name}']}<!-- end -->\n\n"
        for name in benchmarks()
        if f"scaling-{name}" in parts
    ]
    head = _HEAD + (_SCALING + "".join(scaling) if scaling else "")
    return head + summary({name: parts[name] for name in benchmarks() if name in parts}) + body


def scaling_part(it: Benchmark, budgets: str, games: int | None, file: Path, jobs: int, page: Path) -> str:
    """Play the searching players with *budgets* of CPU time per turn; the text, with a picture beside the page."""
    levels = arena_levels(benchmark_settings(it, _SEARCHING, games=games, anchors=(it.headline,)), budgets)
    for level in levels:
        run_arena(level.settings, file, jobs, about=Origin(level.settings).header())
    played = {(game.seed, *game.seats): game for level in levels for game in played_games(level.settings, file)}
    points = scaling(levels, list(played.values()))
    images = page.parent / "images"
    images.mkdir(exist_ok=True)
    picture = scaling_picture(points, it.headline, images / f"scaling-{it.name}.png", it.about)
    origin = Origin(levels[0].settings).as_in(read_results(file)[0])
    return (
        f"{it.about}. {origin.seeds.capitalize()}. Version {origin.version}, {origin.machine}.\n\n"
        f"![Rating over the CPU time used per turn](images/{picture.name})\n\n"
        f"{markdown_table(scaling_grid(points, it.headline))}"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="benchmarks (default: all)")
    parser.add_argument("--games", type=int, help="games per pairing (default: the benchmark's)")
    parser.add_argument("--no-guests", action="store_true", help="omit slow players and networks")
    parser.add_argument(
        "--cpu-per-turn", help="budgets, such as 10ms,100ms: play the searching players with them instead"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of worker processes")
    parser.add_argument("--games-in", type=Path, default=Path("runs/results"), help="folder of the results files")
    parser.add_argument("--page", type=Path, default=RESULTS, help="page to write")
    options = parser.parse_args(arguments)
    parts = parts_of(options.page.read_text("utf-8")) if options.page.exists() else {}
    for name in options.names or benchmarks():
        it = benchmark(name)
        if options.cpu_per_turn is not None:
            file = options.games_in / f"{name}-cpu.jsonl"
            text = scaling_part(it, options.cpu_per_turn, options.games, file, options.jobs, options.page)
            parts[f"scaling-{name}"] = text
            _write(options.page, page(parts))
            continue
        settings = benchmark_settings(it, games=options.games)
        learned = tuple(replace(guest, games=options.games or guest.games) for guest in learned_guests(it))
        settings = replace(settings, guests=() if options.no_guests else (*settings.guests, *learned))
        file = options.games_in / f"{name}.jsonl"
        print(f"{name} …", end=" ", flush=True)
        tally = run_arena(settings, file, options.jobs)
        print(f"{tally.games} games")
        parts[name] = part(it, tally, Origin(settings, it).as_in(read_results(file)[0]))
        _write(options.page, page(parts))
    return 0


def _write(path: Path, text: str) -> None:
    new = path.with_name(f".{path.name}.part")
    new.write_text(text, "utf-8")
    os.replace(new, path)


if __name__ == "__main__":
    sys.exit(main())
