"""Statements of the three rule documents, each with its test. docs/statements.md is made from these declarations.

Numbers follow the order of reading: A is the Chinese rule text of Torres, which breaks off inside the movement rule; B the
French and Dutch digest of Torres; C the Chinese rule text of the market game. Statements are in our words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

MARKS = ("text", "reading", "published", "reconstructed")
"""Stated; can be read otherwise; filled in from the published editions; filled in by us."""
Test = TypeVar("Test", bound=Callable[..., None])


def statement(number: str, words: str, mark: str = "text", preset: str = "") -> Callable[[Test], Test]:
    """The decorated test checks a statement. *preset* (or option) follows it, where not the document's own."""
    assert mark in MARKS, mark
    return lambda test: test


def without_meaning(number: str, words: str, reason: str) -> None:
    """A statement that a program cannot follow or break, with the reason."""
