"""The roof: the ``towers`` command, and the games by one import."""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["__version__"]
