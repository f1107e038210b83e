"""The training loop of MaskablePPO, which can be saved and resumed between two updates, and its rollout buffer."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback

from train.config import TrainArgs

_NO_LIMIT = 2**62


@dataclass
class Spent:
    """Seconds of *clock* spent on rollouts (environment and forward passes) and on updates."""

    clock: Callable[[], float] = time.process_time
    rollout: float = 0.0
    update: float = 0.0
    _start: float = 0.0

    def lap(self) -> float:
        """Seconds since the last lap; meaningless for the first."""
        now = self.clock()
        took, self._start = now - self._start, now
        return took


def ppo_settings(args: TrainArgs) -> dict[str, Any]:
    """The arguments of MaskablePPO that are settings of a run."""
    return {
        "batch_size": args.batch_size,
        "n_epochs": args.epochs,
        "gamma": args.gamma,
        "gae_lambda": args.gae_lambda,
        "ent_coef": args.entropy,
        "seed": args.seed,
        "device": "cpu",
    }


def learn(model: MaskablePPO, callback: BaseCallback, go_on: Callable[[], bool], spent: Spent | None = None) -> None:
    """Rollouts and updates as in ``model.learn``, while *go_on*, called between two updates, returns True.

    It also ends where *callback* breaks off a rollout, which is then discarded.
    """
    spent = spent or Spent()
    _, watcher = model._setup_learn(_NO_LIMIT, callback, reset_num_timesteps=False)
    watcher.on_training_start(locals(), globals())
    updates = 0
    spent.lap()
    while go_on():
        if not model.collect_rollouts(model.env, watcher, model.rollout_buffer, n_rollout_steps=model.n_steps):
            break
        spent.rollout += spent.lap()
        updates += 1
        model.dump_logs(updates)
        model.train()
        spent.update += spent.lap()
    watcher.on_training_end()


def take_up(model: MaskablePPO, rows: Any, starts: Any) -> None:
    """Let ``learn`` start from these observations [N, size] and episode starts [N] instead of a reset."""
    model._last_obs, model._last_episode_starts = rows, starts


class RowsBuffer(MaskableRolloutBuffer):
    """MaskablePPO's rollout buffer with observations and masks as bytes, allocated once per run and never transposed."""

    def reset(self) -> None:
        steps, n = self.buffer_size, self.n_envs
        if not hasattr(self, "action_masks"):
            self.mask_dims = int(self.action_space.n)
            self.observations = np.zeros((steps, n, *self.obs_shape), np.uint8)
            self.action_masks = np.ones((steps, n, self.mask_dims), np.bool_)
            self.actions = np.zeros((steps, n, 1), np.int64)
            for name in ("rewards", "returns", "episode_starts", "values", "log_probs", "advantages"):
                setattr(self, name, np.zeros((steps, n), np.float32))
        self.pos, self.full, self.generator_ready = 0, False, False

    def get(self, batch_size: int | None = None) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Samples in random order, *batch_size* at a time."""
        total = self.buffer_size * self.n_envs
        order = torch.from_numpy(np.random.permutation(total))
        columns = [
            torch.from_numpy(values).reshape(total, *values.shape[2:])
            for values in (
                self.observations, self.actions, self.values, self.log_probs, self.advantages, self.returns,
                self.action_masks,
            )
        ]  # fmt: skip
        for start in range(0, total, batch_size or total):
            chosen = order[start : start + (batch_size or total)]
            yield MaskableRolloutBufferSamples(*[column.index_select(0, chosen) for column in columns])
