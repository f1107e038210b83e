"""The entry of a game: the engine's loops, specialised for its record and hooks."""

from __future__ import annotations

from typing import Any

import numpy as np

from tower_core.engine.compiling import Entry
from tower_core.engine.loops import serve


def rules_entry(name: str, title: str, record: np.dtype[Any], observation_size: int, package: str) -> Entry:
    """A game's entry (operations: tower_core.engine.loops).

    The game's hooks must be implemented for *record* first (tower_core.engine.hooks).
    """
    sizes = (np.int64(observation_size), np.int64(record.itemsize))

    def entry(op: int, address: int, x: int, y: int) -> int:
        return serve(op, address, x, y, record, sizes)  # type: ignore[no-any-return]

    what = f"the rules of {title[0].lower() + title[1:] if title.startswith('The ') else title}"
    return Entry(entry, (package,), what, num_args=4, name=f"rules.{name}")
