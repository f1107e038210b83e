"""Ratings during a run, updated after every game, by OpenSkill's Plackett-Luce model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any


class RunningRatings:
    """Strength (25 without games) and its standard deviation, by name.

    The model's growth of uncertainty between games lets ratings follow a learner that changes.
    """

    def __init__(self) -> None:
        from openskill.models import PlackettLuce

        self._model = PlackettLuce()
        self._ratings: dict[str, Any] = {}

    def of(self, name: str) -> tuple[float, float]:
        """Strength and standard deviation."""
        rating = self._ratings.get(name) or self._model.rating(name=name)
        return float(rating.mu), float(rating.sigma)

    def begin(self, name: str, like: str) -> None:
        """Give *name* the present rating of *like*."""
        mu, sigma = self.of(like)
        self._ratings[name] = self._model.rating(mu=mu, sigma=sigma, name=name)

    def forget(self, name: str) -> None:
        self._ratings.pop(name, None)

    def played(self, names: Sequence[str], utilities: Sequence[float]) -> None:
        """Update the ratings with a game of *names* and *utilities* by seat; copies count once, with their mean utility."""
        own: dict[str, list[float]] = {}
        for name, utility in zip(names, utilities, strict=True):
            own.setdefault(name, []).append(float(utility))
        if len(own) < 2:
            return
        places = [-sum(values) / len(values) for values in own.values()]
        teams = [[self._ratings.get(name) or self._model.rating(name=name)] for name in own]
        for name, (rating,) in zip(own, self._model.rate(teams, ranks=places), strict=True):
            self._ratings[name] = rating

    def to_dict(self) -> dict[str, list[float]]:
        return {name: [rating.mu, rating.sigma] for name, rating in self._ratings.items()}

    def restore(self, saved: Mapping[str, Sequence[float]]) -> None:
        """Restore :meth:`to_dict`. ValueError for impossible ratings."""
        ratings = {}
        for name, (mu, sigma) in saved.items():
            if not (math.isfinite(mu) and 0 < sigma < math.inf):
                raise ValueError(f"the rating of {name!r} can't be {mu} ± {sigma}")
            ratings[str(name)] = self._model.rating(mu=float(mu), sigma=float(sigma), name=str(name))
        self._ratings = ratings
