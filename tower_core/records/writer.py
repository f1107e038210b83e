"""From records to files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tower_core.records.model import Record
from tower_core.records.text import LAST_LINE, format_record

_TAIL = f"\n{LAST_LINE}\n".encode()


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write a file of records, as they come. What was there before stays until all are written; OSError if they can't be."""
    path = Path(path)
    partial = path.with_name(path.name + ".partial")
    try:
        with open(partial, "w", encoding="utf-8", newline="\n") as file:
            for i, record in enumerate(records):
                file.write("\n" * (i > 0) + format_record(record))
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def append_record(path: str | os.PathLike[str], record: Record) -> None:
    """Add one record to a file, which is made if there is none.

    ValueError if the file doesn't end with a complete record. If writing fails the file is as it was.
    """
    text = format_record(record)
    if not os.path.exists(path):
        write_records(path, [record])
        return
    with open(path, "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(_TAIL)))
        if file.read() != _TAIL:
            raise ValueError(f"{os.fspath(path)} doesn't end with a complete record, so nothing is added to it")
        try:
            file.write(b"\n" + text.encode())
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.ftruncate(file.fileno(), size)
            raise
