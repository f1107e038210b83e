"""Complete states drawn from what one seat knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tower_core.engine.random import to_u64
from tower_core.position import HIDDEN

_MOST_DRAWS = 256


def drawn_world(cls: Any, position: Mapping[str, Any], seat: int, seed: int) -> Any:
    """A state of class *cls* in which *seat* sees *position*; the rest is drawn. ValueError names the wrong field."""
    # Some draws are inconsistent: the mover would have had no choice, and the game would have played on automatically.
    refused = None
    for attempt in range(_MOST_DRAWS):
        filled = cls.game.fill_hidden(cls.game, position, to_u64(seed + attempt))
        state = cls._from_record(*cls.game.from_position(cls.game, filled))
        state._check_seat(seat)
        seen = state.position(seat)
        for name in seen:
            _check_known(name, position.get(name), seen[name], seat)
        try:
            state._refresh()
            state._check_possible()
        except ValueError as error:
            refused = error
            continue
        if state.position(seat) == seen:
            break
    else:
        if refused is not None:
            raise refused
    world = state.resample_hidden(seat, seed)
    world._begin_here()
    return world


def _check_known(name: str, given: Any, seen: Any, seat: int) -> None:
    """ValueError if a *given* position has "?" where the seat has *seen* the value."""
    if isinstance(given, str) and given == HIDDEN != seen:
        raise ValueError(f"{name}: can't be {HIDDEN!r}: player_{seat} knows the value")
    if isinstance(given, Mapping) and isinstance(seen, Mapping):
        for key in given.keys() & seen.keys():
            _check_known(name, given[key], seen[key], seat)
    elif isinstance(given, (list, tuple)) and isinstance(seen, list):
        for one, other in zip(given, seen, strict=False):
            _check_known(name, one, other, seat)
