"""Regret: how much a player loses per turn in the positions of a set, compared with the best of their turns."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.players.loading import PlayerSource
from tower_core.players.protocol import must_play
from tower_core.players.specs import label_of, make_player
from tower_core.schema import read
from train.regret.labels import SHARE, Labeller, Turn, Worlds, play_turn
from train.regret.sets import PHASE_NAMES, Labelled, RegretSet, RegretSetError, stored

Values = NDArray[np.float64]
FOLDS = 5
"""Fewer bias the choice of the best turn, more make its value noisier."""


@dataclass(frozen=True)
class Mean:
    """A mean over at least two positions, with its standard error."""

    mean: float
    error: float
    positions: int


@dataclass(frozen=True)
class Regret:
    """The regret of a player per turn: in win share and in points, over all positions and in each phase with two or more.

    *new*: turns that are not among those of the set; *cpu*: CPU seconds per turn.
    """

    player: str
    share: dict[str, Mean]
    points: dict[str, Mean]
    new: int
    cpu: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def best_value(choose: Values, values: Values) -> float:
    """The value of the turn that looks best, estimated on worlds that were not used to select it.

    *choose*, *values*: float [turns, worlds]. The worlds are split into FOLDS parts. For each part, the turn with the highest
    sum of *choose* in the other parts is selected (the first of several), and its values in this part count. Their mean is an
    unbiased estimate of the value of this selection; the maximum of the turns' means would be too high.
    """
    part = np.arange(values.shape[1]) % FOLDS
    return sum(float(values[choose[:, part != k].sum(axis=1).argmax(), part == k].sum()) for k in range(FOLDS)) / len(
        part
    )


def promise(shares: Values, leads: Values) -> Values:
    """The selection criterion, float [turns, worlds]: win share plus lead, each in units of its standard deviation.

    Leads are more informative than shares if there are few worlds or the game is nearly decided.
    """
    return sum(values / (values.std() or 1.0) for values in (shares, leads))  # type: ignore[return-value]


class Measurer:
    """Measures players on a set; *cache* keeps the labels of their new turns, *positions* limits it to the first ones."""

    def __init__(self, regret_set: RegretSet, cache: Path | None = None, positions: int | None = None) -> None:
        self.set, settings = regret_set, regret_set.settings
        self.count = len(regret_set.entries) if positions is None else min(positions, len(regret_set.entries))
        game = settings.game_object
        continuation = make_player(settings.continuation, game)
        self._labeller = Labeller(game, settings.players, settings.rules_object, continuation, settings.worlds)
        self._cache = _Cache(cache, regret_set.digest)
        self._known: list[dict[bytes, Labelled]] = []
        self._checked = False

    def measure(self, player: str | PlayerSource, progress: Callable[[], None] = lambda: None) -> Regret:
        """The regret of a player. PlayerError if it fails, ValueError if it can't play these games."""
        settings = self.set.settings
        chooser = make_player(player, settings.game_object)
        must_play(chooser, settings.players, settings.rules_object)
        rows, new, seconds = [], 0, 0.0
        for i in range(self.count):
            state, worlds, known = self._position(i)
            start = time.process_time()
            actions = play_turn(state, chooser, settings.seed, i, 4)
            seconds += time.process_time() - start
            turn = worlds.turn(actions)
            new += turn.key not in known
            rows.append(self._regrets(i, known.get(turn.key) or self._label(i, worlds, turn)))
            progress()
        regrets, phases = np.array(rows), np.array([entry.phase for entry in self.set.entries[: self.count]])
        share, points = (
            {"all": mean(column)}
            | {name: mean(column[phases == p]) for p, name in enumerate(PHASE_NAMES) if (phases == p).sum() > 1}
            for column in regrets.T
        )
        return Regret(label_of(player), share, points, new, seconds / self.count)

    def _position(self, i: int) -> tuple[Any, Worlds, dict[bytes, Labelled]]:
        """State, worlds and turns (by key) of entry *i*."""
        state, settings, entry = self.set.state(i), self.set.settings, self.set.entries[i]
        worlds = Worlds(state, settings.worlds, settings.seed, entry.number)
        if len(self._known) <= i:  # replayed once for all players
            try:
                self._known.append({worlds.turn(turn.actions).key: turn for turn in entry.turns})
            except ValueError as error:
                raise RegretSetError(f"position {entry.number} doesn't fit the rules: {error}") from error
        return state, worlds, self._known[i]

    def _label(self, i: int, worlds: Worlds, turn: Turn) -> Labelled:
        """The label of a new turn, from the cache or played out."""
        if not self._checked:
            self.check(0)
            self._checked = True
        key = (self.set.entries[i].number, turn.actions)
        found = self._cache.get(key)
        if found is None:
            found = stored("new", turn, self._labeller.label(worlds, turn))
            self._cache.add(key, found)
        return found

    def check(self, i: int) -> None:
        """RegretSetError unless the labels of entry *i* are reproduced: new turns must be labelled as the set's were."""
        state, settings, entry = self.set.state(i), self.set.settings, self.set.entries[i]
        worlds = Worlds(state, settings.worlds, settings.seed, entry.number)
        for turn in entry.turns:
            found = worlds.turn(turn.actions)
            again = stored(turn.by, found, self._labeller.label(worlds, found))
            if again != turn:
                raise RegretSetError(
                    f"the labels of the set don't come out the same: {settings.continuation} or the rules have changed"
                )

    def _regrets(self, i: int, chosen: Labelled) -> tuple[float, float]:
        """Best value minus that of the chosen turn: in win share, in points."""
        shares, leads = self.set.labels(i)
        choose = promise(shares, leads)
        return (
            best_value(choose, shares) - float(np.mean(chosen.shares)) / SHARE,
            best_value(choose, leads) - float(np.mean(chosen.leads)),
        )


def mean(values: Values) -> Mean:
    """Mean and standard error of independent positions."""
    return Mean(float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values)), len(values))


class _Cache:
    """Labels by position and actions in a file of JSON lines; without a path, in memory."""

    def __init__(self, path: Path | None, digest: str) -> None:
        self._path, self._found = path, dict[tuple[int, tuple[int, ...]], Labelled]()
        if path is None:
            return
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(digest + "\n", "utf-8")
        head, *lines = path.read_text("utf-8").split("\n")
        if head != digest:
            raise RegretSetError(f"{path} belongs to another regret set: delete it, or name another file")
        for line in lines[:-1]:
            try:
                number, turn = json.loads(line)
                found = read(Labelled, turn, "turn")
            except (ValueError, TypeError):
                continue  # interrupted while it was written: it is labelled again
            self._found[number, tuple(found.actions)] = found

    def get(self, key: tuple[int, tuple[int, ...]]) -> Labelled | None:
        return self._found.get(key)

    def add(self, key: tuple[int, tuple[int, ...]], turn: Labelled) -> None:
        self._found[key] = turn
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([key[0], asdict(turn)]) + "\n")
