"""The text of a record, line by line (docs/records.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tower_core.game import Game

FORMAT = 1
FIRST_LINE = "towers record"
LAST_LINE = "end"
FINISHED, TRUNCATED, UNFINISHED = "finished", "truncated", "unfinished"
RESULTS = (FINISHED, TRUNCATED, UNFINISHED)


def format_record(record: Any) -> str:
    """The text of a record, with a trailing newline."""
    text = "".join(f"{line}\n" for line in (*_header(record), *_moves(record), LAST_LINE))
    if not text.replace("\n", "").isprintable():
        raise ValueError("a record must not contain unprintable characters")
    return text


def _header(record: Any) -> Iterator[str]:
    yield f"{FIRST_LINE} {FORMAT}"
    yield f"game: {record.game.name} {record.game.version}"
    yield f"version: {record.version}"
    preset, changes = nearest_preset(record.game, record.rules)
    yield f"rules: {preset}"
    for name, value in changes.items():
        yield f"rule {name}: {json.dumps(value)}"
    yield f"players: {record.num_players}"
    for seat, name in enumerate(record.names):
        yield f"player_{seat}: {name}"
    if record.seed is not None:
        yield f"seed: {record.seed}"
    if record.position is not None:
        yield f"start: {json.dumps(record.position)}"
    yield f"result: {record.result}"
    yield f"scores: {' '.join(map(str, record.scores))}"
    if record.result != UNFINISHED:
        yield f"returns: {' '.join(repr(float(value)) for value in record.returns)}"
        yield f"ranking: {ranking_text(record.ranking)}"
    yield f"moves: {len(record.moves)}"


def nearest_preset(game: Game, rules: Any) -> tuple[str, dict[str, Any]]:
    """The preset closest to *rules*, and the fields that differ from it."""
    values = rules.to_dict()
    differences = []
    for preset in game.presets:
        there = game.resolve_rules(preset).to_dict()
        differences.append((preset, {name: value for name, value in values.items() if value != there[name]}))
    return min(differences, key=lambda entry: len(entry[1]))


def ranking_text(ranking: Iterable[Iterable[int]]) -> str:
    """A ranking as text, such as ``player_1 > player_0 = player_2``."""
    return " > ".join(" = ".join(f"player_{seat}" for seat in group) for group in ranking)


def _moves(record: Any) -> Iterator[str]:
    """Chance outcomes of the setup, then one line per turn; a line also ends after a chance outcome."""
    for text in record.setup:
        yield f"setup: {text}"
    line: list[str] = []
    for i, move in enumerate(record.moves):
        if not line:
            line.append(f"{i + 1}. player_{move.seat}:")
        outcomes = f" {{{'; '.join(move.chance)}}}" if move.chance else ""
        following = record.moves[i + 1] if i + 1 < len(record.moves) else None
        ends = following is None or following.seat != move.seat or bool(outcomes)
        line.append(f"{move.action}{outcomes}{'' if ends else ','}")
        if ends:
            yield " ".join(line)
            line = []
