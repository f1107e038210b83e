"""``onnx:PATH``: a network that ``towers export`` has written, as a player. It needs onnxruntime, not PyTorch."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.game import Game
from train.network_player import TrainedPlayer, file_of


@lru_cache(maxsize=8)
def _load(file: Path, changed: int, size: int) -> tuple[Any, dict[str, Any]]:
    """Session and metadata of a file, cached because the arena makes a new player for every game."""
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise ValueError(f"onnx:PATH needs {error.name}: pip install 'tower-games-rl[onnx]'") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # arenas run several processes
    try:
        session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        about = session.get_modelmeta().custom_metadata_map
        found = {"game": about["game"], "players": int(about["players"]), "rules": json.loads(about["rules"])}
    except Exception as error:  # the library has an exception for each fault of a file
        raise ValueError(f"{file} is not a network that towers export has written") from error
    return session, found


class OnnxPlayer(TrainedPlayer):
    """Plays the most probable action of an exported network, in games like those that it was trained for."""

    def __init__(self, game: Game, path: str, name: str) -> None:
        self._session, about = _load(*file_of(path, "onnx"))
        super().__init__(game, path, name, about)
        shapes = {each.name: each.shape[1:] for each in (*self._session.get_inputs(), *self._session.get_outputs())}
        if shapes != {"observation": [game.observation_size], "logits": [game.num_actions], "value": []}:
            raise ValueError(f"{path} doesn't fit the observations and actions of {game.name}: its shapes are {shapes}")

    def outputs(self, rows: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        logits, values = self._session.run(["logits", "value"], {"observation": rows})
        return logits, values


def make_onnx(game: Game, seed: int = 0, path: str = "") -> OnnxPlayer:
    """A network exported as ONNX: ``onnx:PATH``. The seed is ignored."""
    return OnnxPlayer(game, path, f"onnx:{path}")
