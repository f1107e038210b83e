"""Setting the legal actions of a record one at a time, for games without a faster way."""

from __future__ import annotations

from typing import Any

import numpy as np

from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, bit


@jit
def forbid_all(s: Any) -> None:
    """Make all actions illegal in the record *s*."""
    for k in range(len(s.legal)):
        s.legal[k] = U0


@jit
def allow(s: Any, action: Any) -> None:
    """Make *action* legal in the record *s*."""
    number, first = np.int64(action), np.int64(s.first_word)
    if number < first:
        s.legal[0] |= bit(number)
    else:
        rest = number - first
        s.legal[1 + (rest >> np.int64(6))] |= bit(rest & np.int64(63))
