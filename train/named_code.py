"""Networks, rewards and players from the user's own files, and which of them a checkpoint may use.

A checkpoint keeps the spec (``net.py:Net``) and the SHA-256 of its source file, never the code. Loading one runs only code
that this user has named before, unchanged and in the same place; a list in the user's state folder remembers it.
"""

from __future__ import annotations

import os
import warnings
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from tower_core.imported import source_file, split_named


def is_named(spec: str) -> bool:
    """Whether *spec* has the form ``package.module:Name`` or ``file.py:Name``."""
    return split_named(spec) is not None


def digest(spec: str, what: str) -> str:
    """SHA-256 (hexadecimal) of the source of *spec*. ValueError if there is no such file."""
    return sha256(_source(spec, what).read_bytes()).hexdigest()


def remember(spec: str, what: str) -> None:
    """Note that the user has named this code; where nothing can be written, checkpoints need it named again."""
    line = f"{digest(spec, what)}  {_source(spec, what)}"
    if line not in _remembered():
        with suppress(OSError, RuntimeError):  # RuntimeError: no home
            _list().parent.mkdir(parents=True, exist_ok=True)
            with _list().open("a", encoding="utf-8") as file:
                file.write(line + "\n")


def is_remembered(spec: str, what: str) -> bool:
    """Whether the user has named this code before, and its file is unchanged."""
    return f"{digest(spec, what)}  {_source(spec, what)}" in _remembered()


def recall(spec: str, wanted: str, what: str, user: str, advice: str) -> str:
    """*spec*, of a file with the SHA-256 *wanted*, as a spec that can be imported from here.

    ValueError unless the user has named this code before; *user* ("runs/a/final.zip") and *advice* are for the message.
    """
    where, name, options = _split(spec, what)
    for line in _remembered():
        known, _, path = line.partition("  ")
        if known != wanted or not Path(path).is_file() or sha256(Path(path).read_bytes()).hexdigest() != wanted:
            continue
        if where.endswith(".py"):
            return _joined(path, name, options)
        if source_file(where) == Path(path):
            return spec
    found = source_file(where)
    reason = "which has changed since" if found and digest(spec, what) != wanted else "which you haven't named here"
    raise ValueError(f"{user} needs the {what} {spec}, {reason}: {advice}")


def named_again(spec: str, given: str, wanted: str, what: str, user: str) -> str:
    """The code *given* by the user for the *spec* of a checkpoint, whose options stay; warns if it isn't the same code."""
    where, name, options = _split(given, what)
    remember(given, what)
    if digest(given, what) != wanted:
        warnings.warn(f"{user} was trained with another version of {spec}", stacklevel=2)
    return _joined(where, name, options or _split(spec, what)[2])


def copy_source(spec: str, what: str, folder: Path) -> None:
    """Copy the source of *spec* to ``FOLDER/what/``, for readers: nothing loads it unless the user names it."""
    source = _source(spec, what)
    (folder / what).mkdir(parents=True, exist_ok=True)
    (folder / what / source.name).write_bytes(source.read_bytes())


def _split(spec: str, what: str) -> tuple[str, str, str]:
    split = split_named(spec)
    if split is None:
        raise ValueError(f"{what} {spec!r} must be written package.module:Name or file.py:Name")
    return split


def _joined(where: str, name: str, options: str) -> str:
    return f"{where}:{name}:{options}" if options else f"{where}:{name}"


def _source(spec: str, what: str) -> Path:
    where, _, _ = _split(spec, what)
    found = source_file(where)
    if found is None:
        kind = "file" if where.endswith(".py") else "module"
        raise ValueError(f"{what} {spec!r}: there is no {kind} {where}")
    return found


def _list() -> Path:
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "towers" / "named_code"


def _remembered() -> list[str]:
    try:
        return _list().read_text("utf-8").splitlines()
    except (OSError, RuntimeError, UnicodeDecodeError):
        return []
