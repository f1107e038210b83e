"""What a position is worth at the end of a phase, for one player (torres.md 5 and 8): plain functions."""

from __future__ import annotations

from collections.abc import Sequence

from .torres_board import SIZE, castles, reach


def castle_points(height: Sequence[int], knights: Sequence[int], how: str) -> int:
    """Section 5, step 1."""
    total = 0
    for castle in castles(height):
        levels = [height[k] for k in knights if k in castle]
        if how == "highest":
            levels = [max(levels)] if levels else []
        total += sum(len(castle) * level for level in levels)
    return total


def king_points(height: Sequence[int], knights: Sequence[int], king: int, phase: int, how: str) -> int:
    """Section 5, step 2: once, however many knights stand right."""
    level = phase if how == "phase_level" else height[king]
    royal = reach([king], lambda c: height[c] >= 1)
    return 5 * phase if any(k in royal and height[k] == level for k in knights) else 0


def master_points(
    card: str, height: Sequence[int], all_knights: Sequence[Sequence[int]], seat: int, phase: int, full: int
) -> int:
    """Section 8. `full` is the number of knights that a player owns."""
    own = all_knights[seat]
    if card in ("border", "diagonals"):
        on = _on_border if card == "border" else _on_diagonal
        counts = [sum(on(k) for k in knights) for knights in all_knights]
        most = all(counts[seat] > count for other, count in enumerate(counts) if other != seat)
        return (2, 5, 10)[phase - 1] * (counts[seat] + most)
    if card == "spread":
        held = sum(1 for castle in castles(height) if any(k in castle for k in own))
        return (5, 15, 30)[phase - 1] if held == (4, 5, 6)[phase - 1] else 0
    if phase < 3:
        return 0
    if card == "square":
        return 50 if _has_square(set(own)) else 0
    if len(own) < full:
        return 0  # the last four cards need every knight of the player on the board
    levels = {height[k] for k in own}
    if card == "cluster":
        return 40 if len(reach(own[:1], lambda c: c in own)) == len(own) else 0
    if card == "stairs":
        return 40 if len(levels) == len(own) else 0
    if card == "line":
        return 50 if len({k % SIZE for k in own}) == 1 or len({k // SIZE for k in own}) == 1 else 0
    if card == "plateau":
        return 50 if len(levels) == 1 else 0
    raise ValueError(f"unknown master card: {card}")


def _on_border(cell: int) -> bool:
    return cell % SIZE in (0, SIZE - 1) or cell // SIZE in (0, SIZE - 1)


def _on_diagonal(cell: int) -> bool:
    x, y = cell % SIZE, cell // SIZE
    return x == y or x + y == SIZE - 1


def _has_square(own: set[int]) -> bool:
    for corner in own:
        x, y = corner % SIZE, corner // SIZE
        for side in range(1, SIZE - max(x, y)):
            if {corner + side, corner + SIZE * side, corner + side + SIZE * side} <= own:
                return True
    return False
