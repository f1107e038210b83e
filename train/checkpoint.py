"""Checkpoints: zip files with a JSON description and weights, written atomically.

``meta.json`` holds game, players, rules and network; ``policy.pt`` and ``optimizer.pt`` are state dictionaries that are
loaded with ``weights_only=True``; ``progress.json`` holds games as positions. Loading an untrusted checkpoint runs no code but
what the user has named: train/named_code.py.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
import torch
from gymnasium import spaces

from tower_core import schema
from tower_core.files import replacing
from tower_core.game import Game
from tower_core.imported import one_line
from tower_core.registry import get_game
from train.config import MOST_BLOCKS, MOST_WIDTH
from train.named_code import is_named, named_again, recall
from train.networks import TowersPolicy, policy_kwargs

FORMAT = 1
_META_BYTES, _PROGRESS_BYTES, _WEIGHTS_BYTES = 10**6, 2**28, 2**31


class Description(msgspec.Struct):
    """The required fields of ``meta.json``."""

    game: str
    players: int
    rules: dict[str, Any]
    width: Annotated[int, msgspec.Meta(ge=1, le=MOST_WIDTH)]
    blocks: Annotated[int, msgspec.Meta(ge=0, le=MOST_BLOCKS)]
    steps: Annotated[int, msgspec.Meta(ge=0)]
    seconds: float
    network: str = ""
    code: dict[str, str] = {}
    """SHA-256 of the source file of a network or reward of the user's own"""


class CheckpointError(ValueError):
    """A checkpoint that can't be used; the message says why."""


def save(
    path: Path,
    meta: dict[str, Any],
    policy: TowersPolicy,
    *,
    optimizer: bool = True,
    progress: dict[str, Any] | None = None,
) -> None:
    """Write a checkpoint. An earlier one of that name stays until the new one is complete; OSError if it can't be written.

    Without *optimizer* training can't continue from it. *progress* (JSON-able): state of the run between two updates.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as partial, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("meta.json", json.dumps({"format": FORMAT, **meta}, indent=1))
        states = {"policy.pt": policy.state_dict()}
        if optimizer:
            states["optimizer.pt"] = policy.optimizer.state_dict()
        for name, state in states.items():
            buffer = io.BytesIO()
            torch.save(state, buffer)
            archive.writestr(name, buffer.getvalue())
        if progress is not None:
            archive.writestr("progress.json", json.dumps(progress))


def find(path: str | Path) -> Path:
    """The checkpoint file at a path: the file itself, or the ``final.zip`` or ``latest.zip`` of a run directory.

    CheckpointError if there is none.
    """
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
    """The description of a checkpoint. CheckpointError if the file isn't one."""
    try:
        meta = json.loads(read_entry(path, "meta.json", _META_BYTES))
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is not a checkpoint of towers, or it is damaged") from error
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise CheckpointError(f"{path} has a format that this version can't read")
    try:
        schema.read(Description, meta, "description")
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: its description: {error}") from error
    return meta


def read_progress(path: Path) -> dict[str, Any] | None:
    """The state of the run between two updates; None if the checkpoint has none. CheckpointError if it is damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            if "progress.json" not in archive.namelist():
                return None
        progress = json.loads(read_entry(path, "progress.json", _PROGRESS_BYTES))
    except (zipfile.BadZipFile, OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is damaged: its progress.json can't be read") from error
    if not isinstance(progress, dict):
        raise CheckpointError(f"{path} is damaged: its progress.json is not an object")
    return progress


def read_entry(path: Path, name: str, limit: int) -> bytes:
    """One entry of a zip file. ValueError for any fault of a foreign or damaged file, OSError included."""
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(name).file_size > limit:
                raise ValueError(f"{name} is larger than {limit} bytes")
            return archive.read(name)
    except (zipfile.BadZipFile, zlib.error, KeyError, RuntimeError, OSError, EOFError, struct.error) as error:
        raise ValueError(f"{name} can't be read") from error


def read_weights(path: Path, name: str) -> Any:
    """A state dictionary from a zip file, read without running code from it. CheckpointError if it can't be read."""
    try:
        return torch.load(io.BytesIO(read_entry(path, name, _WEIGHTS_BYTES)), map_location="cpu", weights_only=True)
    except Exception as error:  # torch.load may raise anything on a foreign file
        raise CheckpointError(f"{path} is damaged: its {name} can't be read") from error


def build_policy(game: Game, width: int, blocks: int, network: str = "") -> TowersPolicy:
    """A new policy for a game; *network*: its name or spec (default: the game's default network).

    ValueError, one line, if a network of the user's own fails or gives outputs of another shape.
    """
    observations = spaces.Box(0, 255, (game.observation_size,), np.uint8)
    actions = spaces.Discrete(game.num_actions)
    options = policy_kwargs(game, width, blocks, network)
    if not is_named(network):
        return TowersPolicy(observations, actions, lambda _: 1e-3, **options)
    try:
        policy = TowersPolicy(observations, actions, lambda _: 1e-3, **options)
        with torch.no_grad():
            features = policy.extract_features(torch.zeros((3, game.observation_size), dtype=torch.uint8))
            logits, values = policy.action_net(features), policy.value_net(features)
    except Exception as error:  # of the user's code
        raise ValueError(f"network {network!r} fails: {one_line(error)}") from error
    if (logits.shape, values.shape) != ((3, game.num_actions), (3, 1)):
        raise ValueError(
            f"network {network!r} must give logits [B, {game.num_actions}] and values [B, 1] for rows [B, size]; "
            f"for 3 rows it gives {[*logits.shape]} and {[*values.shape]}"
        )
    return policy


def own_network(file: Path, meta: dict[str, Any], given: str = "") -> str:
    """The network of a checkpoint, by a name or spec that can be used here; *given*: the user's spec for it, or "".

    CheckpointError if it is code that the user hasn't named (train/named_code.py), or if *given* isn't this network.
    """
    network = str(meta.get("network", ""))
    if not is_named(network):
        if given and given != network:
            raise CheckpointError(f"{file} has the network {network or 'of its game'}, not {given}")
        return network
    wanted = str(meta.get("code", {}).get("network", ""))
    try:
        if given:
            return named_again(network, given, wanted, "network", str(file))
        return recall(
            network, wanted, "network", str(file), f"name it once with towers evaluate {file} --network FILE.py:CLASS"
        )
    except (ValueError, OSError) as error:
        raise CheckpointError(str(error)) from error


def load_policy(path: str | Path, network: str = "") -> tuple[TowersPolicy, dict[str, Any], Game]:
    """Policy, description and game of a checkpoint; *network*: as *given* in :func:`own_network`."""
    file = find(path)
    meta = read_meta(file)
    game = get_game(meta["game"])
    try:
        policy = build_policy(game, meta["width"], meta["blocks"], own_network(file, meta, network))
    except CheckpointError:
        raise
    except (ValueError, TypeError) as error:
        raise CheckpointError(f"{file} can't be used: {error}") from error
    restore(file, policy, optimizer=False)
    policy.set_training_mode(False)
    return policy, meta, game


def restore(path: Path, policy: TowersPolicy, *, optimizer: bool) -> None:
    """Load a checkpoint's weights into a policy of the same shape."""
    weights = read_weights(path, "policy.pt")
    progress = read_weights(path, "optimizer.pt") if optimizer else None
    try:
        policy.load_state_dict(weights)
        if optimizer:
            policy.optimizer.load_state_dict(progress)
    except (RuntimeError, LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise CheckpointError(f"{path}: the weights don't fit the network of its description") from error


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
