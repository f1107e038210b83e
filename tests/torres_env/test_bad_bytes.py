"""Saved states that are foreign, cut, damaged or hostile: ValueError with a reason, never anything else."""

from __future__ import annotations

import copy
import json
import math
import pickle
import pickletools
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import new_game, play

from torres_env import TorresState

HEAD = b"TOWERS\x01"
STATE = play(new_game(3), "BUY")
GOOD = STATE.to_bytes()
CONTENT = json.loads(zlib.decompress(GOOD[11:]))


def packed(payload, head=HEAD):
    """Bytes whose checksum is in order."""
    return head + zlib.crc32(head + payload).to_bytes(4, "big") + payload


def written(content):
    return packed(zlib.compress(json.dumps(content).encode()))


def test_the_helper_writes_what_the_package_writes():
    assert TorresState.from_bytes(written(CONTENT)).to_bytes() == GOOD
    assert TorresState.from_bytes(bytearray(GOOD)).to_bytes() == GOOD
    assert TorresState.from_bytes(memoryview(GOOD)).to_bytes() == GOOD


@pytest.mark.parametrize(
    "data", [b"", b"TOWER", b"PK\x03\x04" + GOOD, b"\x00" * 100, GOOD[1:], pickle.dumps(STATE), b"x" * 10**6]
)
def test_foreign(data):
    with pytest.raises(ValueError, match="no saved state"):
        TorresState.from_bytes(data)


@pytest.mark.parametrize("data", [None, 1.5, "TOWERS", [1, 2], {}, object(), math.nan, 5])
def test_no_bytes_at_all(data):
    with pytest.raises(ValueError, match="no saved state"):
        TorresState.from_bytes(data)


def test_every_cut():
    for length in range(len(GOOD)):
        with pytest.raises(ValueError, match="saved state"):
            TorresState.from_bytes(GOOD[:length])
    with pytest.raises(ValueError, match="damaged"):
        TorresState.from_bytes(GOOD + b"\x00")


def test_every_flipped_bit():
    for place in range(len(GOOD)):
        for bit in range(8):
            data = bytearray(GOOD)
            data[place] ^= 1 << bit
            with pytest.raises(ValueError, match="saved state"):
                TorresState.from_bytes(data)


def test_another_format():
    payload = GOOD[11:]
    with pytest.raises(ValueError, match="format 2"):
        TorresState.from_bytes(packed(payload, b"TOWERS\x02"))


def test_another_game():
    with pytest.raises(ValueError, match="market"):
        TorresState.from_bytes(written(CONTENT | {"game": "market"}))


@given(st.binary(max_size=300))
@settings(max_examples=300)
def test_random_bytes(data):
    for damaged in (data, HEAD + data, packed(data), packed(zlib.compress(data))):
        with pytest.raises(ValueError, match="saved"):
            TorresState.from_bytes(damaged)


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_mutations_with_a_checksum_in_order(changes):
    """Whoever writes the checksum anew gets past it: the content is looked at no less."""
    payload = bytearray(GOOD[11:])
    for place, value in changes:
        payload[place % len(payload)] = value
    try:
        state = TorresState.from_bytes(packed(bytes(payload)))
    except ValueError:
        return
    assert isinstance(state.history(), list)


BOMBS = {
    "nested lists": b"[" * 200_000 + b"]" * 200_000,
    "nested objects": b'{"game":' * 100_000,
    "two hundred megabytes of blanks": b" " * 200_000_000,
    "a huge number": b'{"seed": 1' + b"0" * 100_000 + b"}",
    "no JSON": b"\xff\xfe\x00",
    "a list": b"[]",
    "null": b"null",
    "a text": b'"torres"',
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name):
    with pytest.raises(ValueError, match="damaged"):
        TorresState.from_bytes(packed(zlib.compress(BOMBS[name], 1)))


VALUES = [
    None,
    1.5,
    math.inf,
    -math.inf,
    math.nan,
    -1,
    10**40,
    "x",
    [],
    {},
    [[0, 0]],
    {"a": 1},
    [None],
    True,
    [[math.inf]],
]
HISTORIES = [
    [[0, 662]],
    [[0, -2]],
    [[3, 0]],
    [[-1, 0]],
    [[0, math.inf]],
    [["a", "b"]],
    [[0]],
    [[0, 1, 2]],
    "ab",
    [[None, 0]],
]


@pytest.mark.parametrize("field", CONTENT)
def test_every_field_of_the_content(field):
    for value in VALUES:
        try:
            state = TorresState.from_bytes(written(CONTENT | {field: value}))
        except ValueError:
            continue
        # What passes must be a game like any other.
        assert field in ("seed", "history", "origin", "reseeded"), (field, value)
        again = TorresState.from_bytes(state.to_bytes())
        assert again.position() == STATE.position()
        assert again.history() == state.history()
    wrong = copy.deepcopy(CONTENT)
    del wrong[field]
    with pytest.raises(ValueError, match="damaged"):
        TorresState.from_bytes(written(wrong))


@pytest.mark.parametrize("history", HISTORIES)
def test_histories_that_cannot_be(history):
    with pytest.raises(ValueError, match="damaged"):
        TorresState.from_bytes(written(CONTENT | {"history": history}))


@pytest.mark.parametrize("origin", [5, [], {}, "", [["a1"], [], []], {"knights": [["a1"]]}, 1.5, True, False])
def test_origins_that_cannot_be(origin):
    """Where the history began is a position like any other; null where it is the game of the seed."""
    moves = [[0, 150]]  # a move of the first knight: it must have stood somewhere
    with pytest.raises(ValueError, match="damaged"):
        TorresState.from_bytes(written(CONTENT | {"history": moves, "origin": origin}))


def test_a_position_inside_is_checked_like_any_other():
    wrong = copy.deepcopy(CONTENT)
    wrong["position"]["supply"] = 93
    with pytest.raises(ValueError, match=r"^supply"):
        TorresState.from_bytes(written(wrong))


def test_pickle_runs_nothing_but_from_bytes():
    """A pickled state names one function and holds bytes."""
    named = [argument for opcode, argument, _ in pickletools.genops(pickle.dumps(STATE, 2)) if opcode.name == "GLOBAL"]
    assert all(name.split()[0] in ("torres_env.state", "builtins", "__builtin__", "_codecs") for name in named), named
    assert pickle.loads(pickle.dumps(STATE)).to_bytes() == GOOD
