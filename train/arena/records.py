"""The games of a results file as records (tower_core.records), verified against their lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tower_core.records import Record, RecordError
from tower_core.records.model import MAX_NAME_LENGTH
from tower_core.registry import get_game
from train.arena.play import Outcome
from train.arena.results import FORMAT, read_results


def is_results_file(path: Path) -> bool:
    """Whether a file begins like a results file of the arena."""
    with path.open("rb") as file:
        return file.read(1) == b"{" and f'"{FORMAT}"'.encode() in file.readline(1_000_000)


def results_records(path: Path) -> Iterator[Record]:
    """Iterate over the games of a results file; RecordError names the line of a game that its moves don't lead to."""
    head, outcomes = read_results(path)
    for line, outcome in enumerate(outcomes, start=2):
        yield game_record(head, outcome, line)


def game_record(head: dict[str, Any], outcome: Outcome, line: int = 0) -> Record:
    """The record of a game from a results file with the first line *head*; the names are the players' labels.

    A game lost by a fault is recorded up to the fault, as unfinished. RecordError if the game has no moves, or if its moves
    don't lead to its result.
    """
    if outcome.actions is None:
        raise RecordError(line, "the game has no moves: it was played with --no-record, or its process ended")
    try:
        game = get_game(head["game"])
        state = game.state_class()(head["players"], game.resolve_rules(head["rules"]), outcome.seed)
    except (ValueError, TypeError, LookupError) as error:
        raise RecordError(1, f"the games can't be replayed: {error}") from error
    for number, action in enumerate(outcome.actions, start=1):
        try:
            state.apply_action(action)
        except ValueError as error:
            raise RecordError(line, f"move {number}: {error}") from error
    _must_match(outcome, state, line)
    try:
        return state.to_record([label[:MAX_NAME_LENGTH] for label in outcome.seats])  # type: ignore[no-any-return]
    except ValueError as error:
        raise RecordError(line, str(error)) from error


def _must_match(outcome: Outcome, state: Any, line: int) -> None:
    """RecordError if the moves lead to another result than that of the line."""
    if outcome.fault is not None:
        if state.is_terminal():
            raise RecordError(line, "the game was lost by a fault, but its moves lead to the end")
        return
    if not state.is_terminal():
        raise RecordError(line, "the moves don't lead to the end of the game")
    seats = range(len(outcome.places))
    groups = [[seat for seat in seats if outcome.places[seat] == place] for place in sorted(set(outcome.places))]
    for name, there, found in (
        ("scores", outcome.scores, state.scores()),
        ("ranking", groups, [sorted(group) for group in state.ranking()]),
        ("truncated", outcome.truncated, state.is_truncated()),
    ):
        if there != found:
            raise RecordError(line, f"{name}: the file has {there}, but the game gives {found}")
