"""Win shares, intervals and their texts, for evaluations and the arena."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Rated:
    """A win rate with an interval; subclasses define :meth:`counted`."""

    def counted(self) -> tuple[float, int]:
        """Wins (a shared win counts in part) and number of games."""
        raise NotImplementedError

    @property
    def rate(self) -> float:
        won, games = self.counted()
        return won / max(games, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of ``rate`` (Wilson)."""
        return wilson(self.rate, max(self.counted()[1], 1))


def win_shares(utility: NDArray[Any]) -> NDArray[np.float64]:
    """Each player's share of a game's win, float64 [N, players], from the utilities [N, players] of finished games.

    First place wins; k players who share it get 1/k each. In one-player games, a utility above 0 is a win.
    """
    values = np.asarray(utility, np.float64)
    if values.shape[1] == 1:
        return (values > 0).astype(np.float64)
    first = values > values.max(axis=1, keepdims=True) - 1e-6
    shares: NDArray[np.float64] = first / first.sum(axis=1, keepdims=True)
    return shares


def wilson(rate: float, games: int) -> tuple[float, float]:
    """95 % interval of a rate (Wilson's score interval). It is conservative for rates with shared wins."""
    z = 1.959964
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    return max(0.0, centre - half), min(1.0, centre + half)


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of rates and its 95 % interval (Student's t), within 0 to 1; of a single rate, that rate three times."""
    mean, count = float(np.mean(values)), len(values)
    half = _student(count - 1) * float(np.std(values, ddof=1)) / math.sqrt(count) if count > 1 else 0.0
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def _student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t distribution; from 4 degrees of freedom on a series with an error below 0.3 %."""
    if freedom < 4:
        return (12.706, 4.303, 3.182)[freedom - 1]
    z = 1.959964
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))


def percent(rate: float, digits: int = 0) -> str:
    """A rate as text, such as "52 %"; "–" for NaN."""
    return "–" if math.isnan(rate) else f"{100 * rate:.{digits}f} %"


def percents(low: float, high: float) -> str:
    """An interval of rates as text, such as "48.1–55.9 %"."""
    return f"{100 * low:.1f}–{100 * high:.1f} %"
