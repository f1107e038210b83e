"""Complete random playouts in compiled code: the plainest estimate of a position, and a yardstick of speed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import carray
from numpy.typing import NDArray

from agents.search.tree import copy_state
from tower_core.engine import loops
from tower_core.engine.batch_structs import MAX_SEATS, aligned
from tower_core.engine.compiling import compile_entry
from tower_core.engine.intrinsics import U64, call_entry, pointer
from tower_core.engine.random import GOLDEN, SplitMix64, mix, to_i64, to_u64
from tower_core.state import State

PLAYOUT, OUTCOME = np.int64(loops.PLAYOUT), np.int64(loops.TERMINAL_REWARD)
TASK = np.dtype([("entry", "i8"), ("size", "i8"), ("scratch", "i8"), ("seats", "i8"), ("totals", "f8", (MAX_SEATS,))])
_compiled: list[Callable[..., int]] = []


def run(task_address: int, root: int, count: int, seed: int) -> int:
    task = carray(pointer(task_address), (1,), TASK)[0]
    stream = U64(seed)
    for _ in range(count):
        stream += GOLDEN
        copy_state(task.scratch, root, task.size)
        call_entry(task.entry, PLAYOUT, task.scratch, np.int64(mix(stream)), np.int64(0))
        for p in range(task.seats):
            task.totals[p] += np.float64(call_entry(task.entry, OUTCOME, task.scratch, np.int64(p), np.int64(0))) / 1e6
    return 0


def random_playouts(state: State, count: int, seed: int = 0) -> NDArray[np.float64]:
    """float64 [num_players]: the average utility of each seat over *count* random games from a state on.

    The state stays as it is. Its hidden cards are played as they lie: resample them first where they must not be known.
    ValueError unless *count* is a whole number from 1 on.
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError(f"count must be a whole number from 1 on, not {count!r}")
    if not _compiled:
        _compiled.append(compile_entry(run, ("agents.search",), "random playouts")[0])
    scratch = aligned(1, state.game.record)
    task = np.zeros(1, TASK)
    task[0] = (state.game.address, state.game.record.itemsize, scratch.ctypes.data, state.num_players, 0.0)
    start: Any = to_i64(SplitMix64(to_u64(seed)).next())
    _compiled[0](task.ctypes.data, state._address, count, start)
    return task["totals"][0, : state.num_players] / count  # type: ignore[no-any-return]
