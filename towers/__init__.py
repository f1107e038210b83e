"""The ``towers`` command, and unambiguous names for the packages of this distribution: ``towers.NAME``.

``towers.NAME.module`` is the same module object as that of the package it stands for.
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["__version__"]
