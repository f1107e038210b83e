"""``towers arena``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from towers.errors import UserError
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
    out: Path | None = None,
    picture: Path | None = None,
    markdown: Path | None = None,
    record: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Compare players: win rates with intervals, ratings, points, times, and a picture.

    ``towers arena GAME random greedy`` plays a round robin; with ``--anchor`` every player meets the anchors only. All
    pairings play the same seeds, in every order of seats. Ctrl-C stops; the same command with the same ``--out`` resumes.
    Illegal actions, errors and timeouts lose the game and are reported.

    Parameters
    ----------
    names
        the game, then the players (``towers info`` lists them), as ``name`` or ``name:option=value,option=value``; with
        ``--benchmark`` the players only, or none for those of the benchmark
    players
        number of players in a game (default: 2, or the fewest that the rules allow)
    games
        games per pairing, rounded up to whole sets of seat orders (default: 400, or the benchmark's)
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
    out
        results file, appended to (default: runs/arena/GAME-DATE-TIME.jsonl)
    picture
        PNG file for the cross-table and the ratings (default: beside the results file)
    markdown
        file for the tables as Markdown
    record
        keep all actions of every game in the results file
    """
    need_arena()
    from train.arena.report import grids, terminal_table

    settings = _settings(names, players, games, anchor, rules, benchmark, seed_set, seed, timeout, record)
    jobs = (os.cpu_count() or 1) if jobs is None else jobs
    if jobs < 0:
        raise UserError(f"--jobs must be at least 0, not {jobs}")
    out = _default_out(settings.game) if out is None else out
    tally, stopped = _play(settings, out, jobs)
    screen = console()
    if tally.games:
        for grid in grids(tally):
            screen.print(terminal_table(grid))
        title = _title(settings, benchmark, tally.games)
        _write(tally, title, out.with_suffix(".png") if picture is None else picture, markdown)
    screen.print(f"results: {out}", markup=False)
    if stopped:
        raise UserError(f"stopped after {tally.games} games; to resume, repeat the command with --out {out}")


def need_arena() -> None:
    """UserError where the libraries of the arena are not installed."""
    try:
        import matplotlib  # noqa: F401
        import openskill  # noqa: F401
    except ModuleNotFoundError as error:
        raise UserError(f"the arena needs {error.name}: pip install 'tower-games-rl[arena]'") from error


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
    from train.arena.settings import SEED_SETS, ArenaSettings

    if seed_set not in SEED_SETS:
        raise UserError(f"--seed-set must be one of {', '.join(SEED_SETS)}, not {seed_set!r}")
    if benchmark is not None:
        given = {"--players": players, "--rules": rules, "--seed": seed}
        for option, value in given.items():
            if value is not None:
                raise UserError(f"{option} is set by the benchmark: leave out {option} or --benchmark")
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
        SEED_SETS[seed_set] if seed is None else seed,
        timeout=timeout,
        record=record,
    )


def _default_out(game: str) -> Path:
    from datetime import datetime

    return Path(f"runs/arena/{game}-{datetime.now():%Y%m%d-%H%M%S}.jsonl")


def _play(settings: Any, out: Path, jobs: int) -> tuple[Any, bool]:
    """The tally, and whether the user stopped the arena."""
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
    try:
        screen = console(stderr=True)
        with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
            task = bar.add_task("games", total=None, speed="")

            def progress(played: int, games: int) -> None:
                speed = bar.tasks[task].speed
                bar.update(task, completed=played, total=games, speed=f"{speed:.3g}/s" if speed else "")

            return run_arena(settings, out, jobs, progress), False
    except KeyboardInterrupt:
        return count_results(settings, out), True


def _title(settings: Any, benchmark: str | None, games: int) -> str:
    from train.arena.settings import rules_name

    game = settings.game_object
    what = benchmark or f"{game.title}, {settings.players} players, {rules_name(game, settings.rules)}"
    return f"{what}: {games} games from seed {settings.first_seed}"


def _write(tally: Any, title: str, picture: Path, markdown: Path | None) -> None:
    from train.arena.report import grids, markdown_table
    from train.plots import arena_picture

    picture.parent.mkdir(parents=True, exist_ok=True)
    arena_picture(tally, picture, title)
    if markdown is not None:
        part = markdown.with_name(f".{markdown.name}.part")
        part.write_text(f"## {title}\n\n" + "\n".join(markdown_table(grid) for grid in grids(tally)), "utf-8")
        os.replace(part, markdown)
