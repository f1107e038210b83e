"""The learned players that come with the package: one folder per game, a run directory without what only training needs.

``policy.zip`` is the checkpoint, without its optimizer; ``args.json``, ``machine.json`` and ``curve.jsonl`` are those of the
run that made it (docs/learned.md tells the commands and what it reaches).
"""

from __future__ import annotations

import shutil
from pathlib import Path

from train import checkpoint

FOLDER = Path(__file__).resolve().parent
POLICY = "policy.zip"
MOST_BYTES = 5_000_000


def shipped(game: str) -> Path:
    """The checkpoint that comes with the package for a game. ValueError where there is none."""
    path = FOLDER / game / POLICY
    if not path.is_file():
        raise ValueError(
            f"no learned player of {game} comes with this package: train one, and play 'checkpoint:runs/NAME'"
        )
    return path


def ship(run: Path, folder: Path = FOLDER) -> Path:
    """Copy the player of a finished run to where the package has it; returns its checkpoint.

    CheckpointError for a directory that holds none; ValueError where its weights are too large to ship.
    """
    policy, meta, game = checkpoint.load_policy(run)
    target = folder / game.name
    checkpoint.save(target / POLICY, meta, policy, optimizer=False)
    size = (target / POLICY).stat().st_size
    if size > MOST_BYTES:
        (target / POLICY).unlink()
        raise ValueError(f"{run} holds {size:,} bytes of weights: at most {MOST_BYTES:,} are shipped")
    for name in ("args.json", "machine.json", "curve.jsonl"):
        shutil.copyfile(run / name, target / name)
    return target / POLICY
