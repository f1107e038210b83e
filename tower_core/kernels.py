"""Everything a game's kernels need, in one place: ``from tower_core.kernels import jit, implement, …``.

All functions are compiled. Mind the types: ``uint64`` and plain integers don't mix (write ``U64(1)``, not ``1``), and
addresses are int64.
"""

from __future__ import annotations

from tower_core.engine.batch_structs import OVER, game_record
from tower_core.engine.compiling import jit
from tower_core.engine.hooks import implement
from tower_core.engine.intrinsics import (
    U0,
    U1,
    U64,
    bit,
    count_trailing_zeros,
    larger,
    popcount,
    smaller,
    store_byte,
    store_clipped,
    store_flags,
    test_bit,
)
from tower_core.engine.legal import allow, forbid_all
from tower_core.engine.random import below
from tower_core.engine.seats import absolute, relative

__all__ = [
    "OVER",
    "U0",
    "U1",
    "U64",
    "absolute",
    "allow",
    "below",
    "bit",
    "count_trailing_zeros",
    "forbid_all",
    "game_record",
    "implement",
    "jit",
    "larger",
    "popcount",
    "relative",
    "smaller",
    "store_byte",
    "store_clipped",
    "store_flags",
    "test_bit",
]
