"""Writing records to files."""

from __future__ import annotations

import os
from collections.abc import Iterable

from tower_core.files import replacing
from tower_core.records.model import Record
from tower_core.records.text import LAST_LINE, format_record

_TAIL = f"\n{LAST_LINE}\n".encode()


def write_records(path: str | os.PathLike[str], records: Iterable[Record]) -> None:
    """Write records to a file. An existing file is replaced only after all records are written; OSError if that fails."""
    with replacing(path) as partial, open(partial, "w", encoding="utf-8", newline="\n") as file:
        for i, record in enumerate(records):
            file.write("\n" * (i > 0) + format_record(record))


def append_record(path: str | os.PathLike[str], record: Record) -> None:
    """Append one record to a file; creates the file if needed.

    ValueError if the file doesn't end with a complete record. If writing fails, the file is unchanged.
    """
    text = format_record(record)
    if not os.path.exists(path):
        write_records(path, [record])
        return
    with open(path, "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(_TAIL)))
        if file.read() != _TAIL:
            raise ValueError(f"can't append to {os.fspath(path)}: it doesn't end with a complete record")
        try:
            file.write(b"\n" + text.encode())
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.ftruncate(file.fileno(), size)
            raise
