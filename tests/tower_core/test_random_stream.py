"""The one random stream: published values, the draws built on it, seeds of later games; Python and compiled code alike."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from tower_core.engine.random import (
    SplitMix64,
    below,
    episode_seed,
    episode_seed_of,
    fresh_seed,
    mix,
    scale,
    to_i64,
    to_u64,
)

# The first outputs of SplitMix64, as its reference implementation in C and Rosetta Code give them.
PUBLISHED = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    1234567: [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821],
}
words = st.integers(0, 2**64 - 1)
MASK = 2**64 - 1


def mixed(z):
    """The output function, written out once more."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


@njit
def compiled_mix(z):
    return mix(z)


@njit
def compiled_scale(z, n):
    return scale(z, n)


@njit
def compiled_episode_seed(seed, episode):
    return episode_seed(seed, episode)


@njit
def compiled_below(stream, n):
    return below(stream[0], n)


@pytest.mark.parametrize("seed", PUBLISHED)
def test_published_values(seed):
    stream = SplitMix64(seed)
    assert [stream.next() for _ in range(5)] == PUBLISHED[seed]


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, -1, 2**64 + 5])
def test_seeds_are_taken_modulo_two_to_the_64(seed):
    assert SplitMix64(seed).next() == SplitMix64(seed % 2**64).next() == mixed((seed + 0x9E3779B97F4A7C15) % 2**64)


@given(words)
def test_compiled_mix(z):
    assert int(compiled_mix(np.uint64(z))) == mixed(z)


@given(words, st.integers(1, 2**32 - 1))
def test_below_is_the_upper_half_scaled(seed, n):
    expected = (SplitMix64(seed).next() >> 32) * n >> 32
    assert SplitMix64(seed).below(n) == expected
    assert 0 <= expected < n
    assert compiled_scale(np.uint64(SplitMix64(seed).next()), n) == expected
    record = np.zeros(1, [("rng", "u8")])
    record["rng"] = seed
    assert compiled_below(record, np.int64(n)) == expected
    assert int(record["rng"][0]) == (seed + 0x9E3779B97F4A7C15) & MASK


def test_below_one_takes_a_step_too():
    stream, other = SplitMix64(9), SplitMix64(9)
    assert stream.below(1) == 0
    other.next()
    assert stream.next() == other.next()


def test_below_is_even():
    stream = SplitMix64(3)
    counts = np.bincount([stream.below(7) for _ in range(7000)], minlength=7)
    assert ((counts - 1000) ** 2 / 1000).sum() < 22.5  # chi-square with 6 degrees of freedom, 0.1 %


@given(words, st.integers(0, 30))
def test_shuffle_swaps_from_the_end(seed, size):
    items = list(range(size))
    SplitMix64(seed).shuffle(items)
    expected, state = list(range(size)), seed
    for i in range(size - 1, 0, -1):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        j = (mixed(state) >> 32) * (i + 1) >> 32
        expected[i], expected[j] = expected[j], expected[i]
    assert items == expected


def test_shuffle_by_hand():
    """Seed 0: the upper halves are 0xE220A839, 0x6E789E6A, 0x06C45D18; of four they give 3, of three 1, of two 0."""
    items = ["a", "b", "c", "d"]
    SplitMix64(0).shuffle(items)  # d stays; c changes places with b; then what is second (c) with a
    assert items == ["c", "a", "b", "d"]


@given(st.integers(-(2**70), 2**70))
def test_integers_as_seeds(seed):
    assert to_u64(seed) == seed % 2**64
    assert to_i64(seed) % 2**64 == seed % 2**64
    assert -(2**63) <= to_i64(seed) < 2**63


@pytest.mark.parametrize("seed", [np.int8(-1), np.int64(-1), np.uint64(2**64 - 1)])
def test_numbers_of_numpy_as_seeds(seed):
    assert to_u64(seed) == 2**64 - 1
    assert type(to_u64(seed)) is int
    assert to_i64(seed) == -1


@pytest.mark.parametrize(
    "seed", [None, 1.0, math.nan, math.inf, "1", b"1", True, np.True_, [1], {}, object(), np.array([1])]
)
def test_nothing_else_is_a_seed(seed):
    for function in (to_u64, to_i64):
        with pytest.raises(ValueError, match="a seed must be an integer"):
            function(seed)


@given(words, st.integers(0, 2**40))
def test_seeds_of_later_games(seed, episode):
    """The slot's own first; then a hash of both: mix(mix(seed) + episode x golden)."""
    expected = seed if episode == 0 else mixed((mixed(seed) + episode * 0x9E3779B97F4A7C15) % 2**64)
    assert episode_seed_of(seed, episode) == expected
    assert int(compiled_episode_seed(np.uint64(seed), np.int64(episode))) == expected


def test_later_games_of_neighbours_are_not_the_same():
    seeds = {episode_seed_of(seed, episode) for seed in range(100) for episode in range(100)}
    assert len(seeds) == 10_000


def test_fresh_seeds_differ():
    assert len({fresh_seed() for _ in range(20)}) > 18
    assert all(0 <= fresh_seed() < 2**32 for _ in range(20))
