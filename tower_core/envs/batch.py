"""Many games at once on raw arrays, stepped by one compiled call; games that end start anew in the same step."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.batch_structs import CONTEXT, ILLEGAL, PLAYER, SLOT, aligned, copied
from tower_core.engine.loops import CHECK, PLAY, RESET, RESUME, SAMPLE, STEP, WRITE
from tower_core.engine.random import SplitMix64, to_u64
from tower_core.game import Game
from tower_core.players.protocol import Player
from tower_core.players.specs import Opponents, make_player, weighted
from tower_core.state import State

_NO_LEARNER, _RANDOM_SEAT = -2, -1
_SAMPLER_SALT = 0xE7037ED1A0B428DB
_MOST = np.uint64(2**63 - 1)
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
_CONTEXT_NAMES = {"action_mask": "mask"}


class Batch:
    """N games of one kind, on preallocated arrays that every call overwrites in place.

    ===================  ========================  =======================================================================
    array                shape, dtype              meaning
    ===================  ========================  =======================================================================
    observation          uint8 [N, size]           what the seat to move sees; ``game.split(row)`` gives its parts
    action_mask          uint8 [N, num_actions]    1 where an action is legal for the seat to move
    to_move              int8 [N]                  the seat to move
    reward               float32 [N, players]      of every seat, for the last step
    done                 bool [N]                  the game ended in the last step (and the next one has begun)
    truncated            bool [N]                  it ended by its limit of turns
    final_observation    uint8 [N, size]           rows of games that ended: the end as the learner (else seat 0) sees it
    final_score          int32 [N, players]        rows of games that ended: their points
    final_utility        float32 [N, players]      rows of games that ended: their utilities, whatever ``reward`` pays
    ===================  ========================  =======================================================================

    The game of slot *i* with *seed* is that of seed ``seed + i``, then games that are a function of that number and of
    how many the slot has finished. With *opponents* (see ``weighted``) one seat per game learns (*seat*: a number or
    "random") and the others are played inside ``step``; without, every seat is asked. *illegal*: "raise" (ValueError,
    nothing changes), "random" (a legal action is drawn) or "lose" (the game ends, -1 for the offender).
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
                self.players.append(make_player(spec, game, seed))
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
        self._connect()
        self.reset(to_u64(seed))

    def _connect(self) -> None:
        """Tell the compiled loops where everything lies."""
        self._entry = self.game.entry
        self._pool: ThreadPoolExecutor | None = None
        self._pool_process = 0
        self._table = np.zeros(max(len(self.players), 1), PLAYER)
        for k, player in enumerate(self.players):
            if player.native is not None:
                self._table[k]["address"], self._table[k]["options"] = player.native.address, player.native.options
            self._table[k]["weight"] = self._weights[k]
        self._context = np.zeros(1, CONTEXT)
        context = self._context[0]
        for name, value in self._settings.items():
            context[name] = value
        for name in _BUFFERS:
            context[_CONTEXT_NAMES.get(name, name)] = getattr(self, name).ctypes.data
        context["games"], context["slots"] = self.games.ctypes.data, self.slots.ctypes.data
        context["players"], context["player_count"] = self._table.ctypes.data, len(self.players)
        self._address = self._context.ctypes.data
        cuts = np.linspace(0, self.num_envs, self.num_threads + 1).astype(int).tolist()
        self._ranges = list(pairwise(cuts))

    def _run(self, operation: int) -> None:
        if self.num_threads == 1:
            self._entry(operation, self._address, 0, self.num_envs)
            return
        if self._pool is None or self._pool_process != os.getpid():  # a fork takes no threads with it
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
        self._run(RESET)

    def reset_slot(self, i: int, seed: int | None = None) -> None:
        """Start one slot's first game of *seed*, or its next game."""
        if seed is not None:
            self._seed_slot(i, seed)
        else:
            self.slots["episode"][i] += 1
        self._entry(RESET, self._address, i, i + 1)

    def place(self, i: int, state: State) -> None:
        """Go on in slot *i* from a state; the opponents inside the batch move until the learner is to move.

        ValueError for a state of another game, or of other rules or numbers of players.
        """
        if state.game.name != self.game.name or state.num_players != self.num_players or state.rules != self.rules:
            raise ValueError(f"position: it must be one of {self.game.name}, with the players and rules of this batch")
        self.games[i] = state._record[0]
        self._entry(RESUME, self._address, i, i + 1)

    def _seed_slot(self, i: int, seed: int) -> None:
        slot = self.slots[i]
        slot["seed"], slot["episode"] = np.uint64(to_u64(seed)), 0
        slot["sampler"] = np.uint64(SplitMix64(to_u64(seed) ^ _SAMPLER_SALT).next())

    def step(self, actions: Any) -> None:
        """Play one action per game and fill the arrays. A slot whose action is below 0 is left as it is.

        ValueError (with ``illegal="raise"``) names the first slot with an illegal action and the reason; nothing has
        changed then.
        """
        if actions is not self.actions:
            values = np.asarray(actions)
            if values.shape != (self.num_envs,) or values.dtype.kind not in "iu":
                raise ValueError(
                    f"actions must be {self.num_envs} whole numbers, not {values.dtype} of shape {values.shape}"
                )
            # Beyond what int64 holds is illegal like any other number, and must not come out below 0.
            self.actions[:] = np.minimum(values, _MOST) if values.dtype.kind == "u" else values
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
        """*steps* steps of uniformly random play in every slot, without coming back to Python in between."""
        self._context["repeat"] = steps
        self._run(PLAY)

    def refresh(self) -> None:
        """Write ``observation``, ``action_mask`` and ``to_move`` again, after records were changed from outside."""
        self.to_move[:] = self.games["to_move"]
        self._run(WRITE)

    def set_weights(self, weights: Sequence[float]) -> None:
        """New weights of ``players``, in their order; each slot's next game is the first that is drawn by them."""
        if len(weights) != len(self.players) or not all(0 <= weight < float("inf") for weight in weights):
            raise ValueError(f"weights must be {len(self.players)} numbers from 0 on, not {weights!r}")
        if sum(weights) <= 0:
            raise ValueError("weights: at least one must be above 0")
        self._weights = [float(weight) for weight in weights]
        self._table["weight"] = self._weights

    def state(self, i: int) -> Any:
        """A copy of game *i* as an object (without its history)."""
        i = range(self.num_envs)[i]
        return self.game.state_class()._from_record(copied(self.games[i : i + 1]), self.rules)

    @property
    def learner(self) -> NDArray[np.int8]:
        """int8 [N]: the seat that is asked in each game; -2 where every seat is."""
        return self.slots["learner"]  # type: ignore[no-any-return]

    # ------------------------------------------------------------------------------------------ copies
    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_entry", "_pool", "_pool_process", "_table", "_context", "_address", "_ranges")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Alignment and layout of a copy are not guaranteed; the loops want rows without gaps.
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
        raise ValueError(f"{name} must be a whole number from 1 on, not {value!r}")


def _learner(seat: int | str, num_players: int) -> int:
    if seat == "random":
        return _RANDOM_SEAT
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < num_players:
        raise ValueError(f"seat must be 'random' or a number from 0 to {num_players - 1}, not {seat!r}")
    return int(seat)
