"""``towers train``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from towers.errors import need_rllib, need_training
from towers.terminal import console
from train.config import TrainArgs, read_config
from train.thread_policy import wait_as_suits


def train(game: str, /, args: Annotated[TrainArgs | None, Parameter(name="*")] = None, *, config: str = "") -> None:
    """Train an agent: behaviour cloning of a player, then MaskablePPO against the opponents.

    Writes settings, TensorBoard logs, checkpoints and the learning curve to the run directory. Ctrl-C saves and stops.

    Parameters
    ----------
    game
        name of the game (see ``towers info``)
    config
        TOML or JSON file with settings, such as the args.json of a run; options on the command line take precedence
    """
    # `args` already contains the settings of --config: towers/config_file.py.
    args = args or TrainArgs()
    wait_as_suits(_threads(args))  # before PyTorch is loaded
    need_training()
    from train.resume import engine_of

    if engine_of(args) == "rllib":
        need_rllib()
        from train.rllib.run import RllibRun as Run
    else:
        from train.run import Run  # type: ignore[assignment]
    Run(game, args, console()).fit()


def _threads(args: TrainArgs) -> int:
    """Threads of the run. Errors of a run to resume are reported later."""
    try:
        return read_config(Path(args.resume) / "args.json").threads if args.resume else args.threads
    except (OSError, ValueError):
        return args.threads
