"""The results file: added to, resumed, and never harmed by what it can't read."""

from __future__ import annotations

import json

import pytest

from train.arena.play import Fault, Outcome
from train.arena.results import ResultsError, ResultsFile, read_results
from train.arena.run import count_results, run_arena
from train.arena.settings import ArenaSettings

SETTINGS = ArenaSettings("torres", ("random", "passive"), games=6)


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """Of a results file with all games of SETTINGS, in a folder that was not there."""
    path = tmp_path_factory.mktemp("arena") / "some" / "games.jsonl"
    run_arena(SETTINGS, path, jobs=0)
    return path.read_bytes()


@pytest.fixture
def played(content, tmp_path):
    (tmp_path / "games.jsonl").write_bytes(content)
    return tmp_path / "games.jsonl"


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "games.jsonl"
    plain = Outcome(5, ["a", "b"], [1, 2], [30, 20], [9, 8], [5, 4], [0.25, 0.5], [0.125, 0.5], True, None, [1, 2, 3])
    plain.cpu = [[0.25, 0.125], []]
    lost = Outcome(
        6, ["b", "a"], [2, 1], None, [0, 0], [0, 0], [0.0, 0.0], [0.0, 0.0], False, Fault(0, "died", "[x] ✗")
    )
    with ResultsFile(path, SETTINGS) as file:
        file.add(plain)
        file.add(lost)
    head, outcomes = read_results(path)
    assert outcomes == [plain, lost]
    assert (head["game"], head["players"], head["timeout"]) == ("torres", 2, 60)
    assert head["rules"]["doors"] == "connected"


def test_nothing_is_played_twice(played, monkeypatch):
    before = played.read_bytes()
    asked = []
    tally = run_arena(SETTINGS, played, jobs=0, progress=lambda *counts: asked.append(counts))
    assert asked == [(6, 6)]
    assert played.read_bytes() == before
    assert tally == count_results(SETTINGS, played)
    more = ArenaSettings("torres", ("random", "passive", "greedy"), games=8)
    tally = run_arena(more, played, jobs=0)
    assert tally.games == 24
    assert played.read_bytes().startswith(before)
    assert len(read_results(played)[1]) == 24
    # Fewer games are counted as if no others were there.
    assert count_results(SETTINGS, played).games == 6


def test_the_order_of_lines_does_not_matter(played):
    tally = count_results(SETTINGS, played)
    head, *lines = played.read_text().splitlines(keepends=True)
    played.write_text(head + "".join(reversed(lines)))
    assert count_results(SETTINGS, played) == tally


@pytest.mark.parametrize("kept", [1, 20, -1])
def test_a_torn_last_line_is_played_again(played, kept):
    whole = played.read_bytes()
    start = whole[:-1].rfind(b"\n") + 1
    played.write_bytes(whole[: start + kept] if kept > 0 else whole[:-1])
    counts = []
    run_arena(SETTINGS, played, jobs=0, progress=lambda *count: counts.append(count))
    assert counts == [(5, 6), (6, 6)]
    again = played.read_bytes()
    assert again[:start] == whole[:start]
    line, old = json.loads(again[start:]), json.loads(whole[start:])
    for times in ("seconds", "slowest"):
        del line[times], old[times]
    assert line == old


def test_a_torn_first_line_begins_anew(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text("")
    assert run_arena(SETTINGS, path, jobs=0).games == 6


_LONG = "9" * 400


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "7",
        "{}",
        '{"seed":1,"seats":["a"],"places":[1]}',
        '{"seed":1,"seats":["a","b"],"places":[1,3],"moves":[1,1],"turns":[1,1],"seconds":[1,1],"slowest":[1,1]}',
        '{"seed":1,"seats":["a","b"],"places":[1,2],"moves":[1,1],"turns":[1,1],"seconds":[1,1],"slowest":[1,1],"x":1}',
        '{"seed":1,"seats":["a","b"],"places":[1,2],"moves":[1,1],"turns":[1,1],"seconds":[1,1],"slowest":[1,1],'
        '"fault":{"seat":0,"kind":"boredom","message":""}}',
        '{"seed":1,"seats":["a","b"],"places":[1,2],"moves":[1,1],"turns":[1,1],"seconds":[1,1],"slowest":[1,1],'
        '"fault":{"seat":2,"kind":"error","message":""}}',
        '{"seed":1,"seats":["a","b"],"places":[1,2],"moves":[1,1%s],"turns":[1,1],"seconds":[1,1],"slowest":[1,1]}'
        % ("0" * 400),
        '{"seed":1,"seats":["a","b"],"places":[1,2],"moves":[1,1],"turns":[1,1],"seconds":[1,NaN],"slowest":[1,1]}',
        "[" * 100_000,
        "\xff",
    ],
)
def test_a_damaged_line_is_named_and_kept(played, line):
    lines = played.read_text().splitlines()
    lines[3] = line
    played.write_bytes("\n".join([*lines, ""]).encode("latin-1"))
    before = played.read_bytes()
    with pytest.raises(ResultsError, match="line 4 is damaged"):
        run_arena(SETTINGS, played, jobs=0)
    assert played.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [
        b"PNG",
        b"\0\xff\n",
        b"[1]\n",
        b'{"format":"other"}\n',
        b"\n",
        b'{"format":"towers-arena-1"}\n',
        b"[" * 100_000 + b"\n",
    ],
)
def test_a_foreign_file_is_left_alone(tmp_path, content):
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    with pytest.raises(ResultsError, match=r"not a results file|holds games with game"):
        run_arena(SETTINGS, path, jobs=0)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"players": 3}, "players 2, not 3"),
        ({"timeout": 5.0}, "timeout 60.0, not 5.0"),
        ({"rules": "classic"}, "holds games with other rules: choose another file"),
    ],
)
def test_other_settings_are_refused(played, options, told):
    before = played.read_bytes()
    with pytest.raises(ResultsError, match=told):
        run_arena(ArenaSettings("torres", ("random", "passive"), **options), played, jobs=0)
    with pytest.raises(ResultsError, match='game "torres", not "market"'):
        run_arena(ArenaSettings("market", ("random", "passive")), played, jobs=0)
    assert played.read_bytes() == before
