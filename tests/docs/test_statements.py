"""docs/statements.md: numbers in order, marks and presets that exist, and a test for every statement with a meaning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from market_env.rules import PRESETS as MARKET_PRESETS
from torres_env.rules import PRESETS as TORRES_PRESETS

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "statements.md").read_text("utf-8")
MARKS = {"text", "reading", "published", "reconstructed"}


@pytest.mark.parametrize(("document", "count"), [("A", 67), ("B", 53), ("C", 88)])
def test_every_statement_has_a_test_or_a_reason(document, count):
    rows = re.findall(rf"^\| {document}(\d+) \| (.+) \| (.+) \| (.+) \| (.+) \|$", TEXT, re.MULTILINE)
    assert [int(number) for number, *_ in rows] == list(range(1, count + 1))
    assert len({words for _, words, *_ in rows}) == count
    folder, presets = ("market", {*MARKET_PRESETS, "npc=True"}) if document == "C" else ("torres", TORRES_PRESETS)
    for number, words, mark, preset, test in rows:
        if test.startswith("none: "):
            assert (mark, preset) == ("–", "–"), number
            continue
        assert mark in MARKS and preset.strip("`") in presets, number
        assert mark != "reading" or "(" in words, f"{number}: a reading says how it is read"
        file, name = test.strip("`").split("::")
        source = (ROOT / "tests" / f"{folder}_env" / file).read_text("utf-8")
        assert f"\ndef {name}(" in source, f"{number}: {test}"
