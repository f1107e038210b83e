"""Players as the games see them: how one is asked, how one sits inside the compiled loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tower_core.state import State


@dataclass(frozen=True)
class Native:
    """A compiled ``int64 choose(record address, stream address, options)``; *keep* is whatever must outlive it."""

    address: int
    options: int = 0
    keep: Any = None


@runtime_checkable
class Player(Protocol):
    """A player of one seat."""

    name: str
    native: Native | None
    """Where it can sit inside the compiled loops; None if it must be asked from Python."""

    def act(self, state: State) -> int:
        """A legal action for ``state.current_player()``. Environments pass it a :func:`mover_view`."""


@runtime_checkable
class RowsPlayer(Player, Protocol):
    """A player that answers for many games at once, from nothing but what the seats to move see of them."""

    def must_play(self, num_players: int, rules: Any) -> None:
        """ValueError where it can't play games of so many players under these rules."""

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A legal action for each game (int64 [B]) from observations [B, size] and legal actions [B, num_actions]."""


@runtime_checkable
class Judge(Protocol):
    """A player that can say what it thinks of a position, for people who look into it."""

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """The expected return of the seat to move, in the reward that the player learned from, and a probability for
        each legal action."""


def mover_view(state: State, seed: int) -> State:
    """A copy of *state* that contains only what the player to move may know, for :meth:`Player.act`.

    Everything that the seat can't know, the random stream and the game's seed included, is drawn anew from *seed*. If
    *seed* doesn't depend on what is hidden, neither does anything in the copy.
    """
    return state.resample_hidden(state.current_player(), seed)
