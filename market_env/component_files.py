"""Loads component sets: the default (``components.toml`` in this package), a TOML file, or a dict."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from market_env.component_parser import parse
from market_env.components import Components


@cache
def default_components() -> Components:
    """The reconstructed set of the package."""
    return parse(tomllib.loads((files("market_env") / "components.toml").read_text("utf-8")))


def load(source: Components | Mapping[str, Any] | str | PathLike[str] | None = None) -> Components:
    """A component set from a TOML file, a dict of the same form, or None for the default. ValueError names the entry."""
    if source is None:
        return default_components()
    if isinstance(source, Components):
        return source
    if isinstance(source, Mapping):
        return parse(source)
    if not isinstance(source, (str, PathLike)):
        raise ValueError(f"components: must be a file's path or a dict, not {source!r}")
    try:
        raw = tomllib.loads(Path(source).read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"components: can't read {str(source)!r}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"components: {str(source)!r} is not a valid TOML file: {error}") from None
    return parse(raw)
