"""Ratings during a run, game by game, by OpenSkill's Plackett-Luce model (as the arena's, for 2 to 4 players)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any


class RunningRatings:
    """Strength (25 for who begins from nothing) and its standard deviation, by name.

    Who learns changes: the model's own growth of uncertainty between games lets ratings follow.
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
        """*name* begins with the rating that *like* has now."""
        mu, sigma = self.of(like)
        self._ratings[name] = self._model.rating(mu=mu, sigma=sigma, name=name)

    def forget(self, name: str) -> None:
        self._ratings.pop(name, None)

    def played(self, names: Sequence[str], utilities: Sequence[float]) -> None:
        """A game of *names* by seat ended with *utilities*. Copies of one player count as one with their mean."""
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
        """Ratings from :meth:`to_dict`. ValueError for numbers that are none."""
        ratings = {}
        for name, (mu, sigma) in saved.items():
            if not (math.isfinite(mu) and 0 < sigma < math.inf):
                raise ValueError(f"the rating of {name!r} can't be {mu} ± {sigma}")
            ratings[str(name)] = self._model.rating(mu=float(mu), sigma=float(sigma), name=str(name))
        self._ratings = ratings
