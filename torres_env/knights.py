"""Where knights may go, in compiled code: for an action point, by a card, and as new knights (sections 3 and 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.actions import AP
from torres_env.board import CONNECTED, NOT_A, NOT_H, STRAIGHT, U8, around, flood
from torres_env.card_table import DIAGONAL, JUMP
from tower_core.engine.compiling import inlined, jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros

KNIGHT_AP = AP["N"]


# ---------------------------------------------------------------------------------------------- for an action point
@jit
def straight_exits(s: Any, b: Any, inside: Any) -> Any:
    """First cells behind the four straight runs of *inside* that start next to cell *b*."""
    exits = U0
    for direction in range(4):
        x = b
        passed = False
        while True:
            if direction == 0:
                x <<= U8
            elif direction == 1:
                x >>= U8
            elif direction == 2:
                x = (x << U1) & NOT_A
            else:
                x = (x >> U1) & NOT_H
            if x & inside == U0:
                break
            passed = True
        if passed:
            exits |= x
    return exits


@inlined
def knight_reach(s: Any, cell: Any) -> Any:
    """Cells that a knight on *cell* reaches for 1 AP, ignoring pieces: by a step, or through doors (section 3)."""
    b = bit(cell)
    near = around(b)
    level = np.int64(s.height[cell])
    targets = near & ~s.level[level + 2]
    inside = s.level[level + 1]
    if near & inside != U0:
        if s.doors == CONNECTED:
            targets |= around(flood(near, inside)) & ~inside
        elif s.doors == STRAIGHT:
            targets |= straight_exits(s, b, inside)
        else:
            passed = near & inside
            while level >= 0:
                inside = s.level[level + 1]
                passed = flood(passed, inside)
                targets |= around(passed) & ~inside
                level -= 1
    return targets & ~b


@jit
def refresh_reach(s: Any, p: Any) -> None:
    """Update ``reach`` and ``entry`` of a seat's knights (section 3, M and N)."""
    dirty = U64(s.dirty[p])
    while dirty != U0:
        k = count_trailing_zeros(dirty)
        dirty &= dirty - U1
        cell = np.int64(s.knight[p, k])
        s.reach[p, k] = knight_reach(s, cell)
        if s.entry_level == 255:
            s.entry[p, k] = around(bit(cell)) & ~s.level[s.height[cell] + 1]
        else:
            s.entry[p, k] = around(bit(cell)) & s.level[s.entry_level] & ~s.level[s.entry_level + 1]
    s.dirty[p] = 0


# ---------------------------------------------------------------------------------------------- by a card
@jit
def card_moves(s: Any, card: Any, cell: Any) -> Any:
    """Destinations of the knight on *cell* with a movement card."""
    if card == JUMP:
        return jump_cells(s, cell)
    if card == DIAGONAL:
        return diagonal_cells(s, cell)
    return door_cells(s, cell)


@jit
def jump_cells(s: Any, cell: Any) -> Any:
    level = np.int64(s.height[cell])
    return around(bit(cell)) & s.level[level + 2] & ~s.level[level + 3] & ~s.occupied


@jit
def diagonals(x: Any) -> Any:
    """Diagonal neighbours of a set of cells."""
    sideways = ((x << U1) & NOT_A) | ((x >> U1) & NOT_H)
    return (sideways << U8) | (sideways >> U8)


@jit
def diagonal_cells(s: Any, cell: Any) -> Any:
    return diagonals(bit(cell)) & ~s.level[s.height[cell] + 2] & ~s.occupied


@jit
def door_cells(s: Any, cell: Any) -> Any:
    """Destinations with the card ``door`` from *cell*: any door of a castle entered from there."""
    b = bit(cell)
    entered = around(b) & s.level[s.height[cell] + 1]
    if entered == U0:
        return U0
    exits = U0
    for q in range(s.castle_count):
        castle = s.castle[q]
        if castle & entered == U0:
            continue
        h = 0
        while castle & s.level[h + 1] != U0:
            exits |= around(castle & s.level[h + 1]) & s.level[h] & ~s.level[h + 1]
            h += 1
    return exits & ~s.occupied & ~b


# ---------------------------------------------------------------------------------------------- a new knight by a card
@jit
def recruit_cells(s: Any, p: Any) -> Any:
    if s.ap < KNIGHT_AP or s.knight_count[p] >= s.knights_per_player:
        return U0
    return recruit_entry(s, p) & ~s.occupied


@jit
def recruit_entry(s: Any, p: Any) -> Any:
    """Cells for a new knight up to one level above its highest adjacent own knight (section 6, ``recruit``)."""
    cells = U0
    for k in range(s.knight_count[p]):
        cell = s.knight[p, k]
        cells |= around(bit(cell)) & ~s.level[s.height[cell] + 2]
    return cells
