"""Machine code on disk, one file per kernel and target: shipped in its package, or cached after compiling.

The name of a file contains a hash of the source of the engine and of all packages that the kernel comes from, so an edit
leaves older files unused. If a file is damaged or can't be written, the kernel is compiled and a warning is issued.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import warnings
import zlib
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tower_core.engine.machine_code import Target

GROUND = ("tower_core.engine", "tower_core.observation")
SHIPPED = "machine_code"
"""The folder in a package with the machine code that it ships."""
_MAGIC = b"TOWERS-KERNEL-2\n"
CACHED_SOURCES = 4
"""How many other versions of a kernel the cache keeps: copies of a game with other rules, or checkouts, may share a folder."""
_DIGEST = hashlib.sha256().digest_size


def source_files(module: str) -> list[Path]:
    """The Python files of a package or module; ModuleNotFoundError if it doesn't exist."""
    spec = find_spec(module)
    if spec is None:
        raise ModuleNotFoundError(f"no module named {module!r}", name=module)
    if spec.submodule_search_locations is None:
        return [Path(str(spec.origin))]
    return sorted(path for folder in spec.submodule_search_locations for path in Path(folder).rglob("*.py"))


@cache
def source_stamp(modules: tuple[str, ...]) -> str:
    """A hash of the source of *modules* and of the engine's compiled code."""
    digest = hashlib.sha256()
    for module in (*GROUND, *modules):
        for path in source_files(module):
            content = path.read_bytes()
            digest.update(f"{module} {path.name} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()


def shipped_path(package: str, key: str, target: str) -> Path | None:
    """The file of a kernel for a target, whether or not it exists; None if the kernel's module is not in a package."""
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders)), SHIPPED, f"{key}-{target}.kernel") if folders else None


def cache_path(function: Callable[..., Any], key: str, host: Target) -> Path | None:
    """The file of a kernel compiled for this processor: in NUMBA_CACHE_DIR, beside its source, or in the user's folder.

    None if no such folder is writable.
    """
    stated, home = os.environ.get("NUMBA_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    beside = Path(function.__code__.co_filename).parent / "__pycache__"
    machine = hashlib.sha256(repr((host, version("numba"))).encode()).hexdigest()[:16]
    users = [Path(home, "towers")] if os.path.isabs(home) else []  # not where the user has no home
    for folder in [Path(stated)] if stated else [beside, *users]:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK | os.X_OK):
                return folder / f"{key}-{machine}.kernel"
    return None


def read(path: Path) -> bytes | None:
    """The machine code in a file; None if there is none, with a warning if it is damaged."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        _warn(path, f"can't be read ({error.strerror})")
        return None
    head, payload = content[: len(_MAGIC) + _DIGEST], content[len(_MAGIC) + _DIGEST :]
    if head != _MAGIC + hashlib.sha256(payload).digest():
        _warn(path, "is damaged")
        return None
    return zlib.decompress(payload)


def write(path: Path, code: bytes, others: int = 0) -> None:
    """Write a file, and delete the kernel's files from other sources except for the newest *others*."""
    payload = zlib.compress(code, 9)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(payload).digest() + payload)
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise
    except OSError as error:
        _warn(path, f"can't be written ({error.strerror})")
    name, stamp, _ = path.name.split("-", 2)
    with contextlib.suppress(OSError):  # another process may delete them too
        found = sorted(path.parent.glob(f"{name}-*.kernel"), key=lambda other: -other.stat().st_mtime)
        foreign = [other for other in found if not other.name.startswith(f"{name}-{stamp}-")]
        for other in foreign[others:]:
            other.unlink()


def _warn(path: Path, what: str) -> None:
    warnings.warn(f"the machine code {path} {what}: recompiling the kernel", RuntimeWarning, stacklevel=2)
