"""The board in compiled code: castles, and where blocks may be placed (sections 1, 3 and 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.record import MAX_HEIGHT
from torres_env.rules import DOORS, MAX_KNIGHTS
from tower_core.engine.compiling import inlined, jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros, popcount, smaller

U8 = U64(8)
NOT_A, NOT_H = U64(0xFEFEFEFEFEFEFEFE), U64(0x7F7F7F7F7F7F7F7F)
CONNECTED, STRAIGHT, DESCENDING = (DOORS.index(name) for name in ("connected", "straight", "descending"))


@inlined
def around(x: Any) -> Any:
    """Orthogonal neighbours of a set of cells."""
    return (x << U8) | (x >> U8) | ((x << U1) & NOT_A) | ((x >> U1) & NOT_H)


@jit
def flood(seed: Any, inside: Any) -> Any:
    """The cells of *inside* connected to *seed* within *inside*."""
    reached = seed & inside
    while True:
        wider = (reached | around(reached)) & inside
        if wider == reached:
            return reached
        reached = wider


# ---------------------------------------------------------------------------------------------- castles
@inlined
def castle_at(s: Any, cell: Any) -> Any:
    """The castle that contains a cell, which must have a block."""
    return s.castle[s.castle_of[cell]]


@jit
def set_castle(s: Any, q: Any, cells: Any) -> None:
    """Make a set of cells castle number *q*."""
    s.castle[q] = cells
    area = popcount(cells)
    while cells != U0:
        cell = count_trailing_zeros(cells)
        s.area[cell] = area
        s.castle_of[cell] = q
        cells &= cells - U1


@inlined
def raise_cell(s: Any, cell: Any) -> None:
    """Put a block on a cell; on the ground, it joins the adjacent castle or founds one."""
    height = np.int64(s.height[cell])
    b = bit(cell)
    near = around(b)
    changed = b  # cells where a knight's score changes
    s.height[cell] = height + 1
    s.level[height + 1] |= b
    if height == 0:
        castle = join_castle(s, b, near)
        changed = castle
    else:
        castle = castle_at(s, cell)
        if height + 1 >= smaller(np.int64(s.area[cell]), np.int64(MAX_HEIGHT + 1)):
            s.block_targets &= ~b
    # Only these knights are affected: those beside the cell, and those at this castle for whom it is now a door (their level
    # is its old height); if the inner level may sink, also those above.
    doors = s.level[height] if s.doors == DESCENDING else s.level[height] & ~s.level[height + 1]
    touched = near | b | (doors & (castle | around(castle)))
    for p in range(s.num_players):
        s.coming_dirty[p] |= np.int64(s.knights[p] & changed != U0)
        if s.knights[p] & touched != U0:
            dirty = np.int64(0)
            for k in range(MAX_KNIGHTS):
                dirty |= np.int64(s.knight_bit[p, k] & touched != U0) << k
            s.dirty[p] |= dirty


@inlined
def join_castle(s: Any, b: Any, near: Any) -> Any:
    """Update castles and block targets after a block was placed on the ground cell *b*; returns its castle."""
    before = s.level[1] & ~b
    beside = near & before
    q = np.int64(s.castle_count)
    if beside != U0:
        q = np.int64(s.castle_of[count_trailing_zeros(beside)])
    else:
        s.castle_count += 1
    newly = near & ~around(s.castle[q])  # cells newly adjacent to this castle
    castle = s.castle[q] | b
    set_castle(s, q, castle)
    tops = castle & ~s.level[smaller(popcount(castle), np.int64(MAX_HEIGHT + 1))]
    # A ground cell beside one castle stays a target unless this one is its second; one beside none becomes a target.
    s.block_targets = tops | (s.block_targets & ~castle & ~newly) | (newly & ~around(before) & ~s.level[1])
    return castle


@jit
def lower_cell(s: Any, cell: Any) -> None:
    """Take the top block of a cell. The castle must stay connected."""
    height = np.int64(s.height[cell])
    b = bit(cell)
    s.height[cell] = height - 1
    s.level[height] &= ~b
    if height == 1:
        q = np.int64(s.castle_of[cell])
        s.area[cell] = 0
        s.castle_of[cell] = 0
        rest = s.castle[q] & ~b
        if rest == U0:  # the castle is gone: the last castle takes its number
            s.castle[q] = U0
            s.castle_count -= 1
            rest = s.castle[s.castle_count]
            s.castle[s.castle_count] = U0
        set_castle(s, q, rest)
    refresh_block_targets(s)
    all_dirty(s)


@jit
def all_dirty(s: Any) -> None:
    """Mark all cached values of knights and seats for recomputation."""
    for p in range(s.num_players):
        s.dirty[p] = (1 << s.knight_count[p]) - 1
        s.coming_dirty[p] = 1


@jit
def find_castles(s: Any) -> None:
    """Compute levels, castles and areas from the heights."""
    for h in range(len(s.level)):
        s.level[h] = U0
    for cell in range(64):
        s.area[cell] = 0
        s.castle_of[cell] = 0
        for h in range(s.height[cell] + 1):
            s.level[h] |= bit(cell)
    rest = s.level[1]
    s.castle_count = 0
    for q in range(len(s.castle)):
        s.castle[q] = U0
    while rest != U0:
        cells = flood(bit(count_trailing_zeros(rest)), rest)
        set_castle(s, np.int64(s.castle_count), cells)
        s.castle_count += 1
        rest &= ~cells
    refresh_block_targets(s)


# ---------------------------------------------------------------------------------------------- blocks
@jit
def refresh_block_targets(s: Any) -> None:
    """Cells where a block may be placed, ignoring pieces (section 3: on a castle, or beside exactly one)."""
    tops, once, twice = U0, U0, U0
    for q in range(s.castle_count):
        cells = s.castle[q]
        near = around(cells)
        tops |= cells & ~s.level[smaller(popcount(cells), np.int64(MAX_HEIGHT + 1))]
        twice |= once & near
        once |= near
    s.block_targets = tops | (once & ~twice & ~s.level[1])


@jit
def founding_cells(s: Any) -> Any:
    """Ground cells without an adjacent castle."""
    return ~(s.level[1] | around(s.level[1]))


@jit
def under_cells(s: Any, p: Any) -> Any:
    """Cells of a seat's knights that a block may be pushed under (section 6, ``under``)."""
    return s.knights[p] & (s.block_targets | founding_cells(s))


@jit
def relocate_targets(s: Any, enough: Any) -> Any:
    """Cells for a block just taken (the board is without it); *enough* castles must remain in the end."""
    founding = founding_cells(s)
    if s.castle_count >= enough:
        targets = s.block_targets | founding
    elif s.castle_count + 1 == enough:
        targets = founding
    else:
        targets = U0
    return targets & ~s.occupied


@jit
def relocate_source(s: Any, cell: Any) -> Any:
    """Whether ``relocate`` may take the top block of an unoccupied cell: its castle holds, and the block fits elsewhere."""
    here = bit(cell)
    founding = founding_cells(s) & ~s.occupied
    targets = (s.block_targets & ~s.occupied & ~here) | founding
    if s.height[cell] >= 2:  # castles keep their areas
        return targets != U0
    castle = castle_at(s, cell)
    rest = castle & ~here
    count = np.int64(s.castle_count)
    if rest == U0:
        if count > 6:  # count - 1 >= 6 castles remain: any place is allowed
            if targets & ~around(here) != U0:
                return True
        elif founding != U0:
            return True
    else:
        if (
            flood(bit(count_trailing_zeros(rest)), rest) != rest
            or rest & s.level[smaller(popcount(castle), np.int64(MAX_HEIGHT + 1))] != U0
        ):
            return False
        # Only places beside this cell and on this castle's top blocks can change; others stay valid.
        if (targets & ~castle & ~around(here)) != U0:
            return True
    # Rare: evaluate on a changed board, then restore it.
    enough = smaller(count, np.int64(6))
    castles = s.castle.copy()
    s.level[1] &= ~here
    if rest == U0:
        s.castle_count -= 1
        q = castle_index(castles, castle)
        s.castle[q] = s.castle[s.castle_count]
    else:
        s.castle[castle_index(castles, castle)] = rest
    refresh_block_targets(s)
    found = relocate_targets(s, enough) & ~here
    s.level[1] |= here
    s.castle_count = count
    for q in range(len(castles)):
        s.castle[q] = castles[q]
    refresh_block_targets(s)
    return found != U0


@jit
def castle_index(castles: Any, cells: Any) -> Any:
    q = 0
    while castles[q] != cells:
        q += 1
    return q
