"""Rule options: from a preset's name, a mapping of fields, or a rules object. Errors are ValueErrors that name the field."""

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
    """The options of a game. Subclasses are frozen dataclasses that validate themselves on construction.

    Every field has a default and a docstring below it.
    """

    @classmethod
    def presets(cls) -> Mapping[str, Self]:
        """Presets by name; games with several presets override this."""
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
        """The inverse of :meth:`to_dict`; missing fields take their defaults."""
        return override(cls(), values)

    @classmethod
    def from_outside(cls, rules: Any) -> Self:
        """Rules from an untrusted source, as text or fields (:func:`resolve`); no field may name a file."""
        if not isinstance(rules, str):
            return resolve(cls, rules)
        preset, fields = rules_text(rules)
        return cls.from_dict({**cls.preset(preset).to_dict(), **fields} if preset is not None else fields)

    def for_players(self, num_players: int) -> Any:
        """ValueError if these rules don't support that number of players."""


R = TypeVar("R", bound=Rules)


def write_rules(record: NDArray[Any], num_players: int, rules: Rules) -> None:
    """Copy every option that has a field of the same name in the *record* [1]; words are written as their codes.

    ValueError names an option whose value doesn't fit the field.
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
    """The words of a ``Literal`` option, otherwise empty; a word's index is its code in records."""
    return _words(_hints(kind)[name])


def _words(hint: Any) -> tuple[str, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def check_types(rules: Rules) -> None:
    """ValueError for a flag that is not a bool, or a word that the option doesn't have."""
    for name, hint in _hints(type(rules)).items():
        value, known = getattr(rules, name), _words(hint)
        if hint is bool and not isinstance(value, bool):
            raise ValueError(f"{name} must be True or False, not {value!r}")
        if known and (not isinstance(value, str) or value not in known):
            raise ValueError(f"{name} must be one of {', '.join(known)}, not {value!r}")


def check_players(num_players: Any, seats: range) -> int:
    """Validate a number of players. ValueError lists the supported ones."""
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
            raise ValueError(f"unknown field {name!r} of {type(rules).__name__}: choose one of {', '.join(known)}")
    return replace(rules, **overrides)


def resolve(kind: type[R], rules: Any) -> R:
    """Rules of a *kind* from text (:func:`rules_text`), a mapping of fields, or a rules object."""
    if isinstance(rules, kind):
        return rules
    if isinstance(rules, str):
        preset, given = rules_text(rules)
        return kind.preset(preset, **given) if preset is not None else kind.from_dict(given)
    if isinstance(rules, Mapping):
        return kind.from_dict(rules)
    raise ValueError(f"rules must be a preset's name, a dict of fields or {kind.__name__}, not {rules!r}")


def check_preset(name: Any, presets: Mapping[str, Any]) -> None:
    if not isinstance(name, str) or name not in presets:
        raise ValueError(f"unknown preset {name!r}: choose one of {', '.join(presets)}")


def check_whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, not {value!r}")


def check_number(name: str, value: Any, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low} to {high}, not {value!r}")


def rules_text(text: str) -> tuple[str | None, dict[str, Any]]:
    """Parse rules into a preset's name (None for the default) and fields.

    The notation is ``preset``, ``preset:field=value,field=value``, or a dict of fields such as ``{"draw_choice": 1}``.
    """
    if text.lstrip().startswith("{"):
        fields = rules_value(text)
        if not isinstance(fields, dict):
            raise ValueError(f'rules must be a dict such as {{"field": value}}, not {text!r}')
        return None, fields
    name, colon, rest = text.partition(":")
    given: dict[str, Any] = {}
    for part in re.split(r",(?=\s*\w+\s*=)", rest) if colon else []:
        field, equals, value = part.partition("=")
        field = field.strip()
        if not equals or not field:
            raise ValueError(f"rules must be written preset or preset:field=value,field=value, not {text!r}")
        if field in given:
            raise ValueError(f"rules: {field} is given twice")
        given[field] = rules_value(value)
    return name.strip(), given


def rules_value(text: str) -> Any:
    """A value in Python or JSON notation, quoted or not: ``true``, ``None``, ``3``, ``[a1, "c3"]``, ``(2, 2)``.

    Anything else, such as a file path, is returned as text.
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
    """One token of a value in JSON notation."""
    if token["quoted"]:
        inner = token["quoted"]
        return inner if inner[0] == '"' else json.dumps(inner[1:-1].replace("\\'", "'"))
    if token["last"]:  # trailing comma of a Python tuple
        return ""
    if token["bracket"]:
        return "[" if token["bracket"] == "(" else "]"
    word = token["word"]
    return _CONSTANTS.get(word) or (word if _NUMBER.fullmatch(word) else json.dumps(word))
