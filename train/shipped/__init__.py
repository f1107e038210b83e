"""The learned networks that come with the package: a folder per game and kind of rules, each a run directory without what
only training needs. That for a game's usual rules has the name of the game, others that of the preset too.

``policy.zip`` is the checkpoint, without its optimizer; ``args.json``, ``machine.json`` and ``curve.jsonl`` are those of the
run that made it (docs/learned.md has the commands and results).
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tower_core.game import Game
from train import checkpoint

FOLDER = Path(__file__).resolve().parent
POLICY = "policy.zip"
MOST_BYTES = 5_000_000


def shipped(game: str) -> list[Path]:
    """The checkpoints that come with the package for a game, that for its usual rules first. ValueError if there are none."""
    paths = [FOLDER / game / POLICY, *sorted(FOLDER.glob(f"{game}-*/{POLICY}"))]
    there = [path for path in paths if path.is_file()]
    if not there:
        raise ValueError(
            f"no learned player of {game} comes with this package: train one, and play 'checkpoint:runs/NAME'"
        )
    return there


def folder_name(meta: Mapping[str, Any], game: Game) -> str:
    """Where the network of a checkpoint's description belongs. ValueError where its rules are no preset."""
    rules = game.resolve_rules(meta["rules"])
    for preset in (game.default_rules, *game.presets):
        if game.resolve_rules(preset) == rules:
            return game.name if preset == game.default_rules else f"{game.name}-{preset}"
    raise ValueError(f"only networks for a preset are shipped ({', '.join(game.presets)}), not for rules of one's own")


def ship(run: Path, folder: Path = FOLDER) -> Path:
    """Copy the player of a finished run to where the package has it; returns its checkpoint.

    CheckpointError for a directory that holds none; ValueError where it plays no preset or is too large to ship.
    """
    policy, meta, game = checkpoint.load_policy(run)
    target = folder / folder_name(meta, game)
    checkpoint.save(target / POLICY, meta, policy, optimizer=False)
    size = (target / POLICY).stat().st_size
    if size > MOST_BYTES:
        (target / POLICY).unlink()
        raise ValueError(f"{run} holds {size:,} bytes of weights: at most {MOST_BYTES:,} are shipped")
    for name in ("args.json", "machine.json", "curve.jsonl"):
        shutil.copyfile(run / name, target / name)
    return target / POLICY
