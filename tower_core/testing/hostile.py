"""Damaged or malicious input: it is rejected with a one-line error, or gives a valid game."""

from __future__ import annotations

import copy
import json
import math
import random
import zlib
from collections.abc import Iterator
from typing import Any

from tower_core.state import State
from tower_core.testing.setups import CheckFailed, Setup, everything, one_line, play, require

HEAD = b"TOWERS\x01"
VALUES: tuple[Any, ...] = (
    None, 1.5, math.inf, math.nan, -1, 255, 10**40, True, "x", "", [], {}, [[0, 0]], {"a": 1}, [None], [math.inf], [[[]]],
)  # fmt: skip
HISTORIES: tuple[Any, ...] = (
    [[0, 10**6]],
    [[0, -2]],
    [[9, 0]],
    [[-1, 0]],
    [["a", "b"]],
    [[0]],
    [[0, 1, 2]],
    "ab",
    [[None, 0]],
)
BOMBS = (
    b'{"game":' * 100_000,
    b'"a text"',
    b"[" * 200_000 + b"]" * 200_000,
    b" " * 50_000_000,
    b'{"seed": 1' + b"0" * 100_000 + b"}",
    b"\xff\xfe",
    b"[]",
    b"null",
)


def packed(payload: bytes) -> bytes:
    """Bytes of a saved state with a valid checksum."""
    return HEAD + zlib.crc32(HEAD + payload).to_bytes(4, "big") + payload


def written(content: Any) -> bytes:
    return packed(zlib.compress(json.dumps(content).encode()))


def check_bytes(setup: Setup) -> None:
    """Saved states that are foreign, truncated, flipped or rewritten with other content."""
    chance, state = random.Random(1), setup.state(4)
    play(state, chance, 25)
    read: Any = type(state).from_bytes
    good = state.to_bytes()
    content = json.loads(zlib.decompress(good[len(HEAD) + 4 :]))
    require(read(written(content)).to_bytes() == good, "from_bytes() doesn't read what to_bytes() writes")
    require(read(memoryview(bytearray(good))).to_bytes() == good, "from_bytes() doesn't read a memoryview")
    for data in (
        None,
        1.5,
        "TOWERS",
        [1, 2],
        object(),
        b"",
        b"TOWER",
        b"PK\3\4" + good,
        good[1:],
        b"\0" * 99,
        good + b"\0",
    ):
        _refused(read, data, "foreign bytes")
    for length in {*range(30), *range(0, len(good), 7), len(good) - 1}:
        _refused(read, good[:length], "truncated bytes")
    for _ in range(150):
        data = bytearray(good)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        _refused(read, bytes(data), "bytes with a flipped bit")
    for bomb in BOMBS:
        _refused(read, packed(zlib.compress(bomb, 1)), "bytes of a decompression bomb")
    payload = good[len(HEAD) + 4 :]
    newer = b"TOWERS\x02" + zlib.crc32(b"TOWERS\x02" + payload).to_bytes(4, "big") + payload
    _refused(read, newer, "bytes of another format")
    for length in (0, 1, 40, 300):
        noise = random.Random(length).randbytes(length)
        for data in (noise, HEAD + noise, packed(noise), packed(zlib.compress(noise))):
            _refused(read, data, "random bytes")
    _refused(read, written(content | {"game": "another"}), "bytes of another game")
    for field in content:
        _refused(read, written({name: content[name] for name in content if name != field}), f"bytes without {field}")
        for value in VALUES:
            _sound(read, written(content | {field: value}), f"bytes whose {field} is {value!r}")
    for history in HISTORIES:
        _refused(read, written(content | {"history": history}), f"bytes whose history is {history!r}")
    for seed in range(60):
        given = damaged(content, random.Random(seed))
        _sound(read, written(given), "bytes with damaged content")


def check_foreign_positions(setup: Setup) -> None:
    """Positions with fields that are missing, of a wrong type, or out of range."""
    make = setup.game.state_class().from_position
    strange: tuple[Any, ...] = (None, 5, "x", [], b"")
    for wrong in strange:
        _refused(make, wrong, "positions that are not a dict")
    _refused(make, {}, "an empty position")
    for state in setup.samples(2, 3, seed=7):
        position = state.position()
        _refused(make, {**position, "game": "another"}, "a position of another game")
        for field in position:
            for value in random.Random(f"{field}{state.scores()}").sample(VALUES, 4):
                _sound(make, {**position, field: value}, f"a position whose {field} is {value!r}")
            _sound(make, {name: position[name] for name in position if name != field}, f"a position without {field}")
        for seed in range(25):
            given = damaged(position, random.Random(seed))
            kept = repr(given)
            _sound(make, given, "a damaged position")
            require(repr(given) == kept, "from_position() changes the dict that it is given")


def damaged(content: Any, chance: random.Random) -> Any:
    """A copy with one value replaced, removed or doubled."""
    content = copy.deepcopy(content)
    places = list(_places(content))
    holder, key = chance.choice(places)
    kind = chance.randrange(4)
    if kind == 0 and isinstance(holder, dict):
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif kind == 2 and isinstance(holder[key], int):
        holder[key] += chance.choice((1, -1, 7, 64))
    else:
        holder[key] = chance.choice(VALUES)
    return content


def _places(content: Any) -> Iterator[tuple[Any, Any]]:
    keys = content.keys() if isinstance(content, dict) else range(len(content)) if isinstance(content, list) else ()
    for key in keys:
        yield content, key
        yield from _places(content[key])


def _refused(read: Any, data: Any, what: str) -> None:
    try:
        read(data)
    except ValueError as error:
        one_line(error, what)
    except Exception as error:
        raise CheckFailed(f"{what}: {type(error).__name__} instead of a ValueError: {error}") from error
    else:
        require(False, f"{what} are not rejected")


def _sound(read: Any, data: Any, what: str) -> None:
    """The input is rejected, or gives a game that can be displayed, saved and played."""
    try:
        state: State = read(data)
    except ValueError as error:
        one_line(error, what)
        return
    except Exception as error:
        raise CheckFailed(f"{what}: {type(error).__name__} instead of a ValueError: {error}") from error
    try:
        everything(state)
        again = type(state).from_bytes(state.to_bytes())
        require(again.position() == state.position(), f"{what} is accepted, but doesn't come back from its bytes")
        play(state, random.Random(1), 30)
        everything(state)
    except CheckFailed:
        raise
    except Exception as error:
        raise CheckFailed(f"{what} is accepted, but then: {type(error).__name__}: {error}") from error
