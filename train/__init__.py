"""Training: MaskablePPO on the native vector environment, checkpoints, evaluation. Part of towers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from train.fitting import Trained


def fit(game: str, *, console: Console | None = None, **settings: Any) -> Trained:
    """Train an agent, as ``towers train`` does: ``fit(game, minutes=1, opponents="greedy")``.

    *settings* are those of train.config.TrainArgs. The result has ``run`` (the directory), ``checkpoint`` (its best file to
    play with) and ``results`` (of the final evaluation; empty if Ctrl-C stopped the run). Progress goes to *console*, by
    default the terminal's. ValueError names a wrong setting before anything is written.
    """
    from rich.console import Console as Terminal

    from train.config import TrainArgs
    from train.fitting import train_once

    return train_once(game, TrainArgs.from_dict(settings), console or Terminal())
