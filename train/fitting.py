"""One training run on the engine of its settings, and its outcome."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from train import checkpoint
from train.config import TrainArgs
from train.evaluate import Result
from train.resume import engine_of
from train.run import Run


@dataclass(frozen=True)
class Trained:
    """A run that has ended. As a player: ``f"checkpoint:{trained.run}"``."""

    run: Path
    results: list[Result]
    """Of the final evaluation, one per opponent; empty if the run was interrupted."""

    @property
    def checkpoint(self) -> Path:
        """Its checkpoint. CheckpointError if it was interrupted before the first one."""
        return checkpoint.find(self.run)


def train_once(game: str, args: TrainArgs, console: Console) -> Trained:
    """Train, evaluate and save. ValueError names a wrong setting."""
    kind = Run
    if engine_of(args) == "rllib":
        from train.rllib.run import RllibRun

        kind = RllibRun
    run = kind(game, args, console)
    with run.code.naming_network():
        results = run.fit()
    return Trained(run.directory, results)
