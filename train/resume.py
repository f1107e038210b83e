"""What a run that goes on goes on from: its checkpoint, its settings, and which of those may change."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from tower_core.game import Game
from train import checkpoint
from train.config import TrainArgs
from train.networks import network_name

_MAY_CHANGE = ("steps", "minutes", "resume", "num_workers", "address")


@dataclass(frozen=True)
class Earlier:
    """An earlier session of a run: its checkpoint *file*, that file's description, and the settings to go on with."""

    file: Path
    meta: dict[str, Any]
    args: TrainArgs


def find_earlier(game: Game, args: TrainArgs) -> Earlier:
    """The run in the directory ``args.resume``, with the limits given now. CheckpointError where it can't go on."""
    folder = Path(args.resume)
    latest = folder / "latest.zip"
    file = checkpoint.find(latest if latest.exists() else folder)
    meta = checkpoint.read_meta(file)
    settings = folder / "args.json"
    try:
        saved = TrainArgs.from_dict(json.loads(settings.read_text()))
    except (OSError, ValueError) as error:
        raise checkpoint.CheckpointError(f"{settings} can't be read: {error}") from error
    if meta["game"] != game.name:
        raise checkpoint.CheckpointError(f"{folder} is a run of {meta['game']}, not of {game.name}")
    _refuse_changes(game, folder, saved, args)
    return Earlier(file, meta, replace(saved, **{name: getattr(args, name) for name in _MAY_CHANGE}))


def _refuse_changes(game: Game, folder: Path, saved: TrainArgs, args: TrainArgs) -> None:
    """CheckpointError for a setting that is given anew and would be another than the run's."""
    for field in fields(TrainArgs):
        given, kept = getattr(args, field.name), getattr(saved, field.name)
        if field.name in _MAY_CHANGE or given == field.default:
            continue
        if field.name == "rules":
            given, kept = (game.resolve_rules(name or None) for name in (given, kept))
        elif field.name == "network":
            given, kept = (network_name(game, name) for name in (given, kept))
        if given != kept:
            raise checkpoint.CheckpointError(
                f"{folder} has another --{field.name.replace('_', '-')}: a resumed run keeps its settings"
            )


def engine_of(args: TrainArgs) -> str:
    """The engine that *args* ask for; a run that goes on keeps its own."""
    if args.resume:
        try:
            return TrainArgs.from_dict(json.loads((Path(args.resume) / "args.json").read_text())).engine
        except (OSError, ValueError):
            pass  # find_earlier says what is wrong there
    return args.engine
