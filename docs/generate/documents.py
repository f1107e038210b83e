"""The generated tables, and the documents that contain them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docs.generate import tables
from tests.fuzz import exercised
from tests.perft import markdown as perft
from tower_core.registry import game_names

DOCS = Path(__file__).resolve().parents[1]
GAMES: dict[str, Any] = {
    name: import_module(f"docs.generate.{name}") for name in game_names() if find_spec(f"docs.generate.{name}")
}
"""The games with a document, and the modules with its TABLES, FIGURES and picture()."""
TABLES: dict[str, Callable[[], str]] = {
    **{f"{game}-{name}": make for game, module in GAMES.items() for name, make in module.TABLES.items()},
    "batch-arrays": tables.batch_arrays,
    "hooks": tables.hooks,
    "perft": perft,
}
"""Tables made from the code."""
MEASURED: dict[str, Callable[[], str]] = {
    **{f"{game}-figures": partial(module.FIGURES.table, game) for game, module in GAMES.items()},
    **{f"{game}-exercised": partial(exercised, game) for game in GAMES},
}
"""Tables made by playing games; ``--check`` ignores them."""
_PART = re.compile(r"(<!-- generated: (?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def renewed(text: str, measured: bool = False) -> str:
    """A document with its tables written anew."""

    def part(match: re.Match[str]) -> str:
        name = match["name"]
        if name in MEASURED and not measured:
            return match[0]
        known = {**TABLES, **MEASURED}
        if name not in known:
            raise SystemExit(f"docs.generate: unknown table {name!r}: choose one of {', '.join(known)}")
        return f"{match[1]}\n{known[name]()}\n{match[3]}"

    return _PART.sub(part, text)


def stale(measured: bool = False) -> dict[Path, str]:
    """Documents whose tables are out of date, with their new texts."""
    found = {}
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text("utf-8")
        if (new := renewed(text, measured)) != text:
            found[path] = new
    return found


def write(measured: bool = False) -> list[Path]:
    """Write the stale documents; returns their paths."""
    old = stale(measured)
    for path, text in old.items():
        path.write_text(text, encoding="utf-8")
    return list(old)
