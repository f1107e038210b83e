"""Opponents implemented in Python, in environments whose other players run in the compiled loops."""

from __future__ import annotations

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from tower_core.engine.random import SplitMix64
from tower_core.envs.batch import Batch
from tower_core.players.asking import ask, ask_rows
from tower_core.players.protocol import RowsPlayer, native_of


class PythonOpponents:
    """Steps a batch until the learner is to move in every game, calling Python players on the way.

    ``reward``, ``done`` and ``truncated`` accumulate since the learner's action. A player gets a state whose hidden
    information has been redrawn; a :class:`RowsPlayer` gets the observations of all waiting games in one call. PlayerError if
    a player fails.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.needed = any(native_of(player) is None for player in batch.players)
        self._by_rows = {k: player for k, player in enumerate(batch.players) if isinstance(player, RowsPlayer)}
        self.reward: NDArray[np.float32] = batch.reward
        self.done: NDArray[np.bool_] = batch.done
        self.truncated: NDArray[np.bool_] = batch.truncated
        # Rewards paid before the learner's first move of a game; they are added to the reward of that move.
        self.early: NDArray[np.float32] = np.zeros_like(batch.reward)
        self._interrupted = False

    def must_be_settled(self) -> None:
        """ResetNeeded if the last :meth:`settle` ended with an exception, so that other seats are to move."""
        if self._interrupted:
            raise ResetNeeded("a player failed or was interrupted in the last step: call reset() first")

    def settle(self, started: NDArray[np.bool_] | None = None) -> None:
        """Call after a step of the batch, or after a reset of the games *started* (bool [N])."""
        batch = self.batch
        self.reward, self.done, self.truncated = batch.reward, batch.done, batch.truncated
        if not self.needed:
            return
        if started is not None:
            self.early[started] = 0
        self._interrupted = True
        self.reward, self.done, self.truncated = batch.reward.copy(), batch.done.copy(), batch.truncated & batch.done
        if started is None:
            self.reward += self.early
            self.early[:] = 0
        fresh = self.done.copy() if started is None else started.copy()
        while True:
            waiting = np.flatnonzero((batch.to_move >= 0) & (batch.to_move != batch.learner))
            if not len(waiting):
                break
            actions = np.full(batch.num_envs, -1, np.int64)
            actions[waiting] = self._actions(waiting)
            batch.step(actions)
            new, old = waiting[fresh[waiting]], waiting[~fresh[waiting]]
            self.early[new] = np.where(batch.done[new, None], 0, self.early[new] + batch.reward[new])
            self.reward[old] += batch.reward[old]
            self.done[old] |= batch.done[old]
            self.truncated[old] |= batch.truncated[old] & batch.done[old]
            fresh[old] = batch.done[old]
        self._interrupted = False

    def _actions(self, waiting: NDArray[np.int64]) -> NDArray[np.int64]:
        batch = self.batch
        who = batch.slots["opponent"][waiting, batch.to_move[waiting]]
        actions = np.empty(len(waiting), np.int64)
        for k in np.unique(who).tolist():
            here = who == k
            games = waiting[here]
            player = self._by_rows.get(k)
            if player is None:
                actions[here] = [self._ask(int(i)) for i in games]
            else:
                masks = batch.action_mask[games].view(np.bool_)
                actions[here] = ask_rows(player, batch.observation[games], masks, batch.to_move[games])
        return actions

    def _ask(self, i: int) -> int:
        batch = self.batch
        seat = int(batch.to_move[i])
        slot = batch.slots[i]
        stream = SplitMix64(int(slot["rng"]))
        slot["rng"] = np.uint64(stream.next())
        return ask(batch.players[int(slot["opponent"][seat])], batch.state(i), stream.next())
