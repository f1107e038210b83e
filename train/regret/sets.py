"""The file of a regret set: one line with a format and a digest, then compressed JSON."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core.files import replacing
from tower_core.game import Game
from tower_core.registry import get_game
from tower_core.schema import read
from train.regret.labels import SHARE, Label, Turn

PHASES = 3
"""Thirds of the turns of a game: opening, middle, ending."""
PHASE_NAMES = ("opening", "middle", "ending")
_MAGIC = b"TOWERS-REGRET-1 "
_MOST_BYTES = 256_000_000  # a few hostile bytes must not fill the memory
_MOST_POSITIONS, _MOST_WORLDS = 100_000, 10_000


class RegretSetError(ValueError):
    """A file that is not a regret set of this version."""


@dataclass(frozen=True)
class Settings:
    """What determines a set. Players are specs.

    *sources*: the players of the games from which positions come, drawn for each seat; *proposers* propose a turn each, and
    *ranked* its *top* turns; *continuation*: the compiled player that plays every game to its end, at all seats, in *worlds*
    resampled games per turn.
    """

    game: str
    players: int
    rules: dict[str, Any]
    seed: int
    worlds: int
    continuation: str
    sources: tuple[str, ...]
    proposers: tuple[str, ...]
    ranked: str = ""
    top: int = 3

    def __post_init__(self) -> None:
        if not 2 <= self.worlds <= _MOST_WORLDS:
            raise ValueError(f"worlds must be from 2 to {_MOST_WORLDS}, not {self.worlds}")
        if not self.sources:
            raise ValueError("sources: name at least one player")

    @property
    def game_object(self) -> Game:
        return get_game(self.game)

    @cached_property
    def rules_object(self) -> Any:
        return self.game_object.resolve_rules(self.rules)

    @property
    def specs(self) -> tuple[str, ...]:
        """All players that make positions and turns."""
        return ("random", self.continuation, *self.sources, *self.proposers, *([self.ranked] if self.ranked else []))


@dataclass
class Labelled:
    """A turn: the player *by* whom it was proposed, its actions, and its results by world (see Label)."""

    by: str
    actions: list[int]
    shares: list[int]
    leads: list[int]


@dataclass
class Entry:
    """A position (without its rules), its number and phase, and its turns."""

    number: int
    phase: int
    position: dict[str, Any]
    turns: list[Labelled]


@dataclass
class RegretSet:
    """A set as read from its file; *digest*: SHA-256 of its content."""

    settings: Settings
    version: str
    entries: list[Entry]
    digest: str = ""

    def state(self, i: int) -> Any:
        """The state of entry *i*. RegretSetError if its position is invalid under the rules."""
        settings, entry = self.settings, self.entries[i]
        try:
            position = {**entry.position, "rules": settings.rules_object.to_dict()}
            state = settings.game_object.state_class().from_position(position)
        except ValueError as error:
            raise RegretSetError(f"position {entry.number} doesn't fit the rules: {error}") from error
        if state.num_players != settings.players:
            raise RegretSetError(f"position {entry.number} has {state.num_players} players, not {settings.players}")
        return state

    def labels(self, i: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Win shares and leads of the turns of entry *i*, float64 [turns, worlds] each."""
        turns = self.entries[i].turns
        return np.array([turn.shares for turn in turns]) / SHARE, np.array([turn.leads for turn in turns], np.float64)


def stored(by: str, turn: Turn, label: Label) -> Labelled:
    return Labelled(by, list(turn.actions), label.shares.tolist(), label.leads.tolist())


# ---------------------------------------------------------------------------------------------- files
def write_set(path: Path, settings: Settings, entries: Sequence[Entry]) -> None:
    """Write a set; the same settings and entries give the same bytes."""
    content = {
        "version": settings.game_object.version,
        "settings": asdict(settings),
        "entries": [asdict(entry) for entry in entries],
    }
    text = json.dumps(content, separators=(",", ":")).encode()
    with replacing(path) as partial:
        partial.write_bytes(_MAGIC + hashlib.sha256(text).hexdigest().encode() + b"\n" + lzma.compress(text, preset=9))


def read_set(path: Path) -> RegretSet:
    """The set in a file. RegretSetError, in one line, if the file is damaged, of other rules, or not a regret set."""
    head, _, packed = path.read_bytes().partition(b"\n")
    if not head.startswith(_MAGIC):
        raise RegretSetError(f"{path} is not a regret set")
    digest = head[len(_MAGIC) :].decode("ascii", "replace")
    unpacker, text = lzma.LZMADecompressor(), b""
    with suppress(lzma.LZMAError):
        text = unpacker.decompress(packed, _MOST_BYTES)
    if not unpacker.eof or unpacker.unused_data or hashlib.sha256(text).hexdigest() != digest:
        raise RegretSetError(f"{path} is damaged: wrong digest")
    try:
        found = _content(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise RegretSetError(f"{path} can't be used: {error}") from error
    found.digest = digest
    return found


def _content(value: Any) -> RegretSet:
    found = read(RegretSet, value, "regret set")
    settings = found.settings
    game = settings.game_object
    if found.version != game.version:
        raise ValueError(f"it is of {settings.game} {found.version}, and this is {game.version}")
    settings.rules_object.for_players(settings.players)
    if not 0 < len(found.entries) <= _MOST_POSITIONS:
        raise ValueError("it has no positions, or too many")
    for entry in found.entries:
        for turn in entry.turns:
            if len(turn.shares) != settings.worlds or len(turn.leads) != settings.worlds or not turn.actions:
                raise ValueError(f"position {entry.number}: every turn needs actions, and {settings.worlds} results")
            if not all(0 <= share <= SHARE for share in turn.shares):
                raise ValueError(f"position {entry.number}: shares must be from 0 to {SHARE}")
        if not 0 <= entry.phase < PHASES or len(entry.turns) < 2:
            raise ValueError(f"position {entry.number}: wrong phase, or fewer than two turns")
    return found
