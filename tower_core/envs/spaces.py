"""Observation formats: a dict of parts or one vector, uint8 or float32."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tower_core.game import Game
from tower_core.state import State


class ObservationFormat:
    """*flatten*: one vector instead of a dict; *dtype*: ``uint8``, or ``float32`` with the same values."""

    def __init__(self, game: Game, *, flatten: bool = False, dtype: str = "uint8") -> None:
        if dtype not in ("uint8", "float32"):
            raise ValueError(f"dtype must be 'uint8' or 'float32', not {dtype!r}")
        if flatten not in (True, False):
            raise ValueError(f"flatten must be True or False, not {flatten!r}")
        self.flatten, self.dtype = bool(flatten), np.dtype(dtype)
        self._slices = game.slices
        self.casts = self.dtype != np.uint8
        self.space: spaces.Space[Any]
        bounds = {part.name: part.bounds().astype(self.dtype) for part in game.observation}
        if flatten:
            self.space = self._box(np.concatenate([high.ravel() for high in bounds.values()]))
        else:
            self.space = spaces.Dict({name: self._box(high) for name, high in bounds.items()})

    def _box(self, high: NDArray[Any]) -> spaces.Box:
        return spaces.Box(np.zeros_like(high), high, dtype=self.dtype.type)

    def read(self, row: NDArray[np.uint8]) -> Any:
        """The observation in a row (views of it, unless cast)."""
        if self.casts:
            row = row.astype(self.dtype)
        if self.flatten:
            return row
        return {name: row[place].reshape(shape) for name, place, shape in self._slices}

    def read_many(self, rows: NDArray[np.uint8]) -> Any:
        """The observations in rows [N, size]; every shape has N in front."""
        if self.casts:
            rows = rows.astype(self.dtype)
        if self.flatten:
            return rows
        n = len(rows)
        return {name: rows[:, place].reshape(n, *shape) for name, place, shape in self._slices}


def flat_row(state: State, seat: int | None = None) -> NDArray[np.uint8]:
    """What *seat* (default: the seat to move) sees, as one row [size], the form of batches and networks."""
    return state._row(state.current_player() if seat is None else seat)
