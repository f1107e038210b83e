"""Second names ``towers.NAME`` for the packages of this distribution, and a check that nothing hides them.

Other distributions and scripts may also be called ``agents`` or ``train``. So each package has an unambiguous name under
``towers``, and a file that hides a package is reported.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType

_ROOT = Path(__file__).resolve().parents[1]
_MARK = "Part of towers."
"""Part of each package's docstring, to notice an ``__init__.py`` that another distribution has overwritten."""


def require_own(package: str) -> None:
    """ImportError, a line that names the file, if Python finds another top-level *package* than ours."""
    found = _location(package)
    if found is None:
        raise ImportError(f"the package {package!r} of towers is not installed")
    own = _ROOT / package / "__init__.py"
    if found.resolve() != own or _MARK not in own.read_text("utf-8"):
        raise ImportError(
            f"{found} hides the package {package!r} of towers: rename it, or uninstall the distribution that installed it"
        )


def alias(name: str, package: str) -> None:
    """Make *name*, the module that calls this on import, another name of the top-level *package*, submodules included.

    Both names give the same module objects. ImportError as :func:`require_own`.
    """
    require_own(package)
    sys.modules[name] = import_module(package)
    sys.meta_path.insert(0, _Submodules(name, package))


def _location(package: str) -> Path | None:
    """The file, or folder without ``__init__.py``, that Python finds for a top-level name, without importing it."""
    loaded = sys.modules.get(package)
    file = getattr(loaded, "__file__", None)
    if file is None:
        spec = getattr(loaded, "__spec__", None) or (find_spec(package) if loaded is None else None)
        if spec is None:
            return None
        file = spec.origin or next(iter(spec.submodule_search_locations or ()), None)
    return None if file is None else Path(file)


class _Submodules(Loader):
    """Finder and loader that maps ``towers.NAME.…`` to the modules of the package.

    The files in ``towers/NAME`` are never imported: they are for type checkers and editors.
    """

    def __init__(self, name: str, package: str) -> None:
        self._prefix, self._package = name + ".", package

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        real = find_spec(self._real(name)) if name.startswith(self._prefix) else None
        if real is None:
            return None
        package = real.submodule_search_locations is not None
        return ModuleSpec(name, self, origin=real.origin, is_package=package)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(self._real(module.__name__))

    def get_code(self, name: str) -> CodeType | None:
        """For ``python -m``."""
        spec = find_spec(self._real(name))
        return spec.loader.get_code(self._real(name)) if spec else None  # type: ignore[union-attr]

    def _real(self, name: str) -> str:
        return f"{self._package}.{name.removeprefix(self._prefix)}"
