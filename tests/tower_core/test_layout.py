"""Blocks of observations, formats of rows, and the memory that Python and compiled code share."""

from __future__ import annotations

import numpy as np
import pytest

from torres_env.game import GAME
from tower_core.engine.batch_structs import SLOT, aligned, padded
from tower_core.envs.spaces import ObservationFormat
from tower_core.observation import Block, Layout, Part

LAYOUT = Layout([Block("a", 2, "first"), Block("b", 1, "second", "0-9"), Block("c", 4, "third")])


def test_blocks_follow_each_other():
    assert [(block.name, block.start, block.stop) for block in LAYOUT] == [("a", 0, 2), ("b", 2, 3), ("c", 3, 7)]
    assert LAYOUT.size == 7
    assert LAYOUT["b"].scale == "0-9"
    assert LAYOUT["a"].scale == "0 or 1"
    with pytest.raises(KeyError):
        LAYOUT["d"]


def test_starts_are_typed_for_compiled_code():
    assert isinstance(LAYOUT.start("c"), np.int64)
    assert LAYOUT.start("c") == 3


def test_views():
    vector = np.arange(14).reshape(2, 7)
    view = LAYOUT.view(vector, "c")
    assert view.tolist() == [[3, 4, 5, 6], [10, 11, 12, 13]]
    view[:] = 0
    assert vector.sum() == 0 + 1 + 2 + 7 + 8 + 9


def test_names_are_unique():
    with pytest.raises(ValueError, match="'a'"):
        Layout([Block("a", 1, ""), Block("a", 2, "")])


def test_tables_for_the_documents():
    lines = LAYOUT.to_markdown("plane").splitlines()
    assert lines[0] == "| plane | name | meaning | values |"
    assert lines[2] == "| 0–1 | `a` | first | 0 or 1 |"
    assert lines[3] == "| 2 | `b` | second | 0-9 |"
    assert len(lines) == 5


@pytest.mark.parametrize(
    "block",
    [Block("a", 0, ""), Block("a", 1, "", high=256), Block("a", 1, "", high=0), Block("a", 1, "", high=5, zero=5)],
)
def test_blocks_that_cannot_be(block):
    with pytest.raises(ValueError, match="block 'a': must have a size of at least 1"):
        Layout([block])


def test_bounds_and_scales():
    layout = Layout([Block("a", 1, "", high=9), Block("b", 1, "", high=255, zero=128, unit=64)])
    part = Part("planes", layout, (2, 2, 2))
    assert part.bounds().tolist() == [[[9, 9], [9, 9]], [[255, 255], [255, 255]]]
    shifts, scales = part.scales()
    assert shifts.tolist() == [0] * 4 + [128] * 4
    assert scales.tolist() == [9] * 4 + [64] * 4
    with pytest.raises(ValueError, match="'planes': layout of 2 entries"):
        Part("planes", layout, (3, 2))


def test_no_blocks():
    assert Layout([]).size == 0
    assert list(Layout([])) == []


# ---------------------------------------------------------------------------------------------- formats
@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_formats_read_the_same(flatten, dtype):
    form = ObservationFormat(GAME, flatten=flatten, dtype=dtype)
    high = np.concatenate([part.bounds().ravel() for part in GAME.observation])
    rows = np.random.default_rng(0).integers(0, high, (3, GAME.observation_size), np.uint8, endpoint=True)
    many = form.read_many(rows)
    for i, row in enumerate(rows):
        seen = form.read(row)
        assert form.space.contains(seen)
        parts = {"row": seen} if flatten else seen
        others = {"row": many} if flatten else many
        for name, part in parts.items():
            assert part.dtype == dtype
            np.testing.assert_array_equal(part, others[name][i])
    flat = form.read(rows[0]) if flatten else np.concatenate([part.ravel() for part in form.read(rows[0]).values()])
    np.testing.assert_array_equal(flat, rows[0])


@pytest.mark.parametrize("dtype", ["int8", None, "float64", np.uint8, 8])
def test_other_types_of_numbers(dtype):
    with pytest.raises(ValueError, match="dtype must be 'uint8' or 'float32'"):
        ObservationFormat(GAME, dtype=dtype)


# ---------------------------------------------------------------------------------------------- memory, games
@pytest.mark.parametrize("shape", [1, 3, (2, 5), (7, 3, 2)])
@pytest.mark.parametrize("dtype", [np.uint8, np.int64, SLOT])
def test_aligned(shape, dtype):
    array = aligned(shape, dtype)
    assert array.ctypes.data % 64 == 0
    assert array.shape == (shape if isinstance(shape, tuple) else (shape,))
    assert array.dtype == dtype
    assert not any(array.tobytes())
    assert array.flags.c_contiguous
    assert array.flags.writeable


def test_padded():
    kind = np.dtype([("a", "u8"), ("b", "u1", (3,))], align=True)
    wide = padded(kind)
    assert wide.itemsize == 64
    assert wide.fields["b"][:2] == kind.fields["b"][:2]
    assert padded(wide) == wide
    assert GAME.record.itemsize % 64 == 0


def test_parts_of_a_row():
    row = np.arange(GAME.observation_size) % 251
    parts = GAME.split(row)
    assert {name: part.shape for name, part in parts.items()} == dict(GAME.observation_shapes)
    np.testing.assert_array_equal(np.concatenate([part.ravel() for part in parts.values()]), row)
    assert np.shares_memory(parts["board"], row)
