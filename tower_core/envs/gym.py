"""The Gymnasium faces, written once for every game: one learner, the other seats are played inside."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tower_core.engine.random import fresh_seed
from tower_core.envs.batch import Batch
from tower_core.envs.rendering import RENDERING, check_render_mode, render_state
from tower_core.envs.spaces import ObservationFormat
from tower_core.game import Game
from tower_core.players.python_opponents import PythonOpponents
from tower_core.players.specs import Opponents


class TowerEnv(gymnasium.Env[Any, Any]):
    """One learner at one seat. ``info["action_mask"]`` (int8 [num_actions]) and ``action_masks()`` tell what is legal.

    *opponents*: who plays the other seats ("greedy", "random:1,greedy:1", …; drawn anew for every seat and game); *seat*:
    a number or "random"; *illegal*: "lose" (the game ends with -1), "random" (a legal action instead) or "raise".
    ``info["seat"]`` is the learner's seat; at the end ``info["scores"]`` holds the points of every seat.
    """

    game: ClassVar[Game]
    batch_class: ClassVar[type[Batch]]
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
        _need_opponents(opponents)
        self.batch = self.batch_class(
            1, num_players, rules, 0, opponents, seat=seat, reward=reward, illegal=illegal, autoreset=False
        )
        self._outside = PythonOpponents(self.batch)
        self._format = ObservationFormat(self.game, flatten=flatten, dtype=dtype)
        self._seeded = False
        self.observation_space = self._format.space
        self.action_space = spaces.Discrete(self.game.num_actions)

    @property
    def state(self) -> Any:
        """The game as an object (a copy, without its history)."""
        return self.batch.state(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start the game of *seed*; without one, the next game after the last."""
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = fresh_seed()
        self._seeded = True
        self.batch.reset_slot(0, seed)
        self._outside.settle(begun=True)
        if self.batch.to_move[0] < 0:  # a game that ends before the learner is asked: the next one
            return self.reset()
        self._show()
        return self._observe()

    def _observe(self) -> tuple[Any, dict[str, Any]]:
        return self._format.read(self.batch.observation[0].copy()), self._info()

    def _info(self) -> dict[str, Any]:
        over = self.batch.to_move[0] < 0
        mask = np.zeros(self.game.num_actions, np.int8) if over else self.batch.action_mask[0].astype(np.int8)
        return {"action_mask": mask, "seat": int(self.batch.learner[0])}

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [num_actions]: what the learner may do now."""
        mask: NDArray[np.bool_] = self.batch.action_mask[0].astype(np.bool_)
        return mask

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self.batch.to_move[0] < 0 or not self._seeded:
            raise gymnasium.error.ResetNeeded("the game is over or has not begun: call reset() first")
        number = np.asarray(action)
        if number.ndim or number.dtype.kind not in "iu":
            raise ValueError(f"an action is a whole number, not {action!r}")
        # Below 0 a batch leaves its slot alone; here it is an illegal action like any other.
        beyond = self.game.num_actions
        self.batch.step(np.array([number if 0 <= number < beyond else beyond], np.int64))
        self._outside.settle()
        reward = float(self._outside.reward[0, self.batch.learner[0]])
        done, truncated = bool(self._outside.done[0]), bool(self._outside.truncated[0])
        self._show()
        if done:
            observation = self._format.read(self.batch.final_observation[0].copy())
            info = {**self._info(), "scores": self.batch.final_score[0].tolist()}
            return observation, reward, not truncated, truncated, info
        observation, info = self._observe()
        return observation, reward, False, False, info

    def _show(self) -> None:
        """In the mode ``human``, every position that is reached is shown without being asked for."""
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """``ansi``: a text; ``rgb_array``: uint8 [height, width, 3]; ``human``: the text on the terminal."""
        return render_state(self.state, self.render_mode)


class TowerVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Many games in one compiled call; step by step the same as as many :class:`TowerEnv`.

    A finished game starts anew in the same step (``AutoresetMode.SAME_STEP``): ``infos["final_obs"]`` and
    ``infos["final_info"]`` hold its end. ``infos["action_mask"]`` is int8 [N, num_actions]. With ``copy=False`` arrays
    are overwritten by the next step.
    """

    game: ClassVar[Game]
    batch_class: ClassVar[type[Batch]]
    metadata: dict[str, Any] = {**RENDERING, "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

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
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.num_envs = num_envs
        _need_opponents(opponents)
        self.batch = self.batch_class(
            num_envs,
            num_players,
            rules,
            0,
            opponents,
            seat=seat,
            reward=reward,
            illegal=illegal,
            num_threads=num_threads,
        )
        self._outside = PythonOpponents(self.batch)
        self._format = ObservationFormat(self.game, flatten=flatten, dtype=dtype)
        self._copy = copy
        self._seeded = False
        self._rows = np.arange(num_envs)
        self.single_observation_space = self._format.space
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start the games of ``seed, seed + 1, …`` (or of a list of seeds); without, every slot's next game."""
        if isinstance(seed, (int, np.integer)):
            self.batch.reset(int(seed))
        elif seed is None:
            self.batch.reset(None if self._seeded else fresh_seed())
        else:
            if len(seed) != self.num_envs:
                raise ValueError(f"seed must have {self.num_envs} entries, not {len(seed)}")
            for i, one in enumerate(seed):
                self.batch.reset_slot(i, fresh_seed() if one is None and not self._seeded else one)
        self._seeded = True
        self._outside.settle(begun=True)
        self._show()
        return self._observe(), self._info()

    def _observe(self) -> Any:
        rows = self.batch.observation
        return self._format.read_many(rows.copy() if self._copy else rows)

    def _info(self) -> dict[str, Any]:
        mask = self.batch.action_mask.view(np.int8)
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": mask.copy() if self._copy else mask,
            "_action_mask": everywhere,
            "seat": self.batch.learner.copy(),
            "_seat": everywhere,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [N, num_actions]: what the learners may do now (overwritten by the next step)."""
        return self.batch.action_mask.view(np.bool_)

    def step(self, actions: NDArray[Any]) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        values = np.asarray(actions)
        if values.dtype.kind in "iu":
            values = np.where(values < 0, self.game.num_actions, values)
        seats = self.batch.learner.copy()
        self.batch.step(values)
        self._outside.settle()
        reward = self._outside.reward[self._rows, seats].astype(np.float64)
        done = self._outside.done.copy()
        truncated = self._outside.truncated & done
        info = self._info()
        if done.any():
            self._add_final(info, done, seats)
        self._show()
        return self._observe(), reward, done & ~truncated, truncated, info

    def _add_final(self, info: dict[str, Any], done: NDArray[np.bool_], seats: NDArray[np.int8]) -> None:
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(done):
            final[i] = self._format.read(self.batch.final_observation[i].copy())
        info["final_obs"], info["_final_obs"] = final, done
        mask = np.zeros((self.num_envs, self.game.num_actions), np.int8)
        scores = np.where(done[:, None], self.batch.final_score, 0)
        info["final_info"] = {
            "action_mask": mask, "_action_mask": done, "seat": seats, "_seat": done, "scores": scores, "_scores": done
        }  # fmt: skip
        info["_final_info"] = done

    def render(self) -> Any:
        """One rendering per game; ``human`` shows them on the terminal, and gives None."""
        if self.render_mode is None:
            return None
        shown = tuple(render_state(self.batch.state(i), self.render_mode) for i in range(self.num_envs))
        return None if self.render_mode == "human" else shown

    def _show(self) -> None:
        """As the environment of one game: in the mode ``human``, all positions are shown without being asked for."""
        if self.render_mode == "human":
            self.render()

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()


def _need_opponents(opponents: Any) -> None:
    if opponents is None:
        raise ValueError("opponents: somebody must play the other seats, such as 'random' or 'greedy'")
