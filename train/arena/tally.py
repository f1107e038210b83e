"""Counting outcomes: win rates with intervals, points, times and faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from train.arena.play import Outcome
from train.arena.ratings import Rating, rate
from train.statistics import Rated, win_shares


@dataclass
class Pairing(Rated):
    """Games in which both *first* and *second* played.

    ``ahead`` counts how often *first* ranked above *second*: ties count half, copies of a player by their mean. With two
    players that is the number of wins.
    """

    first: str
    second: str
    games: int = 0
    ahead: float = 0.0
    level: float = 0.0
    """Ties; fractions where copies of a player sat at the table."""

    def counted(self) -> tuple[float, int]:
        return self.ahead, self.games

    @property
    def pairs(self) -> list[int]:
        """With two players: number of pairs (a seed in both seat orders) in which *first* has 0, ½, 1, 1½ and 2 wins."""
        return pentanomial(won for won, games in self.blocks.values() if games == 2)


@dataclass
class WinRate(Rated):
    """Games of one copy of *player* against copies of *against*; a first place shared by k counts 1/k."""

    player: str
    against: str
    games: int = 0
    wins: float = 0.0

    def counted(self) -> tuple[float, int]:
        return self.wins, self.games


@dataclass
class Entrant(Rated):
    """One player over all its games; a game in which it has two seats counts twice."""

    label: str
    seats: int = 0
    wins: float = 0.0
    """Shares of wins: a first place shared by k counts 1/k."""
    by_seat: list[list[float]] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    moves: int = 0
    turns: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    cpu: list[float] = field(default_factory=list)
    """CPU time of its turns, where it was kept."""
    faults: dict[str, int] = field(default_factory=dict)
    first_fault: str = ""
    rating: Rating | None = None

    def counted(self) -> tuple[float, int]:
        return self.wins, self.seats

    @property
    def seat_rates(self) -> list[float]:
        """Win share by seat; NaN without games there."""
        return [float(np.mean(shares)) if shares else float("nan") for shares in self.by_seat]

    @property
    def mean_points(self) -> float:
        """Points per game without faults; NaN if there is none."""
        return float(np.mean(self.points)) if self.points else float("nan")


@dataclass
class Tally:
    """The results of an arena. Each pair of labels has one pairing, in the order of the labels."""

    players: int
    games: int
    truncated: int
    entrants: dict[str, Entrant]
    pairings: dict[tuple[str, str], Pairing]
    win_rates: dict[tuple[str, str], WinRate]
    """By player and opponent, for pairs that met alone at a table."""

    def ahead(self, first: str, second: str) -> Pairing | None:
        """The pairing seen from *first*; None if the two never met."""
        if (first, second) in self.pairings:
            return self.pairings[first, second]
        other = self.pairings.get((second, first))
        blocks = {seed: (games - won, games) for seed, (won, games) in other.blocks.items()} if other else {}
        return other and Pairing(first, second, other.games, other.games - other.ahead, other.level, blocks=blocks)


def pentanomial(scores: Iterable[float]) -> list[int]:
    """How many pairs of games have the scores 0, ½, 1, 1½ and 2."""
    counts = [0] * 5
    for score in scores:
        counts[round(2 * score)] += 1
    return counts


def tally(outcomes: Iterable[Outcome], labels: Sequence[str], players: int) -> Tally:
    """Count *outcomes* of games with *players* seats; *labels* are all players in them."""
    outcomes = list(outcomes)
    entrants = {label: Entrant(label, by_seat=[[] for _ in range(players)]) for label in labels}
    pairings: dict[tuple[str, str], Pairing] = {}
    win_rates: dict[tuple[str, str], WinRate] = {}
    for outcome in outcomes:
        shares = win_shares(-np.array([outcome.places]))[0]
        for seat, label in enumerate(outcome.seats):
            entrant = entrants[label]
            entrant.seats += 1
            entrant.wins += float(shares[seat])
            entrant.add(outcome.seed, float(shares[seat]))
            entrant.by_seat[seat].append(float(shares[seat]))
            entrant.moves += outcome.moves[seat]
            entrant.turns += outcome.turns[seat]
            entrant.seconds += outcome.seconds[seat]
            entrant.slowest = max(entrant.slowest, outcome.slowest[seat])
            entrant.cpu += outcome.cpu[seat] if outcome.cpu else []
            others = {*outcome.seats[:seat], *outcome.seats[seat + 1 :]}
            if len(others) == 1 and label not in others:
                (other,) = others
                win_rate = win_rates.setdefault((label, other), WinRate(label, other))
                win_rate.games += 1
                win_rate.wins += float(shares[seat])
                win_rate.add(outcome.seed, float(shares[seat]))
            if outcome.scores is not None:
                entrant.points.append(outcome.scores[seat])
        if outcome.fault is not None:
            entrant, kind = entrants[outcome.seats[outcome.fault.seat]], outcome.fault.kind
            entrant.faults[kind] = entrant.faults.get(kind, 0) + 1
            entrant.first_fault = entrant.first_fault or f"{kind}: {outcome.fault.message} (seed {outcome.seed})"
        _count_pairs(pairings, outcome, labels)
    for label, rating in rate(outcomes, labels).items():
        entrants[label].rating = rating
    order = {pair: pairings[pair] for pair in combinations(labels, 2) if pair in pairings}
    return Tally(players, len(outcomes), sum(outcome.truncated for outcome in outcomes), entrants, order, win_rates)


def _count_pairs(pairings: dict[tuple[str, str], Pairing], outcome: Outcome, labels: Sequence[str]) -> None:
    places = outcome.places_by_label()
    for a, b in combinations(sorted(places, key=labels.index), 2):
        difference = np.subtract.outer(places[a], places[b])
        pairing = pairings.setdefault((a, b), Pairing(a, b))
        pairing.games += 1
        ahead = float(np.mean((difference < 0) + 0.5 * (difference == 0)))
        pairing.ahead += ahead
        pairing.add(outcome.seed, ahead)
        pairing.level += float(np.mean(difference == 0))
