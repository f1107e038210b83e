"""Placeholders for Numba objects, created only when a kernel is compiled, so that machine code runs without Numba."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Any

before_compiling: list[Callable[[], None]] = []
"""Called once, before the next kernel is compiled."""


class Deferred:
    """A compiled function, an intrinsic or a function of Numba; *make* returns it, *py_func* is its Python source."""

    def __init__(self, make: Callable[[], Any], py_func: Any = None) -> None:
        self._make, self.py_func = make, py_func
        self.__doc__ = getattr(py_func, "__doc__", None)

    @cached_property
    def made(self) -> Any:
        return self._make()

    @property
    def _numba_type_(self) -> Any:
        context = import_module("numba.core.registry").cpu_target.typing_context
        made = self.made
        context.refresh()  # makes new intrinsics known to Numba
        return context.resolve_value_type(made)


class Later:
    """A module that is imported when an attribute is first read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)
