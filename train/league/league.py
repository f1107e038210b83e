"""The league of a run: past copies of its network, how they are sampled, and the ratings of all players."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.envs.spaces import flat_row
from tower_core.players.protocol import Player
from tower_core.schema import read
from tower_core.state import State
from train.league.admission import Admission
from train.league.ratings import RunningRatings
from train.league.shares import LEAGUE, SELF, Share
from train.networks import TowersPolicy
from train.vec_env import Ended, TowersVecEnv

LEARNER = "learner"


class NetworkSeat:
    """A player of the batch whose network, *policy*, can be set later and replaced.

    It samples its actions; always playing the most probable one would repeat the same games.
    """

    def __init__(self, name: str, random: np.random.Generator, policy: TowersPolicy | None = None) -> None:
        self.name, self.policy, self._random = name, policy, random

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Actions [B] from observations [B, size] and masks [B, num_actions], in one forward pass."""
        if self.policy is None:
            raise ValueError(f"the league player {self.name!r} has no network yet")
        return self.policy.choose_rows(rows, masks, self._random)

    def act(self, state: State) -> int:
        """One action for the seat to move."""
        return int(self.act_on_rows(flat_row(state)[None], state.legal_actions_mask()[None])[0])


@dataclass
class Snapshot:
    """A copy of the learner after *steps* decisions, in the league since the environment's step *since*.

    The learner has won *won* of *games* games against it.
    """

    steps: int
    since: int
    won: float = 0.0
    games: int = 0

    @property
    def name(self) -> str:
        return f"snapshot-{self.steps}"


class League:
    """The players of a run's batch (:meth:`table`) and their weights, from *shares*.

    *admission* decides when a copy of the learner joins; beyond *size* members, the oldest is dropped. *choice*: "even"
    samples members uniformly, "hard" more often those that beat the learner. During the imitation of *stand_in*, that
    player replaces ``self`` and ``league``: an untrained network would teach nothing about games.
    """

    def __init__(
        self, shares: Sequence[Share], size: int, admission: Admission, choice: str, seed: int, stand_in: str = ""
    ) -> None:
        self.shares, self.admission, self.choice = list(shares), admission, choice
        self.random = np.random.default_rng([seed, 1])
        self.ratings = RunningRatings()
        self.imitating = False
        self.snapshots: list[Snapshot | None] = [None] * size
        self._self = NetworkSeat(SELF, self.random)
        self._seats = [NetworkSeat(LEAGUE, self.random) for _ in range(size)]
        self._players: list[tuple[str | Player, Share | None, int]] = []  # player, share, member (-1: none)
        for share in self.shares:
            if share.spec == LEAGUE:
                self._players += [(seat, share, k) for k, seat in enumerate(self._seats)]
            else:
                self._players.append((self._self if share.spec == SELF else share.spec, share, -1))
        self._stand_in = bool(stand_in) and any(share.spec in (SELF, LEAGUE) for share in self.shares)
        if self._stand_in:
            self._players.append((stand_in, None, -1))
        self._names = [self._name(player, member) for player, _, member in self._players]

    @staticmethod
    def _name(player: str | Player, member: int) -> str:
        if member >= 0:
            return ""  # the member's own
        return LEARNER if isinstance(player, NetworkSeat) else str(player)

    # ------------------------------------------------------------------------------------------ playing
    def table(self, done: float) -> list[tuple[str | Player, float]]:
        """Players and weights when a share *done* of the run is over, as a batch takes them."""
        return list(zip([player for player, _, _ in self._players], self.weights(done), strict=True))

    def weights(self, done: float) -> list[float]:
        """Weights of the table when a share *done* of the run is over."""
        probs = self._probs()
        own = sum(share.at(done) for share in self.shares if share.spec in (SELF, LEAGUE))
        waiting = self.imitating and self._stand_in
        weights = []
        for _, share, member in self._players:
            if share is None:
                weights.append(own if waiting else 0.0)
            elif share.spec in (SELF, LEAGUE) and waiting:
                weights.append(0.0)
            else:
                weights.append(share.at(done) * (probs[member] if member >= 0 else 1.0))
        return weights

    def _probs(self) -> list[float]:
        """The probability of each member; uniform while the league is empty."""
        odds = [0.0 if snapshot is None else self._odds(snapshot) for snapshot in self.snapshots]
        total = sum(odds)
        return [value / total for value in odds] if total else [1 / len(odds)] * len(odds)

    def _odds(self, snapshot: Snapshot) -> float:
        if self.choice == "even":
            return 1.0
        lost = 1 - (snapshot.won + 1) / (snapshot.games + 2)
        return 0.05 + lost * lost

    def sit_down(self, policy: TowersPolicy, env: TowersVecEnv) -> None:
        """Set the learner's network and environment."""
        self._self.policy, self._env = policy, env
        env.watch = self.watch

    def begin(self, steps: int, done: float, save: Callable[[str], None]) -> None:
        """Start self-play; imitation is over, or there was none."""
        self.imitating = False
        self.update(steps, done, save)

    def update(self, steps: int, done: float, save: Callable[[str], None]) -> bool:
        """Between two updates: set the weights for the share *done* of the run; returns whether a copy has joined.

        *save* is called with the file name of the copy (``league/STEPS.zip``).
        """
        joined = any(share.spec == LEAGUE for share in self.shares) and self.admission.due(steps)
        if joined:
            self._join(steps, save)
        self._env.batch.set_weights(self.weights(done))
        return joined

    def _join(self, steps: int, save: Callable[[str], None]) -> None:
        places = range(len(self.snapshots))
        place = min(places, key=lambda k: -1 if self.snapshots[k] is None else self.snapshots[k].steps)  # type: ignore[union-attr]
        leaving = self.snapshots[place]
        if leaving is not None:
            self.ratings.forget(leaving.name)
        snapshot = Snapshot(steps, self._env.ticks)
        save(file_name(steps))
        self.snapshots[place] = snapshot
        assert self._self.policy is not None
        self._seats[place].policy = frozen(self._self.policy)
        self.ratings.begin(snapshot.name, LEARNER)
        self.admission.admitted(steps)

    # ------------------------------------------------------------------------------------------ counting
    def watch(self, ended: Ended) -> None:
        """Update the ratings with finished games; not during imitation, when the learner plays the teacher's moves."""
        if self.imitating:
            return
        for row, learner in enumerate(ended.learners.tolist()):
            utilities = ended.utilities[row].tolist()
            start = self._env.ticks - int(ended.decisions[row])
            names = []
            for seat in range(len(utilities)):
                player = int(ended.opponents[row, seat])
                member = self._players[player][2]
                name = LEARNER if seat == learner else self._names[player]
                if seat != learner and member >= 0:
                    snapshot = self.snapshots[member]
                    if snapshot is None or start < snapshot.since:
                        break  # another copy played when the game started
                    name = snapshot.name
                names.append(name)
            else:
                self.count_game(names, utilities, learner)

    def count_game(self, names: Sequence[str], utilities: Sequence[float], learner: int) -> None:
        """Update ratings, members and admission with a game: names and utilities by seat, the *learner*'s seat."""
        self.ratings.played(names, utilities)
        present = {snapshot.name: snapshot for snapshot in self.snapshots if snapshot is not None}
        met = []
        for name, utility in zip(names, utilities, strict=True):
            if name in present:
                met.append(0.5 + 0.5 * float(np.sign(utilities[learner] - utility)))
                present[name].games += 1
                present[name].won += met[-1]
        if met:
            self.admission.played(float(np.mean(met)))

    def report(self) -> dict[str, Any]:
        """The league for the learning curve: ratings (mean, deviation), and the learner's games and win rate against each
        member, by its file in the run directory.
        """
        members = {}
        for snapshot in sorted((s for s in self.snapshots if s is not None), key=lambda s: s.steps):
            rating = self.ratings.of(snapshot.name)
            rate = snapshot.won / snapshot.games if snapshot.games else None
            members[file_name(snapshot.steps)] = {"rating": _rounded(rating), "games": snapshot.games, "rate": rate}
        others = {
            name: _rounded(self.ratings.of(name)) for name in dict.fromkeys(self._names) if name not in ("", LEARNER)
        }
        return {"rating": _rounded(self.ratings.of(LEARNER)), "members": members, "players": others}

    def figures(self) -> dict[str, float]:
        """Scalars for TensorBoard."""
        present = [snapshot for snapshot in self.snapshots if snapshot is not None]
        found = {"league/rating": self.ratings.of(LEARNER)[0], "league/size": float(len(present))}
        if present:
            found["league/best_member"] = max(self.ratings.of(snapshot.name)[0] for snapshot in present)
        if self.admission.won is not None:
            found["league/won"] = self.admission.won
        return found

    # ------------------------------------------------------------------------------------------ saved state
    def to_dict(self) -> dict[str, Any]:
        """Everything but the networks, which have files of their own, as JSON-able values."""
        return {
            "snapshots": [None if snapshot is None else asdict(snapshot) for snapshot in self.snapshots],
            "ratings": self.ratings.to_dict(),
            "admission": self.admission.to_dict(),
            "random": self.random.bit_generator.state,
        }

    def restore(self, saved: dict[str, Any], load: Callable[[str], TowersPolicy]) -> None:
        """Restore :meth:`to_dict`; *load* reads a member's network by its file name. ValueError if *saved* is damaged."""
        try:
            snapshots = read(list[Snapshot | None], saved["snapshots"], "snapshots")
            if len(snapshots) != len(self.snapshots):
                raise ValueError(f"the saved league has {len(snapshots)} places, not {len(self.snapshots)}")
            self.ratings.restore(saved["ratings"])
            self.admission.restore(saved["admission"])
            self.random.bit_generator.state = saved["random"]
        except (LookupError, TypeError, OverflowError, AttributeError) as error:
            raise ValueError(f"the saved league can't be read: {error}") from error
        self.snapshots = snapshots
        for seat, snapshot in zip(self._seats, snapshots, strict=True):
            seat.policy = None if snapshot is None else load(file_name(snapshot.steps))


def file_name(steps: int) -> str:
    """The file of a member's network in the run directory."""
    return str(Path("league") / f"{steps}.zip")


def frozen(policy: TowersPolicy) -> TowersPolicy:
    """A copy of a network that is not trained any further."""
    other = copy.deepcopy(policy)
    other.optimizer = None
    other.set_training_mode(False)
    return other.requires_grad_(False)  # type: ignore[no-any-return]


def _rounded(rating: tuple[float, float]) -> list[float]:
    return [round(rating[0], 3), round(rating[1], 3)]
