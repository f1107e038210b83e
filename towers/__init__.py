"""The ``towers`` command, and every package of this distribution under a name that no other distribution has.

``towers.NAME.module`` is the same module object as that of the package behind it.
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["__version__"]
