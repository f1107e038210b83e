"""Several small counts packed in one uint64, in compiled code, to compare or subtract all of them at once.

*Tokens* are four lanes of 16 bits: green, blue, red, pass. *Pieces* are eight lanes of 8 bits. The highest bit of a
lane is never set, so that it can hold the borrow of a subtraction: a lane has at most 250 tokens or 127 pieces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64

PASS = 3
_LANE = U64(0xFFFF)
_HIGH16 = U64(0x8000_8000_8000_8000)
_ONES16 = U64(0x0001_0001_0001_0001)
_GEMS = U64(0x0000_FFFF_FFFF_FFFF)
_48 = U64(48)
PLENTY = U64(0x7FFF_7FFF_7FFF_7FFF)
"""Tokens that cover every price."""

_BYTE = U64(0xFF)
_HIGH8 = U64(0x8080_8080_8080_8080)
_ONES8 = U64(0x0101_0101_0101_0101)
_LOW8 = U64(0x7F)
_7, _56 = U64(7), U64(56)


# ---------------------------------------------------------------------------------------------- tokens
@jit
def covers(held: Any, price: Any) -> Any:
    """Whether tokens suffice for a price."""
    return ((held | _HIGH16) - price) & _HIGH16 == _HIGH16


@jit
def one_token(kind: Any) -> Any:
    return U1 << U64(16 * kind)


@jit
def token_count(held: Any, kind: Any) -> Any:
    return np.int64((held >> U64(16 * kind)) & _LANE)


@jit
def count_tokens(held: Any) -> Any:
    """Total number of tokens."""
    return np.int64((held * _ONES16) >> _48)


@jit
def count_gems(held: Any) -> Any:
    return np.int64(((held & _GEMS) * _ONES16) >> _48)


@jit
def colours(held: Any) -> Any:
    """The colours with at least one gem, as bits."""
    found = U0
    for colour in range(3):
        if token_count(held, colour) > 0:
            found |= U1 << U64(colour)
    return found


@jit
def counted_off(held: Any, index: Any) -> Any:
    """The kind of token number *index*, counted in the order green, blue, red, pass."""
    kind = np.int64(0)
    while True:
        count = token_count(held, kind)
        if index < count:
            return kind
        index -= count
        kind += 1


# ---------------------------------------------------------------------------------------------- pieces
@jit
def one_piece(kind: Any) -> Any:
    return U1 << U64(8 * kind)


@jit
def piece_count(held: Any, kind: Any) -> Any:
    return np.int64((held >> U64(8 * kind)) & _BYTE)


@jit
def count_pieces(held: Any) -> Any:
    """Total number of pieces (at most 255)."""
    return np.int64((held * _ONES8) >> _56)


@jit
def excess(a: Any, b: Any) -> Any:
    """Lane by lane, how much *a* exceeds *b*, or 0."""
    difference = (a | _HIGH8) - b
    return difference & (((difference & _HIGH8) >> _7) * _LOW8)


@jit
def lane_of(kind: Any) -> Any:
    """127 in one lane of pieces."""
    return _LOW8 << U64(8 * kind)
