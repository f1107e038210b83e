"""Tables as text: complete at any width; warnings as single lines."""

from __future__ import annotations

from towers.terminal import table_text

HEAD = ["name", "count", "meaning"]
ROWS = [["a", "7", "one two three four five six seven eight"], ["long_name", "12", "short"]]


def test_a_table_that_fits_is_aligned():
    assert table_text(HEAD[:2], [row[:2] for row in ROWS], right=[1], most=40).splitlines() == [
        "name       count",
        "a              7",
        "long_name     12",
    ]


def test_the_last_column_is_wrapped():
    assert table_text(HEAD, ROWS, most=42).splitlines() == [
        "name       count  meaning",
        "a          7      one two three four five",
        "                  six seven eight",
        "long_name  12     short",
    ]


def test_a_narrow_terminal_gets_paragraphs():
    text = table_text(HEAD, ROWS, most=24)
    assert text.splitlines()[:3] == ["name: a", "  count: 7", "  meaning: one two three"]
    assert text.count("long_name") == 1 and "…" not in text


def test_a_long_word_stays_whole():
    path = "checkpoint:" + "x" * 60
    assert path in table_text(["player", "won"], [[path, "1 %"]], right=[1], most=40)


def test_warnings_are_lines_and_those_of_the_cache_come_once(child):
    code = """
import warnings; from towers.terminal import set_up; set_up()
for i in range(3): warnings.warn(f"the kernel cache {i} is damaged", RuntimeWarning)
warnings.warn("another\\nthing")"""
    assert child(code).stderr.splitlines() == [
        "towers: warning: the kernel cache 0 is damaged",
        "towers: warning: another thing",
    ]
