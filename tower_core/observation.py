"""Observations as named blocks of indices: one description for kernels, spaces, networks and documentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Block:
    """One named part of an observation: *size* entries from index *start* on."""

    name: str
    size: int
    meaning: str
    scale: str = "0 or 1"
    """The values, for the documentation."""
    start: int = 0
    high: int = 1
    """Largest value: the bound of the observation space."""
    zero: int = 0
    """The value that means zero; above 0 if negative values are possible."""
    unit: float = 0.0
    """A typical distance from *zero*, by which networks divide; 0 means *high* minus *zero*."""

    @property
    def stop(self) -> int:
        return self.start + self.size


class Layout:
    """Consecutive blocks; ``layout["ap"]`` is a block, ``layout.size`` the total. ValueError for an invalid block."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks: dict[str, Block] = {}
        start = 0
        for block in blocks:
            if block.name in self._blocks:
                raise ValueError(f"block name {block.name!r} appears twice")
            if block.size < 1 or not 0 <= block.zero < block.high <= 255:
                raise ValueError(f"block {block.name!r}: must have a size of at least 1 and 0 <= zero < high <= 255")
            self._blocks[block.name] = replace(block, start=start)
            start += block.size
        self.size = start

    def __getitem__(self, name: str) -> Block:
        return self._blocks[name]

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks.values())

    def start(self, name: str) -> np.int64:
        """First index of a block, typed for compiled code."""
        return np.int64(self._blocks[name].start)

    def view(self, array: NDArray[Any], name: str, axis: int = -1) -> NDArray[Any]:
        """The entries of one block along an axis: -1 for vectors, -3 for planes [..., planes, 8, 8]."""
        block = self._blocks[name]
        return np.moveaxis(np.moveaxis(array, axis, 0)[block.start : block.stop], 0, axis)

    def to_markdown(self, index: str = "index") -> str:
        """A Markdown table of the blocks."""
        lines = [f"| {index} | name | meaning | values |", "|---|---|---|---|"]
        for block in self:
            place = f"{block.start}" if block.size == 1 else f"{block.start}–{block.stop - 1}"
            lines.append(f"| {place} | `{block.name}` | {block.meaning} | {block.scale} |")
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Part:
    """One uint8 array of an observation; *layout* describes the first axis of its *shape*."""

    name: str
    layout: Layout
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.shape or self.shape[0] != self.layout.size:
            raise ValueError(
                f"observation {self.name!r}: layout of {self.layout.size} entries doesn't match shape {self.shape}"
            )

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def _spread(self, values: list[float]) -> NDArray[np.float32]:
        """float32 [size]: one value per block, repeated for each of its entries."""
        sizes = [block.size for block in self.layout]
        return np.repeat(np.array(values, np.float32), np.array(sizes) * (self.size // self.layout.size))

    def bounds(self) -> NDArray[np.uint8]:
        """uint8 *shape*: the largest value of each entry (the smallest is 0)."""
        return self._spread([block.high for block in self.layout]).astype(np.uint8).reshape(self.shape)

    def scales(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """float32 [size] twice: the offset that a network subtracts from each entry, and the scale it divides by."""
        return (
            self._spread([block.zero for block in self.layout]),
            self._spread([block.unit or block.high - block.zero for block in self.layout]),
        )
