"""Seats relative to an observer, in compiled code."""

from __future__ import annotations

from typing import Any

from tower_core.engine.compiling import inlined


@inlined
def relative(p: Any, seat: Any, n: Any) -> Any:
    """How many seats *p* sits after *seat*."""
    return p - seat if p >= seat else p - seat + n


@inlined
def absolute(j: Any, seat: Any, n: Any) -> Any:
    """The seat that sits *j* seats after *seat*."""
    return seat + j if seat + j < n else seat + j - n
