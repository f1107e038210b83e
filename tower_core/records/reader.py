"""Strict parser of game records: every error is a RecordError with line number and reason.

It checks the form only; replaying a record (replay.py) checks it against the rules.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NoReturn

from tower_core.game import Game
from tower_core.records.model import Move, Record, RecordError, is_name
from tower_core.records.text import FIRST_LINE, FORMAT, LAST_LINE, RESULTS, UNFINISHED, ranking_text
from tower_core.registry import get_game

MAX_LINE_LENGTH = 1_000_000
"""Maximum length of a line, in bytes."""
FOREIGN = (ValueError, TypeError, LookupError, OverflowError, RecursionError)
"""Exceptions that untrusted values may raise where they are used."""

_installed = cache(get_game)  # scanning the entry points takes longer than parsing a record
_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,40}")
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,19}")
_MOVES = re.compile(r"([1-9][0-9]{0,8})\. player_([0-9]): (.+)")
_MOVE = re.compile(r"([^,{}]+?)(?: \{([^{}]+)\})?(?:, |$)")
_SEAT = re.compile(r"player_([0-9])")


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Iterate over the records of a file. RecordError names line and reason; OSError if it can't be read."""
    with open(path, "rb") as file:
        yield from parse_records(iter(lambda: file.readline(MAX_LINE_LENGTH + 1), b""))


def parse_records(lines: Iterable[str | bytes]) -> Iterator[Record]:
    """Iterate over the records in some lines, at least one; see :func:`read_records`."""
    reader = _Lines(lines)
    found = False
    while reader.more():
        yield _record(reader)
        found = True
    if not found:
        reader.fail_ahead("found no record")


class _Lines:
    """The lines that are neither empty nor comments (``# …``). *number* is that of the last line taken."""

    def __init__(self, lines: Iterable[str | bytes]) -> None:
        self._lines = iter(lines)
        self._ahead: str | None = None
        self._read = 0
        self.number = 0

    def more(self) -> bool:
        """Whether there is another line."""
        while self._ahead is None:
            line = next(self._lines, None)
            if line is None:
                return False
            self._read += 1
            text = self._clean(line)
            if text and not text.startswith("#"):
                self._ahead = text
        return True

    def _clean(self, line: str | bytes) -> str:
        if len(line) > MAX_LINE_LENGTH:
            self.fail_ahead(f"the line is longer than {MAX_LINE_LENGTH} bytes")
        if isinstance(line, bytes):
            try:
                line = line.decode("utf-8")
            except UnicodeDecodeError:
                self.fail_ahead("the line is not valid UTF-8")
        text = line.removesuffix("\n").removesuffix("\r")
        if not text.isprintable():
            self.fail_ahead("the line contains unprintable characters")
        return text

    def look(self) -> str:
        """The next line, without taking it."""
        if not self.more():
            self.fail_ahead(f"the text ends inside a record; the last line of a record is {LAST_LINE!r}")
        return self._ahead  # type: ignore[return-value]

    def take(self) -> str:
        text = self.look()
        self._ahead, self.number = None, self._read
        return text

    def value(self, name: str) -> str:
        """The value of a header line, which must come next."""
        text = self.look()
        if not text.startswith(f"{name}: "):
            self.fail_ahead(f"expected a line '{name}: …', not {short(text)}")
        return self.take()[len(name) + 2 :]

    def is_next(self, name: str) -> bool:
        return self.look().startswith(f"{name}: ")

    def fail(self, reason: str) -> NoReturn:
        """RecordError for the last line taken."""
        raise RecordError(self.number, reason)

    def fail_ahead(self, reason: str) -> NoReturn:
        """RecordError for the last line read, which may not be taken yet."""
        raise RecordError(max(self._read, 1), reason)


def short(text: str) -> str:
    """A text in quotes, cut if it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "…")


# ---------------------------------------------------------------------------------------------- one record
def _record(reader: _Lines) -> Record:
    first, lines = reader.take(), {"record": reader.number}
    if first != f"{FIRST_LINE} {FORMAT}":
        if first.startswith(f"{FIRST_LINE} "):
            reader.fail(f"the record has format {short(first[len(FIRST_LINE) + 1 :])}, but this version reads {FORMAT}")
        reader.fail(f"a record must start with '{FIRST_LINE} {FORMAT}', not {short(first)}")
    game = _game(reader)
    version = reader.value("version")
    if not _VERSION.fullmatch(version):
        reader.fail(f"invalid version {short(version)}")
    rules = _rules(reader, game)
    players = _whole(reader, reader.value("players"), 1, game.seats[-1])
    try:
        game.make_record(players, rules)
    except FOREIGN as error:
        reader.fail(f"{error}")
    names = _names(reader, players)
    seed = _whole(reader, reader.value("seed"), 0, 2**64 - 1) if reader.is_next("seed") else None
    position = None
    if reader.is_next("start"):
        position = _position(reader, seed)
        lines["start"] = reader.number
    result = reader.value("result")
    lines["result"] = reader.number
    if result not in RESULTS:
        reader.fail(f"result must be one of {', '.join(RESULTS)}, not {short(result)}")
    scores = tuple(_whole(reader, word, -(10**9), 10**9) for word in _words(reader, "scores", players))
    lines["scores"] = reader.number
    returns: tuple[float, ...] = ()
    ranking: tuple[tuple[int, ...], ...] = ()
    if result != UNFINISHED:
        returns = tuple(_float(reader, word) for word in _words(reader, "returns", players))
        lines["returns"] = reader.number
        ranking = _ranking(reader, players)
        lines["ranking"] = reader.number
    count = _whole(reader, reader.value("moves"), 0, 10**9)
    lines["setup"] = lines["moves"] = reader.number
    setup, moves = _body(reader, count, lines)
    lines["end"] = reader.number
    return Record(
        game, rules, players, moves, result, scores, returns, ranking, names, seed, position, setup, version, lines
    )


def _game(reader: _Lines) -> Game:
    value = reader.value("game")
    name, _, version = value.partition(" ")
    try:
        game = _installed(name)
    except ValueError:
        reader.fail(f"game {short(name)} is not installed")
    if version != game.version:
        reader.fail(f"the record is of {short(value)}, but the installed game is '{name} {game.version}'")
    return game


def _rules(reader: _Lines, game: Game) -> Any:
    preset = reader.value("rules")
    if preset not in game.presets:
        reader.fail(f"unknown preset {short(preset)}: choose one of {', '.join(game.presets)}")
    rules = game.resolve_rules(preset)
    values = rules.to_dict()
    changes: dict[str, Any] = {}
    while reader.look().startswith("rule "):
        name, _, text = reader.take().removeprefix("rule ").partition(": ")
        if name not in values or name in changes:
            known = ", ".join(values)
            reader.fail(f"{short(name)} is an unknown or repeated rule: the rules are {known}")
        value = _json(reader, text)
        # A text may be a file name; records must never open files.
        if isinstance(value, str) and not isinstance(values[name], str):
            reader.fail(f"{name}: must not be a text")
        changes[name] = value
    if not changes:
        return rules
    try:
        rules = game.resolve_rules({**values, **changes})
    except FOREIGN as error:
        reader.fail(f"{error}")
    made = rules.to_dict()
    for name, value in changes.items():
        if made[name] != value:
            reader.fail(f"{name}: must be written {short(json.dumps(made[name]))}")
    return rules


def _names(reader: _Lines, players: int) -> tuple[str, ...]:
    if not reader.is_next("player_0"):
        return ()
    names = []
    for seat in range(players):
        names.append(reader.value(f"player_{seat}"))
        if not is_name(names[-1]):
            reader.fail(f"invalid name {short(names[-1])}: it is too long or has surrounding spaces")
    return tuple(names)


def _position(reader: _Lines, seed: int | None) -> dict[str, Any]:
    position = _json(reader, reader.value("start"))
    if seed is not None:
        reader.fail("a game that starts from a position has no seed")
    if not isinstance(position, dict):
        reader.fail("a start must be a JSON object")
    for name in ("game", "rules", "num_players"):
        if name in position:
            reader.fail(f"start: {name} must only be in the lines above")
    return position


def _ranking(reader: _Lines, players: int) -> tuple[tuple[int, ...], ...]:
    text = reader.value("ranking")
    ranking = tuple(tuple(int(seat) for seat in _SEAT.findall(group)) for group in text.split(" > "))
    if ranking_text(ranking) != text or sorted(seat for group in ranking for seat in group) != list(range(players)):
        reader.fail(f"{short(text)} is not a ranking of {players} players, such as 'player_1 > player_0 = player_2'")
    return ranking


def _body(reader: _Lines, count: int, lines: dict[str, int]) -> tuple[tuple[str, ...], tuple[Move, ...]]:
    setup: list[str] = []
    while reader.is_next("setup"):
        setup.append(reader.value("setup"))
        lines["setup"] = reader.number
    moves: list[Move] = []
    while len(moves) < count:
        text = reader.take()
        match = _MOVES.fullmatch(text)
        if match is None:
            reader.fail(f"expected a line such as '{len(moves) + 1}. player_0: …', not {short(text)}")
        if int(match[1]) != len(moves) + 1:
            reader.fail(f"the line starts with move {match[1]}, but the next move is {len(moves) + 1}")
        moves += _line(reader, int(match[2]), match[3])
        if len(moves) > count:
            reader.fail(f"there are more moves than the {count} of 'moves'")
    if reader.take() != LAST_LINE:
        reader.fail(f"expected {LAST_LINE!r} after {count} moves")
    return tuple(setup), tuple(moves)


def _line(reader: _Lines, seat: int, text: str) -> Iterator[Move]:
    """The moves of a line: actions between commas, each with its chance outcomes in braces."""
    place = 0
    while place < len(text):
        match = _MOVE.match(text, place)
        if match is None or match[1] != match[1].strip():
            reader.fail(f"{short(text[place:])} is not a list of actions such as 'END {{die 3}}, BUILD'")
        chance = tuple(match[2].split("; ")) if match[2] else ()
        yield Move(seat, match[1], chance, reader.number)
        place = match.end()
    if text.endswith(", "):
        reader.fail("expected an action after the last comma")


# ---------------------------------------------------------------------------------------------- values
def _words(reader: _Lines, name: str, count: int) -> list[str]:
    words = reader.value(name).split(" ")
    if len(words) != count:
        reader.fail(f"{name}: expected {count} values, not {len(words)}")
    return words


def _whole(reader: _Lines, text: str, low: int, high: int) -> int:
    if not _WHOLE.fullmatch(text) or not low <= int(text) <= high:
        reader.fail(f"{short(text)} is not an integer from {low} to {high}")
    return int(text)


def _float(reader: _Lines, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or repr(value) != text:
        reader.fail(f"{short(text)} is not a number such as 0.5")
    return value


def _json(reader: _Lines, text: str) -> Any:
    def no_number(name: str) -> NoReturn:
        raise ValueError(f"{name} is not a number")

    def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name appears twice")
        return dict(pairs)

    try:
        return json.loads(text, parse_constant=no_number, object_pairs_hook=each_once)
    except (ValueError, RecursionError) as error:
        reader.fail(f"{short(text)} is not valid JSON: {error}")
