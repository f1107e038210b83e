"""Trained policies as players: ``agents.make("checkpoint:runs/x", game=…)``, or ``opponents="checkpoint:runs/x"``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tower_core.game import Game
from tower_core.players.protocol import Choice, must_move
from tower_core.state import State
from train import checkpoint
from train.network_player import PROBABILITY, TrainedPlayer, kind_of
from train.shipped import shipped


@lru_cache(maxsize=8)
def _load(file: Path, changed: int, size: int) -> tuple[Any, dict[str, Any]]:
    """A checkpoint, cached because the arena makes a new player for every game; a changed file is read again."""
    return checkpoint.load_policy(file)[:2]


class CheckpointPlayer(TrainedPlayer):
    """Plays the most probable action of a policy, in games like those that it was trained for."""

    def __init__(self, game: Game, path: str, name: str = "") -> None:
        file = checkpoint.find(path)
        written = file.stat()
        self.policy, self.meta = _load(file, written.st_mtime_ns, written.st_size)
        super().__init__(game, path, name or f"checkpoint:{path}", self.meta)

    def outputs(self, rows: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with torch.no_grad():
            features = self.policy.extract_features(torch.as_tensor(rows))
            return self.policy.action_net(features).numpy(), self.policy.value_net(features)[:, 0].numpy()


class LearnedPlayer:
    """The packaged networks of a game as one player: each plays the games that it was trained for."""

    name = "learned"
    unit = PROBABILITY

    def __init__(self, game: Game) -> None:
        self.game = game
        self._networks = [CheckpointPlayer(game, str(path), self.name) for path in shipped(game.name)]
        self._in_batches: CheckpointPlayer | None = None

    def network_for(self, num_players: int, rules: Any) -> CheckpointPlayer:
        """The network for these games. CheckpointError if there is none."""
        for network in self._networks:
            if network.plays(num_players, rules):
                return network
        kinds = " or ".join(network.kind for network in self._networks)
        raise checkpoint.CheckpointError(
            f"learned was trained for {kinds}, not for {kind_of(self.game, num_players, rules)}"
        )

    def _network(self, state: State) -> CheckpointPlayer:
        must_move(self.name, self.game, state)
        return self.network_for(state.num_players, state.rules)

    def act(self, state: State) -> int:
        """The action for the seat to move. CheckpointError as :meth:`network_for`."""
        return self._network(state).act(state)

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """As :meth:`CheckpointPlayer.judge`."""
        return self._network(state).judge(state)

    def rank(self, state: State, n: int) -> list[Choice]:
        """As :meth:`CheckpointPlayer.rank`."""
        return self._network(state).rank(state, n)

    def must_play(self, num_players: int, rules: Any) -> None:
        """Choose the network of ``act_on_rows``. CheckpointError if there is none, or if another one has been chosen."""
        network = self.network_for(num_players, rules)
        if self._in_batches not in (None, network):
            raise checkpoint.CheckpointError("this player already plays other games in batches: make one for each")
        self._in_batches = network

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """As :meth:`CheckpointPlayer.act_on_rows`, with the network that ``must_play`` has chosen."""
        if self._in_batches is None:
            raise ValueError("call learned.must_play(num_players, rules) first: it chooses the network")
        return self._in_batches.act_on_rows(rows, masks)

    def __reduce__(self) -> tuple[Any, ...]:
        return LearnedPlayer, (self.game,)


def make_checkpoint(game: Game, seed: int = 0, path: str = "") -> CheckpointPlayer:
    """A trained network: ``checkpoint:PATH``, a checkpoint or run directory. The seed is ignored."""
    if not path:
        raise ValueError("name the checkpoint: 'checkpoint:PATH'")
    return CheckpointPlayer(game, path)


def make_learned(game: Game, seed: int = 0) -> LearnedPlayer:
    """The packaged networks (docs/learned.md). The seed is ignored. ValueError if the game has none."""
    return LearnedPlayer(game)
