"""The memory between two updates: rows and masks as bytes in memory kept for the whole run, handed out without conversions."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples


class RowsBuffer(MaskableRolloutBuffer):
    """What MaskablePPO's own buffer holds, with masks of one byte an action in place of four and no copy in another order."""

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
