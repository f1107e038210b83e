"""Ratings with uncertainty, also of games with more than two players, by OpenSkill's Plackett-Luce model."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from train.arena.play import Outcome

# The model learns game by game, so that a rating depends a little on the order of games. Players of an arena don't
# change: the games are taken in several shuffled orders, and the ratings are averaged.
_ORDERS = 8


@dataclass(frozen=True)
class Rating:
    """*mu* is the strength (25 for everybody before the first game), *sigma* its standard deviation."""

    mu: float
    sigma: float

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the strength."""
        return self.mu - 1.96 * self.sigma, self.mu + 1.96 * self.sigma


def rate(outcomes: Iterable[Outcome], labels: Sequence[str]) -> dict[str, Rating]:
    """Ratings by label. Where several copies of a player sit at a table, their mean place counts."""
    from openskill.models import PlackettLuce

    games = [places for places in map(_mean_places, outcomes) if len(places) > 1]
    sums = {label: [0.0, 0.0] for label in labels}
    for order in range(_ORDERS):
        # tau is the growth of uncertainty between games of people who learn or tire.
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
    places: dict[str, list[int]] = {}
    for label, place in zip(outcome.seats, outcome.places, strict=True):
        places.setdefault(label, []).append(place)
    return {label: sum(own) / len(own) for label, own in places.items()}
