"""``towers compare``."""

from __future__ import annotations

from pathlib import Path

from towers.errors import UserError, need_training
from towers.terminal import console


def compare(*runs: Path, against: str = "", picture: Path = Path("compare.png")) -> None:
    """Compare training runs: win rates with intervals over seeds, as a table and as learning curves with bands.

    Runs whose settings differ only in the seed form a group.

    Parameters
    ----------
    runs
        run directories, such as runs/sweep-*
    against
        opponent of the learning curves (default: the last one that all runs met, such as greedy)
    picture
        file of the learning curves; a band reaches from the worst to the best seed
    """
    need_training()
    from train.compare import compare_table, group_runs, strongest_opponent
    from train.plots import seeds_picture

    if not runs:
        raise UserError("name run directories to compare, such as runs/sweep-*")
    if picture.suffix != ".png":
        raise UserError(f"--picture must end in .png, not {picture.name}")
    groups = group_runs(runs)
    console().print(compare_table(groups))
    against = against or strongest_opponent(groups)
    picture.parent.mkdir(parents=True, exist_ok=True)
    console().print(f"learning curves: {seeds_picture(groups, against, picture, 'learning curves')}")
