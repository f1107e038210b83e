"""Recording chance outcomes, or forcing given ones, in compiled code.

A game with chance events during play has the field ``script`` in its record: 0 in normal play, or during one call the
address of a script, int64 words: a head, then a row for each outcome. The stream advances in any case, so that it ends
where it ended in the first game; in a script marked *given*, the script's values replace those of the stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import carray, pointer

# The head: rows used, number of rows, whether values are given, whether a row didn't fit or rows ran out.
USED, SIZE, GIVEN, FAILED = range(4)
HEAD = 4
# A row: a code of the game (which chance event, for whom), the value used, and the value drawn from the stream.
CODE, VALUE, DRAWN = range(3)
ROW = 3


@jit
def next_outcome(s: Any, code: Any, drawn: Any) -> Any:
    """The next outcome of the script in the record *s*, which must have one; *drawn* is the value from the stream."""
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
    """Mark the last outcome as impossible; from here on the stream decides."""
    head = carray(pointer(np.int64(s.script)), (HEAD,), np.int64)
    if not head[FAILED]:
        head[FAILED] = 1
        head[USED] -= 1
