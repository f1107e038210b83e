"""The native vector environment, shared by all games: many games in one compiled call."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tower_core.engine.random import fresh_seed, to_u64
from tower_core.envs.batch import Batch
from tower_core.envs.gym import need_opponents, place, start_position
from tower_core.envs.rendering import RENDERING, check_render_mode, render_state
from tower_core.envs.spaces import ObservationFormat
from tower_core.game import Game
from tower_core.players.python_opponents import PythonOpponents
from tower_core.players.specs import Opponents


class TowerVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Many games in one compiled call; each step equals a ``SyncVectorEnv`` of as many :class:`TowerEnv`.

    *autoreset_mode*: "NextStep" (Gymnasium's default: the step after the end of a game starts the next one and ignores the
    action), "SameStep" (``infos["final_obs"]`` and ``infos["final_info"]`` hold the end) or "Disabled" (the caller resets
    finished games with ``reset(options={"reset_mask": …})``). *max_episode_steps* truncates games after that many decisions
    of the learner. ``infos["action_mask"]`` is int8 [N, num_actions]. With ``copy=False``, the next step overwrites the
    returned arrays. With *record*, ``batch.record(i)`` gives the record of a game. For the other options see :class:`TowerEnv`.
    """

    game: ClassVar[Game]
    metadata: dict[str, Any] = RENDERING

    def __init__(
        self,
        num_envs: int = 1,
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
        num_threads: int = 1,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        record: bool = False,
    ) -> None:
        check_render_mode(render_mode)
        need_opponents(opponents)
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise ValueError(f"autoreset_mode must be one of {known}, not {autoreset_mode!r}") from None
        if max_episode_steps is not None and max_episode_steps < 1:
            raise ValueError(f"max_episode_steps must be at least 1, not {max_episode_steps}")
        self._same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        self._limit = max_episode_steps
        self.render_mode = render_mode
        self.metadata = {**RENDERING, "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.batch: Batch = self.game.batch_class()(
            num_envs, num_players, rules, 0, opponents, seat=seat, reward=reward, illegal=illegal,
            num_threads=num_threads, autoreset=self._same_step, record=record,
        )  # fmt: skip
        self._opponents = PythonOpponents(self.batch)
        self._format = ObservationFormat(self.game, flatten=flatten, dtype=dtype)
        self._copy = copy
        self._seeded = False
        self._rows = np.arange(num_envs)
        self._everywhere = np.ones(num_envs, np.bool_)
        self._ended = np.zeros(num_envs, np.bool_)
        self._elapsed = np.zeros(num_envs, np.int64)
        self.single_observation_space = self._format.space
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    # ------------------------------------------------------------------------------------------ reset
    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start the games of ``seed, seed + 1, …`` (or of a list of seeds); without seeds, every slot's next game.

        ``options={"reset_mask": bool [N]}`` resets only those games; ``options={"position": …}`` starts from a position.
        """
        placed = start_position(self.game, self.batch, options)
        chosen = self._mask(options["reset_mask"]) if options and "reset_mask" in options else self._everywhere
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds = [None if seed is None else to_u64(seed) + i for i in range(self.num_envs)]
        elif np.array(seed, dtype=object).shape != (self.num_envs,):
            raise ValueError(f"seed must be an integer or {self.num_envs} integers, not {seed!r}")
        else:
            seeds = list(seed)
        if chosen.all() and (self._seeded or seed is not None) and len({one is None for one in seeds}) == 1:
            self.batch.reset(seeds[0]) if _consecutive(seeds) else self._reset_slots(chosen, seeds)
        else:
            self._reset_slots(chosen, seeds)
        if placed is not None:
            for i in np.flatnonzero(chosen):
                place(self.batch, int(i), placed, options)
        self._seeded = True
        self._ended &= ~chosen
        self._elapsed[chosen] = 0
        self._opponents.settle(chosen)
        self._show()
        return self._observe(), self._info(chosen)

    def _mask(self, mask: Any) -> NDArray[np.bool_]:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"options['reset_mask'] must be a boolean NumPy array, not {mask!r}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"options['reset_mask'] must have shape ({self.num_envs},) and at least one True, not {mask}"
            )
        if not self._seeded and not mask.all():
            raise gymnasium.error.ResetNeeded("no game has started: the first reset() must reset all games")
        return mask.copy()

    def _reset_slots(self, chosen: NDArray[np.bool_], seeds: list[int | None]) -> None:
        for i in np.flatnonzero(chosen).tolist():
            seed = seeds[i]
            self.batch.reset_slot(i, fresh_seed() if seed is None and not self._seeded else seed)

    # ------------------------------------------------------------------------------------------ step
    def step(self, actions: NDArray[Any]) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        if not self._seeded:
            raise gymnasium.error.ResetNeeded("no game has started: call reset() first")
        self._opponents.must_be_settled()
        batch, before = self.batch, self._ended
        values = np.asarray(actions)
        if values.dtype.kind in "iu":
            values = np.where(values < 0, self.game.num_actions, values)
        starting = before.any()
        if starting:
            if self.autoreset_mode == AutoresetMode.DISABLED:
                raise gymnasium.error.ResetNeeded(f"games {np.flatnonzero(before).tolist()} are over: reset them first")
            values = np.where(before, -1, values)  # the batch skips negative actions
        seats = batch.learner.copy()
        batch.step(values)
        self._opponents.settle()
        reward = self._opponents.reward[self._rows, seats].astype(np.float64)
        done = self._opponents.done.copy()
        truncated = self._opponents.truncated & done
        terminated = done & ~truncated
        self._elapsed += 1
        if starting:
            self._start_ended(before, reward)
        if self._limit is not None:
            truncated |= (self._elapsed >= self._limit) & ~before
        ended = terminated | truncated
        info_of_end = self._final(ended, done, seats) if self._same_step and ended.any() else {}
        self._elapsed[ended & self._same_step] = 0
        self._ended = np.zeros_like(ended) if self._same_step else ended
        self._show()
        observation = self._observe()
        return observation, reward, terminated, truncated, {**self._info(self._everywhere, ended), **info_of_end}

    def _start_ended(self, ended: NDArray[np.bool_], reward: NDArray[np.float64]) -> None:
        """Start the next games in slots whose game ended in the last step."""
        for i in np.flatnonzero(ended).tolist():
            self.batch.reset_slot(i)
        self._opponents.settle(ended)
        reward[ended] = 0
        self._elapsed[ended] = 0

    def _final(self, ended: NDArray[np.bool_], done: NDArray[np.bool_], seats: NDArray[np.int8]) -> dict[str, Any]:
        """Final observations and infos of games that ended in this step; restarts those cut by the step limit."""
        batch, cut = self.batch, ended & ~done
        final = np.full(self.num_envs, None, object)
        mask = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        for i in np.flatnonzero(ended).tolist():
            final[i] = self._format.read((batch.observation if cut[i] else batch.final_observation)[i].copy())
        mask[cut] = batch.action_mask[cut]
        info = {"action_mask": mask, "_action_mask": ended, "seat": np.where(ended, seats, 0), "_seat": ended}
        if done.any():
            info |= {"scores": np.where(done[:, None], batch.final_score, 0), "_scores": done}
        for slot in np.flatnonzero(cut).tolist():
            batch.reset_slot(slot)
        if cut.any():
            self._opponents.settle(cut)
        return {"final_obs": final, "_final_obs": ended, "final_info": info, "_final_info": ended}

    # ------------------------------------------------------------------------------------------ what is shown
    def _observe(self) -> Any:
        rows = self.batch.observation
        over = np.flatnonzero(self._ended) if self._ended.any() else ()
        if self._copy or len(over):
            rows = rows.copy()
        for i in map(int, over):  # the learner's last observation of a finished game
            if self.batch.to_move[i] < 0:
                rows[i] = self.batch.final_observation[i]
        return self._format.read_many(rows)

    def _info(self, chosen: NDArray[np.bool_], ended: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        batch = self.batch
        mask = batch.action_mask.view(np.int8)
        over = self._ended & (batch.to_move < 0)
        empty = over | ~chosen
        if self._copy or empty.any():
            mask = mask.copy()
            mask[empty] = 0
        seat = batch.learner if chosen.all() else np.where(chosen, batch.learner, 0)
        info = {"action_mask": mask, "_action_mask": chosen.copy(), "seat": seat.copy(), "_seat": chosen.copy()}
        if over.any() and ended is not None:
            info |= {"scores": np.where(over[:, None], batch.final_score, 0), "_scores": over}
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [N, num_actions]: the learners' legal actions (overwritten by the next step)."""
        return self.batch.action_mask.view(np.bool_)

    def render(self) -> Any:
        """One rendering per game; ``human`` prints them to the terminal and returns None."""
        if self.render_mode is None:
            return None
        shown = tuple(render_state(self.batch.state(i), self.render_mode) for i in range(self.num_envs))
        return None if self.render_mode == "human" else shown

    def _show(self) -> None:
        """Render all games if the mode is ``human``."""
        if self.render_mode == "human":
            self.render()

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()


def _consecutive(seeds: list[int | None]) -> bool:
    """Whether seeds are consecutive, or all None."""
    first = seeds[0]
    return first is None or seeds == [first + i for i in range(len(seeds))]
