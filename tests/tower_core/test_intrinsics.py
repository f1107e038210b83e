"""The bits that random play chooses among: both ways of finding one, whichever this processor takes."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from tower_core.engine.compiling import inlined
from tower_core.engine.intrinsics import _nth_bit_searched, nth_bit


@pytest.mark.parametrize("kernel", [nth_bit, inlined(_nth_bit_searched)], ids=["chosen here", "searched"])
def test_nth_bit_counts_from_the_lowest(kernel):
    @numba.njit
    def places(words, counts, found):
        for i in range(len(words)):
            for n in range(counts[i]):
                found[i, n] = kernel(words[i], np.int64(n))

    rng = np.random.default_rng(0)
    words = np.concatenate(
        [
            rng.integers(0, 2**64, 200, np.uint64),
            rng.integers(0, 2**64, 200, np.uint64) & rng.integers(0, 2**64, 200, np.uint64),
            np.uint64(1) << np.arange(64, dtype=np.uint64),
            np.array([2**64 - 1], np.uint64),
        ]
    )
    ones = [[i for i in range(64) if int(word) >> i & 1] for word in words]
    found = np.full((len(words), 64), -1)
    places(words, np.array([len(places) for places in ones]), found)
    assert [[int(place) for place in row if place >= 0] for row in found] == ones
