"""The results file: one JSON line per game, appended, so that an arena can be stopped and resumed at any time."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sized
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tower_core.schema import read
from train.arena.play import FAULTS, Outcome
from train.arena.schedule import Match
from train.arena.settings import ArenaSettings

FORMAT = "towers-arena-1"


class ResultsError(ValueError):
    """A results file that can't be read or belongs to another arena."""


class ResultsFile:
    """A results file, opened for appending; its lines are read first and never changed.

    The first line holds game, players, rules and time limit; ResultsError if they differ from the settings. A new file also
    gets the entries *about*: benchmark, version, machine (train.arena.citation). An incomplete
    last line (the machine stopped while it was written) is dropped, and its game is played again.
    """

    def __init__(self, path: Path, settings: ArenaSettings, about: Mapping[str, str] = {}) -> None:
        self.path = path
        self._meanings = settings.meanings
        self.outcomes: list[Outcome] = []
        head = {"format": FORMAT, **settings.identity()}
        if path.exists() and path.stat().st_size:
            found, self.outcomes, whole = parse_results(path.read_bytes(), path)
            must_fit(path, found, head)
            _must_mean(path, self.outcomes, self._meanings)
            if whole < path.stat().st_size:
                os.truncate(path, whole)
            self._file = path.open("a", encoding="utf-8")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a", encoding="utf-8")
            self._write({**head, **about})

    def add(self, outcome: Outcome) -> None:
        """Append a game; it is in the file when this returns."""
        outcome.specs = {label: self._meanings[label] for label in outcome.seats if self._is_alias(label)} or None
        self.outcomes.append(outcome)
        line = outcome.to_dict()
        line["seconds"] = [round(value, 6) for value in outcome.seconds]
        line["slowest"] = [round(value, 6) for value in outcome.slowest]
        if outcome.cpu is not None:
            line["cpu"] = [[round(value, 6) for value in turns] for turns in outcome.cpu]
        self._write({name: value for name, value in line.items() if value is not None})

    def of(self, matches: Iterable[Match]) -> list[Outcome]:
        """Outcomes of those *matches* that have been played, in the order of *matches*."""
        known = {(outcome.seed, tuple(outcome.seats)): outcome for outcome in self.outcomes}
        keys = [(match.seed, match.seats) for match in matches]
        return [known[key] for key in keys if key in known]

    def _is_alias(self, label: str) -> bool:
        return _meaning(label, None) != self._meanings.get(label, label)

    def _write(self, content: dict[str, Any]) -> None:
        self._file.write(json.dumps(content, separators=(",", ":")) + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_results(path: Path) -> tuple[dict[str, Any], list[Outcome]]:
    """The first line of a results file and its games. ResultsError names a damaged line."""
    head, outcomes, _ = parse_results(path.read_bytes(), path)
    return head, outcomes


def parse_results(data: bytes, path: Path) -> tuple[dict[str, Any], list[Outcome], int]:
    """First line, games, and the number of bytes in complete lines, of a file with this content."""
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].split(b"\n")[:-1]
    try:
        head = json.loads(lines[0])
        known = head["format"] == FORMAT and isinstance(head["game"], str) and type(head["players"]) is int
    except (ValueError, LookupError, TypeError, RecursionError):
        known = False
    if not known:
        raise ResultsError(f"{path} is not a results file of the arena: choose another name")
    outcomes = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            outcomes.append(read_outcome(json.loads(line), head["players"]))
        except (ValueError, RecursionError) as error:
            raise ResultsError(
                f"{path}: line {number} is damaged; delete the line, and its game is played again"
            ) from error
    return head, outcomes, whole


def read_outcome(line: Any, players: int) -> Outcome:
    """The outcome of a game with *players* seats from JSON values. ValueError if it can't be one."""
    outcome = read(Outcome, line, "game")
    fault = outcome.fault
    columns: list[Sized] = [
        outcome.seats,
        outcome.places,
        outcome.moves,
        outcome.turns,
        outcome.seconds,
        outcome.slowest,
    ]
    columns += [column for column in (outcome.scores, outcome.cpu) if column is not None]
    if any(len(column) != players for column in columns) or (fault and fault.kind not in FAULTS):
        raise ValueError("wrong number of seats, or unknown fault")
    if not all(1 <= place <= players for place in outcome.places) or (fault and not 0 <= fault.seat < players):
        raise ValueError("places or seats out of range")
    amounts = (*outcome.moves, *outcome.turns, *outcome.seconds, *outcome.slowest, *map(abs, outcome.scores or ()))
    amounts += tuple(seconds for turns in outcome.cpu or () for seconds in turns)
    if not all(0 <= amount < 2**53 for amount in amounts) or not 0 <= outcome.seed < 2**64:
        raise ValueError("numbers out of range")
    return outcome


def _must_mean(path: Path, outcomes: Iterable[Outcome], wanted: dict[str, str]) -> None:
    """ResultsError if a label was another player in earlier games."""
    for label, there in {(label, _meaning(label, outcome)) for outcome in outcomes for label in outcome.seats}:
        if wanted.get(label, there) != there:
            raise ResultsError(
                f"in {path}, {label!r} is {there}, not {wanted[label]}: choose another name or another file"
            )


def _meaning(label: str, outcome: Outcome | None) -> str:
    """The player of a label in an earlier game: as written there, otherwise the label without its number."""
    written = (outcome.specs if outcome else None) or {}
    return written.get(label, re.sub(r" \(\d+\)$", "", label))


def must_fit(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """ResultsError if the first line of a results file lacks an entry of *wanted*."""
    for name, value in wanted.items():
        if found.get(name) != value:
            there, here = (json.dumps(v) for v in (found.get(name), value))
            if max(len(there), len(here)) > 80:
                raise ResultsError(f"{path} holds games with other {name}: choose another file")
            raise ResultsError(f"{path} holds games with {name} {there}, not {here}: choose another file")
