"""One random stream per game: SplitMix64, identical on every machine and in every implementation.

The compiled functions take and return the 64-bit state; :class:`SplitMix64` is the same stream as a Python object.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tower_core.engine.compiling import jit

U64 = np.uint64
GOLDEN = U64(0x9E3779B97F4A7C15)
_MUL1, _MUL2 = U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = U64(30), U64(27), U64(31), U64(32)
_MASK = 2**64 - 1
# Separates the streams of players and samplers from the stream of a game with the same seed.
PLAYER_SALT, SAMPLER_SALT = U64(0xA0761D6478BD642F), 0xE7037ED1A0B428DB


@jit
def mix(z: Any) -> Any:
    """The output function of SplitMix64: a bijection of 64 bits that looks random."""
    z = (z ^ (z >> _S30)) * _MUL1
    z = (z ^ (z >> _S27)) * _MUL2
    return z ^ (z >> _S31)


@jit
def scale(z: Any, n: Any) -> Any:
    """An integer in ``[0, n)`` from 64 random bits (n below 2**32)."""
    return np.int64(((z >> _S32) * U64(n)) >> _S32)


@jit
def below(r: Any, n: Any) -> Any:
    """A draw in ``[0, n)`` from the stream in field ``rng`` of the record *r*; always advances the stream by one step."""
    r.rng += GOLDEN
    return scale(mix(r.rng), n)


@jit
def episode_seed(seed: Any, episode: Any) -> Any:
    """The seed of a slot's game number *episode*: first the slot's own seed, then a hash of both."""
    if episode == 0:
        return U64(seed)
    return mix(mix(U64(seed)) + U64(episode) * GOLDEN)


class SplitMix64:
    """The stream as a Python object, for code that isn't compiled.

    ``next()`` gives 64 bits, ``below(n)`` an integer in ``[0, n)``, ``shuffle`` works in place from the end.
    """

    def __init__(self, seed: int) -> None:
        self.state = seed & _MASK

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        return ((self.next() >> 32) * n) >> 32

    def shuffle(self, items: list[Any]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def to_u64(seed: int) -> int:
    """An integer of any size and sign as an unsigned 64-bit seed (modulo 2**64). ValueError for anything else."""
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)):
        raise ValueError(f"a seed must be an integer, not {seed!r}")
    return int(seed) & _MASK


def to_i64(seed: int) -> int:
    """The same bits as a signed integer, as compiled entries expect them."""
    value = to_u64(seed)
    return value - 2**64 if value >= 2**63 else value


def episode_seed_of(seed: int, episode: int) -> int:
    """:func:`episode_seed` outside compiled code."""
    if episode == 0:
        return to_u64(seed)
    first = SplitMix64(to_u64(seed) - 0x9E3779B97F4A7C15).next()  # mix(seed)
    return SplitMix64((first + (episode - 1) * 0x9E3779B97F4A7C15) & _MASK).next()


def fresh_seed() -> int:
    """A random seed: 32 bits of system entropy."""
    return int(np.random.SeedSequence().generate_state(1)[0])
