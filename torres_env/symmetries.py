"""The eight symmetries of the board, as index tables on cells, actions and observations.

Symmetry 0 changes nothing, 1 to 3 turn the board counter-clockwise by 90, 180 and 270 degrees, and 4 to 7 first swap columns
(a and h, b and g, …) and then turn it likewise. A game and its image have the same legal actions, observations and scores,
up to these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torres_env.actions import FIRST_CELL_ACTION, NUM_ACTIONS
from torres_env.observation import BOARD_SIZE, OBSERVATION_SIZE
from torres_env.rules import BOARD_CELLS, CELL_INDEX, CELL_NAMES

NUM_SYMMETRIES = 8
INVERSE = (0, 3, 2, 1, 4, 5, 6, 7)
"""The symmetry that undoes each symmetry."""


def _cells() -> NDArray[np.int64]:
    images = np.empty((NUM_SYMMETRIES, BOARD_CELLS), np.int64)
    for flipped in (0, 4):
        y, x = np.divmod(np.arange(BOARD_CELLS), 8)
        if flipped:
            x = 7 - x
        for turns in range(4):
            images[flipped + turns] = 8 * y + x
            x, y = 7 - y, x
    return images


def _per_board(start: int, stop: int, size: int, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices [8, size] that apply *cells* [8, 64] to each run of 64 from *start* to *stop*, and leave the others."""
    table = np.tile(np.arange(size), (NUM_SYMMETRIES, 1))
    for first in range(start, stop, BOARD_CELLS):
        table[:, first : first + BOARD_CELLS] = first + cells
    return table


CELLS = _cells()
"""int64 [8, 64]: the image of each cell."""
ACTIONS = _per_board(FIRST_CELL_ACTION, NUM_ACTIONS, NUM_ACTIONS, CELLS)
"""int64 [8, num_actions]: the image of each action; ``mask[ACTIONS[INVERSE[k]]]`` is the image of a mask."""
OBSERVATION = _per_board(0, BOARD_SIZE, OBSERVATION_SIZE, CELLS[list(INVERSE)])
"""int64 [8, observation size]: ``row[OBSERVATION[k]]`` is the image of a flat observation under symmetry k."""


def mirrored_position(position: Mapping[str, Any], symmetry: int) -> dict[str, Any]:
    """The image of a position (``TorresState.position()``), its starting cells included."""
    cells = CELLS[symmetry]

    def image(name: str | None) -> str | None:
        return name if name is None else CELL_NAMES[cells[CELL_INDEX[name]]]

    other = dict(position)
    other["height"] = [position["height"][cell] for cell in CELLS[INVERSE[symmetry]]]
    other["knights"] = [[image(name) for name in knights] for knights in position["knights"]]
    other["king"] = image(position["king"])
    other["rules"] = position["rules"] | {
        "starting_cells": [image(name) for name in position["rules"]["starting_cells"]]
    }
    if position["pending"] and "taken" in position["pending"]:
        other["pending"] = position["pending"] | {"taken": image(position["pending"]["taken"])}
    return other
