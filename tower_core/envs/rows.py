"""Reusable observation arrays, at less than the cost of allocating new ones.

Creating an array takes Python several times as long as filling it. An environment therefore keeps a few rows of memory
and reuses a row once nothing refers to it any more. An array that the caller still holds, even a view of a part, is never
overwritten.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.envs.spaces import ObservationFormat
from tower_core.game import Game

# Callers hold the last observation while the next one is written, so two rows are always in use.
_ROWS = 3

Row = tuple[int, NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int8]]
"""Address, memory, and views of it: first part and second part of the observation (the same if it has one), mask."""


class Rows:
    """Rows of memory for an observation followed by its mask; compiled code fills a row by its address."""

    def __init__(self, game: Game, layout: ObservationFormat) -> None:
        self._game, self._layout = game, layout
        whole = layout.casts or layout.flatten
        names = [] if whole else [name for name, _, _ in game.slices]
        self._places = [(place, shape) for _, place, shape in game.slices[: len(names)]]
        if len(names) > 2:
            raise NotImplementedError("observations must have one or two parts")
        self._one, self._two = (*names, None, None)[:2]
        self._rows = [self._new() for _ in range(_ROWS)]
        self._last = 0
        # Reference counts of an unused row, taken as in `take`, because getrefcount counts its own argument.
        _, block, first, second, mask = self._rows[0]
        self._free = getrefcount(block), getrefcount(first), getrefcount(second), getrefcount(mask)

    def _new(self) -> Row:
        end = self._game.observation_size
        block = np.empty(end + self._game.num_actions, np.uint8)
        parts = [block[place].reshape(shape) for place, shape in self._places] or [block[:end]]
        return block.ctypes.data, block, parts[0], parts[-1], block[end:].view(np.int8)

    def take(self) -> tuple[int, dict[str, Any]]:
        """A row to fill: its address, and ``{"observation": …, "action_mask": int8 [num_actions]}`` over it.

        For flat or cast observations, "observation" is the bare row until :meth:`finish`.
        """
        i = self._last = self._last + 1 if self._last < _ROWS - 1 else 0
        address, block, first, second, mask = self._rows[i]
        counts = getrefcount(block), getrefcount(first), getrefcount(second), getrefcount(mask)
        if counts != self._free:
            address, block, first, second, mask = self._rows[i] = self._new()
        if self._two is not None:
            return address, {"observation": {self._one: first, self._two: second}, "action_mask": mask}
        if self._one is not None:
            return address, {"observation": {self._one: first}, "action_mask": mask}
        return address, {"observation": first, "action_mask": mask}

    def finish(self, seen: dict[str, Any]) -> dict[str, Any]:
        """Convert the observation of a filled row to the environment's format."""
        if self._one is None:
            seen["observation"] = self._layout.read(seen["observation"])
        return seen
