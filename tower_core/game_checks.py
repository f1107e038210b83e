"""Checks of a game's description on construction: errors name the wrong field before compiled code can write anywhere."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tower_core.engine.batch_structs import MAX_SEATS

# What the loops read and write in every record: dtype kind, minimum size in bytes, entries (None: checked separately).
_SCALARS = {
    "first_word": ("iu", 1),
    "to_move": ("i", 1),
    "num_players": ("iu", 1),
    "truncated": ("iu", 1),
    "rng": ("u", 8),
}
_LINE = 64


class GameError(ValueError):
    """A game's description is invalid."""


def check_width(what: str, needed: int, space: int, unit: str = "bits") -> None:
    """GameError if a packed value needs more space than there is; *what* names the value."""
    if needed > space:
        raise GameError(f"{what}: needs {needed} {unit}, but only {space} are available")


def check_description(game: Any) -> None:
    """GameError naming the game and the wrong field."""

    def must(true: bool, field: str, reason: str) -> None:
        if not true:
            raise GameError(f"game {game.name!r}: {field}: {reason}")

    must(isinstance(game.name, str) and bool(re.fullmatch(r"[a-z][a-z0-9_]*", game.name)), "name",
         "must be lower-case letters, digits and underscores")  # fmt: skip
    must(bool(re.fullmatch(r"[A-Z][A-Za-z0-9]*", game.prefix)), "prefix", "must be a name such as ConnectFour")
    must(bool(re.fullmatch(r"v[0-9]+", game.version)), "version", "must be v0, v1, …")
    must(min(game.seats, default=0) >= 1 and max(game.seats, default=0) <= MAX_SEATS and game.seats.step == 1, "seats",
         f"must be a range of numbers of players from 1 to {MAX_SEATS}, not {game.seats}")  # fmt: skip
    _check_record(game, must)
    must(set(game.turn_fields) <= set(game.record.names or ()), "turn_fields", "must be fields of the record")
    must(len(game.observation) in (1, 2), "observation", "must have one or two parts")
    must(
        len({part.name for part in game.observation}) == len(game.observation),
        "observation",
        "has two parts of one name",
    )
    must(game.rewards.get("outcome") == 0, "rewards", "must map 'outcome' to 0")
    must(len(set(game.rewards.values())) == len(game.rewards), "rewards", "maps two names to the same number")
    must(
        game.dense_rewards <= set(game.rewards) - {"outcome"},
        "dense_rewards",
        f"must be among {', '.join(game.rewards)}",
    )
    must(is_dataclass(game.rules), "rules", "must be a frozen dataclass derived from tower_core.options.Rules")
    try:
        presets = game.rules.presets()
    except Exception as error:
        raise GameError(f"game {game.name!r}: rules: presets() failed: {error!r}") from error
    must(game.default_rules in presets, "default_rules", f"must be a preset: {', '.join(presets)}")
    must(game.measured[0] in game.seats and game.measured[1] in presets, "measured", "must be (players, preset)")


def _check_record(game: Any, must: Any) -> None:
    record = game.record
    must(isinstance(record, np.dtype) and record.names is not None, "record", "must be a structured dtype")
    must(
        record.itemsize % _LINE == 0,
        "record",
        f"has {record.itemsize} bytes: use tower_core.engine.batch_structs.padded",
    )
    names = record.names
    for name, (kinds, size) in _SCALARS.items():
        must(name in names, f"record.{name}", "is missing")
        kind = record[name]
        must(kind.shape == () and kind.kind in kinds and kind.itemsize >= size, f"record.{name}",
             f"must be {'an' if 'u' in kinds else 'a signed'} integer of at least {size} bytes, not {kind}")  # fmt: skip
    must("legal" in names and "score" in names, "record", "must have the fields legal and score")
    words = -(-game.num_actions // 64)
    must(record["legal"] == np.dtype(("u8", (words,))), "record.legal",
         f"must be ('u8', ({words},)) for {game.num_actions} actions, not {record['legal']}")  # fmt: skip
    score = record["score"]
    must(score.base.kind in "iu" and len(score.shape) == 1 and score.shape[0] >= max(game.seats), "record.score",
         f"must be integers for {max(game.seats)} seats, not {score}")  # fmt: skip
    must("script" not in names or record["script"].itemsize == 8, "record.script", "must be u8: it holds an address")
    unknown = set(game.derived) - set(names)
    must(not unknown, "derived", f"unknown record field(s) {', '.join(sorted(unknown))}")
    must(game.num_actions < 2**31, "actions", "must be fewer than 2**31")
    for field in fields(game.rules) if is_dataclass(game.rules) else ():
        must(field.name not in _SCALARS, f"rules.{field.name}", "clashes with a field that every record has")
