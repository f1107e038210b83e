"""Observations as named blocks with index ranges: one description for kernels, documents and readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    start: int = 0

    @property
    def stop(self) -> int:
        return self.start + self.size


class Layout:
    """Blocks one after the other; ``layout["ap"]`` is a block, ``layout.size`` the sum."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks: dict[str, Block] = {}
        start = 0
        for block in blocks:
            if block.name in self._blocks:
                raise ValueError(f"two blocks are named {block.name!r}")
            self._blocks[block.name] = Block(block.name, block.size, block.meaning, block.scale, start)
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
        """A table for the documents."""
        lines = [f"| {index} | name | meaning | values |", "|---|---|---|---|"]
        for block in self:
            place = f"{block.start}" if block.size == 1 else f"{block.start}–{block.stop - 1}"
            lines.append(f"| {place} | `{block.name}` | {block.meaning} | {block.scale} |")
        return "\n".join(lines) + "\n"
