"""The packaged networks: one folder per game and preset, named GAME for the default preset and GAME-PRESET for others.

``policy.zip`` is the checkpoint without its optimizer; ``args.json``, ``machine.json`` and ``curve.jsonl`` come from the run
that made it (docs/learned.md has the commands and results).
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
    """The packaged checkpoints of a game, the one for its default rules first. ValueError if there are none."""
    paths = [FOLDER / game / POLICY, *sorted(FOLDER.glob(f"{game}-*/{POLICY}"))]
    there = [path for path in paths if path.is_file()]
    if not there:
        raise ValueError(f"the package has no learned player of {game}: train one and use 'checkpoint:runs/NAME'")
    return there


def folder_name(meta: Mapping[str, Any], game: Game) -> str:
    """The folder of a network with this description. ValueError if its rules are not a preset."""
    rules = game.resolve_rules(meta["rules"])
    for preset in (game.default_rules, *game.presets):
        if game.resolve_rules(preset) == rules:
            return game.name if preset == game.default_rules else f"{game.name}-{preset}"
    raise ValueError(f"only networks for a preset can be packaged: {', '.join(game.presets)}")


def ship(run: Path, folder: Path = FOLDER) -> Path:
    """Copy the network of a finished run into the package; returns its checkpoint.

    CheckpointError if *run* has no checkpoint; ValueError if its rules are not a preset or it is too large.
    """
    policy, meta, game = checkpoint.load_policy(run)
    target = folder / folder_name(meta, game)
    checkpoint.save(target / POLICY, meta, policy, optimizer=False)
    size = (target / POLICY).stat().st_size
    if size > MOST_BYTES:
        (target / POLICY).unlink()
        raise ValueError(f"{run} holds {size:,} bytes of weights; at most {MOST_BYTES:,} can be packaged")
    for name in ("args.json", "machine.json", "curve.jsonl"):
        shutil.copyfile(run / name, target / name)
    return target / POLICY
