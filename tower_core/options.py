"""Rules as options: a preset's name, fields, or rules as they are. Every complaint is a ValueError that names the field."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import Field, fields, replace
from typing import Any, ClassVar, Protocol, Self, TypeVar


class Options(Protocol):
    """The rules of a game: a frozen dataclass that checks itself."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> Self: ...

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self: ...


R = TypeVar("R", bound=Options)


def override(rules: R, overrides: Mapping[str, Any]) -> R:
    """*rules* with some fields replaced."""
    if not isinstance(overrides, Mapping):
        raise ValueError(f"rules must be a dict of fields, not {overrides!r}")
    known = [field.name for field in fields(rules)]
    for name in overrides:
        if name not in known:
            raise ValueError(f"unknown field {name!r} of {type(rules).__name__}: choose among {', '.join(known)}")
    return replace(rules, **overrides)


def resolve(kind: type[R], rules: Any) -> R:
    """Rules of a *kind* from a preset's name, also with fields, a mapping of fields, or rules."""
    if isinstance(rules, kind):
        return rules
    if isinstance(rules, str):
        name, given = rules_text(rules)
        return kind.preset(name, **given)
    if isinstance(rules, Mapping):
        return kind.from_dict(rules)
    raise ValueError(f"rules must be a preset's name or {kind.__name__}, not {rules!r}")


def check_preset(name: Any, presets: Mapping[str, Any]) -> None:
    if not isinstance(name, str) or name not in presets:
        raise ValueError(f"unknown preset {name!r}: choose one of {', '.join(presets)}")


def check_whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def rules_text(text: str) -> tuple[str, dict[str, Any]]:
    """A preset's name and fields from a text: ``"solo"``, or ``"solo:solo_npc_towers=1,max_turns=50"`` (values as JSON)."""
    name, colon, rest = text.partition(":")
    given: dict[str, Any] = {}
    for part in re.split(r",(?=\s*\w+\s*=)", rest) if colon else []:
        field, equals, value = part.partition("=")
        if not equals or not field.strip():
            raise ValueError(f"rules are written preset or preset:field=value,field=value, not {text!r}")
        try:
            given[field.strip()] = json.loads(value)
        except ValueError:
            given[field.strip()] = value.strip()  # a word
    return name, given
