"""Component files that are damaged or meant ill: one line with the reason, or a game."""

from __future__ import annotations

import copy
import random
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import market_env
from market_env import MarketRules, MarketState
from tower_core.testing.hostile import damaged


def play_on(state, moves=40):
    """What was accepted must be a game like any other."""
    chance = random.Random(1)
    for _ in range(moves):
        if state.is_terminal():
            break
        state.apply_action(chance.choice(state.legal_actions()))
    assert str(state)
    assert MarketState.from_bytes(state.to_bytes()).position() == state.position()


def one_line(error):
    text = str(error.value if hasattr(error, "value") else error)
    assert text
    assert len(text.splitlines()) == 1, text


TOML = (Path(market_env.__file__).parent / "components.toml").read_bytes()
RAW = tomllib.loads(TOML.decode())


def read_set(path):
    """The rules of a set in a file, or None with a reason of one line that names the file or an entry."""
    before = path.read_bytes()
    try:
        rules = MarketRules.preset("full", components=str(path))
    except (ValueError, OSError) as error:
        one_line(error)
        return None
    finally:
        assert path.read_bytes() == before
        assert [file.name for file in path.parent.iterdir()] == [path.name]
    return rules


def test_the_file_is_read_as_it_is(tmp_path):
    path = tmp_path / "set.toml"
    path.write_bytes(TOML)
    assert read_set(path).components.to_dict() == MarketRules().components.to_dict()


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_a_file_with_other_bytes(tmp_path_factory, seed):
    """Bytes replaced, left out or doubled, lines exchanged: it is refused, or it is a set that can be played."""
    chance = random.Random(seed)
    path = tmp_path_factory.mktemp("set") / "set.toml"
    data = bytearray(TOML)
    for _ in range(chance.choice((1, 1, 3, 10))):
        place = chance.randrange(len(data))
        kind = chance.randrange(5)
        if kind == 0:
            data[place] = chance.randrange(256)
        elif kind == 1:
            del data[place : place + chance.choice((1, 30, 300))]
        elif kind == 2:
            data[place:place] = data[place : place + chance.choice((1, 30))]
        elif kind == 3:
            data[place : place + 1] = chance.choice(
                (b"-1", b"99999999999999999999", b"1e400", b"nan", b'"', b"[", b"\x00")
            )
        else:
            lines = bytes(data).splitlines(keepends=True)
            i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            data = bytearray(b"".join(lines))
    path.write_bytes(bytes(data))
    rules = read_set(path)
    if rules is not None:
        play_on(MarketState(2, rules, seed))


@given(st.integers(0, 2**32))
@settings(max_examples=60)
def test_a_dict_with_another_value_somewhere(seed):
    raw = damaged(RAW, random.Random(seed))
    before = copy.deepcopy(raw)
    try:
        rules = MarketRules.preset("full", components=raw)
    except ValueError as error:
        one_line(error)
    else:
        play_on(MarketState(2, rules, seed))
    assert repr(raw) == repr(before)


FILES = {
    "empty": b"",
    "zeros": b"\0" * 1000,
    "no UTF-8": b"\xff\xfe" * 50,
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "deeply nested": b"x = " + b"[" * 5_000,
    "deeply nested tables": b"x = " + b"{a=" * 5_000,
    "long keys": b".".join([b"a"] * 1_000) + b" = 1",
    "a huge number": b"name = 1" + b"0" * 10_000,
    "another file": (Path(__file__).resolve().parents[2] / "pyproject.toml").read_bytes(),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_are_no_set(tmp_path, name):
    path = tmp_path / "set.toml"
    path.write_bytes(FILES[name])
    assert read_set(path) is None


@pytest.mark.parametrize("path", ["nowhere.toml", ".", "/dev/null", "a\0b", ""])
def test_paths_that_are_no_file(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, OSError)) as error:
        MarketRules.preset("base", components=path)
    one_line(error)
