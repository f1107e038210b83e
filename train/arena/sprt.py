"""A sequential test of two players: pairs of games are played until one hypothesis on the Elo difference is accepted.

The test is the generalised sequential probability ratio test of engine testing frameworks such as fishtest, on the five scores
of a pair of games with the same seed. X. Li, J. Liu and Z. Ying, "Generalized Sequential Probability Ratio Test for Separate
Families of Hypotheses", Sequential Analysis 33 (2014); M. Van den Bergh, "The generalized SPRT in game testing" (fishtest).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tower_core.options import check_number
from train.arena.play import Outcome
from train.arena.schedule import line_ups
from train.arena.settings import ArenaSettings

_SCORES = np.arange(5) / 4  # win rates of the pairs with 0, ½, 1, 1½ and 2 wins
_UNSEEN = 1e-3  # pseudo-count of pairs with a score that has not occurred
_HALVINGS = 40


@dataclass(frozen=True)
class Sprt:
    """A test of H0: the Elo difference is *elo0*, against H1: it is *elo1*.

    *alpha*: probability of accepting H1 under H0; *beta*: of accepting H0 under H1. ValueError names an invalid number.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        check_number("sprt: elo0", self.elo0, -1000, 1000)
        check_number("sprt: elo1", self.elo1, -1000, 1000)
        check_number("sprt: alpha", self.alpha, 1e-6, 0.49)
        check_number("sprt: beta", self.beta, 1e-6, 0.49)
        if self.elo0 >= self.elo1:
            raise ValueError(f"sprt: elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """A test from ``elo0,elo1`` or ``elo0,elo1,alpha,beta``."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise ValueError(f"sprt must be elo0,elo1 such as 0,20, or elo0,elo1,alpha,beta, not {text!r}")
        return cls(*numbers)

    @property
    def bounds(self) -> tuple[float, float]:
        """The test accepts H0 at or below the first log-likelihood ratio, H1 at or above the second (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: ArrayLike) -> NDArray[np.float64]:
        """Log-likelihood ratio of H1 to H0, float64 [...], from numbers of pairs by score [..., 5].

        Each hypothesis is the maximum-likelihood distribution of the five scores among those with its win rate.
        """
        counts = np.maximum(np.asarray(pairs, np.float64), _UNSEEN)
        rates = [1 / (1 + 10 ** (-elo / 400)) for elo in (self.elo0, self.elo1)]
        logs = [np.log1p(_tilt(counts, rate)[..., None] * (_SCORES - rate)) for rate in rates]
        found: NDArray[np.float64] = np.sum(counts * (logs[0] - logs[1]), axis=-1)
        return found


def _tilt(counts: NDArray[np.float64], rate: float) -> NDArray[np.float64]:
    """The multiplier x of the likeliest probabilities with a win rate, which are ``counts / (1 + x * (scores - rate))``
    but for a constant factor: the root of the derivative, by bisection."""
    away = _SCORES - rate
    low = np.full(counts.shape[:-1], -1 / away[-1])
    high = np.full(counts.shape[:-1], -1 / away[0])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        above = np.sum(counts * away / (1 + middle[..., None] * away), axis=-1) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    found: NDArray[np.float64] = (low + high) / 2
    return found


class SequentialTest:
    """A test of the two players of an arena. Pairs are counted in the order of their seeds, in whatever order games end, until
    the test decides; later games don't count.

    ValueError unless the arena has two players and only games between them.
    """

    def __init__(self, sprt: Sprt, settings: ArenaSettings) -> None:
        line_up = line_ups(settings)
        if settings.players != 2 or len(line_up) != 1 or settings.guests:
            raise ValueError("a sequential test (--sprt) is of one pair of players, in games for two players")
        self.sprt = sprt
        self.first, self.second = line_up[0]
        self.pairs = [0] * 5
        """Numbers of pairs in which the first player won 0, ½, 1, 1½ and 2 games."""
        self.llr = 0.0
        self._next = settings.first_seed
        self._waiting: dict[int, list[float]] = {}

    @property
    def decision(self) -> str | None:
        """``"H0"`` or ``"H1"``; None while undecided."""
        low, high = self.sprt.bounds
        return "H0" if self.llr <= low else "H1" if self.llr >= high else None

    def add(self, outcome: Outcome) -> None:
        """Add a game; it counts when its pair and all pairs before it are complete."""
        mine, other = outcome.places if outcome.seats[0] == self.first else outcome.places[::-1]
        self._waiting.setdefault(outcome.seed, []).append((mine < other) + 0.5 * (mine == other))
        while self.decision is None and len(self._waiting.get(self._next, ())) == 2:
            self.pairs[round(2 * sum(self._waiting.pop(self._next)))] += 1
            self.llr = float(self.sprt.llr(self.pairs))
            self._next += 1

    def counts(self, outcome: Outcome) -> bool:
        """Whether a game is in one of the pairs counted."""
        return outcome.seed < self._next

    def __str__(self) -> str:
        sprt, (low, high) = self.sprt, self.sprt.bounds
        difference = f"the Elo difference of {self.first} from {self.second}"
        verdict = {
            "H1": f"accepted H1: {difference} is above {sprt.elo0:g}",
            "H0": f"accepted H0: {difference} is below {sprt.elo1:g}",
            None: f"undecided: {difference} may be {sprt.elo0:g} or {sprt.elo1:g}",
        }[self.decision]
        return (
            f"sprt {sprt.elo0:g},{sprt.elo1:g}: {verdict} ({sum(self.pairs)} pairs of games; LLR {self.llr:.2f}, bounds"
            f" {low:.2f} and {high:.2f}, alpha {sprt.alpha:g}, beta {sprt.beta:g})"
        )
