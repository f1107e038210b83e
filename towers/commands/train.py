"""``towers train``."""

from __future__ import annotations

import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from towers.commands.compare import compare
from towers.errors import UserError, need_training
from towers.terminal import console
from train.config import TrainArgs, read_config, run_directory
from train.thread_policy import wait_as_suits


def train(
    game: str,
    /,
    args: Annotated[TrainArgs | None, Parameter(name="*")] = None,
    *,
    config: str = "",
    seeds: int = 1,
) -> None:
    """Train an agent: behaviour cloning of a player, then MaskablePPO against the opponents.

    Writes settings, TensorBoard logs, checkpoints and the learning curve to the run directory. Ctrl-C saves and stops.

    Parameters
    ----------
    game
        name of the game (see ``towers info``)
    config
        TOML or JSON file with settings, such as the args.json of a run; options on the command line take precedence
    seeds
        number of runs, one after the other, with the seeds from --seed on; then their comparison (see ``towers compare``)
    """
    # `args` already contains the settings of --config: towers/cli.py.
    args = args or TrainArgs()
    wait_as_suits(_threads(args))  # before PyTorch is loaded
    need_training()
    from train.resume import engine_of

    if engine_of(args) == "rllib":
        _need_rllib()
    if seeds == 1:
        _fit(game, args)
    else:
        _fit_seeds(game, args, seeds)


def _need_rllib() -> None:
    if find_spec("ray") is None:
        raise UserError(
            "--engine rllib needs ray, which is installed in its own environment: make rllib, then "
            ".venv-rllib/bin/towers train"
        )


def _fit(game: str, args: TrainArgs) -> bool:
    """Train once; returns whether the run was completed."""
    from train.fitting import train_once

    return bool(train_once(game, args, console()).results)


def _fit_seeds(game: str, args: TrainArgs, seeds: int) -> None:
    if seeds < 1:
        raise UserError(f"--seeds must be at least 1, not {seeds}")
    if args.resume:
        raise UserError("--seeds starts new runs: resume each run on its own")
    base = run_directory(game, args, time.strftime("%Y%m%d-%H%M%S"))
    runs = []
    for seed in range(args.seed, args.seed + seeds):
        runs.append(base.with_name(f"{base.name}-seed{seed}"))
        if not _fit(game, replace(args, seed=seed, run=str(runs[-1]))):
            return
    compare(*runs, picture=base.with_name(f"{base.name}-seeds.png"))


def _threads(args: TrainArgs) -> int:
    """Threads of the run. Errors of a run to resume are reported later."""
    try:
        return read_config(Path(args.resume) / "args.json").threads if args.resume else args.threads
    except (OSError, ValueError):
        return args.threads
