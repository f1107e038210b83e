"""Many games at once on raw arrays, stepped by one compiled call; finished games restart in the same step."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.batch_structs import CONTEXT, ILLEGAL, MAX_MOVES, MAX_SEATS, OVER, PLAYER, SLOT, aligned, copied
from tower_core.engine.loops import CHECK, PLAY, RESET, RESUME, SAMPLE, STEP, WRITE
from tower_core.engine.random import SAMPLER_SALT, SplitMix64, episode_seed_of, to_u64
from tower_core.game import Game
from tower_core.players.protocol import Player, must_play, native_of
from tower_core.players.specs import Opponents, make_player, weighted
from tower_core.state import State

_NOBODY, _NO_LEARNER, _RANDOM_SEAT = -3, -2, -1
_MAX_INT64 = np.uint64(2**63 - 1)
_BUFFERS = (
    "actions",
    "observation",
    "action_mask",
    "to_move",
    "reward",
    "done",
    "truncated",
    "final_observation",
    "final_score",
    "final_utility",
)
_MOVES = ("moves", "move_count", "final_moves", "final_move_count")
_CONTEXT_NAMES = {"action_mask": "mask"}


class Batch:
    """N games on preallocated arrays, which every call overwrites in place.

    ===================  ========================  =======================================================================
    array                shape, dtype              meaning
    ===================  ========================  =======================================================================
    observation          uint8 [N, size]           observation of the seat to move; ``game.split(row)`` gives its parts
    action_mask          uint8 [N, num_actions]    1 where an action is legal for the seat to move
    to_move              int8 [N]                  the seat to move
    reward               float32 [N, players]      rewards of the last step, per seat
    done                 bool [N]                  the game ended in the last step (and the next one has started)
    truncated            bool [N]                  it ended by its limit of turns
    final_observation    uint8 [N, size]           if the game ended: last observation of the learner (or else of seat 0)
    final_score          int32 [N, players]        if the game ended: points
    final_utility        float32 [N, players]      if the game ended: utilities, independent of the reward
    ===================  ========================  =======================================================================

    With *seed*, the first game of slot *i* is that of seed ``seed + i``; later games are a function of that number and of how
    many games the slot has finished. With *opponents* (see ``weighted``), one seat per game learns (*seat*: a number or
    "random") and the others are played inside ``step``; without, the caller plays every seat. *illegal*: "raise" (ValueError,
    nothing changes), "random" (play a random legal action) or "lose" (the game ends, -1 for the offender). With *record*, the
    moves of every game are kept for :meth:`record`.
    """

    game: ClassVar[Game]

    def __init__(
        self,
        num_envs: int,
        num_players: int | None = None,
        rules: Any = None,
        seed: int = 0,
        opponents: Opponents | None = None,
        *,
        seat: int | str = "random",
        reward: str = "outcome",
        illegal: str = "raise",
        num_threads: int = 1,
        autoreset: bool = True,
        record: bool = False,
    ) -> None:
        game = self.game
        _positive("num_envs", num_envs)
        _positive("num_threads", num_threads)
        if illegal not in ILLEGAL:
            raise ValueError(f"illegal must be one of {', '.join(ILLEGAL)}, not {illegal!r}")
        self.num_envs, self.num_threads = int(num_envs), min(int(num_threads), int(num_envs))
        self.rules = game.resolve_rules(rules)
        template = game.make_record(game.players_of(num_players, self.rules), self.rules)
        self.num_players = int(template["num_players"][0])
        self.players: list[Player] = []
        weights: list[float] = []
        if opponents is not None:
            for spec, weight in weighted(opponents):
                player = make_player(spec, game, seed)
                must_play(player, self.num_players, self.rules)
                self.players.append(player)
                weights.append(weight)
        self._weights = weights
        self._settings = {
            "learner": _learner(seat, self.num_players) if self.players else _NO_LEARNER,
            "reward_kind": game.reward_kind(reward),
            "dense": int(reward in game.dense_rewards),
            "illegal": ILLEGAL[illegal],
            "autoreset": int(bool(autoreset)),
            "repeat": 1,
        }
        self.games = aligned(num_envs, game.record)
        self.games[:] = template[0]
        self.slots = aligned(num_envs, SLOT)
        n = self.num_envs
        self.actions: NDArray[np.int64] = np.zeros(n, np.int64)
        self.observation: NDArray[np.uint8] = aligned((n, game.observation_size), np.uint8)
        self.action_mask: NDArray[np.uint8] = aligned((n, game.num_actions), np.uint8)
        self.to_move: NDArray[np.int8] = np.zeros(n, np.int8)
        self.reward: NDArray[np.float32] = np.zeros((n, self.num_players), np.float32)
        self.done: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.truncated: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.final_observation: NDArray[np.uint8] = aligned((n, game.observation_size), np.uint8)
        self.final_score: NDArray[np.int32] = np.zeros((n, self.num_players), np.int32)
        self.final_utility: NDArray[np.float32] = np.zeros((n, self.num_players), np.float32)
        # Pages that no game reaches are never touched: long rows cost no memory.
        kept = (n, MAX_MOVES) if record else (0, MAX_MOVES)
        self.moves: NDArray[np.int32] = np.zeros(kept, np.int32)
        self.move_count: NDArray[np.int64] = np.zeros(n, np.int64)
        self.final_moves: NDArray[np.int32] = np.zeros(kept if autoreset else (0, MAX_MOVES), np.int32)
        self.final_move_count: NDArray[np.int64] = np.full(n, -1, np.int64)
        self._starts: dict[int, tuple[int, State]] = {}  # episode and start of games that continue a placed state
        self._connect()
        self.reset(to_u64(seed))

    def _connect(self) -> None:
        """Write the addresses of all buffers into the context of the compiled loops."""
        self._entry = self.game.entry
        self._pool: ThreadPoolExecutor | None = None
        self._pool_process = 0
        self._table = np.zeros(max(len(self.players), 1), PLAYER)
        for k, player in enumerate(self.players):
            native = native_of(player)
            if native is not None:
                self._table[k]["address"], self._table[k]["options"] = native.address, native.options
            self._table[k]["weight"] = self._weights[k]
        self._context = np.zeros(1, CONTEXT)
        context = self._context[0]
        for name, value in self._settings.items():
            context[name] = value
        for name in _BUFFERS:
            context[_CONTEXT_NAMES.get(name, name)] = getattr(self, name).ctypes.data
        if len(self.moves):
            for name in _MOVES:
                context[name] = getattr(self, name).ctypes.data
        context["games"], context["slots"] = self.games.ctypes.data, self.slots.ctypes.data
        context["players"], context["player_count"] = self._table.ctypes.data, len(self.players)
        self._address = self._context.ctypes.data
        cuts = np.linspace(0, self.num_envs, self.num_threads + 1).astype(int).tolist()
        self._ranges = list(pairwise(cuts))

    def _run(self, operation: int) -> None:
        if self.num_threads == 1:
            self._entry(operation, self._address, 0, self.num_envs)
            return
        if self._pool is None or self._pool_process != os.getpid():  # threads don't survive a fork
            self._pool = ThreadPoolExecutor(self.num_threads - 1, thread_name_prefix="towers")
            self._pool_process = os.getpid()
        others = [self._pool.submit(self._entry, operation, self._address, lo, hi) for lo, hi in self._ranges[1:]]
        self._entry(operation, self._address, *self._ranges[0])
        for other in others:
            other.result()

    # ------------------------------------------------------------------------------------------ play
    def reset(self, seed: int | None = None) -> None:
        """Start every slot's first game of *seed*; without a seed, every slot's next game."""
        if seed is not None:
            base = to_u64(seed)
            for i in range(self.num_envs):
                self._seed_slot(i, base + i)
        else:
            self.slots["episode"] += 1
        self._starts.clear()
        self.final_move_count[:] = -1
        self._run(RESET)

    def reset_slot(self, i: int, seed: int | None = None) -> None:
        """Start one slot's first game of *seed*; without a seed, its next game."""
        if seed is not None:
            self._seed_slot(i, seed)
        else:
            self.slots["episode"][i] += 1
        self._starts.pop(i, None)
        self.final_move_count[i] = -1
        self._entry(RESET, self._address, i, i + 1)

    def place(self, i: int, state: State) -> None:
        """Continue slot *i* from a state; opponents inside the batch move until the learner is to move.

        ValueError if its game, rules or number of players differ from the batch's.
        """
        if state.game.name != self.game.name or state.num_players != self.num_players or state.rules != self.rules:
            raise ValueError(f"position: must be a {self.game.name} game with this batch's players and rules")
        self.games[i] = state._record[0]
        if len(self.moves):
            self._starts[i] = int(self.slots["episode"][i]), state.clone()
        self._entry(RESUME, self._address, i, i + 1)

    def play_out(self, records: NDArray[Any], streams: NDArray[np.uint64]) -> NDArray[Any]:
        """Play games to their end inside the compiled loops, with the first opponent at every seat; returns the final records.

        *records*: at most N, under the batch's rules; they stay unchanged. *streams* (uint64 [n]): the random streams of the
        opponent, which must be a compiled one.
        """
        n = len(records)
        self.games[:n] = records
        slots = self.slots[:n]
        slots["learner"], slots["rng"], slots["opponent"] = _NOBODY, streams, 0
        self._entry(RESUME, self._address, 0, n)
        return copied(self.games[:n])

    def _seed_slot(self, i: int, seed: int) -> None:
        slot = self.slots[i]
        slot["seed"], slot["episode"] = np.uint64(to_u64(seed)), 0
        slot["sampler"] = np.uint64(SplitMix64(to_u64(seed) ^ SAMPLER_SALT).next())

    def step(self, actions: Any) -> None:
        """Play one action per game and fill the arrays. Negative actions leave their slots unchanged.

        With ``illegal="raise"``, an illegal action is a ValueError that names the first such slot and the reason; no game
        changes then.
        """
        if actions is not self.actions:
            values = np.asarray(actions)
            if values.shape != (self.num_envs,) or values.dtype.kind not in "iu":
                raise ValueError(
                    f"actions must be {self.num_envs} integers, not {values.dtype} of shape {values.shape}"
                )
            # Unsigned values beyond int64 must stay illegal and not wrap around to negative ones.
            self.actions[:] = np.minimum(values, _MAX_INT64) if values.dtype.kind == "u" else values
        if self._settings["illegal"] == ILLEGAL["raise"]:
            self.check()
        self._run(STEP)

    def check(self) -> None:
        """ValueError names the first slot whose entry of ``actions`` is illegal, and the reason."""
        bad = self._entry(CHECK, self._address, 0, self.num_envs)
        if bad >= 0:
            raise ValueError(f"slot {bad}: {self.state(bad).explain(int(self.actions[bad]))}")

    def sample_actions(self) -> NDArray[np.int64]:
        """Uniformly random legal actions, one per game (int64 [N]; the array ``actions`` itself)."""
        self._run(SAMPLE)
        return self.actions

    def random_play(self, steps: int = 1) -> None:
        """Play *steps* uniformly random steps in every slot, without returning to Python in between."""
        self._context["repeat"] = steps
        self._run(PLAY)

    def refresh(self) -> None:
        """Rewrite ``observation``, ``action_mask`` and ``to_move`` after records were modified from outside."""
        self.to_move[:] = self.games["to_move"]
        self._run(WRITE)

    def set_weights(self, weights: Sequence[float]) -> None:
        """Set the weights of ``players``, in their order; they apply from each slot's next game on."""
        if len(weights) != len(self.players) or not all(0 <= weight < float("inf") for weight in weights):
            raise ValueError(f"weights must be {len(self.players)} non-negative numbers, not {weights!r}")
        if sum(weights) <= 0:
            raise ValueError("weights: at least one must be above 0")
        self._weights = [float(weight) for weight in weights]
        self._table["weight"] = self._weights

    def set_autoreset(self, autoreset: bool) -> None:
        """Whether finished games restart in the same step."""
        self._settings["autoreset"] = self._context["autoreset"][0] = int(autoreset)

    def state(self, i: int) -> Any:
        """A copy of game *i* as an object (without its history)."""
        i = range(self.num_envs)[i]
        return self.game.state_class()._from_record(copied(self.games[i : i + 1]), self.rules)

    # ------------------------------------------------------------------------------------------ records
    def state_with_history(self, i: int) -> Any:
        """A copy of game *i* as an object, with its history; without it if the game has more than MAX_MOVES moves.

        ValueError if the batch was not made with ``record=True``.
        """
        i = range(self.num_envs)[i]
        state, start = self.state(i), self._start_of(i, final=False)
        if self.move_count[i] > MAX_MOVES:
            return state
        state._history = start._history + self._moves_of(i, final=False)
        state._origin, state._reseeded, state.seed = start._origin, start._reseeded, start.seed
        return state

    def record(self, i: int, names: Sequence[str] = (), *, final: bool = False) -> Any:
        """The record (tower_core.records) of game *i* so far; with *final*, of the last game that slot *i* has finished.

        *names*: one per seat, or none. A game lost by an illegal action is recorded up to that action, as unfinished.
        ValueError if the batch was not made with ``record=True``, if its memory was changed from outside, or without a
        finished game.
        """
        i = range(self.num_envs)[i]
        if final and not self._settings["autoreset"]:  # the finished game is still in its slot
            if self.games["to_move"][i] != OVER:
                raise ValueError(f"game {i} has not finished")
            final = False
        state = self._start_of(i, final)
        try:
            for _, action in self._moves_of(i, final):
                state.apply_action(action)
            lost = not final and self.games["to_move"][i] == OVER and not state.is_terminal()
            fits = final or lost or state.position() == self.state(i).position()
        except ValueError as error:
            raise ValueError(f"game {i} can't be recorded: {error}") from error
        if not fits:
            raise ValueError(f"game {i} can't be recorded: its record was changed from outside")
        return state.to_record(names)

    def _start_of(self, i: int, final: bool) -> Any:
        """The state from which game *i* started."""
        episode = int(self.slots["episode"][i]) - final
        placed, start = self._starts.get(i, (-1, None))
        if start is not None and placed == episode:
            return start.clone()
        return self.game.state_class()(
            self.num_players, self.rules, episode_seed_of(int(self.slots["seed"][i]), episode)
        )

    def _moves_of(self, i: int, final: bool) -> list[tuple[int, int]]:
        """(seat, action) of every move of game *i* since its start."""
        if not len(self.moves):
            raise ValueError("this batch keeps no moves: make it with record=True")
        count = int((self.final_move_count if final else self.move_count)[i])
        if count < 0:
            raise ValueError("no game has finished since the last reset")
        if count > MAX_MOVES:
            raise ValueError(f"the game has {count} moves, and a batch keeps {MAX_MOVES}")
        moves = (self.final_moves if final else self.moves)[i, :count].tolist()
        return [(move % MAX_SEATS, move // MAX_SEATS) for move in moves]

    @property
    def learner(self) -> NDArray[np.int8]:
        """int8 [N]: the learner's seat in each game; -2 if the caller plays every seat."""
        return self.slots["learner"]  # type: ignore[no-any-return]

    # ------------------------------------------------------------------------------------------ copies
    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_entry", "_pool", "_pool_process", "_table", "_context", "_address", "_ranges")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # A copy's alignment and layout are not guaranteed; the loops need contiguous rows.
        for name in (*_BUFFERS, "games", "slots"):
            array = getattr(self, name)
            fresh = aligned(array.shape, array.dtype)
            fresh[...] = array
            setattr(self, name, fresh)
        self._connect()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __len__(self) -> int:
        return self.num_envs


def _positive(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} must be an integer of at least 1, not {value!r}")


def _learner(seat: int | str, num_players: int) -> int:
    if seat == "random":
        return _RANDOM_SEAT
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < num_players:
        raise ValueError(f"seat must be 'random' or a number from 0 to {num_players - 1}, not {seat!r}")
    return int(seat)
