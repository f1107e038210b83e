"""Rules as options: a preset's name, fields, or rules as they are. Every complaint is a ValueError that names the field."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from typing import Any, Literal, Self, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Rules:
    """The options of a game. A game's rules are a frozen dataclass on top of this one, which checks itself when it is made.

    Every field has a default, and a docstring under it.
    """

    @classmethod
    def presets(cls) -> Mapping[str, Self]:
        """Rules by name; a game with several presets says so here."""
        return {"standard": cls()}

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> Self:
        """The preset *name* with some fields replaced."""
        presets = cls.presets()
        check_preset(name, presets)
        return override(presets[name], overrides)

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON-able values."""
        return json.loads(json.dumps(asdict(self)))  # type: ignore[no-any-return]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_dict`; missing fields have their defaults."""
        return override(cls(), values)

    @classmethod
    def from_outside(cls, rules: Any) -> Self:
        """Rules that somebody else wrote, as text or fields (:func:`resolve`): no field of them may name a file."""
        if not isinstance(rules, str):
            return resolve(cls, rules)
        preset, fields = rules_text(rules)
        return cls.from_dict({**cls.preset(preset).to_dict(), **fields} if preset is not None else fields)

    def for_players(self, num_players: int) -> Any:
        """ValueError where these rules and so many players don't go together."""


R = TypeVar("R", bound=Rules)


def write_rules(record: NDArray[Any], num_players: int, rules: Rules) -> None:
    """Copy every option for which the *record* [1] of a game has a field of the same name; words as their codes.

    ValueError names an option whose value the field can't hold.
    """
    for name, hint in _hints(type(rules)).items():
        if name not in (record.dtype.names or ()):
            continue
        value, known = getattr(rules, name), _words(hint)
        try:
            code = known.index(value) if known else value
            record[name] = code
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{name} can't be {value!r}") from error
        if not np.array_equal(record[name][0], code):
            raise ValueError(f"{name} can't be {value!r}")


_hints = cast("Callable[[type[Rules]], dict[str, Any]]", cache(get_type_hints))


def choices(kind: type[Rules], name: str) -> tuple[str, ...]:
    """The words of an option that is a ``Literal``, else nothing; the place of a word is its code in records."""
    return _words(_hints(kind)[name])


def _words(hint: Any) -> tuple[str, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def check_types(rules: Rules) -> None:
    """ValueError for a flag that is no bool, and for a word that is none of the option's."""
    for name, hint in _hints(type(rules)).items():
        value, known = getattr(rules, name), _words(hint)
        if hint is bool and not isinstance(value, bool):
            raise ValueError(f"{name} must be True or False, not {value!r}")
        if known and (not isinstance(value, str) or value not in known):
            raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")


def check_players(num_players: Any, seats: range) -> int:
    """A number of players that a game can have. ValueError says which there are."""
    if isinstance(num_players, bool) or not isinstance(num_players, (int, np.integer)) or num_players not in seats:
        *rest, last = map(str, seats)
        raise ValueError(f"num_players must be {', '.join(rest) + ' or ' if rest else ''}{last}, not {num_players!r}")
    return int(num_players)


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
    """Rules of a *kind* from text (:func:`rules_text`), a mapping of fields, or rules as they are."""
    if isinstance(rules, kind):
        return rules
    if isinstance(rules, str):
        preset, given = rules_text(rules)
        return kind.preset(preset, **given) if preset is not None else kind.from_dict(given)
    if isinstance(rules, Mapping):
        return kind.from_dict(rules)
    raise ValueError(f"rules must be a preset's name or {kind.__name__}, not {rules!r}")


def check_preset(name: Any, presets: Mapping[str, Any]) -> None:
    if not isinstance(name, str) or name not in presets:
        raise ValueError(f"unknown preset {name!r}: choose one of {', '.join(presets)}")


def check_whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


def check_number(name: str, value: Any, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low} to {high}, not {value!r}")


def rules_text(text: str) -> tuple[str | None, dict[str, Any]]:
    """A preset's name, None for the default, and fields.

    The notation is ``preset``, ``preset:field=value,field=value``, or a dict of fields such as ``{"draw_choice": 1}``.
    """
    if text.lstrip().startswith("{"):
        fields = rules_value(text)
        if not isinstance(fields, dict):
            raise ValueError(f'rules: {text!r} is no dict of fields, such as {{"field": value}}')
        return None, fields
    name, colon, rest = text.partition(":")
    given: dict[str, Any] = {}
    for part in re.split(r",(?=\s*\w+\s*=)", rest) if colon else []:
        field, equals, value = part.partition("=")
        field = field.strip()
        if not equals or not field:
            raise ValueError(f"rules are written preset or preset:field=value,field=value, not {text!r}")
        if field in given:
            raise ValueError(f"rules: {field} is given twice")
        given[field] = rules_value(value)
    return name.strip(), given


def rules_value(text: str) -> Any:
    """A value as Python or JSON writes it, with quotes or without: ``true``, ``None``, ``3``, ``[a1, "c3"]``, ``(2, 2)``.

    What can't be read so is a text as it stands, such as a file's path.
    """
    try:
        return json.loads(_TOKEN.sub(_as_json, text))
    except (ValueError, RecursionError):
        return text.strip()


_TOKEN = re.compile(
    r"""(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    r"""|(?P<last>,(?=\s*[])}]))|(?P<bracket>[()])|(?P<word>[^][(){},:\s"']+)"""
)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_CONSTANTS = {"true": "true", "false": "false", "null": "null", "True": "true", "False": "false", "None": "null"}


def _as_json(token: re.Match[str]) -> str:
    """One token of a value in JSON's spelling."""
    if token["quoted"]:
        inner = token["quoted"]
        return inner if inner[0] == '"' else json.dumps(inner[1:-1].replace("\\'", "'"))
    if token["last"]:  # Python's comma before the end of a tuple
        return ""
    if token["bracket"]:
        return "[" if token["bracket"] == "(" else "]"
    word = token["word"]
    return _CONSTANTS.get(word) or (word if _NUMBER.fullmatch(word) else json.dumps(word))
