"""Plays games with a script, which records chance outcomes or forces given ones (tower_core.engine.forced_chance)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tower_core.engine.forced_chance import CODE, FAILED, GIVEN, HEAD, ROW, SIZE, USED, VALUE
from tower_core.engine.loops import NEW
from tower_core.engine.random import to_i64

Row = tuple[int, int]
"""One outcome: a code of the game, and a value."""
_FIRST_SIZE, _MAX_OUTCOMES = 1024, 2**22


class ScriptError(ValueError):
    """Outcomes that don't fit the game; *place* is the index of the first wrong one."""

    def __init__(self, place: int) -> None:
        super().__init__(f"chance outcome {place + 1} is impossible")
        self.place = place


class Script:
    """The memory of one script: the *given* outcomes to force, or (None) room to record *size* outcomes."""

    def __init__(self, given: Sequence[Row] | None = None, size: int = _FIRST_SIZE) -> None:
        rows = size if given is None else len(given)
        self._words = np.zeros(HEAD + ROW * rows, np.int64)
        self._words[SIZE] = rows
        self._words[GIVEN] = given is not None
        self._rows = self._words[HEAD:].reshape(rows, ROW)
        if given:
            self._rows[:, [CODE, VALUE]] = given

    @property
    def address(self) -> int:
        return int(self._words.ctypes.data)

    @property
    def failed(self) -> bool:
        return bool(self._words[FAILED])

    @property
    def used(self) -> int:
        return int(self._words[USED])

    def drawn(self) -> list[Row]:
        """Code of each used outcome, and the value that the stream drew."""
        return [(int(code), int(value)) for code, _, value in self._rows[: self.used].tolist()]


def deal(state: Any, seed: int, given: Sequence[Row] | None = None) -> list[Row]:
    """Restart *state* with the game of *seed*; otherwise like :func:`play`."""

    def start() -> None:
        state._player = state._entry(NEW, state._address, to_i64(seed), 0)

    return _run(state, start, given)


def play(state: Any, action: int, given: Sequence[Row] | None = None) -> list[Row]:
    """Apply an action to *state*; returns the outcomes that the stream drew.

    *given* forces the chance outcomes. ScriptError if they don't fit, are too many or too few; ValueError if the action is
    illegal. The state is then unchanged.
    """
    return _run(state, lambda: state.apply_action(action), given)


def _run(state: Any, call: Callable[[], None], given: Sequence[Row] | None) -> list[Row]:
    content = state._record.view(np.uint8)  # copying bytes is a hundred times faster than copying fields
    before, player, moves = content.copy(), state._player, len(state._history)
    size = _FIRST_SIZE
    while True:
        script = Script(given, size)
        state._record["script"] = script.address
        try:
            call()
        finally:
            state._record["script"] = 0
        if not script.failed and (given is None or script.used == len(given)):
            return script.drawn()
        content[:] = before
        state._player = player
        del state._history[moves:]
        if given is not None:
            raise ScriptError(script.used)
        if size >= _MAX_OUTCOMES:
            raise ValueError(f"more than {_MAX_OUTCOMES} chance outcomes in one move")
        size *= 8
