"""``towers arena``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from tower_core.files import replacing
from towers.errors import UserError, need
from towers.terminal import console


def arena(
    *names: str,
    players: int | None = None,
    games: int | None = None,
    anchor: Annotated[list[str] | None, Parameter(negative="")] = None,
    rules: str | None = None,
    benchmark: str | None = None,
    seed_set: str = "development",
    seed: int | None = None,
    jobs: int | None = None,
    timeout: float = 60.0,
    sprt: str | None = None,
    cpu_per_turn: str | None = None,
    out: Path | None = None,
    picture: Path | None = None,
    markdown: Path | None = None,
    record: bool = True,
    isolate: Annotated[bool, Parameter(negative="")] = False,
    memory_limit: float = 4.0,
) -> None:
    """Compare players: win rates with intervals, ratings, points, times, and a picture.

    ``towers arena GAME random greedy`` plays a round robin; with ``--anchor`` every player meets the anchors only. All
    pairings play the same seeds, in every order of seats. Ctrl-C stops; the same command with the same ``--out`` resumes.
    Illegal actions, errors and timeouts lose the game and are reported. With ``--benchmark``, the output names what makes the
    run unofficial, and otherwise ends with a line to cite. ``towers replay`` steps through the games of a results file.

    Parameters
    ----------
    names
        the game, then the players (``towers info`` lists them), as ``name`` or ``name:option=value,option=value``, or
        your own as ``FILE.py:CLASS``; ``label=player`` names one in the tables. With ``--benchmark`` the players only, or
        none for those of the benchmark
    players
        number of players in a game (default: 2, or the fewest that the rules allow)
    games
        games per pairing, rounded up to whole sets of seat orders (default: 400, or the benchmark's); with ``--sprt``, the
        maximum (default: 20,000)
    anchor
        a player that all others meet, instead of a round robin; can be repeated
    rules
        rules preset, optionally with fields ("standard:max_turns=50"), or fields as JSON such as '{"max_turns": 50}'
        (default: the game's default preset)
    benchmark
        a published benchmark (``towers info`` lists them): sets game, seats, rules, seeds, games and anchors
    seed_set
        development or test
    seed
        first seed, instead of a seed set
    jobs
        number of worker processes (default: one per core); 0 plays in this process, where a player that hangs is not stopped
    timeout
        seconds per action, after which the player loses
    sprt
        ELO0,ELO1: play pairs of games of two players until a sequential test decides whether the Elo difference of the first
        over the second is ELO0 or ELO1; both error probabilities are 0.05 unless given as ELO0,ELO1,ALPHA,BETA
    cpu_per_turn
        CPU time per turn, such as 100ms, for the entrants that accept a budget; a list such as 10ms,100ms,1s plays all
        budgets and ends with ratings over CPU time. Anchors keep their settings
    out
        results file, appended to (default: runs/arena/GAME-DATE-TIME.jsonl)
    picture
        PNG file for the cross-table and the ratings (default: beside the results file)
    markdown
        file for the tables as Markdown
    record
        keep the moves of every game in the results file, for ``towers replay``
    isolate
        for untrusted players: their processes can't write files, use the network, or start or signal other processes (Linux)
    memory_limit
        with ``--isolate``: memory limit for the players of a process, in gigabytes
    """
    need_arena()
    from train.arena.benchmarks import benchmark as find
    from train.arena.citation import Origin
    from train.arena.levels import arena_levels
    from train.arena.sprt import SequentialTest, Sprt

    if benchmark is not None and (sprt is not None or cpu_per_turn is not None):
        raise UserError("a benchmark has a fixed number of games and no budgets: leave out --sprt and --cpu-per-turn")
    if sprt is not None and cpu_per_turn is not None:
        raise UserError("--sprt and --cpu-per-turn exclude each other")
    games = 20_000 if sprt is not None and games is None else games
    settings = _settings(names, players, games, anchor, rules, benchmark, seed_set, seed, timeout, record)
    test = None if sprt is None else SequentialTest(Sprt.parse(sprt), settings)
    levels: list[Any] = [] if cpu_per_turn is None else arena_levels(settings, cpu_per_turn)
    jobs = (os.cpu_count() or 1) if jobs is None else jobs
    if jobs < 0:
        raise UserError(f"--jobs must be at least 0, not {jobs}")
    if not 0.1 <= memory_limit <= 1e6:
        raise UserError(f"--memory-limit must be from 0.1 to 1,000,000 GB, not {memory_limit:g}")
    out = _default_out(settings.game) if out is None else out
    if out.is_dir():
        raise UserError(f"--out {out}: Is a directory; name a file")
    picture = out.with_suffix(".png") if picture is None else picture
    files = [file for file in (out, picture, markdown) if file is not None]
    if len({file.resolve() for file in files}) < len(files):
        raise UserError(f"--out, --picture and --markdown must name different files, not {', '.join(map(str, files))}")
    it = None if benchmark is None else find(benchmark)
    texts: list[str] = []
    for level in levels or [None]:
        here = Origin(settings if level is None else level.settings, it)
        tally, stopped = _play(here, out, jobs, int(memory_limit * 1e9) if isolate else None, test)
        if tally.games:
            texts.append(_report(tally, here, out, picture if len(levels) < 2 else None, level))
        if stopped:
            break
    screen = console()
    if len(levels) > 1:
        texts.append(_report_scaling(levels, out, picture))
    if markdown is not None and any(texts):
        markdown.parent.mkdir(parents=True, exist_ok=True)
        with replacing(markdown) as partial:
            partial.write_text("\n".join(texts), "utf-8")
    if test is not None:
        screen.print(str(test), markup=False)
    screen.print(f"results: {out}", markup=False)
    if stopped:
        raise UserError(f"stopped after {tally.games} games; to resume, repeat the command with --out {out}")


def _report(tally: Any, here: Any, out: Path, picture: Path | None, level: Any) -> str:
    """Print the tables of an arena, and draw its picture; returns the tables as Markdown."""
    from train.arena.levels import budget_grid
    from train.arena.report import grids, headline_grid, markdown_table, terminal_table
    from train.arena.results import read_results
    from train.plots import arena_picture

    screen = console()
    origin = here.as_in(read_results(out)[0])
    tables = grids(tally)
    if origin.benchmark is not None:
        tables.insert(0, headline_grid(tally, origin.benchmark.headline))
    if level is not None:
        tables.append(budget_grid(tally, level))
    for grid in tables:
        screen.print(terminal_table(grid))
    if origin != here:
        screen.print(f"{out} was started with towers {origin.version} on {origin.machine}", markup=False)
    title, citations = f"{origin.name}: {tally.games} games, {origin.seeds}", origin.citations(tally)
    if picture is not None:
        picture.parent.mkdir(parents=True, exist_ok=True)
        arena_picture(tally, picture, title)
    for line in citations:
        screen.print(line, markup=False)
    reasons = _unofficial(origin.differences(tally.games))
    text = [f"## {title}\n", f"Version {origin.version}, {origin.machine}.\n", *([reasons] if reasons else [])]
    return "\n".join([*text, *map(markdown_table, tables), *(f"{line}\n" for line in citations)])


def _report_scaling(levels: Any, out: Path, picture: Path) -> str:
    """Print and draw the ratings over CPU time; returns them as Markdown, "" if there are none."""
    from train.arena.levels import scaling, scaling_grid
    from train.arena.report import markdown_table, terminal_table
    from train.arena.run import played_games
    from train.plots import scaling_picture

    played = {(game.seed, *game.seats): game for level in levels for game in played_games(level.settings, out)}
    reference = levels[0].reference
    points = scaling(levels, list(played.values()))
    if not points:
        return ""
    grid = scaling_grid(points, reference)
    console().print(terminal_table(grid))
    picture.parent.mkdir(parents=True, exist_ok=True)
    scaling_picture(points, reference, picture, f"{levels[0].settings.game_object.title}: strength at equal time")
    return markdown_table(grid)


def need_arena() -> None:
    """UserError where the libraries of the arena are not installed."""
    need("the arena", "arena", "matplotlib")


def _settings(
    names: tuple[str, ...],
    players: int | None,
    games: int | None,
    anchor: list[str] | None,
    rules: str | None,
    benchmark: str | None,
    seed_set: str,
    seed: int | None,
    timeout: float,
    record: bool,
) -> Any:
    from tower_core.registry import game_names, get_game
    from towers.table import default_seats
    from train.arena.benchmarks import benchmark as find
    from train.arena.benchmarks import benchmark_settings
    from train.arena.settings import ArenaSettings, first_seed

    start = first_seed(seed_set, seed)
    if benchmark is not None:
        given = {"--players": players, "--rules": rules, "--seed": seed}
        for option, value in given.items():
            if value is not None:
                raise UserError(f"{option} is set by the benchmark: leave out {option} or --benchmark")
        if names and names[0] in game_names():
            raise UserError(f"the benchmark sets the game: leave out {names[0]!r} or --benchmark")
        return benchmark_settings(
            find(benchmark), names, seed_set, games=games, anchors=anchor, timeout=timeout, record=record
        )
    if not names:
        raise UserError(f"name a game ({' or '.join(game_names())}) and players, or give --benchmark")
    game = get_game(names[0])
    chosen = game.resolve_rules(rules)
    return ArenaSettings(
        game.name,
        names[1:],
        default_seats(game, chosen) if players is None else players,
        chosen,
        400 if games is None else games,
        tuple(anchor or ()),
        start,
        timeout=timeout,
        record=record,
    )


def _default_out(game: str) -> Path:
    from datetime import datetime

    return Path(f"runs/arena/{game}-{datetime.now():%Y%m%d-%H%M%S}.jsonl")


def _play(here: Any, out: Path, jobs: int, memory: int | None, test: Any = None) -> tuple[Any, bool]:
    """Describe the arena *here* and play it until *test* decides; returns the tally and whether the user stopped it."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from train.arena.run import count_results, run_arena

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    screen = console(stderr=True)
    bar = Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
    tasks: list[Any] = []

    def progress(played: int, games: int) -> None:
        if not tasks:  # settings and files are right
            console().print(f"{here}\n{_unofficial(here.differences())}", markup=False)
            tasks.append(bar.add_task("games", total=None, speed=""))
            bar.start()
        speed = bar.tasks[tasks[0]].speed
        text = (f"{speed:.3g}/s" if speed else "") + (f" LLR {test.llr:.2f}" if test is not None else "")
        bar.update(tasks[0], completed=played, total=games, speed=text)

    try:
        return run_arena(here.settings, out, jobs, progress, here.header(), memory, test), False
    except KeyboardInterrupt:
        return count_results(here.settings, out, test), True
    finally:
        if tasks and screen.is_terminal:
            bar.stop()


def _unofficial(reasons: list[str]) -> str:
    return f"unofficial: {', '.join(reasons)}\n" if reasons else ""
