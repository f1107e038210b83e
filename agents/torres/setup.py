"""Setup: starting castles with room around them."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import around
from torres_env.legal import FIRST_WORD
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import bit, popcount

_REACH = 4
SETUP_NOISE = 6.0  # factor on the noise


@jit
def room_of(here: Any, others: Any) -> Any:
    """The number of cells that castles on *here* reach sooner than those on *others* (sets of cells)."""
    mine, theirs = here, others & ~here
    for _ in range(_REACH):
        wider = theirs | around(theirs)
        mine |= around(mine) & ~wider
        theirs = wider & ~mine
    return popcount(mine)


@jit
def setup_value(s: Any, action: Any) -> Any:
    """The value of a starting block or knight: its room to build."""
    return np.float64(room_of(bit((action - FIRST_WORD) & 63), s.level[1]))
