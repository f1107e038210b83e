"""The state of a run between two updates: games, random streams, league. A resumed run continues exactly there."""

from __future__ import annotations

import base64
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from tower_core.envs.saved_batches import Held, hold_batch, restore_batch, save_batch
from train.vec_env import TowersVecEnv


@dataclass
class Moment:
    """The state between two updates, cheap to take; :meth:`to_dict` makes it JSON-able. *extra*: state of other parts."""

    steps: int
    env: TowersVecEnv
    held: Held
    games: dict[str, Any]
    streams: dict[str, Any]
    starts: list[bool]
    extra: dict[str, Any]

    @classmethod
    def now(cls, steps: int, env: TowersVecEnv, starts: Any, extra: dict[str, Any]) -> Moment:
        """The present state; *starts* [N]: the model's episode starts (None: all True)."""
        starts = [True] * env.num_envs if starts is None else np.asarray(starts, bool).tolist()
        return cls(steps, env, hold_batch(env.batch), env.progress(), _streams(), starts, extra)

    def to_dict(self) -> dict[str, Any]:
        return {
            "batch": save_batch(self.env.batch, self.held),
            "games": self.games,
            "streams": self.streams,
            "starts": self.starts,
            **self.extra,
        }


def _streams() -> dict[str, Any]:
    stream: Any = np.random.get_state()
    kind, keys, place, has_gauss, gauss = stream
    version, numbers, following = random.getstate()
    return {
        "torch": base64.b64encode(torch.get_rng_state().numpy().tobytes()).decode(),
        "numpy": [kind, keys.tolist(), place, has_gauss, gauss],
        "python": [version, list(numbers), following],
    }


def restore(saved: dict[str, Any], env: TowersVecEnv) -> tuple[Any, Any]:
    """Restore games and random streams; returns observations [N, size] and episode starts [N].

    ValueError if *saved* is damaged or belongs to other settings.
    """
    try:
        restore_batch(env.batch, saved["batch"])
        rows = env.go_on(saved["games"])
        streams = saved["streams"]
        state = np.frombuffer(base64.b64decode(streams["torch"], validate=True), np.uint8)
        version, numbers, following = streams["python"]
        starts = np.array(saved["starts"], np.bool_)
        if starts.shape != (env.num_envs,):
            raise ValueError("the saved episode starts have another number of games")
        kind, keys, place, has_gauss, gauss = streams["numpy"]
        if not 0 <= place <= len(keys):  # NumPy would read out of bounds
            raise ValueError("the saved random stream is at an impossible place")
        np.random.set_state((kind, np.array(keys, np.uint32), place, has_gauss, gauss))
        random.setstate((version, tuple(numbers), following))
        torch.set_rng_state(torch.from_numpy(state.copy()))
    except (LookupError, TypeError, OverflowError, AttributeError, RuntimeError) as error:
        raise ValueError(f"the saved games can't be read: {error}") from error
    return rows, starts
