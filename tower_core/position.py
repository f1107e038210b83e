"""Positions: what all games share, and the default for games whose position is simply the fields of their record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.engine.batch_structs import OVER
from tower_core.schema import read, shown, whole

HIDDEN = "?"
"""Placeholder for hidden entries in the position that a seat may know."""
_SHARED = frozenset(("legal", "first_word", "padding", "script", "num_players", "to_move", "rng", "truncated"))


def read_rules(game: Any, position: Mapping[str, Any]) -> Any:
    """The rules of a position (the game's default if absent). ValueError if it belongs to another game."""
    if not isinstance(position, Mapping):
        raise ValueError(f"position must be a dict, not {type(position).__name__}")
    if position.get("game", game.name) != game.name:
        raise ValueError(f"game: must be {game.name}, not {shown(position['game'])}")
    rules = position.get("rules", game.default_rules)
    if isinstance(rules, game.rules):
        return rules
    try:
        return game.rules.from_outside(rules)
    except ValueError as error:
        raise ValueError(f"rules: {error}") from error
    except RecursionError:
        raise ValueError("rules: is nested too deeply") from None


def refuse_hidden(name: str, values: Any) -> None:
    """ValueError for a hidden entry at any depth."""
    if values == HIDDEN:
        raise ValueError(
            f"{name}: {HIDDEN!r} is hidden: pass the seat that knows this position, and a seed to draw the hidden entries"
        )
    if isinstance(values, (list, tuple)):
        for entry in values:
            refuse_hidden(name, entry)


def _own_fields(game: Any) -> list[str]:
    """Fields of the record that are specific to this game, without derived fields and rules."""
    rules = game.rules.__dataclass_fields__
    return [name for name in game.record.names if name not in _SHARED | game.derived and name not in rules]


def to_position(game: Any, record: NDArray[Any], rules: Any, seat: int | None = None) -> dict[str, Any]:
    """The position of a record. Everything but the random stream is public; games with hidden fields define their own."""
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
    """A record (derived fields not yet computed) and its rules. ValueError names the wrong field."""
    rules = read_rules(game, position)
    players = read(int, position.get("num_players", game.players_of(None, rules)), "num_players")
    record = game.make_record(players, rules)
    r = record[0]
    for name in ("to_move", *_own_fields(game)):
        if name not in position:
            raise ValueError(f"{name}: is missing")
    to_move = position["to_move"]
    r["to_move"] = OVER if to_move is None else whole("to_move", to_move, 0, int(r["num_players"]) - 1)
    truncated = read(bool, position.get("truncated", False), "truncated")
    if truncated and to_move is not None:
        raise ValueError("truncated: must be false unless the game is over")
    r["truncated"] = truncated
    r["rng"] = np.uint64(whole("rng", position.get("rng", 0), 0, 2**64 - 1))
    for name in _own_fields(game):
        r[name] = _numbers(name, read(Any, position[name], name), game.record[name])
    return record, rules


def _numbers(name: str, value: Any, dtype: np.dtype[Any]) -> Any:
    """Validate numbers against a field of the record, in its shape."""
    if dtype.shape:
        inner = np.dtype((dtype.base, dtype.shape[1:]))
        if not isinstance(value, list) or len(value) != dtype.shape[0]:
            raise ValueError(f"{name}: must be a list of {dtype.shape[0]} entries, not {shown(value)}")
        return [_numbers(f"{name} [{i}]", entry, inner) for i, entry in enumerate(value)]
    if dtype.kind == "f":
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
            raise ValueError(f"{name}: must be a number, not {shown(value)}")
        return value
    if dtype.kind == "b":
        return read(bool, value, name)
    limits = np.iinfo(dtype)
    return whole(name, value, int(limits.min), int(limits.max))


def position_in(options: Any) -> Mapping[str, Any] | None:
    """``options["position"]`` of a reset; None if absent. TypeError unless both are mappings."""
    if not isinstance(options or {}, Mapping):
        raise TypeError(f"options must be a dict, not {options!r}")
    position = (options or {}).get("position")
    if position is not None and not isinstance(position, Mapping):
        raise TypeError(f"options['position'] must be a dict as of state.position(), not {position!r}")
    return position
