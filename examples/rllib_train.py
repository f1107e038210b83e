"""RLlib: what ``towers train --engine rllib`` does, from Python (docs/rllib.md). Needs ``make rllib``.

Games are played in the processes of a Ray cluster. At the end it prints the games
won against ``random``.
"""

from __future__ import annotations

import argparse

from rich.console import Console

from train.config import TrainArgs
from train.rllib.run import RllibRun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--run", default="runs/rllib-example")
    args = parser.parse_args()
    RllibRun(
        "torres",
        TrainArgs(
            engine="rllib", num_workers=1, decisions=args.steps, minutes=0, envs=32, rollout=32, against="random",
            final_games=100, evaluate_every=0, run=args.run,
        ),
        Console(),
    ).fit()  # fmt: skip


if __name__ == "__main__":
    main()
