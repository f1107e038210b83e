"""Whether a game's description holds together: checked when it is made, so that a mistake is named and writes nowhere."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tower_core.engine.batch_structs import MAX_SEATS

# What the loops read and write in every record: kind of number, smallest size in bytes, entries (None: see the check).
_SCALARS = {
    "first_word": ("iu", 1),
    "to_move": ("i", 1),
    "num_players": ("iu", 1),
    "truncated": ("iu", 1),
    "rng": ("u", 8),
}
_LINE = 64


class GameError(ValueError):
    """What is wrong with a game's description."""


def check_width(what: str, needed: int, space: int, unit: str = "bits") -> None:
    """GameError where something packed doesn't fit; *what* names it and what it is packed into."""
    if needed > space:
        raise GameError(f"{what}: needs {needed} {unit}, and there are {space}")


def check_description(game: Any) -> None:
    """GameError names the game and the field that is wrong."""

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
    must(len(game.observation) in (1, 2), "observation", "has one part or two")
    must(len({part.name for part in game.observation}) == len(game.observation), "observation", "names a part twice")
    must(game.rewards.get("outcome") == 0, "rewards", "must have 'outcome' under the number 0")
    must(len(set(game.rewards.values())) == len(game.rewards), "rewards", "two kinds have one number")
    must(
        game.dense_rewards <= set(game.rewards) - {"outcome"},
        "dense_rewards",
        f"must be among {', '.join(game.rewards)}",
    )
    must(is_dataclass(game.rules), "rules", "must be a frozen dataclass on top of tower_core.options.Rules")
    try:
        presets = game.rules.presets()
    except Exception as error:
        raise GameError(f"game {game.name!r}: rules: presets() fails: {error!r}") from error
    must(game.default_rules in presets, "default_rules", f"must be a preset: {', '.join(presets)}")
    must(game.measured[0] in game.seats and game.measured[1] in presets, "measured", "must be players and a preset")


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
             f"must be {'a' if 'u' in kinds else 'a signed'} whole number of at least {size} bytes, not {kind}")  # fmt: skip
    must("legal" in names and "score" in names, "record", "needs the fields legal and score")
    words = -(-game.num_actions // 64)
    must(record["legal"] == np.dtype(("u8", (words,))), "record.legal",
         f"must be ('u8', ({words},)) for {game.num_actions} actions, not {record['legal']}")  # fmt: skip
    score = record["score"]
    must(score.base.kind in "iu" and len(score.shape) == 1 and score.shape[0] >= max(game.seats), "record.score",
         f"must be whole numbers for {max(game.seats)} seats, not {score}")  # fmt: skip
    must("script" not in names or record["script"].itemsize == 8, "record.script", "must hold an address: u8")
    unknown = set(game.derived) - set(names)
    must(not unknown, "derived", f"{', '.join(sorted(unknown))} is no field of the record")
    must(game.num_actions < 2**31, "actions", "there are too many")
    for field in fields(game.rules) if is_dataclass(game.rules) else ():
        must(field.name not in _SCALARS, f"rules.{field.name}", "has the name of a field of every record")
