"""What a record holds: plain data about one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tower_core.game import Game
from tower_core.records.text import format_record

MOST_NAME = 200
"""Characters of a player's name."""


class RecordError(ValueError):
    """What is wrong with a record; *line* is the number of the line in its file, or 0 where it comes from none."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line


def is_name(name: Any) -> bool:
    """Whether a player can have this name: a text of one line."""
    return isinstance(name, str) and 0 < len(name) <= MOST_NAME and name.isprintable() and name == name.strip()


@cache
def installed_version() -> str:
    """Version of the installed suite."""
    try:
        return version("towers")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class Move:
    """One action of a seat in the game's notation, and what chance did then."""

    seat: int
    action: str
    chance: tuple[str, ...] = ()
    line: int = field(default=0, compare=False)
    """Where it stands in the file; 0: nowhere."""


@dataclass(frozen=True)
class Record:
    """One game; ``str(record)`` is its text. ValueError for names that no line can hold."""

    game: Game
    rules: Any
    num_players: int
    moves: tuple[Move, ...]
    result: str
    """``finished``, ``truncated`` or ``unfinished``."""
    scores: tuple[int, ...]
    """Of each player at the end, or so far."""
    returns: tuple[float, ...] = ()
    """Of each player; empty before the end."""
    ranking: tuple[tuple[int, ...], ...] = ()
    """Groups of players, best first; empty before the end."""
    names: tuple[str, ...] = ()
    """One for each player, or none."""
    seed: int | None = None
    """The seed of the game; None where it is not known, or where there is a position."""
    position: Mapping[str, Any] | None = None
    """Where the game began, as ``state.position()`` tells it without game, players and rules; None: with the setup."""
    setup: tuple[str, ...] = ()
    """What chance did before the first move."""
    version: str = field(default_factory=installed_version)
    """Of the suite that wrote it."""
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Where the parts stand in the file."""

    def __post_init__(self) -> None:
        if len(self.names) not in (0, self.num_players):
            raise ValueError(f"names: {self.num_players} are needed, or none, not {len(self.names)}")
        for name in self.names:
            if not is_name(name):
                raise ValueError(
                    f"names: a name is a text of one line, at most {MOST_NAME} characters long and without blanks "
                    f"around it, not {name!r}"
                )

    def __str__(self) -> str:
        return format_record(self)

    @property
    def streamed(self) -> bool:
        """Whether it holds the random stream from which its chance came, so that this can be checked too."""
        return self.seed is not None or (self.position is not None and "rng" in self.position)

    def line_of(self, part: str) -> int:
        return self.lines.get(part, 0)
