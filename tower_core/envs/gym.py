"""The Gymnasium environment, shared by all games: one learner; the other seats are played inside ``step``."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tower_core.engine.batch_structs import ILLEGAL
from tower_core.engine.loops import MASK, OBSERVE, STEP
from tower_core.engine.random import fresh_seed
from tower_core.envs.batch import Batch
from tower_core.envs.rendering import RENDERING, check_render_mode, render_state
from tower_core.envs.rows import Rows
from tower_core.envs.spaces import ObservationFormat
from tower_core.game import Game
from tower_core.players.python_opponents import PythonOpponents
from tower_core.players.specs import Opponents
from tower_core.position import position_in
from tower_core.state import as_action

_OBSERVE, _MASK, _STEP = int(OBSERVE), int(MASK), int(STEP)


class TowerEnv(gymnasium.Env[Any, Any]):
    """One learner at one seat. ``info["action_mask"]`` (int8 [num_actions]) and ``action_masks()`` give the legal actions.

    *opponents*: players of the other seats ("greedy", "random:1,greedy:1", …), drawn for every seat and game; *seat*:
    a number or "random"; *illegal*: "lose" (the game ends with -1), "random" (play a random legal action) or "raise".
    ``info["seat"]`` is the learner's seat; at the end, ``info["scores"]`` holds the points of every seat.
    """

    game: ClassVar[Game]
    metadata: dict[str, Any] = RENDERING

    def __init__(
        self,
        num_players: int | None = None,
        rules: Any = None,
        opponents: Opponents = "random",
        seat: int | str = "random",
        reward: str = "outcome",
        illegal: str = "lose",
        render_mode: str | None = None,
        *,
        flatten: bool = False,
        dtype: str = "uint8",
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        need_opponents(opponents)
        self.batch: Batch = self.game.batch_class()(
            1, num_players, rules, 0, opponents, seat=seat, reward=reward, illegal=illegal, autoreset=False, record=True
        )
        self._opponents = PythonOpponents(self.batch)
        self._format = ObservationFormat(self.game, flatten=flatten, dtype=dtype)
        self._strict = ILLEGAL[illegal] == ILLEGAL["raise"]
        self._over = True
        self._seeded = False
        self._seat = 0
        self.observation_space = self._format.space
        self.action_space = spaces.Discrete(self.game.num_actions)
        self._connect()

    def _connect(self) -> None:
        """Cache what every step needs."""
        self._rows = Rows(self.game, self._format)
        self._entry, self._address = self.batch._entry, self.batch._address
        self._record = self.batch.games.ctypes.data

    @property
    def game_state(self) -> Any:
        """The game as an object: a copy, with its history."""
        return self.batch.state_with_history(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start the game of *seed*; without a seed, the next game of the current seed.

        ``options={"position": …}`` starts from a position (``state.position()``); if it has no ``rng``, the random stream
        comes from the seed. ValueError names the wrong field.
        """
        super().reset(seed=seed)
        placed = start_position(self.game, self.batch, options)
        if seed is None and not self._seeded:
            seed = fresh_seed()
        self._seeded = True
        self.batch.reset_slot(0, seed)
        if placed is not None:
            place(self.batch, 0, placed, options)
        self._opponents.settle(np.ones(1, np.bool_))
        self._over = self.batch.to_move.item(0) < 0
        if self._over and placed is None:  # the game ended before the learner's first turn: start the next one
            return self.reset()
        self._seat = int(self.batch.learner[0])
        self._show()
        return self._observe()

    def _observe(self) -> tuple[Any, dict[str, Any]]:
        row, seen = self._rows.take()
        self._entry(_OBSERVE, self._record, self._seat, row)
        self._entry(_MASK, self._record, 0, row + self.game.observation_size)
        self._rows.finish(seen)
        return seen["observation"], {"action_mask": seen["action_mask"], "seat": self._seat}

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [num_actions]: the learner's legal actions."""
        mask: NDArray[np.bool_] = self.batch.action_mask[0].astype(np.bool_)
        return mask

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._over:
            raise gymnasium.error.ResetNeeded("the game is over or has not started: call reset() first")
        if type(action) is not int:
            action = as_action(action)
        self._opponents.must_be_settled()
        batch, beyond = self.batch, self.game.num_actions
        # A batch skips slots with negative actions; here they are illegal like any other.
        batch.actions[0] = action if 0 <= action < beyond else beyond
        if self._strict:
            if not 0 <= action < beyond:
                raise ValueError(batch.state(0).explain(action))
            batch.check()
        self._entry(_STEP, self._address, 0, 1)
        paid: Batch | PythonOpponents = batch
        if self._opponents.needed:
            paid = self._opponents
            paid.settle()
        self._over = done = bool(paid.done.item(0))
        reward: float = paid.reward.item(0, self._seat)
        observation, info = self._observe()
        truncated = False
        if done:
            truncated = bool(paid.truncated.item(0))
            info["scores"] = batch.final_score[0].tolist()
        if self.render_mode == "human":
            self.render()
        return observation, reward, done and not truncated, truncated, info

    def _show(self) -> None:
        """Render if the mode is ``human``."""
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """``ansi``: a string; ``rgb_array``: uint8 [height, width, 3]; ``human``: prints to the terminal."""
        return render_state(self.game_state, self.render_mode)

    # ------------------------------------------------------------------------------------------ copies
    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_entry", "_address", "_record", "_rows")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._connect()


def need_opponents(opponents: Any) -> None:
    """ValueError if there are no players for the other seats."""
    if opponents is None:
        raise ValueError("opponents: the other seats need players, such as 'random' or 'greedy'")


def start_position(game: Game, batch: Batch, options: dict[str, Any] | None) -> Any:
    """The state of ``options["position"]``, under the batch's rules unless it has its own; None if absent."""
    position = position_in(options)
    if position is None:
        return None
    return game.state_class().from_position({"num_players": batch.num_players, "rules": batch.rules, **position})


def place(batch: Batch, i: int, state: Any, options: dict[str, Any] | None) -> None:
    """Put a state into slot *i*; unless the position has a random stream, use that of the slot's seed."""
    assert options is not None
    if "rng" not in options["position"]:
        state = state.clone()
        state.reseed(int(batch.games["rng"][i]))
        state._begin_here()
    batch.place(i, state)
