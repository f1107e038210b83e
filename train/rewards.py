"""Rewards of the user's own, computed from the arrays of all games at once: ``--reward file.py:function``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tower_core.envs.batch import Batch
from tower_core.game import Game
from tower_core.imported import import_named, one_line

_TOO_LARGE = 1e30  # for sums in float32


@dataclass(frozen=True)
class Games:
    """N positions, each seen by one seat. Arrays are read-only by convention."""

    game: Game
    records: NDArray[Any]
    """[N] of the game's record dtype, complete: use only what the seat may know"""
    rows: NDArray[np.uint8]
    """[N, size]: the seats' observations; ``game.split(rows)`` gives the parts"""
    seats: NDArray[np.int64]
    """[N]"""
    utilities: NDArray[np.float32]
    """[N]: the seats' utilities where the game is over, otherwise 0"""

    @cached_property
    def over(self) -> NDArray[np.bool_]:
        """[N]: the game has ended."""
        return np.asarray(self.records["to_move"] < 0)

    @cached_property
    def scores(self) -> NDArray[np.int64]:
        """[N, players]: points of every seat."""
        return np.asarray(self.records["score"][:, : int(self.records["num_players"][0])], np.int64)

    @property
    def own_scores(self) -> NDArray[np.int64]:
        """[N]: points of the seats."""
        return self.scores[np.arange(len(self.seats)), self.seats]

    @property
    def best_other_scores(self) -> NDArray[np.int64]:
        """[N]: most points of another seat (0 in one-player games)."""
        others = self.scores.copy()
        others[np.arange(len(self.seats)), self.seats] = np.iinfo(np.int64).min
        return others.max(axis=1) if others.shape[1] > 1 else np.zeros(len(others), np.int64)


class OwnReward(Protocol):
    """A reward: floats [N] for the decisions of N learners."""

    def __call__(self, before: Games, actions: NDArray[np.int64], after: Games) -> Any:
        """*before*: the positions of the decisions; *after*: those of the learners' next decisions, or the ends."""


@dataclass(frozen=True)
class Potential:
    """Potential-based shaping: gamma × Φ(after) − Φ(before) + utility at the end, with Φ = 0 once a game is over.

    The best policies are those of the reward ``outcome``. *function*: Games to Φ, floats [N]. Use :func:`potential`.
    """

    function: Callable[[Games], Any]

    @property
    def __wrapped__(self) -> Callable[[Games], Any]:
        return self.function

    def value(self, games: Games) -> NDArray[np.float64]:
        """Φ [N]."""
        try:
            values = self.function(games)
        except (Exception, SystemExit) as error:
            raise _fails(self.function, error) from error
        return np.where(games.over, 0.0, _floats(values, len(games.seats), self.function))


def potential(function: Callable[[Games], Any]) -> Potential:
    """A decorator that makes a potential Φ, a function from :class:`Games` to floats [N], a reward."""
    return Potential(function)


def load_reward(spec: str) -> OwnReward | Potential:
    """The reward ``package.module:function`` or ``file.py:function``. ValueError if it can't be used."""
    found = import_named(spec, "reward")
    if not callable(found) and not isinstance(found, Potential):
        raise ValueError(f"reward {spec!r} must be a function, not a {type(found).__name__}")
    return found  # type: ignore[no-any-return]


class RewardOfBatch:
    """An own *reward* for the learners of a batch, with discount factor *gamma* per decision for potentials."""

    def __init__(self, batch: Batch, reward: OwnReward | Potential, gamma: float) -> None:
        self.batch, self.reward, self.gamma = batch, reward, gamma

    def begin(self) -> None:
        """Call before a step: keep the positions of the decisions."""
        batch = self.batch
        self._before = self._games(batch.games.copy(), batch.observation.copy(), batch.learner.copy())

    def pay(self, actions: NDArray[np.int64]) -> NDArray[np.float32]:
        """Call after the step, while the records of ended games are still there: the rewards [N].

        ValueError, one line, if the reward fails or doesn't give N finite numbers.
        """
        batch, before = self.batch, self._before
        over = batch.to_move < 0
        rows = np.where(over[:, None], batch.final_observation, batch.observation)
        after = self._games(batch.games.copy(), rows, before.seats)
        if isinstance(self.reward, Potential):
            shaping = self.gamma * self.reward.value(after) - self.reward.value(before)
            return (shaping + after.utilities).astype(np.float32)
        try:
            paid = self.reward(before, actions, after)
        except (Exception, SystemExit) as error:
            raise _fails(self.reward, error) from error
        return _floats(paid, len(before.seats), self.reward).astype(np.float32)

    def _games(self, records: NDArray[Any], rows: NDArray[np.uint8], seats: NDArray[Any]) -> Games:
        seats = seats.astype(np.int64)
        utilities = np.where(records["to_move"] < 0, self.batch.final_utility[np.arange(len(seats)), seats], 0)
        return Games(self.batch.game, records, rows, seats, utilities.astype(np.float32))


def _floats(values: Any, count: int, function: Any) -> NDArray[np.float64]:
    try:
        array = np.asarray(values)
    except Exception as error:  # of lists and tensors
        raise _fails(function, error) from error
    if array.dtype.kind not in "biuf":
        kind = f"of type {array.dtype}"
    elif array.shape != (count,):
        kind = f"of shape {array.shape}"
    elif not (np.abs(array.astype(np.float64)) < _TOO_LARGE).all():
        kind = f"not all between -{_TOO_LARGE:g} and {_TOO_LARGE:g}"
    else:
        return array.astype(np.float64)
    raise ValueError(f"reward {_name(function)!r} must return {count} finite numbers; they are {kind}")


def _fails(function: Any, error: BaseException) -> ValueError:
    return ValueError(f"reward {_name(function)!r} fails: {one_line(error)}")


def _name(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)
