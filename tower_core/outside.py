"""Players that must be asked from Python, inside environments whose other players sit in the compiled loops."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tower_core.batch import Batch
from tower_core.players import mover_view
from tower_core.random import SplitMix64


class Outside:
    """Steps a batch until the learner is to move everywhere, asking Python players on the way.

    ``reward``, ``done`` and ``truncated`` hold what happened since the learner's action. Whoever is asked gets a state in
    which everything hidden from its seat has been drawn anew.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.needed = any(player.native is None for player in batch.players)
        self.reward: NDArray[np.float32] = batch.reward
        self.done: NDArray[np.bool_] = batch.done
        self.truncated: NDArray[np.bool_] = batch.truncated

    def settle(self) -> None:
        """After a reset or step of the batch."""
        batch = self.batch
        self.reward, self.done, self.truncated = batch.reward, batch.done, batch.truncated
        if not self.needed:
            return
        self.reward, self.done, self.truncated = batch.reward.copy(), batch.done.copy(), batch.truncated & batch.done
        while True:
            waiting = np.flatnonzero((batch.to_move >= 0) & (batch.to_move != batch.learner))
            if not len(waiting):
                return
            actions = np.full(batch.num_envs, -1, np.int64)
            for i in waiting:
                actions[i] = self._ask(int(i))
            batch.step(actions)
            self.reward[waiting] += batch.reward[waiting]
            self.done[waiting] |= batch.done[waiting]
            self.truncated[waiting] |= batch.truncated[waiting] & batch.done[waiting]

    def _ask(self, i: int) -> int:
        batch = self.batch
        seat = int(batch.to_move[i])
        slot = batch.slots[i]
        stream = SplitMix64(int(slot["rng"]))
        slot["rng"] = np.uint64(stream.next())
        view = mover_view(batch.state(i), stream.next())
        return int(batch.players[int(slot["opponent"][seat])].act(view))
