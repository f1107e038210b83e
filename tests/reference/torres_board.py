"""What a board of heights and pieces allows, without players' means: plain functions (torres.md 1, 3, 6).

A cell is its index y*8 + x. `height` is a list of 64 heights, `occupied` the set of cells with a piece.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

SIZE = 8
CELLS = range(SIZE * SIZE)
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))

Castle = frozenset[int]


NAMES = ["abcdefgh"[c % SIZE] + str(c // SIZE + 1) for c in CELLS]


def name(cell: int) -> str:
    return NAMES[cell]


def cell_of(text: str) -> int:
    if len(text) != 2 or text[0] not in "abcdefgh" or text[1] not in "12345678":
        raise ValueError(f"no such cell: {text!r}")
    return (int(text[1]) - 1) * SIZE + "abcdefgh".index(text[0])


def shifted(cell: int, dx: int, dy: int) -> int | None:
    """The cell dx columns and dy rows away, or None beyond the edge."""
    x, y = cell % SIZE + dx, cell // SIZE + dy
    return y * SIZE + x if 0 <= x < SIZE and 0 <= y < SIZE else None


def _around(cell: int, directions: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    found = (shifted(cell, dx, dy) for dx, dy in directions)
    return tuple(c for c in found if c is not None)


NEIGHBOURS = [_around(c, DIRECTIONS) for c in CELLS]
DIAGONAL_NEIGHBOURS = [_around(c, DIAGONALS) for c in CELLS]


def walking_distance(a: int, b: int) -> int:
    return abs(a % SIZE - b % SIZE) + abs(a // SIZE - b // SIZE)


# --- castles (section 1) ---------------------------------------------------------------------------------


def reach(starts: Sequence[int], inside: Callable[[int], bool]) -> set[int]:
    """Cells reachable by orthogonal steps over cells that are `inside`, from those starts that are."""
    seen = {c for c in starts if inside(c)}
    queue = deque(seen)
    while queue:
        for n in NEIGHBOURS[queue.popleft()]:
            if n not in seen and inside(n):
                seen.add(n)
                queue.append(n)
    return seen


def castles(height: Sequence[int]) -> tuple[Castle, ...]:
    return _castles(tuple(height))


@lru_cache(maxsize=64)  # one decision asks many times about the same board
def _castles(height: tuple[int, ...]) -> tuple[Castle, ...]:
    found: list[Castle] = []
    done: set[int] = set()
    for c in CELLS:
        if height[c] >= 1 and c not in done:
            castle = frozenset(reach([c], lambda n: height[n] >= 1))
            found.append(castle)
            done |= castle
    return tuple(found)


def castle_by_cell(height: Sequence[int]) -> dict[int, Castle]:
    return {c: castle for castle in castles(height) for c in castle}


def castles_beside(castle_at: dict[int, Castle], cell: int) -> int:
    return len({castle_at[n] for n in NEIGHBOURS[cell] if n in castle_at})


# --- placing blocks (sections 3, 6, 7) -------------------------------------------------------------------


def may_carry(height: Sequence[int], castle_at: dict[int, Castle], cell: int, found: bool = False) -> bool:
    """Whether a block may go onto the cell, whoever stands there: section 3, B, (a) and (b).

    With `found`, a ground cell away from all castles will do as well, as some cards allow.
    """
    if height[cell] >= 1:
        return height[cell] + 1 <= len(castle_at[cell])
    beside = castles_beside(castle_at, cell)
    return beside == 1 or (found and beside == 0)


def build_cells(height: Sequence[int], occupied: set[int]) -> set[int]:
    """Section 3, B."""
    castle_at = castle_by_cell(height)
    return {c for c in CELLS if c not in occupied and may_carry(height, castle_at, c)}


def under_cells(height: Sequence[int], knights: Sequence[int]) -> set[int]:
    """Section 6, `under`: the cells of own knights that can rise."""
    castle_at = castle_by_cell(height)
    return {c for c in knights if may_carry(height, castle_at, c, found=True)}


def founding_cells(height: Sequence[int]) -> set[int]:
    """Section 7, castle setup by the players."""
    standing = [c for c in CELLS if height[c] >= 1]
    return {c for c in CELLS if all(walking_distance(c, s) >= 3 for s in standing)}


# --- the card relocate (section 6) -----------------------------------------------------------------------


def raised(height: Sequence[int], cell: int, by: int) -> list[int]:
    changed = list(height)
    changed[cell] += by
    return changed


def may_take(height: Sequence[int], cell: int) -> bool:
    """Whether the castle of the cell bears the loss of its top block. A castle that is one block may vanish."""
    old = castle_by_cell(height)[cell]
    left = raised(height, cell, -1)
    now = castles(left)
    pieces = [castle for castle in now if castle & old]
    too_high = any(left[c] > len(castle) for castle in now for c in castle)
    return len(pieces) <= 1 and not too_high


def put_cells(left: Sequence[int], occupied: set[int], taken: int) -> Iterator[int]:
    """Where the block taken from `taken` may go; `left` is the board without that block."""
    enough = min(6, len(castles(raised(left, taken, +1))))
    castle_at = castle_by_cell(left)
    for t in CELLS:
        bears = t != taken and t not in occupied and may_carry(left, castle_at, t, found=True)
        if bears and len(castles(raised(left, t, +1))) >= enough:
            yield t


def take_cells(height: Sequence[int], occupied: set[int]) -> Iterator[int]:
    """Where a block may be taken: only where some cell to put it follows."""
    for s in CELLS:
        free = height[s] >= 1 and s not in occupied and may_take(height, s)
        if free and any(True for _ in put_cells(raised(height, s, -1), occupied, s)):
            yield s


# --- new knights (sections 3, 6) -------------------------------------------------------------------------


def recruit_cells(height: Sequence[int], occupied: set[int], knights: Sequence[int], higher: int) -> set[int]:
    """Cells beside an own knight and at most `higher` above the highest own knight beside them."""
    beside = {n: [height[k] for k in NEIGHBOURS[n] if k in knights] for k in knights for n in NEIGHBOURS[k]}
    return {c for c in beside if c not in occupied and height[c] <= max(beside[c]) + higher}


def entry_cells(height: Sequence[int], occupied: set[int], knights: Sequence[int], entry_level: int | None) -> set[int]:
    """Section 3, N."""
    if entry_level is None:
        return recruit_cells(height, occupied, knights, 0)
    beside = {n for k in knights for n in NEIGHBOURS[k]}
    return {c for c in beside if c not in occupied and height[c] == entry_level}


# --- moves (sections 3, 6): where a knight at `start` may go ---------------------------------------------


def step_targets(height: Sequence[int], occupied: set[int], start: int) -> set[int]:
    return {n for n in NEIGHBOURS[start] if n not in occupied and height[n] <= height[start] + 1}


def jump_targets(height: Sequence[int], occupied: set[int], start: int) -> set[int]:
    return {n for n in NEIGHBOURS[start] if n not in occupied and height[n] == height[start] + 2}


def diagonal_targets(height: Sequence[int], occupied: set[int], start: int) -> set[int]:
    return {n for n in DIAGONAL_NEIGHBOURS[start] if n not in occupied and height[n] <= height[start] + 1}


def doors_targets(height: Sequence[int], occupied: set[int], start: int, doors: str) -> set[int]:
    passage = {"connected": _connected, "straight": _straight, "descending": _descending}[doors]
    return {e for e in passage(height, start) if e not in occupied and e != start}


def _connected(height: Sequence[int], start: int) -> set[int]:
    level = height[start]
    passed = reach(NEIGHBOURS[start], lambda c: height[c] >= level + 1)
    return {e for c in passed for e in NEIGHBOURS[c] if height[e] <= level}


def _straight(height: Sequence[int], start: int) -> set[int]:
    exits = set()
    for dx, dy in DIRECTIONS:
        c, passed = shifted(start, dx, dy), 0
        while c is not None and height[c] >= height[start] + 1:
            c, passed = shifted(c, dx, dy), passed + 1
        if c is not None and passed:
            exits.add(c)
    return exits


def _descending(height: Sequence[int], start: int) -> set[int]:
    # The way in is at the knight's own level, so through a neighbour that is higher; only inside may it sink.
    level = height[start]
    seen = {(c, level) for c in NEIGHBOURS[start] if height[c] >= level + 1}
    queue = deque(seen)
    exits = set()
    while queue:
        cell, m = queue.popleft()
        exits |= {e for e in NEIGHBOURS[cell] if height[e] <= m}
        follow = [(n, m) for n in NEIGHBOURS[cell] if height[n] >= m + 1]
        if m > 0:
            follow.append((cell, m - 1))
        for state in follow:
            if state not in seen:
                seen.add(state)
                queue.append(state)
    return exits


def castle_door_targets(height: Sequence[int], occupied: set[int], start: int) -> set[int]:
    """Section 6, `door`: out of any door of a castle that the knight can enter."""
    castle_at = castle_by_cell(height)
    entered = {castle_at[n] for n in NEIGHBOURS[start] if height[n] >= height[start] + 1}
    doors = ((c, e) for castle in entered for c in castle for e in NEIGHBOURS[c] if height[c] >= height[e] + 1)
    return {e for _, e in doors if e not in occupied and e != start}
