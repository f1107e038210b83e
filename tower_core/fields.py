"""Reading what comes from outside, value by value. Every complaint is a ValueError that begins with the field's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


class Fields:
    """The fields of a position, one by one."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        if not isinstance(position, Mapping):
            raise ValueError(f"position must be a dict, not {type(position).__name__}")
        self.position = position

    def get(self, name: str, default: Any = ...) -> Any:
        if name not in self.position:
            if default is ...:
                raise ValueError(f"{name}: is missing")
            return default
        return self.position[name]


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number of a range."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise ValueError(f"{name}: must be a whole number from {low} to {high}, not {value!r}")
    return int(value)


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}: must be true or false, not {value!r}")
    return bool(value)


def items(name: str, value: Any, length: int | None = None) -> list[Any]:
    """The entries of a list, of a length if one is given."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, (list, tuple, np.ndarray)):
        raise ValueError(f"{name}: must be a list, not {value!r}")
    if length is not None and len(value) != length:
        raise ValueError(f"{name}: must have {length} entries, not {len(value)}")
    return list(value)
