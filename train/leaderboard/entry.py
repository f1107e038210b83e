"""Entries of the leaderboard: ``BENCHMARK/NAME.toml`` describes a player, ``BENCHMARK/NAME.jsonl.gz`` holds its games.

The games are the results file of an official run, compressed, in which the player has the entry's name. Entries are
untrusted: reading one executes no code from it and takes little memory, whatever the files contain.
"""

from __future__ import annotations

import datetime
import gzip
import json
import re
import tomllib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from tower_core.schema import read, shown
from train.arena.benchmarks import Benchmark, benchmark, benchmark_settings
from train.arena.play import Outcome
from train.arena.results import must_fit, parse_results, read_results
from train.arena.schedule import schedule
from train.arena.settings import ArenaSettings
from train.arena.tally import Tally, tally

MOST_BYTES = 1_000_000
"""Limit for the compressed games of an entry."""
_MOST_UNPACKED = 8_000_000
_MOST_DESCRIBED = 10_000
_NAME = re.compile(r"[a-z0-9][a-z0-9._+-]{0,39}")
_HEAD = ("format", "game", "players", "rules", "timeout", "benchmark", "seeds", "version", "machine")
_TIMES = ("seconds", "slowest")

Line = Annotated[str, msgspec.Meta(max_length=200)]


class EntryError(ValueError):
    """An entry that is refused; the message starts with its file."""


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an entry says about its player: *player* is its spec in the arena, *get* a command or URL to get it."""

    player: Line
    get: Line
    date: datetime.date
    authors: Line = ""
    contact: Line = ""


@dataclass(frozen=True)
class Entry:
    """An entry: *path* is the file of its description, *head* the first line of its results file."""

    path: Path
    benchmark: Benchmark
    description: Description
    head: dict[str, Any]
    outcomes: list[Outcome]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def settings(self) -> ArenaSettings:
        """The settings of the official run."""
        return benchmark_settings(self.benchmark, (self.name,))

    @property
    def labels(self) -> list[str]:
        """The entry's player and the anchors."""
        return list(self.settings.specs)

    def tally(self) -> Tally:
        """Win rates and ratings, computed from the games."""
        return tally(self.outcomes, self.labels, self.benchmark.players)


def read_entry(path: Path) -> Entry:
    """The entry with the description *path*, complete and of its benchmark. EntryError names the problem in one line.

    The games are not replayed: train.leaderboard.check.
    """
    try:
        if path.suffix != ".toml":
            raise ValueError("an entry is named by its description, BENCHMARK/NAME.toml")
        it = benchmark(path.absolute().parent.name)
        must_be_name(path.stem, it)
        content = tomllib.loads(_content(path, _MOST_DESCRIBED).decode("utf-8"))
        description = read(Description, content, "the description")
        _must_be_lines(description)
        games = games_file(path)
        data = _unpacked(_content(games, MOST_BYTES))
        head, outcomes, whole = parse_results(data, games)
        if whole < len(data):
            raise ValueError("the last line is incomplete")
        entry = Entry(path, it, description, head, outcomes)
        must_be_complete(entry)
    except RecursionError:
        raise EntryError(f"{path}: is nested too deeply") from None
    except (ValueError, OSError) as error:
        raise EntryError(f"{path}: {error}") from error
    return entry


def games_file(path: Path) -> Path:
    """The file with the games of an entry."""
    return path.with_suffix(".jsonl.gz")


def must_be_name(name: str, it: Benchmark) -> None:
    """ValueError unless *name* can be the name of an entry."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"a name has 1 to 40 characters of a-z, 0-9 and ._+-, and no sign first, not {shown(name)}")
    if name in it.anchors:
        raise ValueError(f"{name!r} is an anchor of {it.name}: choose another name, such as {name}-1.0")


def _must_be_lines(description: Description) -> None:
    """ValueError unless the texts are printable lines and *get* is given."""
    for name, value in msgspec.structs.asdict(description).items():
        if isinstance(value, str) and not value.isprintable():
            raise ValueError(f"{name}: must be one printable line, not {shown(value)}")
    if not description.get:
        raise ValueError("get: must be the command or URL that leads to the player, not ''")


def _content(path: Path, most: int) -> bytes:
    """The content of a regular file of at most *most* bytes."""
    if path.is_symlink() or not path.is_file():
        raise ValueError(f"{path.name} is missing or not a regular file")
    if path.stat().st_size > most:
        raise ValueError(f"{path.name} must have at most {most:,} bytes, not {path.stat().st_size:,}")
    return path.read_bytes()


def _unpacked(data: bytes) -> bytes:
    """Decompressed gzip data, of one member."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = unpacker.decompress(data, _MOST_UNPACKED)
    except zlib.error as error:
        raise ValueError(f"the games are not gzip data: {error}") from None
    if unpacker.unconsumed_tail:
        raise ValueError(f"the games must have at most {_MOST_UNPACKED:,} bytes when decompressed")
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("the games must be one complete gzip stream")
    return content


def must_be_complete(entry: Entry) -> None:
    """ValueError unless the games are exactly those of the official run, under the rules of the benchmark."""
    games, settings = games_file(entry.path), entry.settings
    must_fit(games, entry.head, {**settings.identity(), "benchmark": entry.benchmark.name, "seeds": "test seeds"})
    matches = schedule(settings)
    wanted = {(match.seed, match.seats) for match in matches}
    found: dict[tuple[int, tuple[str, ...]], int] = {}
    for line, outcome in enumerate(entry.outcomes, start=2):
        key = (outcome.seed, tuple(outcome.seats))
        if key not in wanted:
            raise ValueError(f"line {line}: {_words(*key)} is not a game of {entry.name} in {entry.benchmark.name}")
        if key in found:
            raise ValueError(f"line {line}: {_words(*key)} is there twice, first in line {found[key]}")
        found[key] = line
    missing = [match for match in matches if (match.seed, match.seats) not in found]
    if missing:
        first = _words(missing[0].seed, missing[0].seats)
        raise ValueError(f"{len(missing)} of {len(matches)} games are missing, the first is {first}")


def _words(seed: int, seats: Sequence[str]) -> str:
    return f"seed {seed} with the seats {shown(', '.join(seats))}"


def enter(results: Path, folder: Path, name: str, get: str, authors: str = "", contact: str = "") -> Path:
    """Write an entry from the results file of an official run, and return its description's path. ValueError if the
    results don't make a valid entry.

    The player is the one labelled *name*, or the only one that is not an anchor.
    """
    head, outcomes = read_results(results)
    if "benchmark" not in head:
        raise ValueError(f"{results} belongs to no benchmark: play with --benchmark NAME --seed-set test")
    it = benchmark(str(head["benchmark"]))
    must_be_name(name, it)
    labels = {label for outcome in outcomes for label in outcome.seats} - {*it.anchors}
    label = name if name in labels or len(labels) != 1 else labels.pop()
    if label in it.anchors or not any(label in outcome.seats for outcome in outcomes):
        there = ", ".join(sorted(labels)) or "none but anchors"
        raise ValueError(
            f"{results} has no player {name!r}: its players are {there}; name one in the arena as {name}=PLAYER"
        )
    own = [outcome for outcome in outcomes if {label} <= {*outcome.seats} <= {label, *it.anchors}]
    spec = (own[0].specs or {}).get(label, label)
    description = Description(player=spec, get=get, date=datetime.date.today(), authors=authors, contact=contact)
    _must_be_lines(description)
    renamed = [
        replace(outcome, seats=[name if seat == label else seat for seat in outcome.seats], specs=None)
        for outcome in own
    ]
    path = folder / it.name / f"{name}.toml"
    entry = Entry(path, it, description, {key: head[key] for key in _HEAD if key in head}, renamed)
    must_be_complete(entry)
    order = {(match.seed, match.seats): place for place, match in enumerate(schedule(entry.settings))}
    entry.outcomes.sort(key=lambda outcome: order[outcome.seed, tuple(outcome.seats)])
    data = gzip.compress(_lines(entry), mtime=0)
    if len(data) > MOST_BYTES:
        raise ValueError(f"the games take {len(data):,} bytes; an entry may have {MOST_BYTES:,}")
    if path.exists():
        raise ValueError(f"{path} exists: choose another name, such as {name}-2")
    path.parent.mkdir(parents=True, exist_ok=True)
    games_file(path).write_bytes(data)
    path.write_text(_toml(description), "utf-8")
    return path


def _lines(entry: Entry) -> bytes:
    """The content of a results file; times have microseconds."""
    lines = [entry.head]
    for outcome in entry.outcomes:
        line = {key: value for key, value in outcome.to_dict().items() if value is not None}
        lines.append({**line, **{key: [round(value, 6) for value in line[key]] for key in _TIMES}})
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


def _toml(description: Description) -> str:
    values = msgspec.structs.asdict(description)
    texts = {
        key: json.dumps(value, ensure_ascii=False) if isinstance(value, str) else value for key, value in values.items()
    }
    return "".join(f"{key} = {text}\n" for key, text in texts.items() if text != '""')
