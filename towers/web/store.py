"""The server's games: one file each, from which a game continues after a restart.

A file is a record (docs/records.md) after one comment line, so ``towers replay`` reads it too.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

from towers.errors import UserError
from towers.table import Table
from towers.web.hosted import Hosted

MOST_GAMES = 500
MOST_RECORD = 1_000_000
"""Limit for a record in bytes."""
_ID = re.compile(r"[a-z0-9]{10}")
_HEAD = "# towers serve: "


class UnknownGameError(LookupError):
    """There is no game with that id."""


class Store:
    """The games of a server by id, in memory and in *folder*; a game is read from its file when it is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise UserError(f"--state: {folder} can't be created: {error.strerror}") from error
        self._games: dict[str, Hosted] = {}
        self._lock = threading.Lock()

    def token(self) -> str:
        """The secret that gives access to the server; it survives a restart, so that open pages keep working."""
        path = self.folder / "token"
        try:
            known = path.read_text("ascii").strip()
        except (OSError, UnicodeDecodeError):
            known = ""
        if not re.fullmatch(r"[\w-]{32,}", known):
            known = secrets.token_urlsafe(24)
            _write(path, known + "\n")
        return known

    # ------------------------------------------------------------------------------------------ games
    def add(self, table: Table) -> Hosted:
        """Add a game. ValueError if there are too many."""
        return self._host(table)

    def open_record(self, text: str) -> Hosted:
        """Add the first game of a text of records, for viewing. ValueError (RecordError) if it is wrong."""
        from tower_core.records import parse_records

        if len(text.encode()) > MOST_RECORD:
            raise ValueError(f"the record is too long: at most {MOST_RECORD} bytes")
        record = next(iter(parse_records(text.splitlines())), None)
        if record is None:
            raise ValueError("the text contains no record: a record starts with 'towers record 1'")
        return self._host(Table.replay(record))

    def _host(self, table: Table) -> Hosted:
        if sum(1 for _ in self._files()) >= MOST_GAMES:
            raise ValueError(f"there are {MOST_GAMES} games already: delete some first")
        number = "".join(secrets.choice("abcdefghijkmnpqrstuvwxyz23456789") for _ in range(10))
        hosted = Hosted(number, table, self._save)
        try:
            self._save(hosted)
        except OSError as error:
            raise ValueError(f"the game can't be saved in {self.folder}: {error.strerror}") from error
        with self._lock:
            self._games[number] = hosted
        hosted.wake()
        return hosted

    def get(self, number: str) -> Hosted:
        """The game of an id. UnknownGameError if there is none, ValueError if its file is damaged."""
        if not _ID.fullmatch(number):
            raise UnknownGameError(number)
        with self._lock:
            if number not in self._games:
                self._games[number] = self._load(number)
            hosted = self._games[number]
        hosted.wake()
        return hosted

    def delete(self, number: str) -> None:
        """Delete a game and its file. UnknownGameError if there is none."""
        if not _ID.fullmatch(number):
            raise UnknownGameError(number)
        with self._lock:
            hosted = self._games.pop(number, None)
            path = self.folder / f"{number}.txt"
            if hosted is None and not path.exists():
                raise UnknownGameError(number)
        if hosted is not None:
            with hosted.lock:  # a player's move must not write the file again
                hosted.close()
        path.unlink(missing_ok=True)

    def ids(self) -> list[str]:
        """Ids of all games, the last changed first."""
        return [path.stem for path in sorted(self._files(), key=_changed_at, reverse=True)]

    def _files(self) -> Iterator[Path]:
        return (path for path in self.folder.glob("*.txt") if _ID.fullmatch(path.stem))

    # ------------------------------------------------------------------------------------------ files
    def _save(self, hosted: Hosted) -> None:
        from tower_core.records import format_record

        head = json.dumps({"replay": hosted.table.is_replay})
        text = f"{_HEAD}{head}\n{format_record(hosted.table.record())}"
        _write(self.folder / f"{hosted.id}.txt", text)

    def _load(self, number: str) -> Hosted:
        from tower_core.records import parse_records

        path = self.folder / f"{number}.txt"
        try:
            lines = path.read_text("utf-8").splitlines()
        except FileNotFoundError:
            raise UnknownGameError(number) from None
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{path} can't be read: {error}") from error
        try:
            record = next(iter(parse_records(lines)))
            head = json.loads(lines[0].removeprefix(_HEAD))
            table = Table.replay(record) if head["replay"] else Table.of_record(record)
        except (ValueError, LookupError, TypeError, StopIteration) as error:
            raise ValueError(f"{path} is not a game of this server: {error}") from error
        return Hosted(number, table, self._save)


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # deleted meanwhile
        return 0.0


def _write(path: Path, text: str) -> None:
    """Write a file atomically, readable for its owner only."""
    draft = path.with_suffix(f".{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
