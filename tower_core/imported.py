"""Objects that users name instead of registering: ``package.module:Name`` or ``path/to/file.py:Name``."""

from __future__ import annotations

import os
import re
import sys
from hashlib import sha256
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

_SPEC = re.compile(r"(?P<where>.+\.py|[A-Za-z_]\w*(\.\w+)*):(?P<name>[A-Za-z_]\w*)(:(?P<options>.*))?", re.DOTALL)
_files: dict[Path, tuple[tuple[int, int], ModuleType]] = {}


def split_named(spec: str) -> tuple[str, str, str] | None:
    """File or module, name in it, and options of ``WHERE:NAME`` or ``WHERE:NAME:OPTIONS``; None for other texts.

    ``checkpoint:runs`` has this form too, so look for registered names first.
    """
    found = _SPEC.fullmatch(spec)
    return (found["where"], found["name"], found["options"] or "") if found else None


def import_named(spec: str, what: str) -> Any:
    """The object that *spec* (``WHERE:NAME``, options ignored) names; *what*, such as "network", is for messages.

    Runs the file or module. A file is run again only once it has changed; it may import modules of its folder, and a module
    may lie in the current folder. ValueError, one line, if there is no such object or its code fails.
    """
    split = split_named(spec)
    if split is None:
        raise ValueError(f"{what} {spec!r} must be written package.module:Name or file.py:Name")
    where, name, _ = split
    path = Path(where).expanduser() if where.endswith(".py") else None
    if path is not None and not path.is_file():
        raise ValueError(f"{what} {spec!r}: there is no file {where}")
    try:
        module = load_module(where)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{what} {spec!r}: {_reason(error, where)}") from error
    try:
        return getattr(module, name)
    except AttributeError:
        own = {each: getattr(value, "__wrapped__", value) for each, value in vars(module).items()}  # without decorators
        there = [each for each, value in own.items() if getattr(value, "__module__", "") == module.__name__]
        raise ValueError(f"{what} {spec!r}: {where} has no {name!r}; it has: {', '.join(there) or 'nothing'}") from None


def load_module(where: str) -> ModuleType:
    """The module of a ``file.py`` or ``package.module``, run as :func:`import_named` says; errors are those of its code."""
    return _run_file(Path(where).expanduser()) if where.endswith(".py") else _import_module(where)


def is_absent(where: str, error: ModuleNotFoundError) -> bool:
    """Whether an error of :func:`load_module` means that the module itself, or a package around it, doesn't exist."""
    return not where.endswith(".py") and bool(error.name) and f"{where}.".startswith(f"{error.name}.")


def one_line(error: BaseException) -> str:
    """An exception of code that isn't ours, in one line."""
    try:
        text = str(error).strip().partition("\n")[0]
    except Exception:  # its own __str__ fails
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def source_file(where: str) -> Path | None:
    """The file of a ``file.py`` or ``package.module``, found without running anything; None if there is none."""
    if where.endswith(".py"):
        path = Path(where).expanduser().resolve()
        return path if path.is_file() else None
    top, *rest = where.split(".")
    try:
        found = find_spec(top) or PathFinder.find_spec(top, [os.getcwd()])
    except ValueError:  # a loaded module without a file
        return None
    for name in rest:
        # importlib.util.find_spec would import the packages around the module.
        folders = found.submodule_search_locations if found is not None else None
        found = PathFinder.find_spec(name, folders) if folders else None
    return Path(found.origin) if found is not None and found.origin and Path(found.origin).is_file() else None


def _import_module(where: str) -> ModuleType:
    _add_to_path(os.getcwd())  # the command `towers` doesn't look there, `python -m towers` does
    return import_module(where)


def _run_file(path: Path) -> ModuleType:
    path = path.resolve()
    status = path.stat()
    version = status.st_mtime_ns, status.st_size
    if path in _files and _files[path][0] == version:
        return _files[path][1]
    _add_to_path(str(path.parent))
    # The name differs from every importable one, so that the file hides no module.
    name = f"{path.stem}_{sha256(os.fsencode(path)).hexdigest()[:8]}"
    found = spec_from_file_location(name, path)
    assert found is not None
    assert found.loader is not None  # the suffix is .py
    module = module_from_spec(found)
    sys.modules[name] = module  # dataclasses and pickle look there
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    _files[path] = version, module
    return module


def _add_to_path(folder: str) -> None:
    if folder not in sys.path:
        sys.path.append(folder)  # last: it hides nothing


def _reason(error: BaseException, where: str) -> str:
    if isinstance(error, ModuleNotFoundError):
        if is_absent(where, error):
            return f"there is no module {error.name}"
        return f"{where} requires {error.name}, which is not installed"
    return f"{where} can't be loaded: {one_line(error)}"
