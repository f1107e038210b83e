"""The expected points of a seat from the master card, for complete and partial patterns."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import flood
from torres_env.scoring import (
    BORDER,
    BORDER_CELLS,
    CLUSTER,
    DIAGONAL_CELLS,
    DIAGONALS,
    LINE,
    SPREAD,
    SQUARE,
    STAIRS,
    master_points,
)
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U64, bit, count_trailing_zeros, larger, popcount

PRIZE = np.array([0.0, 0.0, 0.0, 40.0, 40.0, 50.0, 50.0, 50.0])
_COLUMN, _ROW = U64(0x0101010101010101), U64(0xFF)


@jit
def longest_line(knights: Any) -> Any:
    most = np.int64(0)
    for i in range(8):
        most = larger(most, popcount(knights & (_COLUMN << U64(i))))
        most = larger(most, popcount(knights & (_ROW << U64(8 * i))))
    return most


@jit
def most_corners(knights: Any) -> Any:
    """The most knights at the corners of one axis-parallel square."""
    most = np.int64(0)
    for cell in range(64):
        x, y = cell & 7, cell >> 3
        for side in range(1, 8 - larger(x, y)):
            corners = bit(cell) | bit(cell + side) | bit(cell + 8 * side) | bit(cell + 9 * side)
            most = larger(most, popcount(knights & corners))
    return most


@jit
def largest_group(knights: Any) -> Any:
    most = np.int64(0)
    rest = knights
    while rest != U0:
        group = flood(bit(count_trailing_zeros(rest)), rest)
        most = larger(most, popcount(group))
        rest &= ~group
    return most


@jit
def level_counts(s: Any, p: Any) -> Any:
    """The number of levels with knights of a seat, and the most knights on one level."""
    kinds, fullest, level = np.int64(0), np.int64(0), np.int64(0)
    rest = s.knights[p]
    while rest != U0:
        here = popcount(rest & ~s.level[level + 1])
        if here > 0:
            kinds += 1
            fullest = larger(fullest, here)
        rest &= s.level[level + 1]
        level += 1
    return kinds, fullest


@jit
def castles_with(s: Any, knights: Any) -> Any:
    count = np.int64(0)
    for q in range(s.castle_count):
        if s.castle[q] & knights != U0:
            count += 1
    return count


@jit
def master_value(s: Any, p: Any, phase: Any, turns: Any) -> Any:
    """Expected points of the master card from scoring *phase* on, with *turns* turns of the seat before it."""
    card = np.int64(s.master)
    knights = s.knights[p]
    if card == BORDER or card == DIAGONALS:
        count = np.float64(popcount(knights & (BORDER_CELLS if card == BORDER else DIAGONAL_CELLS)))
        now = np.float64(master_points(s, p)) if s.phase == phase else 2.0 * count
        return now + count * (6.0 if phase == 1 else 4.0 if phase == 2 else 0.0)
    if card == SPREAD:
        missing = np.float64(abs(3 + phase - castles_with(s, knights)))
        prize = 5.0 if phase == 1 else 15.0 if phase == 2 else 30.0
        return prize * (1.0 if missing == 0.0 else 0.4 / missing if turns > 0 else 0.0)
    if phase < 3:
        return 0.0
    wanted = np.float64(4.0 if card == SQUARE else np.float64(s.knights_per_player))
    if card == SQUARE:
        have = most_corners(knights)
    elif card == CLUSTER:
        have = largest_group(knights)
    elif card == LINE:
        have = longest_line(knights)
    else:
        kinds, fullest = level_counts(s, p)
        have = kinds if card == STAIRS else fullest
    missing = wanted - np.float64(have)
    if missing <= 0.0 and (card == SQUARE or s.knight_count[p] >= s.knights_per_player):
        return np.float64(PRIZE[card]) if turns == 0 else 0.9 * np.float64(PRIZE[card])
    if turns == 0:
        return 0.0
    # Moving a knight into place costs about two action points.
    return np.float64(PRIZE[card]) * 0.7 / (1.0 + missing) if missing <= 2.0 * turns else 0.0
