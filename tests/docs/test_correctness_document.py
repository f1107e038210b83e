"""docs/correctness.md names the sentences of the rules that are counted, the checks of the peers, and files that exist."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "correctness.md").read_text("utf-8")


@pytest.mark.parametrize("game", ["torres", "market"])
def test_every_counted_sentence_is_told_with_a_count(game):
    sys.path.insert(0, str(ROOT / "tests" / f"{game}_env"))
    rules = __import__(f"{game}_labels").RULES
    body = re.search(rf"<!-- generated: {game}-exercised -->(.*?)<!-- end -->", TEXT, re.DOTALL)[1]
    rows = re.findall(r"^\| (\d+) \| (.+?) \| ([\d,]+) \|$", body, re.MULTILINE)
    assert [(label, section) for section, label, _ in rows] == list(rules.items())
    assert all(int(count.replace(",", "")) > 0 for *_, count in rows)


def test_every_check_of_pettingzoo_is_told():
    sys.path.insert(0, str(ROOT / "tests" / "tower_core"))
    from test_peers import APPLIES, DOES_NOT

    told = set(re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE))
    assert told >= APPLIES | DOES_NOT


def test_files_that_are_named_exist():
    named = set(re.findall(r"`((?:tests|benchmarks|docs)/[\w/]+\.\w+)`", TEXT))
    assert len(named) > 15
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
