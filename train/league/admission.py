"""When a copy of the learner joins the league."""

from __future__ import annotations

from collections import deque
from typing import Any

_GAMES = 200  # window of the win rate


class Admission:
    """A copy joins after *every* decisions, and when the learner's win rate over its last 200 games against past copies is
    above *rate*. Either is off at 0.
    """

    def __init__(self, every: int, rate: float) -> None:
        self.every, self.rate = every, rate
        self._last: int | None = None
        self._won: deque[float] = deque(maxlen=_GAMES)

    def played(self, won: float) -> None:
        """Count a game against past copies, of which the learner has won *won* (0 to 1)."""
        self._won.append(won)

    @property
    def won(self) -> float | None:
        """The learner's win rate over the last games; None without games."""
        return sum(self._won) / len(self._won) if self._won else None

    def due(self, steps: int) -> bool:
        """Whether a copy joins after *steps* decisions; the first joins immediately."""
        if self._last is None:
            return True
        if self.every and steps - self._last >= self.every:
            return True
        return bool(self.rate) and len(self._won) == _GAMES and sum(self._won) / _GAMES > self.rate

    def admitted(self, steps: int) -> None:
        """A copy has joined: restart the count for the next."""
        self._last = steps
        self._won.clear()

    def to_dict(self) -> dict[str, Any]:
        return {"last": self._last, "won": list(self._won)}

    def restore(self, saved: dict[str, Any]) -> None:
        self._last = None if saved["last"] is None else int(saved["last"])
        self._won = deque((float(value) for value in saved["won"]), maxlen=_GAMES)
