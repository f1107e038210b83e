"""The document of records: its example is a game, and its tables and grammar name what there is."""

from __future__ import annotations

import re
from pathlib import Path

from tower_core.records import check, format_record, parse_records

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "records.md").read_text("utf-8")


def test_the_example_is_right_to_the_last_point():
    [example] = re.findall(r"^```text\n(towers record.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    [record] = parse_records(example.splitlines())
    check(record)
    assert format_record(record) == example


def test_every_kind_of_chance_is_told():
    from market_env.chance import BEGINNINGS

    table = TEXT.split("\n## Chance outcomes\n")[1].split("\n## ")[0]
    told = {words.split()[0] for words in re.findall(r"^\|[^|]*\| `([^`]+)`", table, re.MULTILINE)}
    assert told == {"king", "deck", "master", "circles"} | {beginning.split()[0] for beginning in BEGINNINGS}


def test_the_grammar_has_every_line_of_the_header():
    grammar = TEXT.split("\n## Grammar\n")[1]
    [example] = re.findall(r"^```text\n(towers record.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    names = re.findall(r"^(\w+)(?: \w+)?: ", example, re.MULTILINE)
    assert len(names) > 12
    for name in names:
        assert f'"{name}' in grammar or name.startswith("player_"), name
