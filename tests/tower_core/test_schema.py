"""What comes from outside: what is taken, and what the complaint says."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
import pytest
from msgspec import Meta, Struct

from tower_core.schema import one_of, read

Digit = Annotated[int, Meta(ge=0, le=9)]


class Inner(Struct, forbid_unknown_fields=True, rename={"cause": "for"}):
    kind: Annotated[str, one_of(["a.b", "c"])]
    cause: Digit | None = None


class Outer(Struct):
    digits: Annotated[list[Digit], Meta(min_length=2, max_length=3)]
    inner: Inner | None = None
    pairs: list[list[Digit]] = []
    flag: bool = False
    counts: dict[str, Digit] = {}
    share: Annotated[float, Meta(ge=0, le=1)] = 0.5
    anything: Any = None


@dataclass
class Settings:
    steps: int = 0
    minutes: float = 1.0


RIGHT = {"digits": [1, 2]}


@pytest.mark.parametrize(
    "digits",
    [[1, 2], (1, 2), np.array([1, 2]), [np.int8(1), np.uint64(2)], np.array([1, 2], object)],
)
def test_lists_and_numbers_of_every_kind(digits):
    found = read(Outer, MappingProxyType({"digits": digits, "flag": np.bool_(True)}), "thing")
    assert found.digits == [1, 2] and all(type(digit) is int for digit in found.digits) and found.flag is True


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"digits": [1]}, "digits: must have 2 to 3 entries, not 1"),
        ({"digits": [1, 10]}, "digits [1]: must be an integer from 0 to 9, not 10"),
        ({"digits": [1, True]}, "digits [1]: must be an integer from 0 to 9, not True"),
        ({"digits": [1, 2.0]}, "digits [1]: must be an integer from 0 to 9, not 2.0"),
        ({"digits": [1, 2**80]}, f"digits [1]: must be an integer from 0 to 9, not {2**80}"),
        ({"digits": {1, 2}}, "digits: must be a list, not {1, 2}"),
        ({"digits": "12"}, "digits: must be a list, not '12'"),
        ({"digits": b"12"}, "digits: must be a list, not b'12'"),
        ({"inner": {}}, "inner: 'kind' is missing"),
        ({"inner": {"kind": "axb"}}, "inner: kind: must be one of a.b, c, not 'axb'"),
        ({"inner": {"kind": "c\n"}}, r"inner: kind: must be one of a.b, c, not 'c\n'"),
        ({"inner": {"kind": "c", "for": 11}}, "inner: for: must be an integer from 0 to 9 or null, not 11"),
        ({"inner": {"kind": "c", "cause": 1}}, "inner: unknown entry 'cause' (there are kind, for)"),
        ({"inner": 3}, "inner: must be a dict or null, not 3"),
        ({"inner": {"kind": "c", 4: 4}}, "inner: names must be texts, not 4"),
        ({"pairs": [[1], [2, -1]]}, "pairs [1][1]: must be an integer from 0 to 9, not -1"),
        ({"flag": 1}, "flag: must be true or false, not 1"),
        ({"counts": {"x": 1, "y": 12}}, "counts: y: must be an integer from 0 to 9, not 12"),
        ({"share": float("nan")}, "share: must be a number from 0 to 1, not nan"),
        ({"share": 2}, "share: must be a number from 0 to 1, not 2"),
        ({"digits": ["x" * 1000, 1]}, "digits [0]: must be an integer from 0 to 9, not '" + "x" * 78 + "…"),
    ],
)
def test_complaints(changes, told):
    with pytest.raises(ValueError) as error:
        read(Outer, RIGHT | changes, "thing")
    assert str(error.value) == told


@pytest.mark.parametrize("value", [None, 3, "x", [], object(), {1}])
def test_the_whole_is_a_dict(value):
    with pytest.raises(ValueError, match=f"^thing must be a dict, not {type(value).__name__}$"):
        read(Outer, value, "thing")


def test_deep_nesting():
    deep: list[Any] = []
    for _ in range(10**5):
        deep = [deep]
    for name in ("digits", "anything", "unknown"):
        with pytest.raises(ValueError, match="^thing: is nested too deeply"):
            read(Outer, RIGHT | {name: deep}, "thing")


def test_dataclasses():
    assert read(Settings, {"minutes": 3}, "settings") == Settings(0, 3.0)
    with pytest.raises(ValueError, match=r"^settings: unknown entry 'step' \(there are steps, minutes\)"):
        read(Settings, {"step": 3}, "settings")
    with pytest.raises(ValueError, match="^minutes: must be a number, not '3'"):
        read(Settings, {"minutes": "3"}, "settings")
    with pytest.raises(ValueError, match="^steps: must be an integer, not True"):
        read(Settings, {"steps": True}, "settings")
