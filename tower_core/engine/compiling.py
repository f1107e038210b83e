"""Compilation of kernels: decorators of compiled functions, and entries for Python and other kernels.

A game has a single compiled entry, ``int64 entry(int64 op, int64 address, int64 x, int64 y)``: all code is compiled
once, calls are cheap, and the GIL is released.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from numba import config, njit, types

from tower_core.engine.kernel_cache import KernelCache
from tower_core.engine.pipeline import ENTRY_OPTIONS, INNER_OPTIONS

F = TypeVar("F", bound=Callable[..., Any])


class CompilingDisabledError(RuntimeError):
    """The user has disabled compilation."""


def jit(function: F) -> F:
    """Decorator of compiled functions that only compiled functions call."""
    return njit(**INNER_OPTIONS)(function)  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Like :func:`jit`, for hot functions called from one place: a call would cost more than their work."""
    return njit(**INNER_OPTIONS, forceinline=True)(function)  # type: ignore[no-any-return]


def in_python(function: F) -> F:
    """The Python source of a compiled function, for records as NumPy shows them: ``record.view(np.recarray)[0]``."""
    return getattr(function, "py_func", function)


def compile_entry(
    function: Callable[..., int], modules: Sequence[str], what: str, num_args: int = 4, name: str = ""
) -> tuple[Callable[..., int], int]:
    """Compile *function* (``num_args`` int64 arguments, int64 result) or load it from the cache.

    *modules* name the packages and modules whose source the kernel depends on, besides the engine; *what* completes the
    notice "compiling …", which ``TOWERS_QUIET=1`` silences; *name* is the cache key (default: the function's name). Returns a
    function to call from Python (0.1 µs per call, without the GIL) and its address, for calls from other kernels.
    CompilingDisabledError, a RuntimeError, if compilation is disabled.
    """
    if config.DISABLE_JIT:
        raise CompilingDisabledError("games require compilation, but NUMBA_DISABLE_JIT is set: unset it")
    dispatcher = njit(**ENTRY_OPTIONS)(function)
    with contextlib.suppress(RuntimeError):  # no writable folder
        dispatcher._cache = KernelCache(function, name or f"{function.__module__}.{function.__name__}", modules)
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
    gc.disable()  # a compilation makes millions of small objects that live until its end: collecting takes a tenth of its time
    try:
        dispatcher.compile(types.int64(*arguments))
    finally:
        if collecting:
            gc.enable()
    notice.end(time.perf_counter() - start)
    result = dispatcher.overloads[arguments]
    address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
    # The builtin itself: the dispatcher's inspection of argument types would cost more than the call.
    return result.entry_point, int(address)


class _Notice:
    """One line on stderr while a kernel compiles; nothing if it comes from the cache."""

    def __init__(self, what: str, quiet: bool) -> None:
        self.what, self.quiet, self.shown = what, quiet, False

    def begin(self) -> None:
        self.shown = not self.quiet
        if self.shown:
            print(f"towers: compiling {self.what} (first use on this machine, some seconds) …", end="", file=sys.stderr)
            sys.stderr.flush()

    def end(self, seconds: float) -> None:
        if self.shown:
            print(f" done in {seconds:.1f} s", file=sys.stderr)
