"""What counts as a win, and how sure a rate is: the arithmetic that evaluations and the arena share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Rated:
    """A rate with an interval; subclasses define in :meth:`counted` what it is the rate of."""

    def counted(self) -> tuple[float, int]:
        """How much was won (a shared win counts in part), and of how many games."""
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
    """float64 [N, players]: of each game's win, who has how much, from the utilities [N, players] of finished games.

    The first rank wins; k players who share it have 1/k each. A player alone has won where the utility is above 0.
    """
    values = np.asarray(utility, np.float64)
    if values.shape[1] == 1:
        return (values > 0).astype(np.float64)
    first = values > values.max(axis=1, keepdims=True) - 1e-6
    shares: NDArray[np.float64] = first / first.sum(axis=1, keepdims=True)
    return shares


def wilson(rate: float, games: int) -> tuple[float, float]:
    """95 % interval of a rate (Wilson's score interval). Half wins make it wider than it need be, never too narrow."""
    z = 1.959964
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    return max(0.0, centre - half), min(1.0, centre + half)
