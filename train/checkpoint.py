"""Checkpoints: one zip with a description as JSON and weights without pickle, written whole or not at all.

``meta.json`` tells game, players, rules, network and progress; ``policy.pt`` and ``optimizer.pt`` are state
dictionaries that are loaded with ``weights_only=True``: a stranger's checkpoint can't run code.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces

from tower_core.game import Game, get_game
from train.networks import TowersPolicy, policy_kwargs

FORMAT = 1


class CheckpointError(ValueError):
    """A checkpoint that can't be used, with the reason."""


def save(path: Path, meta: dict[str, Any], policy: TowersPolicy) -> None:
    """Write a checkpoint. An earlier one of that name stays until the new one is complete; OSError if it can't be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("meta.json", json.dumps({"format": FORMAT, **meta}, indent=1))
            for name, state in (("policy.pt", policy.state_dict()), ("optimizer.pt", policy.optimizer.state_dict())):
                buffer = io.BytesIO()
                torch.save(state, buffer)
                archive.writestr(name, buffer.getvalue())
        with open(partial, "rb") as written:
            os.fsync(written.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def find(path: str | Path) -> Path:
    """The checkpoint that a path means: a file, or the latest of a run directory."""
    path = Path(path)
    if path.is_dir():
        for candidate in (path / "final.zip", path / "latest.zip"):
            if candidate.is_file():
                return candidate
        raise CheckpointError(f"{path} holds no checkpoint (final.zip or latest.zip)")
    if not path.is_file():
        raise CheckpointError(f"there is no checkpoint {path}")
    return path


def read_meta(path: Path) -> dict[str, Any]:
    """The description of a checkpoint; CheckpointError when it isn't one."""
    try:
        with zipfile.ZipFile(path) as archive:
            meta = json.loads(archive.read("meta.json"))
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise CheckpointError(f"{path} is no checkpoint of this suite, or it is damaged") from error
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise CheckpointError(f"{path} has a format that this version can't read")
    for name, kind in (("game", str), ("players", int), ("rules", dict), ("width", int), ("blocks", int)):
        if not isinstance(meta.get(name), kind):
            raise CheckpointError(f"{path} is damaged: its description lacks {name!r}")
    return meta


def _weights(path: Path, name: str) -> Any:
    try:
        with zipfile.ZipFile(path) as archive:
            return torch.load(io.BytesIO(archive.read(name)), map_location="cpu", weights_only=True)
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError, ValueError, EOFError, pickle.UnpicklingError) as error:
        raise CheckpointError(f"{path} is damaged: its {name} can't be read") from error


def build_policy(game: Game, width: int, blocks: int) -> TowersPolicy:
    """A fresh policy for a game."""
    observations = spaces.Box(0, 255, (game.observation_size,), np.uint8)
    actions = spaces.Discrete(game.num_actions)
    return TowersPolicy(observations, actions, lambda _: 1e-3, **policy_kwargs(game.name, width, blocks))


def load_policy(path: str | Path) -> tuple[TowersPolicy, dict[str, Any], Game]:
    """Policy, description and game of a checkpoint."""
    file = find(path)
    meta = read_meta(file)
    game = get_game(meta["game"])
    policy = build_policy(game, meta["width"], meta["blocks"])
    restore(file, policy, optimizer=False)
    policy.set_training_mode(False)
    return policy, meta, game


def restore(path: Path, policy: TowersPolicy, *, optimizer: bool) -> None:
    """Put a checkpoint's weights into a policy of the same shape."""
    weights = _weights(path, "policy.pt")
    try:
        policy.load_state_dict(weights)
        if optimizer:
            policy.optimizer.load_state_dict(_weights(path, "optimizer.pt"))
    except (RuntimeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise CheckpointError(f"{path} holds another network than its description says") from error


def must_fit(path: Path, meta: dict[str, Any], game: Game, players: int, rules: Any) -> None:
    """CheckpointError unless a checkpoint was made for this game, number of players and rules."""
    if meta["game"] != game.name:
        raise CheckpointError(f"{path} plays {meta['game']}, not {game.name}")
    if meta["players"] != players:
        raise CheckpointError(f"{path} was trained for {meta['players']} players, not {players}")
    theirs, ours = game.resolve_rules(meta["rules"]).to_dict(), rules.to_dict()
    different = [name for name in ours if ours[name] != theirs.get(name)]
    if different:
        raise CheckpointError(f"{path} was trained under other rules: {', '.join(different)} differ")
