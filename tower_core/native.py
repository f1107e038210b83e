"""Compiling: how kernels are built, where they are kept, and what a user is told the first time.

A game has one compiled entry, ``int64 entry(int64 op, int64 address, int64 x, int64 y)``: everything becomes machine code
once, a call costs little, and other threads run meanwhile. The cache of Numba watches one file; ours is keyed on the
source text of every package that the kernel may have come from, so an edit of any of them compiles anew.
"""

from __future__ import annotations

import gc
import hashlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from numba import njit, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, InTreeCacheLocator, UserProvidedCacheLocator
from numba.core.caching import UserWideCacheLocator as _UserWide

from tower_core.pipeline import ENTRY_OPTIONS, INNER_OPTIONS

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Decorator of every compiled function that only compiled functions call."""
    return njit(**INNER_OPTIONS)(function)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """The same for functions on the path of every step called from one place: a call costs them more than their work."""
    return njit(**INNER_OPTIONS, forceinline=True)(function)  # type: ignore[no-any-return]


@cache
def _source_hash(folders: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(Path(folder).glob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _make_cache(function: Callable[..., Any], packages: Sequence[str]) -> FunctionCache | None:
    """A Numba cache for *function* that is stale as soon as any file of *packages* changes; None if nothing is writable."""
    root = Path(__file__).resolve().parent.parent
    stamp = _source_hash(tuple(str(root / name) for name in packages))

    class Stamped:
        def get_source_stamp(self) -> str:
            return stamp

    locators = [
        type(locator.__name__, (Stamped, locator), {})
        for locator in (UserProvidedCacheLocator, InTreeCacheLocator, _UserWide)
    ]
    impl = type("StampedImpl", (CompileResultCacheImpl,), {"_locator_classes": locators})
    try:
        return type("StampedCache", (FunctionCache,), {"_impl_class": impl})(function)
    except RuntimeError:
        return None


def compile_entry(
    function: Callable[..., int], packages: Sequence[str], what: str, num_args: int = 4
) -> tuple[Callable[..., int], int]:
    """Compile *function* (``num_args`` int64 arguments, int64 result) or load it from the cache.

    *packages* name the folders whose source the kernel depends on; *what* completes "compiling …" in the line that the
    user sees when nothing is cached yet. Returns a function to call from Python (0.1 µs a call, without the lock of the
    interpreter) and its address, as other kernels call it. Set ``TOWERS_QUIET=1`` to silence the line.
    """
    dispatcher = njit(**ENTRY_OPTIONS)(function)
    kept = _make_cache(function, packages)
    if kept is not None:
        dispatcher._cache = kept
    arguments = (types.int64,) * num_args
    start = time.perf_counter()
    notice = _Notice(what, quiet=os.environ.get("TOWERS_QUIET", "") not in ("", "0"))
    compiler = dispatcher._compiler
    compile_anew = compiler.compile

    def compile_with_notice(*args: Any) -> Any:
        notice.begin()
        return compile_anew(*args)

    compiler.compile = compile_with_notice
    collecting = gc.isenabled()
    gc.disable()  # a compilation makes millions of small objects that live until its end: looking for garbage is a tenth of it
    try:
        dispatcher.compile(types.int64(*arguments))
    finally:
        if collecting:
            gc.enable()
    notice.end(time.perf_counter() - start)
    result = dispatcher.overloads[arguments]
    address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
    # The builtin itself: the dispatcher's look at the argument types would cost more than the call.
    return result.entry_point, int(address)


class _Notice:
    """One line on stderr while a kernel compiles, and nothing when it came from the cache."""

    def __init__(self, what: str, quiet: bool) -> None:
        self.what, self.quiet, self.begun = what, quiet, False

    def begin(self) -> None:
        self.begun = not self.quiet
        if self.begun:
            print(f"towers: compiling {self.what} (first use on this machine, some seconds) …", end="", file=sys.stderr)
            sys.stderr.flush()

    def end(self, seconds: float) -> None:
        if self.begun:
            print(f" done in {seconds:.1f} s", file=sys.stderr)
