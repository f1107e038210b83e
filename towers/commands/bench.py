"""``towers bench`` and ``towers bench train``."""

from __future__ import annotations

import json as text

from cyclopts import App
from rich.table import Table

from towers.errors import UserError, need_training
from towers.terminal import console
from train.thread_policy import wait_as_suits

bench = App(
    name="bench",
    help="Measure the speed of a game (``towers bench GAME``) or of training (``towers bench train GAME``).",
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


bench.default(games)
bench.command(train)
