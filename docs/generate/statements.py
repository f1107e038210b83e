"""The statements of the rule documents, and the test of each."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from towers.game_facts import markdown_table as table

TEXTS = Path(__file__).resolve().parents[2] / "tests" / "texts"


class Statement(NamedTuple):
    """A statement of a rule document, as its test declares it (tests/texts/statements.py)."""

    number: str
    words: str
    mark: str
    preset: str
    test: str
    """Name of the test; empty if there is none."""
    reason: str
    """Why there is no test; empty if there is one."""


FILES = {
    "A": ("test_torres_text_setup.py", "test_torres_text_play.py"),
    "B": ("test_torres_digest_setup.py", "test_torres_digest_play.py"),
    "C": ("test_market_text_turn.py", "test_market_text_places.py", "test_market_text_expansions.py"),
}
"""The test files of each document, in the order of the text."""
PRESETS = {"A": "classic", "B": "digest", "C": "base"}
"""The preset of each document, unless a statement names another one."""


def statements(document: str) -> list[Statement]:
    """The statements of a document in the order of its tests."""
    return [found for file in FILES[document] for found in _declared(TEXTS / file, PRESETS[document])]


def _declared(path: Path, preset: str) -> Iterator[Statement]:
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "statement":
                    given = _arguments(decorator, "number", "words", "mark", "preset")
                    yield Statement(**{"mark": "text", "preset": preset, **given}, test=node.name, reason="")
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func) == "without_meaning"
        ):
            yield Statement(**_arguments(node.value, "number", "words", "reason"), mark="", preset="", test="")


def _arguments(call: ast.Call, *names: str) -> dict[str, str]:
    """The arguments of a declaration by name."""
    given = zip(names, call.args, strict=False)
    return {name: ast.literal_eval(value) for name, value in [*given, *((k.arg, k.value) for k in call.keywords)]}


def listed(document: str) -> str:
    rows = []
    for it in statements(document):
        held = f"`{it.test}`" if it.test else f"none: {it.reason}"
        rows.append([it.number, it.words, it.mark or "–", f"`{it.preset}`" if it.preset else "–", held])
    return table(["number", "statement", "mark", "followed by", "test"], rows)


def counts() -> str:
    rows = []
    for document, files in FILES.items():
        found = statements(document)
        tested = [it for it in found if it.test]
        marks = [sum(it.mark == mark for it in tested) for mark in ("text", "reading", "published", "reconstructed")]
        rows.append([document, len(found), *marks, len(found) - len(tested), ", ".join(f"`{file}`" for file in files)])
    head = [
        "document",
        "statements",
        "text",
        "reading",
        "published",
        "reconstructed",
        "without meaning",
        "tests in `tests/texts/`",
    ]
    return table(head, rows)


TABLES: dict[str, Callable[[], str]] = {
    "counts": counts,
    "torres": partial(listed, "A"),
    "digest": partial(listed, "B"),
    "market": partial(listed, "C"),
}
