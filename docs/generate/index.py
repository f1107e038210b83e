"""The lists of the pages of a folder: link and first sentence of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from towers.game_facts import markdown_table

DOCS = Path(__file__).resolve().parents[1]


def pages(folder: str, prefix: str = "") -> str:
    """The pages of docs/*folder*, with links that start with *prefix*."""
    rows = []
    for path in sorted((DOCS / folder).glob("*.md")):
        if path.name != "README.md":
            title, sentence = _opening(path)
            rows.append([f"[{title}]({prefix}{path.name})", sentence])
    return markdown_table(["page", "contents"], rows)


def _opening(path: Path) -> tuple[str, str]:
    """The title of a page and the first sentence below it, without links."""
    opening = re.match(r"# (.+)\n\n((?:[^\n|`#<].*\n|`[^`].*\n)+)", path.read_text("utf-8"))
    if not opening:
        raise SystemExit(f"docs.generate: {path} must begin with a title and a sentence")
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", opening[2].replace("\n", " "))
    return opening[1], re.split(r"(?<=\.) |: *$", text.strip(), maxsplit=1)[0].rstrip(".:")


TABLES: dict[str, Callable[[], str]] = {
    "how-to": partial(pages, "how_to"),
    "index-how-to": partial(pages, "how_to", "how_to/"),
    "index-notes": partial(pages, "notes", "notes/"),
}
