"""``onnx:PATH``: a network that ``towers export`` has written, as a player. It needs onnxruntime, not PyTorch."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.envs.spaces import flat_row
from tower_core.game import Game
from tower_core.state import State
from train.arena.settings import rules_name
from train.network_player import NetworkPlayer, file_of


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


class OnnxPlayer(NetworkPlayer):
    """Plays the most probable action of an exported network, in games like those that it was trained for."""

    def __init__(self, game: Game, path: str, name: str) -> None:
        super().__init__(game, path, name)
        self._session, about = _load(*file_of(path, "onnx"))
        if about["game"] != game.name:
            raise ValueError(f"{path} plays {about['game']}, not {game.name}")
        shapes = {each.name: each.shape[1:] for each in (*self._session.get_inputs(), *self._session.get_outputs())}
        if shapes != {"observation": [game.observation_size], "logits": [game.num_actions], "value": []}:
            raise ValueError(f"{path} doesn't fit the observations and actions of {game.name}: its shapes are {shapes}")
        self._players, self._rules = about["players"], game.resolve_rules(about["rules"])

    def must_play(self, num_players: int, rules: Any) -> None:
        """ValueError if it was trained for another number of players or other rules."""
        if (num_players, rules) != (self._players, self._rules):
            kinds = [
                f"{players} players under {rules_name(self.game, given)}"
                for players, given in ((self._players, self._rules), (num_players, rules))
            ]
            raise ValueError(f"{self.path} was trained for {kinds[0]}, not for {kinds[1]}")

    def act(self, state: State) -> int:
        self.must_play(state.num_players, state.rules)
        return super().act(state)

    def scores(self, rows: NDArray[np.uint8]) -> NDArray[np.float32]:
        logits: NDArray[np.float32] = self._session.run(["logits"], {"observation": rows})[0]
        return logits

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """The value of the position for the seat to move (in the reward of its run), and probabilities of legal actions."""
        self.must_play(state.num_players, state.rules)
        value = self._session.run(["value"], {"observation": flat_row(state)[None]})[0]
        return float(value[0]), self.legal_scores(state)


def make_onnx(game: Game, seed: int = 0, path: str = "") -> OnnxPlayer:
    """A network exported as ONNX: ``onnx:PATH``. The seed is ignored."""
    return OnnxPlayer(game, path, f"onnx:{path}")
