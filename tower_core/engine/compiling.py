"""Compiled functions: their decorators, and entries for Python and for other kernels.

A game has a single compiled entry, ``int64 entry(int64 op, int64 address, int64 x, int64 y)``: all code is compiled
once, calls are cheap, and the GIL is released. Numba is imported only if an entry has no machine code yet.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from tower_core.engine import kernel_files, machine_code
from tower_core.engine.deferred import Deferred
from tower_core.engine.machine_code import Lowered

F = TypeVar("F", bound=Callable[..., Any])
_PIPELINE = "tower_core.engine.pipeline"
ENTRIES: list[Entry] = []
"""The entries of all imported modules."""
_loading = threading.RLock()


class CompilingDisabledError(RuntimeError):
    """The user has disabled compilation."""


def jit(function: F) -> F:
    """Decorator of compiled functions that only compiled functions call."""
    return Deferred(lambda: import_module(_PIPELINE).inner(function), function)  # type: ignore[return-value]


def inlined(function: F) -> F:
    """Like :func:`jit`, for hot functions called from one place: a call would cost more than their work."""
    return Deferred(lambda: import_module(_PIPELINE).inner(function, forceinline=True), function)  # type: ignore[return-value]


def in_python(function: F) -> F:
    """The Python source of a compiled function, for records as NumPy shows them: ``record.view(np.recarray)[0]``."""
    return getattr(function, "py_func", function)


@dataclass(frozen=True)
class Entry:
    """A kernel that Python and other kernels can call: *function* takes ``num_args`` int64 and returns an int64.

    *modules*: the packages and modules whose source the kernel depends on, besides the engine, its own last. *what* completes
    the notice "compiling …", which ``TOWERS_QUIET=1`` silences. *name* is the name of its files.
    """

    function: Callable[..., int]
    modules: tuple[str, ...]
    what: str
    num_args: int = 3
    name: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", f"{self.function.__module__}.{self.function.__name__}")
        ENTRIES.append(self)

    def __call__(self) -> tuple[Callable[..., int], int]:
        """A function to call from Python (0.1 µs per call, without the GIL), and its address, for calls from other kernels.

        Loaded from the package or the cache, or compiled, once per process. Raises CompilingDisabledError (a RuntimeError) if
        it must be compiled and compilation is disabled.
        """
        with _loading:  # two threads must not lower functions at once
            return _load(self)

    @property
    def key(self) -> str:
        """Name and hash of the source: the first part of its file names."""
        return f"{self.name}-{kernel_files.source_stamp(self.modules)[:16]}"

    @property
    def package(self) -> str:
        """The package that ships its machine code."""
        return self.modules[-1].partition(".")[0]

    def lower(self) -> Lowered:
        """Its LLVM module. CompilingDisabledError if compilation is disabled."""
        pipeline = import_module(_PIPELINE)
        if pipeline.disabled():
            raise CompilingDisabledError("games require compilation, but NUMBA_DISABLE_JIT is set: unset it")
        with _without_collecting():
            return pipeline.lower(self.function, self.num_args)  # type: ignore[no-any-return]


@cache
def _load(entry: Entry) -> tuple[Callable[..., int], int]:
    if os.environ.get("TOWERS_COMPILE", "") in ("", "0"):
        for target in machine_code.shipped_targets():
            path = kernel_files.shipped_path(entry.package, entry.key, target.name)
            if path and (code := kernel_files.read(path)):
                return machine_code.load(code)
    host = machine_code.host()
    path = kernel_files.cache_path(entry.function, entry.key, host)
    code = kernel_files.read(path) if path else None
    if not code:
        with _notice(entry.what):
            code = machine_code.emit(entry.lower(), host)
        if path:
            kernel_files.write(path, code, kernel_files.CACHED_SOURCES)
    return machine_code.load(code)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause garbage collection: a compilation creates millions of small objects that live until its end."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def _notice(what: str) -> Iterator[None]:
    """One line on stderr while a kernel compiles."""
    start, quiet = time.perf_counter(), os.environ.get("TOWERS_QUIET", "") not in ("", "0")
    if not quiet:
        print(f"towers: compiling {what} (first use on this machine, some seconds) …", end="", file=sys.stderr)
        sys.stderr.flush()
    yield
    if not quiet:
        print(f" done in {time.perf_counter() - start:.1f} s", file=sys.stderr)
