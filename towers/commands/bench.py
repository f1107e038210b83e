"""``towers bench``, ``towers bench train`` and ``towers bench regret``."""

from __future__ import annotations

import json as text
from functools import partial
from pathlib import Path

from cyclopts import App
from rich.table import Table

from towers.errors import UserError, need_training
from towers.terminal import console
from train.thread_policy import wait_as_suits

bench = App(
    name="bench",
    help="Measure the speed of a game (``towers bench GAME``) or of training (``towers bench train GAME``), or how "
    "much players lose per turn (``towers bench regret SET PLAYER …``).",
)


def _check(seconds: float) -> None:
    if not 0 < seconds < 3600:
        raise UserError(f"--seconds must be above 0 and below 3600, not {seconds}")


def games(game: str, /, *, json: bool = False, seconds: float = 2.0) -> None:
    """Measure the speed of a game: batches, threads, PettingZoo, Gymnasium, start-up; and of reference environments.

    Parameters
    ----------
    game
        name of the game
    json
        print one JSON object instead of tables
    seconds
        CPU seconds per measurement
    """
    from towers.bench import measure, show

    _check(seconds)
    figures = measure(game, seconds, quiet=json)
    if json:
        print(text.dumps(figures, indent=1))
    else:
        show(figures, console())


def train(
    game: str,
    /,
    *,
    json: bool = False,
    seconds: float = 20.0,
    network: str = "",
    width: int = 32,
    envs: int = 256,
    threads: int = 0,
) -> None:
    """Compare the speed of training with a plain script in the style of sb3-contrib's documentation.

    Parameters
    ----------
    game
        name of the game
    json
        print one JSON object instead of a table
    seconds
        approximate seconds for each of the two
    network
        name of the network (default: the game's default network)
    width
        width of the network
    envs
        number of parallel games of ``towers train``
    threads
        number of PyTorch threads (0: one per core, as in training). One thread is measured in CPU time, several in wall
        time, for which the machine should be idle.
    """
    _check(seconds)
    wait_as_suits(threads)
    need_training()
    from train.config import TrainArgs
    from train.statistics import percent
    from train.throughput import measure_training

    figures = measure_training(game, seconds, TrainArgs(network=network, width=width, envs=envs, threads=threads))
    if json:
        print(text.dumps(figures, indent=1))
        return
    timed = "of CPU time on one thread" if figures["threads"] == 1 else f"on {figures['threads']} threads"
    table = Table(
        title=f"{figures['game']}, network {figures['network']} of width {figures['width']}: decisions/s {timed} "
        f"({figures['samples']:,} per update)",
        title_justify="left",
    )
    for column in ("", "decisions/s", "games", "forward", "update"):
        table.add_column(column, justify="right" if column else "left")
    titles = {
        "ours": f"towers train, {figures['envs']} games",
        "plain": f"plain script, {figures['plain_envs']} environments",
    }
    for which, title in titles.items():
        side = figures[which]
        shares = [percent(side[part], 1) for part in ("env", "forward", "update")]
        table.add_row(title, f"{side['rate']:,.0f}", *shares)
    table.add_row("ours over the plain script", f"{figures['times_plain']:.2f} ×")
    console().print(table)


def regret(
    set_file: Path,
    /,
    *players: str,
    positions: int | None = None,
    json: bool = False,
    out: Path | None = None,
    cache: Path | None = None,
) -> None:
    """Measure how much players lose per turn in the positions of a regret set, in win share and in points.

    A player sees what its seat may know. Turns that are not in the set are played out like those of the set, and their
    labels are cached.

    Parameters
    ----------
    set_file
        file of the set, such as seeds/regret/torres-2p-pilot.regret
    players
        players, as ``name`` or ``name:option=value,option=value``, or your own as ``FILE.py:CLASS``
    positions
        number of positions to use, from the first on (default: all)
    json
        print JSON instead of a table
    out
        file for the JSON
    cache
        file for the labels of new turns (default: runs/regret/DIGEST.jsonl)
    """
    from rich.progress import Progress

    from train.regret.measure import Measurer
    from train.regret.report import regret_table
    from train.regret.sets import read_set

    if not players:
        raise UserError("name the players to measure, such as greedy planner")
    found = read_set(set_file)
    if positions is not None and not 2 <= positions <= len(found.entries):
        raise UserError(f"--positions must be from 2 to {len(found.entries)}, not {positions}")
    measurer = Measurer(found, cache or Path(f"runs/regret/{found.digest[:16]}.jsonl"), positions)
    screen = console(stderr=True)
    measured = []
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar:
        for player in players:
            task = bar.add_task(player, total=measurer.count)
            measured.append(measurer.measure(player, partial(bar.advance, task)))
    figures = {
        "set": found.digest,
        "game": found.settings.game,
        "players": found.settings.players,
        "regrets": [each.to_dict() for each in measured],
    }
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text.dumps(figures, indent=1) + "\n", "utf-8")
    if json:
        print(text.dumps(figures, indent=1))
    else:
        console().print(regret_table(measured, found))


bench.default(games)
bench.command(train)
bench.command(regret)
