"""The player of the tree search: budgets, worlds, and the plan of a turn."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.tree import MAX_TURNS, NODE, PROBLEM, TURN, compile_search, turns_of
from tower_core.engine.batch_structs import MAX_SEATS, aligned
from tower_core.engine.loops import APPLY, OBSERVE, RESAMPLE
from tower_core.engine.random import SplitMix64, to_i64, to_u64
from tower_core.game import Game
from tower_core.options import check_number, check_whole
from tower_core.players.protocol import Choice, Native, must_move
from tower_core.state import State

_SALT = 0x2545F4914F6CDD1D
_MOST_NODES = 1 << 17
_LONGEST_CHUNK = 64
FIRST_SHARE = 0.8  # share of a turn's budget for its first search; later ones take half of the rest
MadeBy = tuple[Callable[..., "SearchPlayer"], Mapping[str, Any]]
"""The module-level factory of a player, and its options, for copies."""


@dataclass(frozen=True)
class Plug:
    """A game's part of the tree search (see agents/search/tree.py): addresses of its functions, and their options."""

    candidates: int
    evaluate: int
    wide: NDArray[Any]
    narrow: NDArray[Any]
    cheap: NDArray[Any]
    values: NDArray[Any]
    """Options of ``evaluate``."""
    turn_of: Callable[[NDArray[Any]], Hashable] | None
    """A key of the turn from a record [1], equal for all its decisions; None: each action has its own budget."""
    prepare: Callable[[NDArray[Any], int], None]
    """Called before each search with the record [1] and a seed for the game's functions."""
    paired: bool = False
    """Whether every turn of the root meets the same worlds in the same order; useful where chance matters much."""
    uses_chance: Callable[[NDArray[Any]], bool] = lambda record: False
    """Whether worlds that differ only in their random stream are different."""
    most_turns: int = MAX_TURNS
    """Most turns that ``candidates`` writes."""
    unit: str = "utility"
    """Unit of the values."""


@dataclass(frozen=True)
class Settings:
    """Settings of a search. The budget of a turn ends at *sims*, at *seconds* or at *cpu* (seconds of the process's CPU time),
    whichever comes first (None: no limit). Only one of the times can be set."""

    sims: int | None = 400
    seconds: float | None = None
    cpu: float | None = None
    worlds: int = 4
    playout: int = 0
    explore: float = 1.0
    scale: float = 10.0

    def __post_init__(self) -> None:
        if self.sims is None and self.limit is None:
            raise ValueError("mcts: give a budget: sims, seconds or cpu")
        if self.seconds is not None and self.cpu is not None:
            raise ValueError("mcts: give seconds or cpu, not both")
        for name, low, high in (("sims", 1, 10**9), ("worlds", 1, 10_000), ("playout", 0, 1000)):
            value = getattr(self, name)
            if value is None and name == "sims":
                continue
            check_whole(f"mcts: {name}", value, low, high)
        for name, lowest in (("seconds", 0.001), ("cpu", 0.001), ("explore", 0), ("scale", 0.001)):
            value = getattr(self, name)
            if value is None and name in ("seconds", "cpu"):
                continue
            check_number(f"mcts: {name}", value, lowest, 1_000_000)

    @property
    def limit(self) -> float | None:
        """Seconds per turn, of the clock or of the CPU."""
        return self.seconds if self.cpu is None else self.cpu


class SearchPlayer:
    """Searches a turn at its first action, and follows the plan while the observations are as expected.

    Hidden information is resampled before the search. With ``sims`` alone, the choice depends only on what the seat knows,
    the seed, and earlier calls.
    """

    name = "mcts"
    native: Native | None = None

    def __init__(self, game: Game, seed: int, plug: Plug, settings: Settings, made_by: MadeBy) -> None:
        self.game, self.seed, self.settings = game, seed, settings
        self.simulations = 0
        """Simulations of the last search."""
        self._plug, self._made_by = plug, made_by
        self._clock = time.perf_counter if settings.cpu is None else time.process_time
        self._random = SplitMix64(SplitMix64(to_u64(seed) ^ _SALT).next())
        self._plan: list[int] = []
        self._expected = b""
        self._turn: Hashable = None
        self._left = 1.0  # share of the turn's budget
        self._search_entry = compile_search()[0]
        most = _MOST_NODES if settings.sims is None else (settings.sims + 2) * (plug.most_turns + 1)
        self._nodes = np.zeros(min(most, _MOST_NODES), NODE)
        self._turns = np.zeros(plug.most_turns, TURN)
        self._below = np.zeros(plug.most_turns * settings.worlds, np.int64)
        self._values = np.zeros(MAX_SEATS)
        self._worlds = aligned(settings.worlds, game.record)
        self._scratch = aligned(1, game.record)
        self._problem = np.zeros(1, PROBLEM)
        self._problem[0] = np.array(
            (
                game.address,
                game.record.itemsize,
                0,
                plug.candidates,
                plug.evaluate,
                *(array.ctypes.data for array in (plug.wide, plug.narrow, plug.cheap, plug.values, self._worlds)),
                settings.worlds,
                plug.paired,
                self._scratch.ctypes.data,
                self._turns.ctypes.data,
                plug.most_turns,
                self._nodes.ctypes.data,
                len(self._nodes),
                0,
                self._below.ctypes.data,
                0,
                settings.playout,
                settings.explore,
                settings.scale,
            ),
            PROBLEM,
        )

    def act(self, state: State) -> int:
        """A legal action for the seat to move. ValueError when the game is over or another one."""
        start = self._clock()
        must_move(self.name, self.game, state)
        legal = state.legal_actions()
        if len(legal) == 1:
            return legal[0]
        seat = state.current_player()
        if not (self._plan and self._plan[0] in legal and self._seen(state._record, seat) == self._expected):
            best = self._search(state, seat, start)[0]
            self._plan = best["actions"][: best["length"]].tolist()
        return self._next(seat)

    def rank(self, state: State, n: int) -> list[Choice]:
        """The *n* turns (in games without turns: actions) that it prefers, from one search with a turn's budget: the most
        often simulated first, with the mean of their simulations. It doesn't change what the player does next.
        """
        check_whole("n", n, 1, 1_000_000)
        must_move(self.name, self.game, state)
        other = copy.copy(self)
        other._turn = None  # a whole budget
        found = turns_of(other._search(state, state.current_player(), self._clock()))
        return found[:n]

    @property
    def unit(self) -> str:
        return self._plug.unit

    def _next(self, seat: int) -> int:
        """The plan's next action; keeps the observation expected after it."""
        action = self._plan.pop(0)
        if self._plan:
            mover = self.game.entry(APPLY, self._scratch.ctypes.data, action, 0)
            if mover == seat:
                self._expected = self._seen(self._scratch, seat)
            else:
                self._plan = []
        return action

    def _seen(self, record: NDArray[Any], seat: int) -> bytes:
        row = np.empty(self.game.observation_size, np.uint8)
        self.game.entry(OBSERVE, record.ctypes.data, seat, row.ctypes.data)
        return row.tobytes()

    def _draw_worlds(self, record: NDArray[Any], seat: int) -> int:
        """Draw the worlds; returns their number (one if nothing is hidden)."""
        for i in range(len(self._worlds)):
            self._worlds[i] = record[0]
            seed = to_i64(self._random.next())
            self.game.entry(RESAMPLE, self._worlds.ctypes.data + i * self.game.record.itemsize, seat, seed)
        # By fields, because padding bytes may differ.
        hidden = [name for name in self._worlds.dtype.names or () if name != "rng"]
        alike = all(bool((self._worlds[name] == self._worlds[name][:1]).all()) for name in hidden)
        return 1 if alike and not self._plug.uses_chance(self._worlds[:1]) else len(self._worlds)

    def _turn_of(self, record: NDArray[Any]) -> Hashable:
        return None if self._plug.turn_of is None else self._plug.turn_of(record)

    def _search(self, state: State, seat: int, start: float) -> NDArray[Any]:
        """NODE [turns]: the turns of the root that have been simulated, the preferred one first."""
        turn = self._turn_of(state._record)
        if turn is None:
            share = 1.0
        elif turn != self._turn:
            share, self._left = FIRST_SHARE, 1.0 - FIRST_SHARE
        else:
            share = self._left = self._left / 2
        self._turn = turn
        problem, root = self._problem[0], self._nodes[0]
        problem["seats"] = state.num_players
        problem["world_count"] = self._draw_worlds(state._record, seat)
        problem["simulations"] = 0
        self._plug.prepare(state._record, self._random.next())
        root["visits"], root["count"], root["total"], root["seat"] = 0, 0, 0.0, seat
        self._below[:] = 0
        turns = self._run(share, start)
        self.simulations = int(problem["simulations"])
        first = int(root["first"])
        children = self._nodes[first : first + turns]
        self._scratch[:] = self._worlds[0]
        seen = children["visits"] > 0
        if not seen.any():  # a single turn
            return children[:1]
        children = children[seen]
        children["value"] = children["total"][:, seat] / children["visits"]
        return children[np.lexsort((-children["value"], -children["visits"]))]

    def _run(self, share: float, start: float) -> int:
        """Simulate until a share of the budget is spent; returns the number of turns at the root."""
        sims = None if self.settings.sims is None else max(1, round(share * self.settings.sims))
        limit = self.settings.limit
        end = None if limit is None else start + share * limit
        turns = self._open()
        done = 0
        started = self._clock()
        while turns > 1 and (sims is None or done < sims):
            chunk = self._chunk(done)
            if end is not None:
                now = self._clock()
                if now >= end:
                    break
                # Half of the simulations that fit the time left, in case some are slow.
                chunk = min(chunk, int(0.5 * (end - now) * done / (now - started)) if done else 1)
            chunk = max(1, min(chunk, (sims or done + chunk) - done))
            self._simulate(chunk)
            done += chunk
        return turns

    def _open(self) -> int:
        """Make the children of the root; returns their number."""
        return int(self._search_entry(self._problem.ctypes.data, 0, self._values.ctypes.data))

    def _chunk(self, done: int) -> int:
        """Most simulations between two readings of the clock."""
        return _LONGEST_CHUNK

    def _simulate(self, count: int) -> None:
        self._search_entry(self._problem.ctypes.data, count, self._values.ctypes.data)

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self._random.state, self._plan, self._expected, self._turn, self._left, self._scratch.tobytes())
        return _remake, (self.game, self.seed, self._made_by, kept)

    def __repr__(self) -> str:
        return f"<player {self.name} of {self.game.name}>"


def _remake(game: Game, seed: int, made_by: MadeBy, kept: tuple[Any, ...]) -> SearchPlayer:
    factory, options = made_by
    player = factory(game, seed, **options)
    player._random.state, player._plan, player._expected, player._turn, player._left, scratch = kept
    player._plan = list(player._plan)
    player._scratch[:] = np.frombuffer(scratch, player.game.record)
    return player
