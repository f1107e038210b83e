"""Where to begin: castles with room around them."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import around
from torres_env.legal import FIRST_WORD
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import bit, popcount

_REACH = 4
SETUP_NOISE = 6.0  # how much more chance there is than elsewhere


@jit
def room_of(here: Any, others: Any) -> Any:
    """Cells that a castle begun on *here* reaches sooner than those begun on *others* (sets of cells)."""
    mine, theirs = here, others & ~here
    for _ in range(_REACH):
        wider = theirs | around(theirs)
        mine |= around(mine) & ~wider
        theirs = wider & ~mine
    return popcount(mine)


@jit
def setup_value(s: Any, action: Any) -> Any:
    """What a starting block or knight promises: room to build."""
    return np.float64(room_of(bit((action - FIRST_WORD) & 63), s.level[1]))
