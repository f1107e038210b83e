"""Compiled players whose effort follows the CPU time of their turns."""

from __future__ import annotations

import time
from typing import Any, Self

from tower_core.options import check_number
from tower_core.players.native_player import NativePlayer
from tower_core.state import State

_NEW_SHARE = 0.3  # weight of the last turn in the mean cost
_FORCED = 1 / 3  # turns that cost less than this share of the mean had little to decide, and don't count
_costs: dict[tuple[str, str, tuple[float, ...], float], float] = {}
"""CPU seconds per turn and unit of effort, by player, game, options and budget: the next game of the process begins with it."""


class PacedPlayer(NativePlayer):
    """A compiled player with an effort among its options, such as a beam width, which can follow a budget of CPU time."""

    effort_at: tuple[int, ...]
    """Places of the effort in the options."""
    most_effort: int
    cpu: float | None = None
    """Seconds of CPU time per turn; None: the effort stays as it is."""

    def with_cpu(self, cpu: float | None) -> Self:
        """Set the budget. ValueError if it is wrong."""
        if cpu is not None:
            check_number(f"{self.name}: cpu", cpu, 0.001, 1_000_000)
            self.native = None  # the compiled loops know no budget
        self.cpu = cpu
        self._turn: tuple[int, ...] = ()
        self._used, self._effort = 0.0, float(self._options[self.effort_at[0]])
        return self

    def act(self, state: State) -> int:
        if self.cpu is None:
            return super().act(state)
        start = time.process_time()
        turn = self.game.turn_of(state._record)
        if turn != self._turn:
            self._begin_turn(turn, self.cpu)
        effort = 1.0 if self._used > self.cpu else self._effort
        self._options[list(self.effort_at)] = effort
        action = super().act(state)
        self._used += time.process_time() - start
        return action

    def _begin_turn(self, turn: tuple[int, ...], cpu: float) -> None:
        key = (self.name, self.game.name, self._values, cpu)
        if self._used:
            cost = self._used / self._effort
            mean = _costs.get(key, cost)
            if cost > _FORCED * mean:
                _costs[key] = mean + _NEW_SHARE * (cost - mean)
        if key in _costs:
            self._effort = float(min(max(1, int(cpu / _costs[key])), self.most_effort))
        self._turn, self._used = turn, 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        return _with_cpu, (super().__reduce__(), self.cpu)


def _with_cpu(made: tuple[Any, ...], cpu: float | None) -> PacedPlayer:
    make, arguments = made
    player: PacedPlayer = make(*arguments)
    return player.with_cpu(cpu)
