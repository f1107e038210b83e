"""Trained policies as players: ``agents.make("checkpoint:runs/x", game=…)``, or ``opponents="checkpoint:runs/x"``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.envs.spaces import flat_row
from tower_core.game import Game
from tower_core.players.protocol import Choice, Native, best_actions, must_move
from tower_core.registry import get_game
from tower_core.state import State
from train import checkpoint
from train.arena.settings import rules_name
from train.network_player import PROBABILITY
from train.shipped import shipped


@lru_cache(maxsize=8)
def _load(file: Path, changed: int, size: int) -> tuple[Any, dict[str, Any], Game]:
    """A checkpoint, cached because the arena makes a new player for every game; a changed file is read again."""
    return checkpoint.load_policy(file)


class CheckpointPlayer:
    """Plays the most probable action of a policy, in games like those that it was trained for."""

    native: Native | None = None
    unit = PROBABILITY

    def __init__(self, game: Game, path: str, name: str = "") -> None:
        self.name = name or f"checkpoint:{path}"
        file = checkpoint.find(path)
        written = file.stat()
        self.policy, self.meta, made_for = _load(file, written.st_mtime_ns, written.st_size)
        if made_for.name != game.name:
            raise checkpoint.CheckpointError(f"{file} plays {made_for.name}, not {game.name}")
        self.game, self._file = game, file
        self._rules = game.resolve_rules(self.meta["rules"])
        self._path = path

    def act(self, state: State) -> int:
        """The action for the seat to move. CheckpointError as :meth:`must_play`."""
        self.must_play(state.num_players, state.rules)
        action, _ = self.policy.predict(flat_row(state), action_masks=state.legal_actions_mask(), deterministic=True)
        return int(action)

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """The value of the position for the seat to move (in the reward of its run), and probabilities of legal actions."""
        self.must_play(state.num_players, state.rules)
        mask = state.legal_actions_mask()
        value, probs = self.policy.judge_row(flat_row(state), mask)
        return value, {action: float(probs[action]) for action in np.flatnonzero(mask).tolist()}

    def rank(self, state: State, n: int) -> list[Choice]:
        """The *n* most probable actions, best first. CheckpointError as :meth:`must_play`."""
        must_move(self.name, self.game, state)
        return best_actions(self.judge(state)[1], n)

    def plays(self, num_players: int, rules: Any) -> bool:
        """Whether it was trained for this number of players and these rules."""
        return bool(num_players == self.meta["players"] and rules == self._rules)

    @property
    def kind(self) -> str:
        """What it was trained for, in words."""
        return f"{self.meta['players']} players under {rules_name(self.game, self._rules)}"

    def must_play(self, num_players: int, rules: Any) -> None:
        """CheckpointError if it was trained for another number of players or other rules."""
        if not self.plays(num_players, rules):
            checkpoint.must_fit(self._file, self.meta, self.game, num_players, rules)

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Actions [B] from observations [B, size] and masks [B, num_actions], in one forward pass."""
        actions: NDArray[np.int64] = self.policy.choose_rows(rows, masks)
        return actions

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self.game.name, self._path, self.name)


class LearnedPlayer:
    """The packaged networks of a game as one player: each plays the games that it was trained for."""

    name = "learned"
    native: Native | None = None
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
            f"learned was trained for {kinds}, not for {num_players} players under {rules_name(self.game, rules)}"
        )

    def act(self, state: State) -> int:
        """The action for the seat to move. CheckpointError as :meth:`network_for`."""
        return self.network_for(state.num_players, state.rules).act(state)

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """As :meth:`CheckpointPlayer.judge`."""
        return self.network_for(state.num_players, state.rules).judge(state)

    def rank(self, state: State, n: int) -> list[Choice]:
        """As :meth:`CheckpointPlayer.rank`."""
        must_move(self.name, self.game, state)
        return self.network_for(state.num_players, state.rules).rank(state, n)

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
        return _remake_learned, (self.game.name,)


def _remake(game: str, path: str, name: str) -> CheckpointPlayer:
    return CheckpointPlayer(get_game(game), path, name)


def make_checkpoint(game: Game, seed: int = 0, path: str = "") -> CheckpointPlayer:
    """A trained network: ``checkpoint:PATH``, a checkpoint or run directory. The seed is ignored."""
    if not path:
        raise ValueError("name the checkpoint: 'checkpoint:PATH'")
    return CheckpointPlayer(game, path)


def make_learned(game: Game, seed: int = 0) -> LearnedPlayer:
    """The packaged networks (docs/learned.md). The seed is ignored. ValueError if the game has none."""
    return LearnedPlayer(game)


def _remake_learned(game: str) -> LearnedPlayer:
    return LearnedPlayer(get_game(game))
