"""The cache of compiled kernels: one file per kernel, invalidated when its source changes.

Numba's own cache tracks the file of one function. A kernel here is compiled from whole packages, so its key covers all of
their files, the processor and the versions of Python and Numba. A file that is damaged or can't be written causes a
recompilation and one warning, nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
from numba.core import serialize
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.compiler import CompileResult

GROUND = ("tower_core.engine", "tower_core.observation")
_MAGIC = b"TOWERS-KERNEL-1\n"
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


class KernelCache(_Cache):  # type: ignore[misc]
    """Caches one kernel in the folder that Numba would choose (next to its source, NUMBA_CACHE_DIR, or the user's).

    RuntimeError if no such folder is writable.
    """

    def __init__(self, function: Callable[..., Any], name: str, modules: Sequence[str]) -> None:
        self._folder = Path(CompileResultCacheImpl(function).locator.get_cache_path())
        self._name, self._stamp = name, source_stamp(tuple(modules))[:16]

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def _path(self, signature: Any, codegen: Any) -> Path:
        machine = repr((str(signature), codegen.magic_tuple(), numba.__version__, sys.implementation.cache_tag))
        return self._folder / f"{self._name}-{self._stamp}-{hashlib.sha256(machine.encode()).hexdigest()[:16]}.kernel"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The cached kernel, or None if it must be compiled."""
        target.refresh()
        path = self._path(signature, target.codegen())
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            return _warn(path, f"can't be read ({error.strerror})")
        head, payload = content[: len(_MAGIC) + _DIGEST], content[len(_MAGIC) + _DIGEST :]
        if head != _MAGIC + hashlib.sha256(payload).digest():
            return _warn(path, "is damaged")
        try:
            return CompileResult._rebuild(target, *pickle.loads(payload))
        except Exception as error:  # a file from another build of Numba or LLVM may raise anything
            return _warn(path, f"can't be loaded ({type(error).__name__})")

    def save_overload(self, signature: Any, data: Any) -> None:
        """Cache a kernel and delete those of the same name from older sources."""
        path = self._path(signature, data.codegen)
        payload = serialize.dumps(data._reduce())
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_MAGIC + hashlib.sha256(payload).digest() + payload)
                os.replace(temporary, path)
            except OSError:
                os.unlink(temporary)
                raise
        except OSError as error:
            _warn(path, f"can't be written ({error.strerror})")
        for other in path.parent.glob(f"{self._name}-*.kernel"):
            if not other.name.startswith(f"{self._name}-{self._stamp}-"):
                with contextlib.suppress(OSError):
                    other.unlink()

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...


def _warn(path: Path, what: str) -> None:
    warnings.warn(f"the kernel cache {path} {what}: recompiling the kernel", RuntimeWarning, stacklevel=2)
