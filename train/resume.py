"""Resuming a run: its checkpoint, its settings, and which settings may change."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from tower_core.game import Game
from train import checkpoint
from train.config import TrainArgs
from train.named_code import is_named
from train.networks import network_name

_LIMITS = ("decisions", "minutes")
_MAY_CHANGE = (*_LIMITS, "resume", "num_workers", "address")


@dataclass(frozen=True)
class Earlier:
    """An earlier session of a run: its checkpoint, that file's description, and the settings to resume with."""

    file: Path
    meta: dict[str, Any]
    args: TrainArgs


def find_earlier(game: Game, args: TrainArgs) -> Earlier:
    """The run in the directory ``args.resume``, with the limits of *args*. CheckpointError if it can't be resumed."""
    folder = Path(args.resume)
    latest = folder / "latest.zip"
    file = checkpoint.find(latest if latest.exists() else folder)
    meta = checkpoint.read_meta(file)
    settings = folder / "args.json"
    try:
        saved = TrainArgs.from_dict(json.loads(settings.read_text()))
    except (OSError, ValueError, RecursionError) as error:
        raise checkpoint.CheckpointError(f"{settings} can't be read: {error}") from error
    if meta["game"] != game.name:
        raise checkpoint.CheckpointError(f"{folder} is a run of {meta['game']}, not of {game.name}")
    _refuse_changes(game, folder, saved, args)
    changes = {name: getattr(args, name) for name in _MAY_CHANGE}
    if not args.decisions and args.minutes is None:  # the run's own limits
        changes |= {name: getattr(saved, name) for name in _LIMITS}
    return Earlier(file, meta, replace(saved, **changes))


def _refuse_changes(game: Game, folder: Path, saved: TrainArgs, args: TrainArgs) -> None:
    """CheckpointError for a given setting that differs from the run's."""
    for field in fields(TrainArgs):
        given, kept = getattr(args, field.name), getattr(saved, field.name)
        if field.name in _MAY_CHANGE or given == field.default:
            continue
        if field.name == "rules":
            given, kept = (game.resolve_rules(name or None) for name in (given, kept))
        elif field.name in ("network", "reward") and is_named(given) and is_named(kept):
            continue  # named again, perhaps from another folder: train/own_code.py
        elif field.name == "network":
            given, kept = (network_name(game, name) for name in (given, kept))
        if given != kept:
            raise checkpoint.CheckpointError(
                f"{folder} has another --{field.name.replace('_', '-')}: a resumed run keeps its settings"
            )


def engine_of(args: TrainArgs) -> str:
    """The engine of *args*; a resumed run keeps its own."""
    if args.resume:
        try:
            return TrainArgs.from_dict(json.loads((Path(args.resume) / "args.json").read_text())).engine
        except (OSError, ValueError, RecursionError):
            pass  # find_earlier reports what is wrong
    return args.engine
