"""Output of the commands on any terminal, in any encoding and through a pipe, without truncation."""

from __future__ import annotations

import codecs
import errno
import io
import os
import shutil
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

_PLAIN = {
    "–": "-", "−": "-", "—": "-", "×": "x", "…": "...", "·": "-", "±": "+-", "≥": ">=", "≤": "<=", "→": "->", "←": "<-",
    "’": "'", "“": '"', "”": '"', "\u2009": " ", "\u00a0": " ", "█": "#", "■": "#", "━": "-", "─": "-", "│": "|",
}  # fmt: skip
_LEAST_WRAPPED = 24
_CACHE_WARNING = "the kernel cache"


def set_up() -> None:
    """Make the standard streams print any character, if need be a substitute, never fail, and warnings one line."""
    codecs.register_error("towers", _stand_in)
    sys.stdout, sys.stderr = _lasting(sys.stdout), _lasting(sys.stderr)
    warnings.showwarning = _warnings_in_one_line()
    # Processes that a command starts compile the same kernels: one warning is enough.
    known = os.environ.get("PYTHONWARNINGS", "")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [known, f"ignore:{_CACHE_WARNING}:RuntimeWarning"]))


class _Lasting(io.FileIO):
    """A file that drops what it can't write: a closed pipe or a full disk must not end the work of a command."""

    _failed = False

    def write(self, data: Any) -> int:
        if not self._failed:
            try:
                return super().write(data)
            except OSError as error:
                self._failed = True
                if error.errno != errno.EPIPE:
                    print(f"towers: can't print everything: {error.strerror}", file=sys.stderr)
        return len(data)


def _lasting(stream: Any) -> Any:
    """A standard stream with the error handler ``towers``, around a :class:`_Lasting`."""
    if stream is None:  # closed before the start
        return open(os.devnull, "w")
    buffer = getattr(stream, "buffer", None)
    if not isinstance(getattr(buffer, "raw", buffer), io.FileIO):  # unbuffered, it has no raw
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Lasting(stream.fileno(), "wb", closefd=False)),
        encoding=stream.encoding,
        errors="towers",
        line_buffering=stream.line_buffering or stream.write_through,  # unbuffered: at least every line at once
    )


def _warnings_in_one_line() -> Callable[..., None]:
    """A ``showwarning`` that prints a line on stderr; of the kernel cache's warnings only the first."""
    cache_warnings: list[str] = []

    def show(message: Warning | str, *place: Any) -> None:
        words = " ".join(str(message).split())
        if words.startswith(_CACHE_WARNING):
            cache_warnings.append(words)
        if not words.startswith(_CACHE_WARNING) or len(cache_warnings) == 1:
            print(f"towers: warning: {words}", file=sys.stderr)

    return show


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    """An encoding error handler: a similar character, or ``?``."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


# ---------------------------------------------------------------------------------------------- tables
def width() -> int:
    """Characters in a line of the terminal; 80 without a terminal."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


def table_text(head: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = (), most: int = 0) -> str:
    """A table as aligned text, at most *most* characters wide (default: the terminal's width), without truncation.

    *right*: numbers of right-aligned columns. If lines would be too long, the last column is wrapped, or each row becomes
    a paragraph with a line per cell.
    """
    most, rows, right = most or width(), [list(row) for row in rows], set(right)
    columns = list(zip(head, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    before = sum(widths[:-1]) + 2 * (len(widths) - 1)
    if before + widths[-1] > most and (most - before < _LEAST_WRAPPED or len(head) - 1 in right):
        return "\n\n".join(_paragraph(head, row, most) for row in rows)
    lines = []
    for row in ([list(head)] if any(head) else []) + rows:
        cells = [
            cell.rjust(size) if i in right else cell.ljust(size)
            for i, (cell, size) in enumerate(zip(row, widths, strict=True))
        ]
        last = _wrapped(row[-1], most - before) if before + widths[-1] > most else [cells[-1]]
        lines += ["  ".join([*cells[:-1], last[0]]).rstrip(), *(" " * before + line for line in last[1:])]
    return "\n".join(lines)


def _paragraph(head: Sequence[str], row: Sequence[str], most: int) -> str:
    lines = [f"{name}: {cell}" if name else cell for name, cell in zip(head, row, strict=True) if cell]
    return "\n".join(
        part for i, line in enumerate(lines) for part in _wrapped(line, most, indent="  " if i else "", rest="    ")
    )


def _wrapped(words: str, most: int, indent: str = "", rest: str = "") -> list[str]:
    """Wrapped lines; words longer than a line stay whole, so that they can be copied."""
    return textwrap.wrap(
        words, most, initial_indent=indent, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    ) or [indent]


def paragraph(words: str) -> str:
    """Text wrapped to the terminal."""
    return "\n".join(_wrapped(words, width(), rest="  "))


class _Console(Console):
    """A console that prints tables as plain aligned text and does not wrap lines outside a terminal."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as rich does, except for tables."""
        for thing in objects:
            if isinstance(thing, Table):
                self._print_table(thing)
            else:
                super().print(thing, **{"soft_wrap": True, "highlight": False, **options})

    def _print_table(self, table: Table) -> None:
        head = [_plain(column.header) for column in table.columns]
        rows = list(zip(*([_plain(cell) for cell in column.cells] for column in table.columns), strict=True))
        right = [i for i, column in enumerate(table.columns) if column.justify == "right"]
        title = f"{_plain(table.title)}\n" if table.title else ""
        super().print(f"{title}{table_text(head, rows, right)}\n", soft_wrap=True, highlight=False, markup=False)


def _plain(cell: Any) -> str:
    return cell.plain if isinstance(cell, Text) else Text.from_markup(str(cell)).plain


def console(*, stderr: bool = False) -> Console:
    """The console of a command."""
    return _Console(stderr=stderr)
