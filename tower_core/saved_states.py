"""The bytes of a saved state: a header with a version and a checksum, then compressed JSON."""

from __future__ import annotations

import json
import zlib
from typing import Any

from tower_core.engine.random import to_u64

_MAGIC = b"TOWERS"
_FORMAT = 1
_HEAD = len(_MAGIC) + 1
_MOST_BYTES = 16_000_000  # a few hostile bytes must not fill the memory


def dump(state: Any) -> bytes:
    """A state as bytes: position, random stream, history."""
    start = state._start_state()
    content = {
        "game": state.game.name,
        "position": state.position(),
        "seed": state.seed,
        "history": state._history,
        "origin": None if start is None else start.position(),
        "reseeded": state._reseeded,
    }
    payload = zlib.compress(json.dumps(content, separators=(",", ":")).encode())
    head = _MAGIC + bytes([_FORMAT])
    return head + zlib.crc32(head + payload).to_bytes(4, "big") + payload


def load(cls: Any, data: bytes | bytearray | memoryview) -> Any:
    """The state of class *cls* that :func:`dump` wrote. ValueError for bytes that are foreign, truncated or damaged."""
    content = _unpacked(data)
    try:
        name, seed, history = content["game"], to_u64(content["seed"]), content["history"]
        position, origin = content["position"], content["origin"]
        moves = [(int(seat), int(action)) for seat, action in history]
        reseeded = tuple((int(place), to_u64(new)) for place, new in content["reseeded"])
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise ValueError("the saved state is damaged: it can't be decoded") from error
    if name != cls.game.name:
        raise ValueError(f"the saved state is of {name!r}, not of {cls.game.name!r}")
    state = cls.from_position(position)
    if any(not -1 <= action < cls.game.num_actions or not 0 <= seat < state.num_players for seat, action in moves):
        raise ValueError("the saved state is damaged: its history contains an invalid action")
    state._history = moves
    state._reseeded = reseeded
    state.seed = seed
    try:
        state._origin = None if origin is None else cls.from_position(origin)._record
        state.history()
        fits = state._history_fits()
    except (ValueError, TypeError, LookupError) as error:
        raise ValueError("the saved state is damaged: its history can't be read") from error
    if not fits:
        raise ValueError("the saved state is damaged: its history doesn't lead to its position")
    return state


def _unpacked(data: bytes | bytearray | memoryview) -> Any:
    """The JSON content of a saved state, whose header is correct."""
    if not isinstance(data, (bytes, bytearray, memoryview)) or bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise ValueError("these bytes are not a saved state of this suite")
    data = bytes(data)
    if len(data) < _HEAD + 4:
        raise ValueError("the saved state is truncated")
    if data[_HEAD - 1] != _FORMAT:
        raise ValueError(f"the saved state has format {data[_HEAD - 1]}, but this version reads {_FORMAT}")
    payload = data[_HEAD + 4 :]
    if zlib.crc32(data[:_HEAD] + payload) != int.from_bytes(data[_HEAD : _HEAD + 4], "big"):
        raise ValueError("the saved state is damaged or truncated: wrong checksum")
    try:
        return json.loads(zlib.decompressobj().decompress(payload, _MOST_BYTES))
    except (zlib.error, ValueError, RecursionError) as error:
        raise ValueError("the saved state is damaged: it can't be decoded") from error
