"""The published counts of action sequences, counted again by the kernels and by the naive references."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.perft import STARTS, Kernels, Naive, markdown, published

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "torres_env"), str(TESTS / "market_env")]
# As deep as there are not more positions than this to be expanded.
BY_KERNELS, BY_NAIVE = 2_000, {"torres": 100, "market": 30}


def affordable(counts: list[int], most: int) -> int:
    return 1 + sum(count <= most for count in counts[:-1])


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_counts(start):
    counts = published()[start.name]
    assert len(counts) == start.depth
    deep, shallow = affordable(counts, BY_KERNELS), affordable(counts, BY_NAIVE[start.game])
    assert Kernels(start).counts(deep) == counts[:deep]
    assert Naive(start).counts(shallow) == counts[:shallow]


def test_the_start_of_torres_by_hand():
    """Eight castles: the first knight on any, the second on one of seven, the king on one of six."""
    counts = published()["torres standard 2 players, seed 7, after 0 moves"]
    assert counts[:3] == [8, 8 * 7, 8 * 7 * 6]
    four = published()["torres standard 4 players, seed 7, after 0 moves"]
    assert four[:5] == [8, 8 * 7, 8 * 7 * 6, 8 * 7 * 6 * 5, 8 * 7 * 6 * 5 * 4]


def test_every_start_is_published():
    assert list(published()) == [start.name for start in STARTS]
    assert markdown().count("\n") == len(STARTS) + 2
