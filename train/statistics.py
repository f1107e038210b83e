"""Win shares, intervals and their texts, for evaluations and the arena."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Z = 1.959964  # the 97.5 % quantile of the normal distribution


@dataclass
class Rated:
    """A win rate of games in blocks; subclasses define :meth:`counted`. The games of one seed are correlated: they are
    one block."""

    blocks: dict[int, tuple[float, int]] = field(default_factory=dict, kw_only=True, repr=False)
    """Wins and games by seed. Without blocks, games count as independent."""

    def add(self, seed: int, won: float) -> None:
        """Count a game in its block."""
        before, games = self.blocks.get(seed, (0.0, 0))
        self.blocks[seed] = before + won, games + 1

    def counted(self) -> tuple[float, int]:
        """Wins (a shared win counts in part) and number of games."""
        raise NotImplementedError

    @property
    def rate(self) -> float:
        won, games = self.counted()
        return won / max(games, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of ``rate`` (:func:`block_interval`)."""
        if self.blocks:
            return block_interval(list(self.blocks.values()))
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


def wilson(rate: float, games: float) -> tuple[float, float]:
    """95 % interval of the rate of independent games (Wilson's score interval)."""
    centre = (rate + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z / (1 + Z * Z / games) * math.sqrt(rate * (1 - rate) / games + Z * Z / (4 * games * games))
    return max(0.0, centre - half) if rate > 0 else 0.0, min(1.0, centre + half) if rate < 1 else 1.0


def block_interval(blocks: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """95 % interval of a rate from the wins and games of independent blocks.

    Wilson's interval with the effective number of independent games: the variance between blocks, as for a ratio estimator,
    replaces the binomial variance, and Student's t the normal distribution (Korn and Graubard's method for cluster samples).
    One pseudo-block of independent games keeps the variance above 0.
    """
    won, games = np.array(blocks, np.float64).T
    count, total = len(games), float(games.sum())
    rate = float(won.sum()) / total
    between = float(np.sum((won - rate * games) ** 2)) * count / max(count - 1, 1)
    imagined = total / count / 4
    design = (between + imagined) / (total * rate * (1 - rate) + imagined)
    return wilson(rate, total / design * (Z / _student(count)) ** 2)


def elo(rate: float) -> float:
    """The Elo difference at which a player is expected to win *rate*; infinite at 0 and 1."""
    if not 0 < rate < 1:
        return math.copysign(math.inf, rate - 0.5)
    return 400 * math.log10(rate / (1 - rate))


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of rates and its 95 % interval (Student's t), within 0 to 1; of a single rate, that rate three times."""
    mean, count = float(np.mean(values)), len(values)
    half = _student(count - 1) * float(np.std(values, ddof=1)) / math.sqrt(count) if count > 1 else 0.0
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def _student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t distribution; from 4 degrees of freedom on a series with an error below 0.3 %."""
    if freedom < 4:
        return (12.706, 4.303, 3.182)[freedom - 1]
    terms = (
        Z,
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    )
    return float(sum(term / freedom**power for power, term in enumerate(terms)))


def percent(rate: float, digits: int = 0) -> str:
    """A rate as text, such as "52 %"; "–" for NaN."""
    return "–" if math.isnan(rate) else f"{100 * rate:.{digits}f} %"


def percents(low: float, high: float) -> str:
    """An interval of rates as text, such as "48.1–55.9 %"."""
    return f"{100 * low:.1f}–{100 * high:.1f} %"


def elo_text(low: float, high: float) -> str:
    """An interval of Elo differences between the rates *low* and *high*, such as "-12 to +31"; open where a rate is 0 or 1."""
    ends = [elo(rate) for rate in (low, high)]
    if math.isinf(ends[1]):
        return f"at least {ends[0]:+.0f}" if math.isfinite(ends[0]) else "–"
    return f"{ends[0]:+.0f} to {ends[1]:+.0f}" if math.isfinite(ends[0]) else f"at most {ends[1]:+.0f}"
