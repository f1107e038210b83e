"""Files of records: damaged and foreign ones are refused, and writing is whole or not at all."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_mutations import mutate
from recorded_games import short_game, some_game

from tower_core.records import (
    RecordError,
    append_record,
    check,
    format_record,
    parse_records,
    read_records,
    write_records,
)

GOLDEN = sorted((Path(__file__).resolve().parents[1] / "golden").glob("*.txt"))
TEXTS = [path.read_text("utf-8") for path in GOLDEN]
TEXT = short_game()


def read(text):
    return list(parse_records(text.splitlines(keepends=True)))


# ---------------------------------------------------------------------------------------------- damage
def test_every_cut():
    """Wherever the text ends too early, that is seen."""
    for length in range(len(TEXT) - 1):
        with pytest.raises(RecordError):
            read(TEXT[:length])


@given(st.binary(max_size=200))
@settings(max_examples=150)
def test_random_bytes(data):
    for lines in (data.splitlines(keepends=True), [b"towers record 1\n", *data.splitlines(keepends=True)]):
        with pytest.raises(RecordError, match=r"^line \d+: "):
            list(parse_records(lines))


@given(st.integers(0, len(TEXTS) - 1), st.integers(0, 2**32))
@settings(max_examples=200)
def test_mutated_records(number, seed):
    """Refused with line and reason, or right to the last point: then the game is exactly what the text says."""
    data = mutate(TEXTS[number], random.Random(seed))
    try:
        for record in parse_records(data.splitlines(keepends=True)):
            state = check(record)
            assert read(format_record(record)) == [record]
            assert state.history() == [(move.seat, move.action) for move in record.moves]
            if record.streamed:
                found = format_record(state.to_record(record.names)).split("rules: ")[1]
                assert found == format_record(record).split("rules: ")[1]
    except RecordError as error:
        assert re.match(r"line \d+: .", str(error))


# ---------------------------------------------------------------------------------------------- files
def records(count=3):
    return [some_game("market" if i % 2 else "torres", i, 12).to_record() for i in range(count)]


def test_files(tmp_path):
    path = tmp_path / "games.txt"
    written = records()
    write_records(path, iter(written))
    assert list(read_records(path)) == written
    append_record(path, written[0])
    assert list(read_records(str(path))) == [*written, written[0]]
    append_record(tmp_path / "new.txt", written[1])
    assert list(read_records(tmp_path / "new.txt")) == [written[1]]
    assert {file.name for file in tmp_path.iterdir()} == {"games.txt", "new.txt"}


def test_reading_goes_on_to_the_damage(tmp_path):
    path = tmp_path / "games.txt"
    written = records()
    write_records(path, written)
    path.write_bytes(path.read_bytes().removesuffix(b"end\n"))
    reader = read_records(path)
    assert [next(reader), next(reader)] == written[:2]
    with pytest.raises(RecordError, match="the text ends inside a record"):
        next(reader)


def test_a_file_stays_when_writing_fails(tmp_path):
    path = tmp_path / "games.txt"
    write_records(path, records())
    before = path.read_bytes()

    def stopped():
        yield records(1)[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(path, stopped())
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["games.txt"]


@pytest.mark.parametrize("content", [b"", b"something else\n", TEXT.encode()[:-2], b"\x00" * 100])
def test_nothing_is_added_to_a_foreign_file(tmp_path, content):
    path = tmp_path / "games.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"games\.txt: it doesn't end with a complete record"):
        append_record(path, records(1)[0])
    assert path.read_bytes() == content


def test_a_full_disk_loses_no_record(tmp_path, monkeypatch):
    path = tmp_path / "games.txt"
    write_records(path, records())
    before = path.read_bytes()

    def full(number):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tower_core.records.writer.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        append_record(path, records(1)[0])
    assert path.read_bytes() == before
    with pytest.raises(OSError, match="No space"):
        write_records(path, records(1))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["games.txt"]


@pytest.mark.parametrize("content", [b"", b"\n\n# nothing\n"])
def test_a_file_without_records(tmp_path, content):
    path = tmp_path / "games.txt"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"line \d: found no record"):
        list(read_records(path))


@pytest.mark.parametrize(
    "content", [b"\x89PNG\r\n\x1a\n" + bytes(300), bytes(2_000_000), b"\xff" * 50, b"x" * 5_000_000]
)
def test_foreign_files(tmp_path, content):
    path = tmp_path / "games.txt"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="^line 1: "):
        list(read_records(path))
    assert path.read_bytes() == content


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        list(read_records(tmp_path / "none.txt"))
    with pytest.raises(OSError):
        write_records(tmp_path / "no" / "folder.txt", records(1))
