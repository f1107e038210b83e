"""The commands of ``towers``. Each imports what it needs when it runs, so that ``towers --help`` is quick."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter
from rich.console import Console

from towers import __version__
from train.config import TrainArgs

app = App(
    name="towers",
    help="Torres and the market game for reinforcement learning: train agents, evaluate them, measure speed.",
    version=__version__,
    suppress_keyboard_interrupt=False,  # `run` says that it stopped
)


class UserError(Exception):
    """A mistake of the user's, told in one line."""


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit status."""
    try:
        result = app(list(arguments), exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _complain(str(error))
    except (UserError, ValueError, OSError, ImportError) as error:
        if os.environ.get("TOWERS_TRACEBACK"):
            raise
        return _complain(_one_line(error))
    except MemoryError:
        return _complain("the memory of this machine is too small for that: try fewer games at once")
    except KeyboardInterrupt:
        return _complain("stopped")
    return result if isinstance(result, int) else 0


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _complain(message: str) -> int:
    print("towers: " + " ".join(message.split()), file=sys.stderr)
    return 2


@app.command
def info() -> None:
    """Show the installed games with their presets, rewards and sizes, the players, and versions."""
    from importlib.metadata import PackageNotFoundError, version

    from rich.table import Table

    from tower_core.game import game_names, get_game
    from tower_core.players import player_names

    console = Console()
    games = Table(title="games", title_justify="left")
    for column in ("name", "players", "presets", "rewards", "actions", "observation", "Gymnasium id"):
        games.add_column(column)
    for name in game_names():
        game = get_game(name)
        parts = ", ".join(f"{part} {'×'.join(map(str, shape))}" for part, shape in game.parts)
        games.add_row(
            name, f"{game.seats[0]}–{game.seats[-1]}", ", ".join(game.presets), ", ".join(game.rewards),
            str(game.num_actions), parts, game.gym_id,
        )  # fmt: skip
    console.print(games)
    console.print("players: " + ", ".join(player_names()))
    versions = []
    for package in ("towers", "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib"):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} (not installed)")
    console.print("versions: " + ", ".join(versions))


@app.command
def train(game: str, /, args: Annotated[TrainArgs | None, Parameter(name="*")] = None) -> None:
    """Train an agent: imitation of a scripted player first, then MaskablePPO against the opponents.

    Writes settings, TensorBoard logs, checkpoints and the learning curve into the run directory. Ctrl-C saves and stops.

    Parameters
    ----------
    game
        name of the game (see ``towers info``)
    """
    _need_training()
    from train.fit import Run

    Run(game, args or TrainArgs(), Console()).fit()


@app.command
def evaluate(
    checkpoint: str,
    /,
    *,
    against: str = "random,passive,greedy",
    games: int = 400,
    seed: int = 20_000_000,
    players: int | None = None,
    rules: str | None = None,
) -> None:
    """Play a trained agent against opponents: every seat, the same seeds for each, greedy choice of actions.

    Parameters
    ----------
    checkpoint
        a checkpoint, or a run directory
    against
        opponents, separated by commas
    games
        games per opponent
    seed
        seed of the first game
    players
        number of players that the checkpoint must be for (default: its own)
    rules
        preset that the checkpoint must be for (default: its own)
    """
    _need_training()
    from train import checkpoint as checkpoints
    from train.evaluate import evaluate as play
    from train.evaluate import policy_chooser
    from train.report import results_table

    if games < 1:
        raise UserError(f"--games must be at least 1, not {games}")
    file = checkpoints.find(Path(checkpoint))
    policy, meta, game = checkpoints.load_policy(file)
    wanted = game.resolve_rules(rules if rules is not None else meta["rules"])
    checkpoints.must_fit(file, meta, game, players if players is not None else meta["players"], wanted)
    choose = policy_chooser(policy)
    results = [
        play(choose, game, game.batch_class(), name.strip(), games, players=meta["players"], rules=wanted, seed=seed)
        for name in against.split(",")
    ]
    Console().print(results_table(results, f"{game.title}: {file}"))


@app.command
def bench(game: str, /, *, json: bool = False, seconds: float = 2.0) -> None:
    """Measure speed: random play in batches, one and two threads, PettingZoo, start, and yardsticks in the same run.

    Parameters
    ----------
    game
        name of the game
    json
        print one JSON object instead of tables
    seconds
        CPU seconds for each figure
    """
    from towers.bench import measure, show

    if not 0 < seconds < 3600:
        raise UserError(f"--seconds must be above 0 and below 3600, not {seconds}")
    figures = measure(game, seconds, quiet=json)
    if json:
        import json as text

        print(text.dumps(figures, indent=1))
    else:
        show(figures, Console())


def _need_training() -> None:
    try:
        import sb3_contrib  # noqa: F401
        import tensorboard  # noqa: F401
        import torch  # noqa: F401
    except ModuleNotFoundError as error:
        raise UserError(f"training needs {error.name}: pip install 'towers[train]'") from error
