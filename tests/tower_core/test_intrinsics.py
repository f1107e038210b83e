"""Operations on bits that each kind of processor implements in its own way: all ways that this one runs."""

from __future__ import annotations

import numpy as np
import pytest

from tower_core.engine.compiling import Entry
from tower_core.engine.intrinsics import U64, nth_bit, store_bits
from tower_core.engine.machine_code import emit, host, load, shipped_targets

TARGETS = [host(), *shipped_targets()]


def bits(word: int, n: int, at: int) -> int:
    store_bits(at, U64(word))
    return nth_bit(U64(word), n)


@pytest.fixture(scope="module")
def codes():
    lowered = Entry(bits, (__name__,), "bits").lower()
    return {target: emit(lowered, target) for target in TARGETS}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_bits_are_counted_and_spread_from_the_lowest(target, codes):
    function, _ = load(codes[target])
    rng = np.random.default_rng(0)
    sparse = rng.integers(0, 2**64, 200, np.uint64) & rng.integers(0, 2**64, 200, np.uint64)
    words = [*rng.integers(0, 2**64, 200, np.uint64), *sparse, *(1 << i for i in range(64)), 2**64 - 1]
    for word in map(int, words):
        row = np.full(64, 7, np.uint8)
        ones = [i for i in range(64) if word >> i & 1]
        signed = word - 2**64 if word >= 2**63 else word
        assert [function(signed, n, row.ctypes.data) for n in range(len(ones))] == ones
        assert row.tolist() == [word >> i & 1 for i in range(64)]


def test_wrong_calls_raise(codes):
    function, _ = load(codes[host()])
    with pytest.raises(TypeError):
        function(1, 2)
    with pytest.raises(OverflowError):
        function(1, 2**64, 3)
