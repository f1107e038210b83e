"""Rewards computed from states, outside the compiled loops; they equal those of the batch."""

from __future__ import annotations

from typing import Any

from tower_core.engine.batch_structs import OVER
from tower_core.engine.loops import POTENTIAL, TERMINAL_REWARD
from tower_core.game import Game


class Rewards:
    """Rewards of one game for every seat: potential differences for dense rewards, and the terminal reward at the end."""

    def __init__(self, game: Game, reward: str) -> None:
        self.kind = game.reward_kind(reward)
        self.dense = reward in game.dense_rewards
        self._potential: list[float] = []

    def begin(self, state: Any) -> None:
        self._potential = self._potentials(state) if self.dense else []

    def _potentials(self, state: Any) -> list[float]:
        return [_value(state, POTENTIAL, seat, self.kind) for seat in range(state.num_players)]

    def pay(self, state: Any) -> list[float]:
        """The rewards of each seat since the last call."""
        paid = [0.0] * state.num_players
        if self.dense:
            now = self._potentials(state)
            paid = [after - before for after, before in zip(now, self._potential, strict=True)]
            self._potential = now
        if state.current_player() == OVER:
            paid = [value + _value(state, TERMINAL_REWARD, seat, self.kind) for seat, value in enumerate(paid)]
        return paid


def _value(state: Any, operation: int, seat: int, kind: int) -> float:
    # The entry returns integers in millionths, finer than any reward of the games.
    return state._entry(operation, state._address, seat, kind) / 1_000_000  # type: ignore[no-any-return]
