"""Ratings with uncertainty for games of two or more players: Bradley-Terry strengths in Elo."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from train.arena.play import Outcome

_ELO = 400 / math.log(10)  # Elo per unit of log-odds
_MOST_STEPS = 100


@dataclass(frozen=True)
class Rating:
    """*mu* is the strength in Elo above the reference player, *sigma* the standard error of this difference.

    *sigma* is infinite for players that no chain of games connects to the reference.
    """

    mu: float
    sigma: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the strength."""
        return self.mu - 1.96 * self.sigma, self.mu + 1.96 * self.sigma


def rate(outcomes: Iterable[Outcome], labels: Sequence[str], reference: str | None = None) -> dict[str, Rating]:
    """Maximum-likelihood ratings by label; *reference* has rating 0.

    By default, the reference is the player whose games say most about the others, which keeps the errors small.
    Every two players of a game are one comparison; a tie is half a win, and copies of a player count once, with their mean
    place. As a prior, each pair that met gets one win on each side, so the rating of a player that always wins is finite.
    Standard errors come from the variance between seeds (a sandwich estimator), because the games of a seed are correlated.
    """
    index = {label: i for i, label in enumerate(labels)}
    compared: list[tuple[int, int, float, int]] = []  # two players, the result of the first, the block
    for outcome in outcomes:
        places = {index[label]: sum(p) / len(p) for label, p in outcome.places_by_label().items()}
        for a, b in combinations(sorted(places), 2):
            compared.append((a, b, 0.5 + 0.5 * np.sign(places[b] - places[a]), outcome.seed))
    met = sorted({pair[:2] for pair in compared})
    compared += [(a, b, won, -1 - 2 * i - won) for i, (a, b) in enumerate(met) for won in (0, 1)]
    if not met:
        return {label: Rating(0.0, math.inf) for label in labels}
    sides = np.zeros((len(compared), len(labels)))  # 1 for the first player, -1 for the second
    for row, (a, b, *_) in enumerate(compared):
        sides[row, a], sides[row, b] = 1.0, -1.0
    won = np.array([row[2] for row in compared])
    blocks, block = np.unique([str(row[3]) for row in compared], return_inverse=True)
    strength = np.zeros(len(labels))
    for _ in range(_MOST_STEPS):
        chance = 1 / (1 + np.exp(-sides @ strength))
        information = sides.T @ (sides * (chance * (1 - chance))[:, None])
        inverse = np.linalg.pinv(information, hermitian=True)
        step = inverse @ sides.T @ (won - chance)
        strength += step / max(1.0, np.abs(step).max())  # long steps may diverge
        if np.abs(step).max() < 1e-9:
            break
    by_block = np.zeros((len(blocks), len(labels)))
    np.add.at(by_block, block, sides * (won - chance)[:, None])
    zero = int(np.argmax(np.diag(information))) if reference is None else index[reference]
    above = np.eye(len(labels)) - np.eye(len(labels))[zero]  # a row per player: its strength less that of the reference
    errors = np.sqrt(np.diag(above @ inverse @ by_block.T @ by_block @ inverse @ above.T))
    known = np.isclose(above @ information @ inverse, above, atol=1e-6).all(axis=1)
    return {
        label: Rating(_ELO * float(strength[i] - strength[zero]), _ELO * float(errors[i]) if known[i] else math.inf)
        for label, i in index.items()
    }
