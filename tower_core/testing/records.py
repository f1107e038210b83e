"""Game records: written, parsed, replayed, and rejected if they are damaged."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tower_core.records import (
    Record,
    RecordError,
    append_record,
    check,
    format_record,
    parse_records,
    read_records,
    replay,
    write_records,
)
from tower_core.state import State
from tower_core.testing.setups import Setup, one_line, play, require


def _games(setup: Setup) -> Iterator[tuple[str, State]]:
    finished = setup.state(3)
    play(finished, random.Random(3))
    yield "a finished game", finished
    unfinished = setup.state(2**63 + 4)
    play(unfinished, random.Random(4), 9)
    yield "an unfinished game", unfinished
    placed = type(unfinished).from_position(unfinished.position())
    play(placed, random.Random(5), 9)
    yield "a game from a position", placed
    reseeded = setup.state(6)
    play(reseeded, random.Random(6), 4)
    reseeded.reseed(77)
    play(reseeded, random.Random(7), 4)
    if setup.game.chance_module:  # without recorded chance, only the seed reproduces the game
        yield "a game with a new random stream", reseeded


def check_records(setup: Setup) -> None:
    """Every game can be recorded, parsed and replayed to the same states; errors in damaged records name the line."""
    names = [f"player {seat}" for seat in range(setup.players)]
    with tempfile.TemporaryDirectory() as folder:
        path, records = Path(folder, "games.txt"), []
        for what, state in _games(setup):
            record = state.to_record(names)
            text = format_record(record)
            [again] = parse_records(text.splitlines())
            require(again == record, f"{what}: its record is parsed differently")
            require(_same(check(again), state, record), f"{what}: its record ends at another position")
            states = list(replay(again))
            require(len(states) == len(record.moves) + 1, f"{what}: its record has another number of states")
            require(_same(states[-1], state, record), f"{what}: it is replayed to another position")
            _check_damage(text, state, what)
            records.append(record)
        write_records(path, records[:1])
        for record in records[1:]:
            append_record(path, record)
        require(list(read_records(path)) == records, "a file of records is parsed differently")
    state = setup.state(1)
    play(state, random.Random(8), 6)
    other = state.resample_hidden(0, 5)
    try:
        record = other.to_record()
    except ValueError as error:
        one_line(error, "the record of a resampled state")
    else:  # a game without chance may follow from the new seed
        require(check(record).position() == other.position(), "the record of a resampled state leads elsewhere")


def _same(one: State, other: State, record: Record) -> bool:
    """Whether two states have the same position, including the random stream if the record has it."""
    ours, theirs = one.position(), other.position()
    return {**ours, "rng": 0} == {**theirs, "rng": 0} and (not record.streamed or ours["rng"] == theirs["rng"])


def _check_damage(text: str, state: State, what: str) -> None:
    lines, chance = text.splitlines(), random.Random(1)
    for i in range(len(lines)):
        if i > 30 and chance.random() > 0.1:
            continue
        for damaged in (
            lines[:i],
            [*lines[:i], *lines[i + 1 :]],
            [*lines[:i], lines[i], *lines[i:]],
            [*lines[:i], _one_character(lines[i], chance), *lines[i + 1 :]],
        ):
            try:
                [record] = parse_records(damaged)
                found = check(record)
            except RecordError as error:
                one_line(error, f"{what}, damaged record")
                continue
            except ValueError as error:  # not exactly one record
                one_line(error, f"{what}, damaged record")
                continue
            require(
                found.current_player() == -4 or state.current_player() != -4, f"{what}: a damaged record is accepted"
            )


def _one_character(line: str, chance: random.Random) -> str:
    place = chance.randrange(len(line))
    return line[:place] + chance.choice("0123456789 :=xX{}") + line[place + 1 :]
