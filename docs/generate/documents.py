"""Which tables are there, where do they stand, and which documents are stale?"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from docs.generate import faces, figures, market, statements, torres
from tests.fuzz import exercised
from tests.perft import markdown as perft

DOCS = Path(__file__).resolve().parents[1]
TABLES: dict[str, Callable[[], str]] = {
    **{f"torres-{name}": make for name, make in torres.TABLES.items()},
    **{f"market-{name}": make for name, make in market.TABLES.items()},
    **{f"statements-{name}": make for name, make in statements.TABLES.items()},
    "batch-arrays": faces.batch_arrays,
    "hooks": faces.hooks,
    "perft": perft,
}
"""Tables that the code determines."""
MEASURED: dict[str, Callable[[], str]] = {
    "torres-figures": figures.torres,
    "market-figures": figures.market,
    "torres-exercised": lambda: exercised("torres"),
    "market-exercised": lambda: exercised("market"),
}
"""Tables that are played for; ``--check`` leaves them alone."""
_PART = re.compile(r"(<!-- generated: (?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def renewed(text: str, measured: bool = False) -> str:
    """A document with its tables written anew."""

    def part(match: re.Match[str]) -> str:
        name = match["name"]
        if name in MEASURED and not measured:
            return match[0]
        known = {**TABLES, **MEASURED}
        if name not in known:
            raise SystemExit(f"docs.generate: no table is called {name!r}: choose one of {', '.join(known)}")
        return f"{match[1]}\n{known[name]()}\n{match[3]}"

    return _PART.sub(part, text)


def stale(measured: bool = False) -> dict[Path, str]:
    """Documents whose tables don't tell of the code as it is, and their texts with the tables written anew."""
    found = {}
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text("utf-8")
        if (new := renewed(text, measured)) != text:
            found[path] = new
    return found


def write(measured: bool = False) -> list[Path]:
    """Write the stale documents anew; returns which."""
    old = stale(measured)
    for path, text in old.items():
        path.write_text(text, encoding="utf-8")
    return list(old)
