"""Players with a network of another program: the legal action with the highest score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.envs.spaces import flat_row
from tower_core.game import Game
from tower_core.players.protocol import Choice, best_actions, must_move
from tower_core.registry import get_game
from tower_core.state import State

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

    def act(self, state: State) -> int:
        """The action for the seat to move. ValueError for another game, and when the game is over."""
        must_move(self.name, self.game, state)
        return int(self.act_on_rows(flat_row(state)[None], state.legal_actions_mask()[None])[0])

    def rank(self, state: State, n: int) -> list[Choice]:
        """The *n* legal actions with the highest scores, best first."""
        return best_actions(self.legal_scores(state), n)

    def legal_scores(self, state: State) -> dict[int, float]:
        """The probability, or the score in the player's unit, of each legal action."""
        must_move(self.name, self.game, state)
        legal = state.legal_actions()
        values = self.scores(flat_row(state)[None])[0][legal].astype(np.float64)
        if self.unit == PROBABILITY:
            values = np.exp(values - values.max())
            values /= values.sum()
        return dict(zip(legal, values.tolist(), strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (type(self), self.game.name, self.path, self.name)

    def __repr__(self) -> str:
        return f"<player {self.name} of {self.game.name}>"


def _remake(kind: type[NetworkPlayer], game: str, path: str, name: str) -> NetworkPlayer:
    return kind(get_game(game), path, name)


def file_of(path: str, kind: str) -> tuple[Path, int, int]:
    """A file with its time of change and size, for a cache. ValueError if there is none; *kind* stands in front of paths."""
    if not path:
        raise ValueError(f"name the file: '{kind}:PATH'")
    try:
        written = Path(path).stat()
    except OSError:
        raise ValueError(f"there is no file {path}") from None
    return Path(path), written.st_mtime_ns, written.st_size
