"""The compiled entry of a game: the engine's loops, specialised for its record and hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tower_core.engine.compiling import compile_entry
from tower_core.engine.loops import serve


def compile_rules(
    name: str, title: str, record: np.dtype[Any], observation_size: int, package: str
) -> tuple[Callable[..., int], int]:
    """Compile a game's entry (operations: tower_core.engine.loops); returns it as a function, and its address.

    The game's hooks must be implemented for *record* first (tower_core.engine.hooks).
    """
    sizes = (np.int64(observation_size), np.int64(record.itemsize))

    def entry(op: int, address: int, x: int, y: int) -> int:
        return serve(op, address, x, y, record, sizes)  # type: ignore[no-any-return]

    what = f"the rules of {title[0].lower() + title[1:] if title.startswith('The ') else title}"
    return compile_entry(entry, (package,), what, name=f"rules.{name}")
