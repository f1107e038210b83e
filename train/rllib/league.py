"""The league of a run whose games are played by workers, which report them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from train.league import LEAGUE, SELF
from train.league.league import LEARNER, League
from train.networks import TowersPolicy

MAIN = "main"
"""The RLModule that learns."""


def league_module(member: int) -> str:
    """The RLModule of a league member."""
    return f"league_{member}"


@dataclass(frozen=True)
class Place:
    """A possible player of a seat: an RLModule, or the scripted player *name* if *module* is empty."""

    module: str
    name: str
    weight: float


@dataclass(frozen=True)
class Played:
    """A finished game: players by seat, the *learner*'s seat, utilities by seat, the learner's points."""

    names: tuple[str, ...]
    learner: int
    utilities: list[float]
    score: float

    @property
    def won(self) -> bool:
        return self.utilities[self.learner] == 1


class DistantLeague(League):
    """The league of :mod:`train.league`, except that its games are reported afterwards."""

    def places(self, done: float) -> list[Place]:
        """The possible players and their weights when a share *done* of the run is over."""
        found = []
        for (player, share, member), weight in zip(self._players, self.weights(done), strict=True):
            if share is None:
                continue
            if share.spec == SELF:
                found.append(Place(MAIN, MAIN, weight))
            elif share.spec == LEAGUE:
                snapshot = self.snapshots[member]
                found.append(Place(league_module(member), snapshot.name if snapshot else "", weight))
            else:
                found.append(Place("", str(player), weight))
        return found

    def count(self, games: Iterable[Played]) -> None:
        """Update the ratings with *games*; games with a member that has been dropped since do not count."""
        present = {snapshot.name for snapshot in self.snapshots if snapshot is not None}
        for game in games:
            names = [LEARNER if name == MAIN else name for name in game.names]
            if all(name in present for name in names if name.startswith("snapshot-")):
                self.count_game(names, game.utilities, game.learner)

    @property
    def newest(self) -> int:
        """The member that joined last."""
        return max(range(len(self.snapshots)), key=lambda k: s.steps if (s := self.snapshots[k]) else -1)

    def network(self, member: int) -> TowersPolicy:
        policy = self._seats[member].policy
        assert policy is not None
        return policy
