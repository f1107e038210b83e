"""The memory of a turn's search: the best distinct positions per number of action points left, and the leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.torres.evaluation import position_worth
from agents.torres.outlook import outlook
from torres_env.record import KING, RECORD
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, carray, pointer
from tower_core.engine.random import mix

STAGES = 12  # action points that a plan looks ahead; a turn starts with at most 9
BUCKETS = 2 * STAGES
DEPTH = 6  # boards on the way of one step: PLAY encore, PLAY relocate, T, B
MAX_KEEP = 64
SEEN = 1 << 13
_MASK = U64(SEEN - 1)
# A step holds up to six actions of ten bits, each plus one, the first in the lowest.
ACTION_BITS, ACTION_MASK = U64(10), U64(1023)
_FACTOR = U64(0x9FB21C651E98DF25)

# A search: its settings and its state.
SEARCH = np.dtype(
    [
        ("entry", "i8"),  # address of the rules
        ("noise_seed", "u8"),
        ("rival", "f8"),  # share of the rivals' worth
        ("noise", "f8"),  # largest noise added to the worth of a position
        ("outlook", "f8"),  # share of the gains to come in the seat's last turn
        ("seat", "i8"),
        ("width", "i8"),
        ("keep", "i8"),  # most leaves
        ("floor", "i8"),  # action points beyond the horizon
        ("phase", "i8"),
        ("round", "i8"),
        ("turn", "i8"),
        ("last", "i8"),  # whether it is the seat's last turn, and its outlook counts
        ("leaves", "i8"),
        ("worst_leaf", "i8"),
        ("seen_count", "i8"),
        ("count", "i8", (BUCKETS,)),
        ("worst", "i8", (BUCKETS,)),
        ("worths", "f8", (4,)),
        ("features", "f8", (32,)),
        ("leaf_value", "f8", (MAX_KEEP,)),
        ("leaf_slot", "i8", (MAX_KEEP,)),
        ("leaf_step", "u8", (MAX_KEEP,)),
        ("leaf_group", "u8", (MAX_KEEP,)),  # leaves of one group are similar
    ],
    align=True,
)
STEP = np.dtype([("value", "f8"), ("slot", "i8"), ("step", "u8")], align=True)
"""A position in a bucket: its value, the slot of the position before it, and the step from there."""


@jit
def absorb(key: Any, word: Any) -> Any:
    key = (key ^ word) * _FACTOR
    return key ^ (key >> U64(32))


@jit
def position_key(s: Any, p: Any) -> Any:
    """A hash of all that a turn of seat *p* can change; its knights are interchangeable."""
    key = absorb(_FACTOR, s.knights[p])
    level = 1
    while s.level[level] != U0:
        key = absorb(key, s.level[level])
        level += 1
    key = absorb(key, U64(s.ap) | U64(s.turn_stack) << U64(8) | U64(s.buys) << U64(16) | U64(s.card_played) << U64(24)
                 | U64(s.supply) << U64(32) | U64(s.blocks_left[p]) << U64(48))  # fmt: skip
    return absorb(key, U64(s.hand[p]) | U64(s.bought) << U64(16) | U64(s.to_move + 8) << U64(32))


@jit
def is_new(seen: Any, key: Any) -> Any:
    """Whether a position is not yet remembered."""
    at = key & _MASK
    while seen[at] != U0:
        if seen[at] == key:
            return False
        at = (at + U1) & _MASK
    return True


@jit
def remember(q: Any, seen: Any, key: Any) -> None:
    """Remember a new position unless the table is full."""
    if q.seen_count < (SEEN * 3) // 4:
        at = key & _MASK
        while seen[at] != U0:
            at = (at + U1) & _MASK
        seen[at] = key
        q.seen_count += 1


@jit
def worst_of(steps: Any, base: Any, count: Any) -> Any:
    worst = np.int64(0)
    for i in range(1, count):
        if steps[base + i].value < steps[base + worst].value:
            worst = np.int64(i)
    return worst


@jit
def keep_leaf(q: Any, value: Any, slot: Any, step: Any, group: Any) -> None:
    """Keep a leaf if it is among the best overall and among the best few of its group, for variety."""
    most = (q.keep + 5) // 6
    alike, worst_alike = 0, -1
    for j in range(q.leaves):
        if q.leaf_group[j] == group:
            alike += 1
            if worst_alike < 0 or q.leaf_value[j] < q.leaf_value[worst_alike]:
                worst_alike = j
    i = q.leaves
    if alike >= most:
        i = worst_alike
    elif i == q.keep:
        i = q.worst_leaf
    if i < q.leaves:
        if value <= q.leaf_value[i]:
            return
    else:
        q.leaves += 1
    q.leaf_value[i] = value
    q.leaf_slot[i] = slot
    q.leaf_step[i] = step
    q.leaf_group[i] = group
    q.worst_leaf = 0
    for j in range(1, q.leaves):
        if q.leaf_value[j] < q.leaf_value[q.worst_leaf]:
            q.worst_leaf = j


@jit
def group_of(s: Any, p: Any) -> Any:
    """A hash of the seat's knights and hand: leaves with equal ones are similar."""
    return absorb(s.knights[p], U64(s.hand[p]))


@jit
def consider(q: Any, c: Any, slot: Any, step: Any, steps: Any, seen: Any, w: Any) -> None:
    """Keep the position after a step in its bucket, as a leaf, both, or not at all."""
    p = q.seat
    key = position_key(c, p)
    if not is_new(seen, key):
        return
    ended = (
        c.to_move != p or c.pending == KING or c.turn != q.turn or c.round != q.round or c.phase != q.phase
    )  # nothing but END was left, though there was a point to spend
    value = position_worth(q, c, p, not ended, w)
    unspent = np.float64(c.unspent_ap_scores)
    value += -unspent if ended else unspent * (np.float64(c.ap) - 1.0)
    stage = np.int64(c.ap) - 1 - q.floor
    bucket = stage + (STAGES if c.card_played else np.int64(0))
    base = bucket * q.width
    as_leaf = q.leaves < q.keep or value + q.noise > q.leaf_value[q.worst_leaf]
    onward = not ended and stage >= 0
    to_come = q.outlook * np.float64(outlook(c, p, np.int64(c.ap) - 1)) if onward and q.last else 0.0
    if onward and q.count[bucket] == q.width and value + to_come + q.noise <= steps[base + q.worst[bucket]].value:
        onward = False
    if not as_leaf and not onward:
        return
    remember(q, seen, key)
    value += q.noise * np.float64(mix(key ^ q.noise_seed) >> U64(11)) / 9007199254740992.0
    keep_leaf(q, value, slot, step, group_of(c, p))
    if not onward:
        return
    value += to_come
    i = q.count[bucket]
    if i < q.width:
        q.count[bucket] += 1
    else:
        i = q.worst[bucket]
        if value <= steps[base + i].value:
            return
    steps[base + i].value = value
    steps[base + i].slot = slot
    steps[base + i].step = step
    if q.count[bucket] == q.width:
        q.worst[bucket] = worst_of(steps, base, q.width)


@jit
def write_turn_of(q: Any, leaf: Any, steps: Any, out: Any) -> Any:
    """Write the actions that lead to a leaf (int64, at most ``len(out)``); returns their number."""
    chain = np.empty(2 * BUCKETS, np.uint64)
    length = 0
    step, slot = q.leaf_step[leaf], q.leaf_slot[leaf]
    while step != U0:
        chain[length] = step
        length += 1
        if slot == 0:
            break
        step, slot = steps[slot - 1].step, steps[slot - 1].slot
    count = 0
    for i in range(length - 1, -1, -1):
        step = chain[i]
        while step != U0 and count < len(out):
            out[count] = np.int64(step & ACTION_MASK) - 1
            count += 1
            step >>= ACTION_BITS
    return count


@jit
def record_at(address: Any) -> Any:
    return carray(pointer(address), (1,), RECORD)[0]
