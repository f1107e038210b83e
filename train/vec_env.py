"""The native vector environment as a Stable-Baselines3 ``VecEnv``, with one learner per game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import tile_images

from tower_core.envs.batch import Batch
from tower_core.envs.rendering import RENDERING, check_render_mode, render_state
from tower_core.players.python_opponents import PythonOpponents
from train.rewards import OwnReward, Potential, RewardOfBatch, load_reward


@dataclass(frozen=True)
class Ended:
    """Games that have just ended: players by seat (*opponents* [k, 4], indices of the batch's players), seats of the
    *learners* [k], *utilities* [k, players] and numbers of the learners' *decisions* [k].
    """

    opponents: NDArray[np.int32]
    learners: NDArray[np.int8]
    utilities: NDArray[np.float32]
    decisions: NDArray[np.int64]


class TowersVecEnv(VecEnv):
    """A *batch* with opponents as a ``VecEnv``: observations are uint8 vectors [N, size], finished games restart.

    ``infos[i]["episode"]`` of a finished game holds the summed reward "r", the number of decisions "l", and the
    learner's "score", "utility" and "seat".

    *reward*: one of your own in place of the batch's, as a function or spec (train.rewards); *gamma*: its discount factor
    if it is a potential. *render_mode*: "rgb_array", "ansi" or "human"; see :meth:`render`.
    """

    def __init__(
        self,
        batch: Batch,
        reward: str | OwnReward | Potential | None = None,
        gamma: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        if not batch.players:
            raise ValueError("the batch needs opponents: this environment has one learner per game")
        check_render_mode(render_mode)
        self.batch = batch
        self._own: RewardOfBatch | None = None
        if reward is not None:
            self._own = RewardOfBatch(batch, load_reward(reward) if isinstance(reward, str) else reward, gamma)
            batch.set_autoreset(False)  # it needs the records of ended games
        self._python = PythonOpponents(batch)
        self._rows = np.arange(batch.num_envs)
        self.watch: Callable[[Ended], None] | None = None
        """called with games that have ended"""
        self.ticks = 0
        """steps so far"""
        self._returns = np.zeros(batch.num_envs)
        self._lengths = np.zeros(batch.num_envs, np.int64)
        size, actions = batch.game.observation_size, batch.game.num_actions
        self.render_mode = render_mode
        super().__init__(batch.num_envs, spaces.Box(0, 255, (size,), np.uint8), spaces.Discrete(actions))
        self.metadata = RENDERING

    def reset(self) -> NDArray[np.uint8]:
        self.batch.reset(self._first_seed())
        self._python.settle(np.ones(self.num_envs, np.bool_))
        self._returns[:] = 0
        self._lengths[:] = 0
        return self.batch.observation.copy()

    def progress(self) -> dict[str, Any]:
        """The environment's state besides the batch, as JSON-able values."""
        early = self._python.early.tolist()
        return {
            "ticks": self.ticks, "returns": self._returns.tolist(), "lengths": self._lengths.tolist(), "early": early
        }  # fmt: skip

    def go_on(self, progress: Mapping[str, Any]) -> NDArray[np.uint8]:
        """Restore :meth:`progress`, after the batch; returns the observations [N, size]. ValueError if damaged."""
        n = self.num_envs
        returns, lengths = np.array(progress["returns"], float), np.array(progress["lengths"], np.int64)
        early = np.array(progress["early"], np.float32)
        if returns.shape != (n,) or lengths.shape != (n,) or early.shape != self._python.early.shape:
            raise ValueError("the saved environment has another number of games or players")
        self.ticks = int(progress["ticks"])
        self._returns[:], self._lengths[:], self._python.early[:] = returns, lengths, early
        self._reset_seeds()
        return self.batch.observation.copy()

    def _first_seed(self) -> int | None:
        """The seed given by ``seed()`` (SB3 keeps one per game), used once."""
        seed: int | None = self._seeds[0]
        self._reset_seeds()
        return seed

    def step_async(self, actions: NDArray[Any]) -> None:
        self._python.must_be_settled()
        self._learners = self.batch.learner.copy()
        self._opponents = self.batch.slots["opponent"].copy()
        if self._own is not None:
            self._own.begin()
            self._actions = np.array(actions, np.int64)
        self.batch.step(actions)

    def step_wait(self) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        self._python.settle()
        rewards = self._python.reward[self._rows, self._learners].copy()
        dones = self._python.done.copy()
        truncated = self._python.truncated & dones
        if self._own is not None:
            rewards = self._own.pay(self._actions)
            for i in np.flatnonzero(dones).tolist():
                self.batch.reset_slot(i)
            self._python.settle(dones)
        self._returns += rewards
        self._lengths += 1
        self.ticks += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        for i in ended.tolist():
            infos[i] = self._final_info(i, bool(truncated[i]))
        if self.watch is not None and len(ended):
            utilities = self.batch.final_utility[ended]
            self.watch(Ended(self._opponents[ended], self._learners[ended], utilities, self._lengths[ended]))
        self._returns[dones] = 0
        self._lengths[dones] = 0
        return self.batch.observation.copy(), rewards, dones, infos

    def _final_info(self, i: int, truncated: bool) -> dict[str, Any]:
        batch, seat = self.batch, int(self._learners[i])
        return {
            "terminal_observation": batch.final_observation[i].copy(),
            "TimeLimit.truncated": truncated,
            "episode": {
                "r": float(self._returns[i]),
                "l": int(self._lengths[i]),
                "score": int(batch.final_score[i, seat]),
                "utility": float(batch.final_utility[i, seat]),
                "seat": seat,
            },
        }

    def close(self) -> None:
        self.batch.close()

    def get_images(self) -> list[NDArray[np.uint8]]:
        """One picture per game, uint8 [height, width, 3]."""
        return [render_state(self.batch.state(i), "rgb_array") for i in range(self.num_envs)]

    def render(self, mode: str | None = None) -> Any:
        """As *mode* or ``render_mode`` says: all games as one tiled picture, as one text, or printed (``human``).

        A finished game isn't shown: its slot already shows the next one.
        """
        mode = mode or self.render_mode
        if mode == "rgb_array":
            return tile_images(self.get_images())
        shown = [render_state(self.batch.state(i), mode) for i in range(self.num_envs if mode else 1)]
        return "\n".join(shown) if mode == "ansi" else None

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [N, num_actions]."""
        return self.batch.action_mask.view(np.bool_)

    # SB3 calls a method on each environment; here one call serves all.
    def env_method(
        self, method_name: str, *args: Any, indices: int | Sequence[int] | None = None, **kwargs: Any
    ) -> Any:
        if method_name != "action_masks":
            raise AttributeError(f"this environment has no method {method_name!r}")
        masks = self.action_masks()
        return masks if indices is None else masks[self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: int | Sequence[int] | None = None) -> list[Any]:
        chosen = list(self._get_indices(indices))
        value = getattr(self, attr_name)
        return [value for _ in chosen]

    def set_attr(self, attr_name: str, value: Any, indices: int | Sequence[int] | None = None) -> None:
        raise AttributeError("the games of this environment share their attributes, which can't be set")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: int | Sequence[int] | None = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]
