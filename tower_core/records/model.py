"""The data of one game's record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tower_core import SUITE
from tower_core.game import Game
from tower_core.records.text import format_record

MAX_NAME_LENGTH = 200
"""Maximum length of a player's name, in characters."""


class RecordError(ValueError):
    """A record is invalid; *line* is the line number in its file, or 0 if it doesn't come from a file."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line


def is_name(name: Any) -> bool:
    """Whether a player can have this name: one printable line without surrounding spaces."""
    return isinstance(name, str) and 0 < len(name) <= MAX_NAME_LENGTH and name.isprintable() and name == name.strip()


@cache
def installed_version() -> str:
    """Version of the installed suite."""
    try:
        return version(SUITE)
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class Move:
    """One action of a seat in the game's notation, and the chance outcomes that followed."""

    seat: int
    action: str
    chance: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)
    """Line number in the file, or 0."""


@dataclass(frozen=True)
class Record:
    """One game; ``str(record)`` is its text. ValueError for names that are not one printable line."""

    game: Game
    rules: Any
    num_players: int
    moves: tuple[Move, ...]
    result: str
    """``finished``, ``truncated`` or ``unfinished``."""
    scores: tuple[int, ...]
    """Points of each player, at the end or so far."""
    returns: tuple[float, ...] = ()
    """Return of each player; empty before the end."""
    ranking: tuple[tuple[int, ...], ...] = ()
    """Groups of players, best first; empty before the end."""
    names: tuple[str, ...] = ()
    """One name per player, or none."""
    seed: int | None = None
    """The game's seed; None if unknown, or if the game starts from a position."""
    position: Mapping[str, Any] | None = None
    """The start position, as from ``state.position()`` without game, players and rules; None: the usual setup."""
    setup: tuple[str, ...] = ()
    """Chance outcomes before the first move."""
    version: str = field(default_factory=installed_version)
    """Version of the suite that wrote the record."""
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Line numbers of the record's parts."""

    def __post_init__(self) -> None:
        if len(self.names) not in (0, self.num_players):
            raise ValueError(f"names: must be {self.num_players} names or none, not {len(self.names)}")
        for name in self.names:
            if not is_name(name):
                raise ValueError(
                    f"names: a name must be one printable line of at most {MAX_NAME_LENGTH} characters without surrounding "
                    f"spaces, not {name!r}"
                )

    def __str__(self) -> str:
        return format_record(self)

    @property
    def streamed(self) -> bool:
        """Whether it has the random stream that its chance outcomes came from, so that they can be verified."""
        return self.seed is not None or (self.position is not None and "rng" in self.position)

    def line_of(self, part: str) -> int:
        return self.lines.get(part, 0)
