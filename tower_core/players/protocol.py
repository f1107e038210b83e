"""The interfaces of players: called from Python, or compiled into the loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tower_core.state import State


@dataclass(frozen=True)
class Native:
    """A compiled ``int64 choose(record address, stream address, options)``; *keep* holds whatever must stay alive."""

    address: int
    options: int = 0
    keep: Any = None


@runtime_checkable
class Player(Protocol):
    """A player of one seat."""

    name: str
    native: Native | None
    """The compiled player, for use inside the compiled loops; None for a Python player."""

    def act(self, state: State) -> int:
        """A legal action for ``state.current_player()``. Environments pass it a :func:`mover_view`."""


@runtime_checkable
class RowsPlayer(Player, Protocol):
    """A player that acts in many games at once, using only the observations of the seats to move."""

    def must_play(self, num_players: int, rules: Any) -> None:
        """ValueError if it can't play with that many players under these rules."""

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A legal action for each game (int64 [B]) from observations [B, size] and legal actions [B, num_actions]."""


@runtime_checkable
class Judge(Protocol):
    """A player that evaluates positions, for analysis."""

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """The expected return of the seat to move, in the player's training reward, and a probability for each legal
        action."""


def mover_view(state: State, seed: int) -> State:
    """A copy of *state* that contains only what the player to move may know, for :meth:`Player.act`.

    Everything hidden from that seat, including the random stream and the game's seed, is redrawn from *seed*. If *seed*
    doesn't depend on hidden information, neither does anything in the copy.
    """
    return state.resample_hidden(state.current_player(), seed)
