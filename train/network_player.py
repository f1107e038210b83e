"""Players with a network from a file: the legal action with the highest score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.envs.spaces import flat_row
from tower_core.game import Game
from tower_core.players.protocol import Choice, best_actions, must_move
from tower_core.state import State
from train.arena.settings import rules_name

PROBABILITY = "probability"


class NetworkPlayer(ABC):
    """A network from a file as a player."""

    unit = PROBABILITY
    """unit of the scores in :meth:`rank`; probabilities are computed from logits"""

    def __init__(self, game: Game, path: str, name: str) -> None:
        self.game, self.path, self.name = game, path, name

    @abstractmethod
    def scores(self, rows: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Logits or values of all actions [B, num_actions] from observations [B, size]."""

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Actions [B] from observations [B, size] and masks [B, num_actions], in one forward pass."""
        chosen: NDArray[np.int64] = np.where(masks, self.scores(rows), -np.inf).argmax(1).astype(np.int64)
        return chosen

    def check(self, state: State) -> None:
        """ValueError unless the player can act in *state*."""
        must_move(self.name, self.game, state)

    def act(self, state: State) -> int:
        """The action for the seat to move. ValueError as :meth:`check`."""
        self.check(state)
        return int(self.act_on_rows(flat_row(state)[None], state.legal_actions_mask()[None])[0])

    def rank(self, state: State, n: int) -> list[Choice]:
        """The *n* legal actions with the highest scores, best first."""
        self.check(state)
        return best_actions(self.legal_scores(state, self.scores(flat_row(state)[None])[0]), n)

    def legal_scores(self, state: State, scores: NDArray[np.float32]) -> dict[int, float]:
        """The probability, or the score in the player's unit, of each legal action, from the *scores* of all."""
        legal = state.legal_actions()
        values = scores[legal].astype(np.float64)
        if self.unit == PROBABILITY:
            values = np.exp(values - values.max())
            values /= values.sum()
        return dict(zip(legal, values.tolist(), strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self.path, self.name)

    def __repr__(self) -> str:
        return f"<player {self.name} of {self.game.name}>"


class TrainedPlayer(NetworkPlayer):
    """A network that knows what it was trained for: *about* holds game, players and rules. It also values positions."""

    def __init__(self, game: Game, path: str, name: str, about: Mapping[str, Any]) -> None:
        super().__init__(game, path, name)
        if about["game"] != game.name:
            raise ValueError(f"{path} plays {about['game']}, not {game.name}")
        self._players, self._rules = about["players"], game.resolve_rules(about["rules"])

    @abstractmethod
    def outputs(self, rows: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits [B, num_actions] and values [B] from observations [B, size]."""

    def scores(self, rows: NDArray[np.uint8]) -> NDArray[np.float32]:
        return self.outputs(rows)[0]

    @property
    def kind(self) -> str:
        """What it was trained for, in words."""
        return kind_of(self.game, self._players, self._rules)

    def plays(self, num_players: int, rules: Any) -> bool:
        """Whether it was trained for this number of players and these rules."""
        return bool((num_players, rules) == (self._players, self._rules))

    def must_play(self, num_players: int, rules: Any) -> None:
        """ValueError if it was trained for another number of players or other rules."""
        if not self.plays(num_players, rules):
            raise ValueError(
                f"{self.path} was trained for {self.kind}, not for {kind_of(self.game, num_players, rules)}"
            )

    def check(self, state: State) -> None:
        super().check(state)
        self.must_play(state.num_players, state.rules)

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """The value of the position for the seat to move (in the reward of its run), and probabilities of legal actions."""
        self.check(state)
        logits, values = self.outputs(flat_row(state)[None])
        return float(values[0]), self.legal_scores(state, logits[0])


def kind_of(game: Game, players: int, rules: Any) -> str:
    """A number of players and rules in words."""
    return f"{players} players under {rules_name(game, rules)}"


def file_of(path: str, kind: str) -> tuple[Path, int, int]:
    """A file with its time of change and size, for a cache. ValueError if there is none; *kind* stands in front of paths."""
    if not path:
        raise ValueError(f"name the file: '{kind}:PATH'")
    try:
        written = Path(path).stat()
    except OSError:
        raise ValueError(f"there is no file {path}") from None
    return Path(path), written.st_mtime_ns, written.st_size
