"""Validation of external data (msgspec). ValueErrors start with the name of the field and state what is valid.

A structure is a ``msgspec.Struct`` whose fields have bounded types, such as ``Annotated[int, Meta(ge=0, le=3)]``. Checks
across fields are written in code; :func:`whole` and :func:`entries` serve bounds that depend on other fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec import Meta, inspect

T = TypeVar("T")
Path = Sequence[str | int]
"""Location of a value: field names and indices."""

_LONGEST = 80
_PLAIN = (int, str, bool, float, type(None))
_STEP = re.compile(r"\.([^.\[`]+)|\[(\d+)\]|\[(\.\.\.)\]")


def one_of(names: Iterable[str], words: str = "") -> Meta:
    """The constraint of a text that is one of *names*; *words* describes them in error messages."""
    names = list(names)
    pattern = "|".join(map(re.escape, names)) or "(?!)"
    return Meta(pattern=rf"\A(?:{pattern})\Z", description=words or f"one of {', '.join(names)}")


def spelled(path: Path) -> str:
    """A path as text: ``pending: cards [2]``."""
    text = ""
    for step in path:
        text += f"{'' if text.endswith(']') else ' '}[{step}]" if isinstance(step, int) else f": {step}"
    return text.removeprefix(": ").strip()


def read(kind: type[T], value: Any, what: str, label: Callable[[Path], str] = spelled) -> T:
    """*value* as a *kind*: a ``Struct``, a dataclass (no other entries allowed), or a type such as ``list[int]``.

    Accepts NumPy integers and arrays. ValueError names the field by *label*, or *what* for the value as a whole.
    """
    try:
        value = plain(value)
        if is_dataclass(kind) and isinstance(value, dict):
            _refuse_unknown(value, [field.name for field in fields(kind)], what)
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ValueError(_complaint(kind, value, str(error), what, label)) from None
    except RecursionError:
        raise ValueError(f"{what}: is nested too deeply") from None


def _refuse_unknown(value: Mapping[Any, Any], known: Sequence[str], what: str) -> None:
    for name in value:
        if name not in known:
            raise ValueError(f"{what}: unknown entry {shown(name)} (there are {', '.join(known)})")


def plain(value: Any) -> Any:
    """A copy in plain Python numbers, texts, lists and dicts; anything else stays as it is and fits no structure."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is list or kind is tuple:
        return [entry if type(entry) in _PLAIN else plain(entry) for entry in value]
    if kind is dict:
        return {key: entry if type(entry) in _PLAIN else plain(entry) for key, entry in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist()) if isinstance(value, np.ndarray) else value.item()
    copies: tuple[tuple[Any, Any], ...] = ((Mapping, dict), ((list, tuple), list), (int, int), (str, str))
    for base, copy in copies:
        if isinstance(value, base):
            return plain(copy(value))
    return _Foreign(value) if isinstance(value, (set, frozenset)) else value


class _Foreign:
    """Stands for a set, which msgspec would accept as a list."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


# ---------------------------------------------------------------------------------------------- single values
def whole(name: str, value: Any, low: int, high: int) -> int:
    """An integer within a range."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise ValueError(f"{name}: must be an integer from {low} to {high}, not {shown(value)}")
    return int(value)


def entries(name: str, values: Sequence[T], low: int, high: int | None = None) -> Sequence[T]:
    """A list whose length depends on other fields."""
    if not low <= len(values) <= (low if high is None else high):
        raise ValueError(f"{name}: must have {_span(low, high or low)} entries, not {len(values)}")
    return values


def shown(value: Any) -> str:
    """A value for an error message: one line, cut if it is long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # of a user's class, or too deep
        return f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


# ---------------------------------------------------------------------------------------------- error messages
_type_info = cache(inspect.type_info)
_WITH_FIELDS = (inspect.StructType, inspect.DataclassType)


def _complaint(kind: Any, value: Any, error: str, what: str, label: Callable[[Path], str]) -> str:
    """msgspec's *error* rephrased: with the field's full range and the wrong value."""
    reason, at, place = error.partition(" - at ")
    steps = _STEP.findall(place) if at else []
    node: Any = _type_info(kind)
    path: list[str | int] = []
    for name, index, _ in steps:
        node = _inside(node, (*_WITH_FIELDS, inspect.ListType, inspect.VarTupleType, inspect.DictType))
        if isinstance(node, _WITH_FIELDS):
            node = next(field.type for field in node.fields if field.encode_name == name)
            step: str | int = name
        elif isinstance(node, inspect.DictType):
            step = name or next(key for key, entry in value.items() if not _fits(entry, node.value_type))
            node = node.value_type
        else:
            step = int(index)
            node = node.item_type
        path.append(step)
        value = value[step]
    name = label(path) or what
    if "`key` in" in place:
        return f"{name}: names must be texts, not {shown(next(key for key in value if not isinstance(key, str)))}"
    if match := re.fullmatch(r"Object missing required field `(.*)`", reason):
        return f"{label(path)}: {match[1]!r} is missing" if label(path) else f"{match[1]}: is missing"
    if match := re.fullmatch(r"Object contains unknown field `(.*)`", reason):
        known = ", ".join(field.encode_name for field in _inside(node, _WITH_FIELDS).fields)
        return f"{name}: unknown entry {match[1]!r} (there are {known})"
    if "of length" in reason and not isinstance(value, str):
        node = _inside(node, inspect.ListType)
        return f"{name}: must have {_span(node.min_length or 0, node.max_length)} entries, not {len(value)}"
    if not path and _words(node) == "a dict":
        return f"{what} must be a dict, not {_kind_of(value)}"
    return f"{name}: must be {_words(node)}, not {shown(value)}"


def _inside(node: Any, kinds: Any) -> Any:
    """The first type among *kinds* that *node* is or may be."""
    if isinstance(node, inspect.Metadata):
        return _inside(node.type, kinds)
    if isinstance(node, inspect.UnionType):
        return next((found for one in node.types if isinstance(found := _inside(one, kinds), kinds)), None)
    return node


def _fits(value: Any, node: Any) -> bool:
    """Whether an entry of a dict of numbers is valid."""
    if not isinstance(node, inspect.IntType):
        return False
    is_int = isinstance(value, int) and not isinstance(value, bool)
    return is_int and (node.ge is None or value >= node.ge) and (node.le is None or value <= node.le)


def _words(node: Any) -> str:
    """A type as the end of a sentence."""
    if isinstance(node, inspect.Metadata):
        return str((node.extra_json_schema or {}).get("description") or _words(node.type))
    if isinstance(node, inspect.UnionType):
        return " or ".join(_words(one) for one in node.types)
    if isinstance(node, (inspect.IntType, inspect.FloatType)):
        number = "an integer" if isinstance(node, inspect.IntType) else "a number"
        low, high = node.ge, node.le
        if low is None and high is None:
            return number if node.gt is None else f"{number} above {node.gt:g}"
        return f"{number} from {low if low is not None else 'any'} to {high}" if high is not None else (
            f"{number} of at least {low}"
        )  # fmt: skip
    if isinstance(node, inspect.StrType):
        return "a text" if node.max_length is None else f"a text of at most {node.max_length} characters"
    if isinstance(node, inspect.LiteralType):
        return f"one of {', '.join(map(str, node.values))}"
    return _NAMES.get(type(node), "a value")


_NAMES: dict[Any, str] = {
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.ListType: "a list",
    inspect.VarTupleType: "a list",
    inspect.DictType: "a dict",
    inspect.StructType: "a dict",
    inspect.DataclassType: "a dict",
}


def _kind_of(value: Any) -> str:
    return type(value.value if isinstance(value, _Foreign) else value).__name__


def _span(low: int, high: int | None) -> str:
    return f"at least {low}" if high is None else str(low) if low == high else f"{low} to {high}"
