"""Results of chance written down as they happen, or given in advance, in compiled code.

A game whose chance goes on during play has the field ``script`` in its record: 0 in play, or for the time of one call
the address of a script, int64 words: a head, then a row for each result. The stream is drawn from in any case, so that
it stands where it stood in the first game; where a script is *given*, its values count and not those of the stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray

from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import pointer

# The head: rows used, rows there are, whether their values are given, whether one didn't fit or there were too few.
USED, SIZE, GIVEN, FAILED = range(4)
HEAD = 4
# A row: a code of the game's (what kind of chance, for whom), the value that counts, and the value by the stream.
CODE, VALUE, DRAWN = range(3)
ROW = 3


@jit
def next_outcome(s: Any, code: Any, drawn: Any) -> Any:
    """The next result of a script that lies in the record *s* (there must be one); *drawn* is the stream's."""
    head = carray(pointer(np.int64(s.script)), (HEAD,), np.int64)
    i, size = head[USED], head[SIZE]
    if head[FAILED]:
        return drawn
    if i == size:
        head[FAILED] = 1
        return drawn
    row = carray(pointer(np.int64(s.script) + 8 * (HEAD + ROW * i)), (ROW,), np.int64)
    if not head[GIVEN]:
        row[CODE] = code
        row[VALUE] = drawn
    elif row[CODE] != code:
        head[FAILED] = 1
        return drawn
    row[DRAWN] = drawn
    head[USED] = i + 1
    return row[VALUE]


@jit
def reject(s: Any) -> None:
    """The result that was told last can't be; from here on the stream decides."""
    head = carray(pointer(np.int64(s.script)), (HEAD,), np.int64)
    if not head[FAILED]:
        head[FAILED] = 1
        head[USED] -= 1
