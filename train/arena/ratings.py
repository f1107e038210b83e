"""Ratings with uncertainty for games of two or more players, by OpenSkill's Plackett-Luce model."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from train.arena.play import Outcome

# The model updates game by game, so ratings depend a little on the order of games: they are averaged over shuffled orders.
_ORDERS = 8


@dataclass(frozen=True)
class Rating:
    """*mu* is the strength (25 before the first game), *sigma* its standard deviation."""

    mu: float
    sigma: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the strength."""
        return self.mu - 1.96 * self.sigma, self.mu + 1.96 * self.sigma


def rate(outcomes: Iterable[Outcome], labels: Sequence[str]) -> dict[str, Rating]:
    """Ratings by label. Copies of a player in one game count once, with their mean place."""
    from openskill.models import PlackettLuce

    games = [places for places in map(_mean_places, outcomes) if len(places) > 1]
    sums = {label: [0.0, 0.0] for label in labels}
    for order in range(_ORDERS):
        # tau is for players whose strength changes between games.
        model = PlackettLuce(tau=0.0)
        ratings = {label: model.rating(name=label) for label in labels}
        shuffled = games.copy()
        random.Random(order).shuffle(shuffled)
        for places in shuffled:
            rated = model.rate([[ratings[label]] for label in places], ranks=list(places.values()))
            for label, (rating,) in zip(places, rated, strict=True):
                ratings[label] = rating
        for label, rating in ratings.items():
            sums[label][0] += rating.mu / _ORDERS
            sums[label][1] += rating.sigma / _ORDERS
    return {label: Rating(mu, sigma) for label, (mu, sigma) in sums.items()}


def _mean_places(outcome: Outcome) -> dict[str, float]:
    return {label: sum(places) / len(places) for label, places in outcome.places_by_label().items()}
