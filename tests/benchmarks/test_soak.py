"""A small share of the soak: memory does not grow with the games."""

from __future__ import annotations

from mmap import mmap

from benchmarks.soak import OBJECT_SHARE, resident_mib, soak


def test_memory_does_not_grow():
    rows = list(soak(8_000, rows=4))
    games, resident, objects = zip(*rows, strict=True)
    assert games[-1] >= 8_000
    assert sorted(games) == list(games)
    # From the second row on everything that is made once is there. A record is two kilobytes, so a record lost with
    # every hundredth game would show.
    assert resident[-1] - resident[1] < 2 * (games[-1] - games[1]) / OBJECT_SHARE / 1024 + 3
    assert objects[-1] - objects[1] < 300


def test_memory_is_measured():
    before = resident_mib()
    with mmap(-1, 64 << 20) as block:  # of its own, whatever memory the process keeps
        block.write(b"x" * (64 << 20))
        assert 50 < resident_mib() - before < 150
