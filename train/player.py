"""A trained policy as a player: ``agents.make("checkpoint:runs/x", game=…)``, or ``opponents="checkpoint:runs/x"``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.game import Game
from tower_core.players.protocol import Native
from tower_core.registry import get_game
from tower_core.state import State
from train import checkpoint
from train.shipped import shipped


@lru_cache(maxsize=8)
def _load(file: Path, changed: int, size: int) -> tuple[Any, dict[str, Any], Game]:
    """A checkpoint's policy, kept: the arena makes players anew for every game. A file that was written anew is read anew."""
    return checkpoint.load_policy(file)


class CheckpointPlayer:
    """Plays the most probable action of a policy. It sees what its seat sees, and plays only the game it was made for."""

    native: Native | None = None

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
        """Its action for the seat to move. CheckpointError where players or rules are not those it was trained for."""
        self.must_play(state.num_players, state.rules)
        action, _ = self.policy.predict(_row(state), action_masks=state.legal_actions_mask(), deterministic=True)
        return int(action)

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """The value of the position for the seat to move (in the reward of its run), and its legal actions' chances."""
        self.must_play(state.num_players, state.rules)
        mask = state.legal_actions_mask()
        value, probs = self.policy.judge_row(_row(state), mask)
        return value, {action: float(probs[action]) for action in np.flatnonzero(mask).tolist()}

    def plays(self, num_players: int, rules: Any) -> bool:
        """Whether it was trained for such games."""
        return bool(num_players == self.meta["players"] and rules == self._rules)

    @property
    def kind(self) -> str:
        """What it was trained for, in words."""
        return f"{self.meta['players']} players under {_rules_name(self.game, self._rules)}"

    def must_play(self, num_players: int, rules: Any) -> None:
        """CheckpointError where players or rules are not those it was trained for."""
        if not self.plays(num_players, rules):
            checkpoint.must_fit(self._file, self.meta, self.game, num_players, rules)

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Its actions [B] for what the seats to move see [B, size], in one pass of the network."""
        actions: NDArray[np.int64] = self.policy.choose_rows(rows, masks)
        return actions

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self.game.name, self._path, self.name)


class LearnedPlayer:
    """The networks that come with the package for a game, as one player: each plays the games that it was trained for."""

    name = "learned"
    native: Native | None = None

    def __init__(self, game: Game) -> None:
        self.game = game
        self._networks = [CheckpointPlayer(game, str(path), self.name) for path in shipped(game.name)]
        self._in_batches: CheckpointPlayer | None = None

    def network_for(self, num_players: int, rules: Any) -> CheckpointPlayer:
        """The network for such games. CheckpointError where there is none."""
        for network in self._networks:
            if network.plays(num_players, rules):
                return network
        kinds = " or ".join(network.kind for network in self._networks)
        raise checkpoint.CheckpointError(
            f"learned was trained for {kinds}, not for {num_players} players under {_rules_name(self.game, rules)}"
        )

    def act(self, state: State) -> int:
        """Its action for the seat to move. CheckpointError where no network was trained for such games."""
        return self.network_for(state.num_players, state.rules).act(state)

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """As CheckpointPlayer.judge."""
        return self.network_for(state.num_players, state.rules).judge(state)

    def must_play(self, num_players: int, rules: Any) -> None:
        """CheckpointError where no network was trained for such games, or ``act_on_rows`` already answers for others."""
        network = self.network_for(num_players, rules)
        if self._in_batches not in (None, network):
            raise checkpoint.CheckpointError("this player already sits in games of other rules: make one for each")
        self._in_batches = network

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Its actions [B] in games for which ``must_play`` was asked."""
        if self._in_batches is None:
            raise ValueError("call learned.must_play(num_players, rules) first: it chooses the network")
        return self._in_batches.act_on_rows(rows, masks)

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake_learned, (self.game.name,)


def _row(state: State) -> NDArray[np.uint8]:
    """What the seat to move sees, as one vector."""
    return np.concatenate([part.ravel() for part in state.observation(state.current_player()).values()])


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


def _rules_name(game: Game, rules: Any) -> str:
    """The preset that rules are, or what stands for their fields."""
    return next((preset for preset in game.presets if game.resolve_rules(preset) == rules), "rules of its own")
