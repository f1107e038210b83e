"""Positions of games that need no words of their own for them: the record's plain fields as JSON-able values, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.batch_structs import OVER
from tower_core.fields import Fields, items, whole

_SHARED = frozenset(("legal", "first_word", "padding", "script", "num_players", "to_move", "rng", "truncated"))


def _own_fields(game: Any) -> list[str]:
    """Fields of a record that only this game has, without those that follow from others, and without its rules."""
    rules = game.rules.__dataclass_fields__
    return [name for name in game.record.names if name not in _SHARED | game.derived and name not in rules]


def to_position(game: Any, record: NDArray[Any], rules: Any, seat: int | None = None) -> dict[str, Any]:
    """The position of a record. Everything but the random stream is public: a game with hidden fields has its own."""
    r = record[0]
    position = {
        "game": game.name,
        "num_players": int(r["num_players"]),
        "rules": rules.to_dict(),
        "to_move": int(r["to_move"]) if r["to_move"] >= 0 else None,
        "truncated": bool(r["truncated"]),
        **{name: r[name].tolist() for name in _own_fields(game)},
    }
    if seat is None:
        position["rng"] = int(r["rng"])
    return position


def from_position(game: Any, position: Mapping[str, Any]) -> tuple[NDArray[Any], Any]:
    """A record (derived fields not yet computed) and its rules. ValueError names the field that is wrong."""
    reader = Fields(position)
    if reader.get("game", game.name) != game.name:
        raise ValueError(f"game: {position['game']!r} is not {game.name}")
    try:
        rules = game.resolve_rules(reader.get("rules", None))
    except ValueError as error:
        raise ValueError(f"rules: {error}") from error
    record = game.make_record(reader.get("num_players", game.players_of(None, rules)), rules)
    r = record[0]
    to_move = reader.get("to_move")
    r["to_move"] = OVER if to_move is None else whole("to_move", to_move, 0, int(r["num_players"]) - 1)
    truncated = reader.get("truncated", False)
    if not isinstance(truncated, bool) or (truncated and to_move is not None):
        raise ValueError("truncated: must be true or false, and true only where the game is over")
    r["truncated"] = truncated
    r["rng"] = np.uint64(whole("rng", reader.get("rng", 0), 0, 2**64 - 1))
    for name in _own_fields(game):
        r[name] = _numbers(name, reader.get(name), game.record[name])
    return record, rules


def _numbers(name: str, value: Any, dtype: np.dtype[Any]) -> Any:
    """Numbers that a field of the record can hold, in its shape."""
    if dtype.shape:
        inner = np.dtype((dtype.base, dtype.shape[1:]))
        return [_numbers(name, entry, inner) for entry in items(name, value, dtype.shape[0])]
    if dtype.kind == "f":
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
            raise ValueError(f"{name}: must be a number, not {value!r}")
        return value
    if dtype.kind == "b":
        if not isinstance(value, (bool, np.bool_)):
            raise ValueError(f"{name}: must be true or false, not {value!r}")
        return value
    limits = np.iinfo(dtype)
    return whole(name, value, int(limits.min), int(limits.max))
