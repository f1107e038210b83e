"""The tree search with an external evaluator, such as a network, that values positions in batches."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.search.leaves import LEAVES, compile_batches
from agents.search.player import MadeBy, Plug, SearchPlayer, Settings
from agents.search.tree import MAX_PATH, TURN_LENGTH
from tower_core.engine.batch_structs import MAX_SEATS, aligned
from tower_core.engine.loops import APPLY, MASK, OBSERVE
from tower_core.game import Game
from tower_core.state import State

EVALUATORS_GROUP = "towers.evaluators"
_FIRST_BATCH, _PER_SEEN = 8, 8  # size of the first batch; simulations after which batches grow by one


class Evaluator(Protocol):
    """Values positions and plays turns for the tree search.

    Packages register factories under the entry-point group ``towers.evaluators``. The entry point's name is an option of
    ``mcts``, and a factory is called as ``factory(game, value, **options)`` with the value of that option.
    """

    batch: int
    """Most positions per call of :meth:`value`; 0: the search uses the game's own evaluation only."""
    turns: int
    """Number of turns sampled at the root as further candidates (0: none)."""
    prior: float
    """Share of the prior that is the frequency of a turn among these samples (0 to 1)."""

    def must_play(self, num_players: int, rules: Any) -> None:
        """ValueError if it can't value games of *num_players* under *rules*."""

    def value(self, records: NDArray[Any], rows: NDArray[np.uint8], values: NDArray[np.float64]) -> None:
        """Update *values* [B, players], which hold the game's own evaluation, in the same unit.

        *records* [B]: the positions; *rows* [B, players, size]: each seat's observation of them.
        """

    def choose(
        self, rows: NDArray[np.uint8], masks: NDArray[np.bool_], random: np.random.Generator
    ) -> NDArray[np.int64]:
        """An action for each position [B], from observations [B, size] and masks [B, actions], sampled with *random*."""


class EvaluatedPlayer(SearchPlayer):
    """The tree search with an evaluator, which values leaves and adds candidate turns at the root.

    All randomness comes from the player's own stream.
    """

    def __init__(
        self, game: Game, seed: int, plug: Plug, settings: Settings, made_by: MadeBy, evaluator: Evaluator
    ) -> None:
        super().__init__(game, seed, plug, settings, made_by)
        self._evaluator = evaluator
        self._work_entry = compile_batches()[0]
        most = max(1, evaluator.batch)
        self._records = aligned(most, game.record)
        self._leaf_values = np.zeros((most, MAX_SEATS))
        self._rows = np.zeros(most * MAX_SEATS * game.observation_size, np.uint8)
        self._paths = np.zeros((most, MAX_PATH), np.int64)
        self._lengths = np.zeros(most, np.int64)
        self._leaves = np.zeros(1, LEAVES)
        self._leaves[0] = (
            most,
            self._records.ctypes.data,
            self._leaf_values.ctypes.data,
            self._rows.ctypes.data,
            game.observation_size,
            self._paths.ctypes.data,
            self._lengths.ctypes.data,
        )

    def must_play(self, num_players: int, rules: Any) -> None:
        """ValueError if the evaluator can't value such games."""
        self._evaluator.must_play(num_players, rules)

    def act(self, state: State) -> int:
        if state.game.name == self.game.name:
            self.must_play(state.num_players, state.rules)
        return super().act(state)

    def _work(self, count: int) -> int:
        return int(self._work_entry(self._problem.ctypes.data, self._leaves.ctypes.data, count))

    def _open(self) -> int:
        count = self._work(0)
        if self._evaluator.turns == 0:
            return count
        drawn = self._drawn_turns()
        own = [self._end_of(turn) for turn in self._root_turns(count)]
        # Turns that lead to the same position are one.
        times = dict.fromkeys(own, 0)
        for end, _ in drawn:
            times[end] = times.get(end, 0) + 1
        for end, turn in drawn:
            if end not in own and len(own) < len(self._turns) and int(self._problem["used"][0]) < len(self._nodes):
                self._add_turn(turn)
                own.append(end)
        share = self._evaluator.prior if drawn else 0.0
        children = self._children(len(own))
        children["prior"] *= 1.0 - share
        children["prior"] += share * np.array([times[end] for end in own]) / max(1, len(drawn))
        return len(own)

    def _children(self, count: int) -> NDArray[Any]:
        first = int(self._nodes[0]["first"])
        return self._nodes[first : first + count]

    def _root_turns(self, count: int) -> list[list[int]]:
        return [child["actions"][: child["length"]].tolist() for child in self._children(count)]

    def _add_turn(self, turn: list[int]) -> None:
        """Add a child to the root, with the value of the first one."""
        root, place = self._nodes[0], int(self._problem["used"][0])
        node = self._nodes[place]
        node["total"], node["visits"], node["waiting"], node["count"], node["prior"] = 0.0, 0, 0, 0, 0.0
        node["value"] = self._nodes[int(root["first"])]["value"]
        node["length"] = len(turn)
        node["actions"][: len(turn)] = turn
        root["count"] += 1
        self._problem["used"] += 1

    def _end_of(self, turn: list[int]) -> bytes:
        """The mover's observation after a turn."""
        work, seat = self._worlds[:1].copy(), int(self._nodes[0]["seat"])
        for action in turn:
            if self.game.entry(APPLY, work.ctypes.data, action, 0) != seat:
                break
        return self._seen(work, seat)

    def _drawn_turns(self) -> list[tuple[bytes, list[int]]]:
        """Turns sampled from the evaluator in the first world: the mover's last observation, and the actions.

        Turns too long for the tree are left out.
        """
        count, seat = self._evaluator.turns, int(self._nodes[0]["seat"])
        random = np.random.default_rng(self._random.next())
        records = aligned(count, self.game.record)
        records[:] = self._worlds[0]
        turn = self._turn_of(self._worlds[:1])
        actions: list[list[int]] = [[] for _ in range(count)]
        ends: list[bytes | None] = [None] * count
        rows = np.empty((count, self.game.observation_size), np.uint8)
        masks = np.empty((count, self.game.num_actions), np.uint8)
        going = list(range(count))
        for _ in range(TURN_LENGTH):
            for place, i in enumerate(going):
                self.game.entry(OBSERVE, records[i : i + 1].ctypes.data, seat, rows[place].ctypes.data)
                self.game.entry(MASK, records[i : i + 1].ctypes.data, 0, masks[place].ctypes.data)
            chosen = self._evaluator.choose(rows[: len(going)], masks[: len(going)] != 0, random).tolist()
            still = []
            for i, action in zip(going, chosen, strict=True):
                record = records[i : i + 1]
                actions[i].append(action)
                mover = self.game.entry(APPLY, record.ctypes.data, action, 0)
                if mover != seat or turn is None or self._turn_of(record) != turn:
                    ends[i] = self._seen(record, seat)
                else:
                    still.append(i)
            going = still
            if not going:
                break
        return [(end, turn) for end, turn in zip(ends, actions, strict=True) if end is not None]

    def _chunk(self, done: int) -> int:
        if not self._evaluator.batch:
            return super()._chunk(done)
        return min(self._evaluator.batch, _FIRST_BATCH + done // _PER_SEEN)

    def _simulate(self, count: int) -> None:
        if not self._evaluator.batch:
            super()._simulate(count)
            return
        self._work(count)
        seats = int(self._problem["seats"][0])
        size = self.game.observation_size
        rows = self._rows[: count * seats * size].reshape(count, seats, size)
        self._evaluator.value(self._records[:count], rows, self._leaf_values[:count, :seats])
        self._work(-count)
