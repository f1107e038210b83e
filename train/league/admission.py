"""When a copy of the learner joins the league."""

from __future__ import annotations

from collections import deque
from typing import Any

_GAMES = 200  # games whose win rate counts


class Admission:
    """A copy joins *every* so many decisions, and when the learner has won more than *rate* of its last 200 games against
    earlier copies. Either is off at 0.
    """

    def __init__(self, every: int, rate: float) -> None:
        self.every, self.rate = every, rate
        self._last: int | None = None
        self._won: deque[float] = deque(maxlen=_GAMES)

    def played(self, won: float) -> None:
        """The learner has had *won* (0 to 1) of a game against earlier copies."""
        self._won.append(won)

    @property
    def won(self) -> float | None:
        """Share of the last games that the learner won; None before there are any."""
        return sum(self._won) / len(self._won) if self._won else None

    def due(self, steps: int) -> bool:
        """Whether a copy joins now, after *steps* decisions; the first joins at once."""
        if self._last is None:
            return True
        if self.every and steps - self._last >= self.every:
            return True
        return bool(self.rate) and len(self._won) == _GAMES and sum(self._won) / _GAMES > self.rate

    def admitted(self, steps: int) -> None:
        """A copy has joined: the next has to win its own games."""
        self._last = steps
        self._won.clear()

    def to_dict(self) -> dict[str, Any]:
        return {"last": self._last, "won": list(self._won)}

    def restore(self, saved: dict[str, Any]) -> None:
        self._last = None if saved["last"] is None else int(saved["last"])
        self._won = deque((float(value) for value in saved["won"]), maxlen=_GAMES)
