"""The loop of MaskablePPO, with a moment between two updates at which everything can be saved and taken up again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

_NO_LIMIT = 2**62


@dataclass
class Spent:
    """Seconds of *clock* by part: playing (*rollout*, environment and forward passes) and updating."""

    clock: Callable[[], float] = time.process_time
    rollout: float = 0.0
    update: float = 0.0
    _start: float = 0.0

    def lap(self) -> float:
        """Seconds since the last lap; the first one says nothing."""
        now = self.clock()
        took, self._start = now - self._start, now
        return took


def learn(model: MaskablePPO, callback: BaseCallback, go_on: Callable[[], bool], spent: Spent | None = None) -> None:
    """Rollouts and updates as in ``model.learn``, as long as *go_on*, asked between them, says so.

    It also ends where *callback* breaks a rollout off; what was played of it is then no part of the model.
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
    """Let ``learn`` begin with these observations [N, size] and beginnings of games [N] in place of a reset."""
    model._last_obs, model._last_episode_starts = rows, starts
