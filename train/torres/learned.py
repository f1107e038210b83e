"""The packaged network of Torres as a player; where PyTorch is not installed, NumPy evaluates it."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections import OrderedDict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torres_env.actions import FIRST_CELL_ACTION
from torres_env.observation import PLANES
from tower_core.envs.spaces import flat_row
from tower_core.game import Game
from tower_core.players.protocol import Native, Player
from tower_core.state import State

FILE = Path(__file__).resolve().parents[1] / "shipped" / "torres" / "policy.zip"
_CELLS = 64
_BOARD = PLANES.size * _CELLS
_OWN = slice(PLANES["own_knight"].start, PLANES["own_knight"].stop)

Floats = NDArray[np.float32]


def make_learned(game: Game, seed: int = 0) -> Player:
    """The packaged network (docs/learned.md). The seed is ignored."""
    try:
        from train.player import LearnedPlayer
    except ModuleNotFoundError:
        return NumpyLearned(game)
    return LearnedPlayer(game)


class NumpyLearned:
    """The most probable action of the packaged network, as :class:`train.player.LearnedPlayer`."""

    name = "learned"
    native: Native | None = None

    def __init__(self, game: Game) -> None:
        self.game = game
        with zipfile.ZipFile(FILE) as archive:
            meta = json.loads(archive.read("meta.json"))
        self._players, self._rules = meta["players"], game.resolve_rules(meta["rules"])

    def must_play(self, num_players: int, rules: Any) -> None:
        """ValueError if the network was trained for another number of players or other rules."""
        if num_players != self._players or rules != self._rules:
            raise ValueError(
                f"learned was trained for {self._players} players under {self.game.default_rules}; for other games there may "
                "be networks that need PyTorch: pip install 'tower-games-rl[train]'"
            )

    def act(self, state: State) -> int:
        """The action for the seat to move. ValueError as :meth:`must_play`."""
        self.must_play(state.num_players, state.rules)
        return int(self.act_on_rows(flat_row(state)[None], state.legal_actions_mask()[None])[0])

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Actions [B] from observations [B, size] and masks [B, num_actions]."""
        chosen: NDArray[np.int64] = np.where(masks, logits(rows), -np.inf).argmax(1)
        return chosen


def logits(rows: NDArray[np.uint8]) -> Floats:
    """Logits [B, num_actions] of observations [B, size], as train.torres.network computes them."""
    weights = _weights()

    def linear(x: Floats, name: str) -> Floats:
        return x @ weights[f"{name}.weight"].reshape(len(weights[f"{name}.weight"]), -1).T + weights[f"{name}.bias"]

    def conv(x: Floats, name: str) -> Floats:
        """3×3 convolution of cells [B, 64, C]."""
        padded = np.pad(x.reshape(-1, 8, 8, x.shape[2]), ((0, 0), (1, 1), (1, 1), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
        return linear(windows.reshape(len(x), _CELLS, -1), name)

    def pooled(x: Floats) -> Floats:
        return np.concatenate([x.mean(1), x.max(1)], 1)

    board = rows[:, :_BOARD].reshape(-1, PLANES.size, _CELLS).astype(np.float32)
    numbers = (rows[:, _BOARD:] - weights["features_extractor.shift"]) / weights["features_extractor.scale"]
    height, area, worth, rest = board[:, 0:1], board[:, 1:2], board[:, 2:3], board[:, 3:]
    steps = height >= np.arange(1, 6, dtype=np.float32)[:, None]
    room = (area - height).clip(0, 8)
    planes = np.concatenate([height / 4, area / 8, worth / 32, rest, steps, room / 4, height == 0], 1)
    x = conv(planes.transpose(0, 2, 1), "features_extractor.enter")
    x = np.maximum(x + linear(numbers, "features_extractor.enter_globals")[:, None], 0)
    block = "features_extractor.blocks.0"
    while f"{block}.conv.weight" in weights:
        x = np.maximum(x + conv(x, f"{block}.conv") + linear(pooled(x), f"{block}.pool")[:, None], 0)
        block = f"features_extractor.blocks.{int(block.rpartition('.')[2]) + 1}"
    summary = np.maximum(linear(np.concatenate([pooled(x), numbers], 1), "features_extractor.summary.0"), 0)
    others = linear(summary, "action_net.rest")
    scores = linear(x, "action_net.cells") + others[:, None, FIRST_CELL_ACTION:]
    knights, cells = linear(board[:, _OWN] @ x, "action_net.from_cell"), linear(x, "action_net.to_cell")
    moves = knights @ cells.transpose(0, 2, 1) / np.float32(np.sqrt(cells.shape[2])) + scores[:, None, :, 2]
    place, knight, _, take, king = np.moveaxis(scores, 2, 0)
    return np.concatenate([others[:, :FIRST_CELL_ACTION], place, knight, moves.reshape(len(x), -1), take, king], 1)


@cache
def _weights() -> dict[str, Floats]:
    """The arrays of the packaged checkpoint by their names in PyTorch."""
    with zipfile.ZipFile(FILE) as archive:
        states = zipfile.ZipFile(io.BytesIO(archive.read("policy.pt")))
    return dict(_StateReader(states).load())


class _StateReader(pickle.Unpickler):
    """Reads a state dictionary that ``torch.save`` wrote, without PyTorch."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        super().__init__(io.BytesIO(archive.read("archive/data.pkl")))

    def find_class(self, module: str, name: str) -> Any:
        known = {"OrderedDict": OrderedDict, "_rebuild_tensor_v2": _array, "FloatStorage": np.float32}
        if name not in known:
            raise pickle.UnpicklingError(f"{module}.{name} doesn't belong into weights")
        return known[name]

    def persistent_load(self, pid: Any) -> Floats:
        return np.frombuffer(self._archive.read(f"archive/data/{pid[2]}"), "<f4")


def _array(storage: Floats, offset: int, size: tuple[int, ...], stride: tuple[int, ...], *_: Any) -> Floats:
    """The arguments of PyTorch's ``_rebuild_tensor_v2`` as an array."""
    strides = [step * storage.itemsize for step in stride]
    return np.ascontiguousarray(np.lib.stride_tricks.as_strided(storage[offset:], size, strides))
