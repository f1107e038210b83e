"""Every statement has its number, its mark, and a test of its own; docs/statements.md lists them (tests/docs)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from statements import MARKS

from docs.generate.statements import FILES, TEXTS, statements
from market_env.rules import PRESETS as MARKET_PRESETS
from torres_env.rules import PRESETS as TORRES_PRESETS


@pytest.mark.parametrize("document", FILES)
def test_numbers_are_those_of_reading(document):
    found = statements(document)
    assert [it.number for it in found] == [f"{document}{k}" for k in range(1, len(found) + 1)]
    assert len({it.words for it in found}) == len(found) > 50


@pytest.mark.parametrize("document", FILES)
def test_marks_and_presets_exist_and_readings_say_how_they_are_read(document):
    presets = {*MARKET_PRESETS, "npc=True"} if document == "C" else TORRES_PRESETS
    for it in statements(document):
        assert bool(it.test) != bool(it.reason), it.number
        if it.test:
            assert it.mark in MARKS and it.preset in presets, it.number
            assert it.mark != "reading" or "(" in it.words, it.number


def test_every_test_of_a_text_belongs_to_one_statement():
    assert {path.name for path in TEXTS.glob("test_*.py")} == {file for files in FILES.values() for file in files} | {
        Path(__file__).name
    }
    for document, files in FILES.items():
        names = [it.test for it in statements(document) if it.test]
        written = [name for file in files for name in re.findall(r"^def (test_\w+)", (TEXTS / file).read_text(), re.M)]
        assert names == written and len(set(names)) == len(names)
