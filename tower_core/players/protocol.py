"""The interfaces of players: called from Python, or compiled into the loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.compiling import CompilingDisabledError
from tower_core.game import Game
from tower_core.imported import one_line
from tower_core.options import check_whole
from tower_core.state import State


@dataclass(frozen=True)
class Native:
    """A compiled ``int64 choose(record address, stream address, options)``; *keep* holds whatever must stay alive."""

    address: int
    options: int = 0
    keep: Any = None


@runtime_checkable
class Player(Protocol):
    """A player of one seat. It may also have

    - ``name``: a string for messages and tables (default: the name of its class);
    - ``native``: a :class:`Native` for use inside the compiled loops;
    - ``must_play(num_players, rules)``: ValueError if it can't play such games, called before they start;
    - ``act_on_rows`` (:class:`RowsPlayer`), ``judge`` (:class:`Judge`), ``rank`` (:class:`Ranker`).
    """

    def act(self, state: State) -> int:
        """A legal action for ``state.current_player()``. Environments pass it a :func:`mover_view`."""


@runtime_checkable
class RowsPlayer(Protocol):
    """A player that acts in many games at once, using only the observations of the seats to move."""

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A legal action for each game (int64 [B]) from observations [B, size] and legal actions [B, num_actions]."""


@runtime_checkable
class Judge(Protocol):
    """A player that evaluates positions, for analysis."""

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """The expected return of the seat to move, in the player's training reward, and a probability for each legal
        action."""


class Choice(NamedTuple):
    """One of the turns or actions that a player considers: its *actions* in order, and its *value* for the seat to move."""

    actions: tuple[int, ...]
    value: float


@runtime_checkable
class Ranker(Protocol):
    """A player that lists what it would rather play than the rest."""

    unit: str
    """unit of the values, such as "points"; they are comparable within one answer"""

    def rank(self, state: State, n: int) -> list[Choice]:
        """At most *n* (at least 1) choices for the seat to move, the preferred one first."""


def native_of(player: Any) -> Native | None:
    """The compiled function of a player; None for a Python player."""
    return getattr(player, "native", None)


def must_play(player: Any, num_players: int, rules: Any) -> None:
    """ValueError if a player can't play with that many players under these rules, or fails to say so."""
    check = getattr(player, "must_play", None)
    if check is None:
        return
    try:
        check(num_players, rules)
    except (ValueError, CompilingDisabledError):
        raise
    except (Exception, SystemExit) as error:
        raise ValueError(f"player {player_name(player)} failed in must_play: {one_line(error)}") from error


def player_name(player: Any) -> str:
    """The ``name`` of a player, a class or a function; without one, the name of the class or function."""
    name = getattr(player, "name", None)
    if isinstance(name, str) and name.strip():
        return " ".join(name.split())
    return getattr(player, "__name__", type(player).__name__)


def must_move(name: str, game: Game, state: State) -> None:
    """ValueError unless *state* is a game of *game* that isn't over; *name*: the player that is asked."""
    if state.game.name != game.name:
        raise ValueError(f"this {name} plays {game.name}, not {state.game.name}")
    if state.is_terminal():
        raise ValueError("the game is over: there is no player to move")


def best_actions(values: Mapping[int, float], n: int) -> list[Choice]:
    """The *n* actions with the highest values, best first; equal ones in the order of their numbers."""
    check_whole("n", n, 1, 1_000_000)
    best = sorted(values, key=lambda action: (-values[action], action))[:n]
    return [Choice((action,), float(values[action])) for action in best]


class FunctionPlayer:
    """A function from states to actions as a player."""

    def __init__(self, function: Callable[[State], int]) -> None:
        self.name, self.act = player_name(function), function


class OneRowPlayer:
    """A player that has ``act_on_rows`` only, with ``act``."""

    def __init__(self, player: RowsPlayer) -> None:
        self.name, self._player = player_name(player), player
        self.act_on_rows = player.act_on_rows

    def must_play(self, num_players: int, rules: Any) -> None:
        must_play(self._player, num_players, rules)

    def act(self, state: State) -> int:
        row = state._row(state.current_player())
        return int(self.act_on_rows(row[None], state.legal_actions_mask()[None])[0])


def mover_view(state: State, seed: int) -> State:
    """A copy of *state* that contains only what the player to move may know, for :meth:`Player.act`.

    Everything hidden from that seat, including the random stream and the game's seed, is redrawn from *seed*. If *seed*
    doesn't depend on hidden information, neither does anything in the copy.
    """
    return state.resample_hidden(state.current_player(), seed)
