"""The tree search in batches: collect leaves, have them valued outside, add the values up.

Simulations of a batch don't know each other's values. Each counts as a visit on its way (virtual loss), so that they spread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.tree import (
    MAX_PATH,
    NODE,
    PROBLEM,
    TURN,
    add_up,
    copy_state,
    make_root,
    walk_down,
)
from tower_core.engine import loops
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import Entry, jit
from tower_core.engine.intrinsics import call_address, call_entry, carray, pointer

OBSERVE = np.int64(loops.OBSERVE)
# The leaves of a batch: addresses of arrays with *capacity* entries.
LEAVES = np.dtype(
    [
        ("capacity", "i8"),
        ("records", "i8"),  # the positions
        ("values", "i8"),  # float64 [capacity, MAX_SEATS]: the game's own evaluation, then the evaluator's
        ("rows", "i8"),  # uint8 [capacity, seats, row_size]: each seat's observation
        ("row_size", "i8"),
        ("paths", "i8"),  # int64 [capacity, MAX_PATH]: the nodes of the simulation
        ("lengths", "i8"),  # int64 [capacity]
    ],
    align=True,
)


@jit
def gather(problem: Any, leaves: Any, nodes: Any, paths: Any, lengths: Any, count: Any) -> None:
    turns = carray(pointer(problem.turns), (problem.most_turns,), TURN)
    below = carray(pointer(problem.below), (problem.most_turns * problem.world_count,), np.int64)
    seats = np.int64(problem.seats)
    for i in range(count):
        path = paths[i]
        length = walk_down(problem, nodes, turns, below, path)
        lengths[i] = length
        for j in range(length):
            nodes[path[j]].waiting += 1
        at = leaves.records + problem.size * i
        copy_state(at, problem.scratch, problem.size)
        call_address(problem.evaluate, at, leaves.values + 8 * MAX_SEATS * i, problem.values)
        for p in range(seats):
            call_entry(problem.entry, OBSERVE, at, np.int64(p), leaves.rows + leaves.row_size * (seats * i + p))


@jit
def settle(problem: Any, leaves: Any, nodes: Any, paths: Any, lengths: Any, count: Any) -> None:
    values = carray(pointer(leaves.values), (leaves.capacity, MAX_SEATS), np.float64)
    for i in range(count):
        for j in range(lengths[i]):
            nodes[paths[i, j]].waiting -= 1
        add_up(problem, nodes, paths[i], lengths[i], values[i])


def work(problem_address: int, leaves_address: int, count: int) -> int:
    """Collect *count* leaves into the batch, or, with a negative *count*, add up the values of as many.

    With 0, only make the children of the root. Returns their number; with a single one nothing else is done.
    """
    problem = carray(pointer(problem_address), (1,), PROBLEM)[0]
    leaves = carray(pointer(leaves_address), (1,), LEAVES)[0]
    nodes = carray(pointer(problem.nodes), (problem.capacity,), NODE)
    paths = carray(pointer(leaves.paths), (leaves.capacity, MAX_PATH), np.int64)
    lengths = carray(pointer(leaves.lengths), (leaves.capacity,), np.int64)
    make_root(problem, nodes, carray(pointer(problem.turns), (problem.most_turns,), TURN))
    if nodes[0].count > 1:
        if count >= 0:
            gather(problem, leaves, nodes, paths, lengths, count)
        else:
            settle(problem, leaves, nodes, paths, lengths, -count)
    return np.int64(nodes[0].count)  # type: ignore[return-value]


compile_batches = Entry(work, ("agents.search.tree", "agents.search.leaves"), "the tree search in batches")
"""The compiled :func:`work` and its address."""
