"""The board from above: shade and number show heights, thick lines are castle walls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torres_env.rules import CELL_INDEX, CELL_NAMES
from tower_core.drawing import GOLD, GOLD_EDGE, clickable, ink_on, seat_disc, text

CELL, LEFT = 60, 24
SIDE = 8 * CELL
WIDTH, HEIGHT = LEFT + SIDE + 4, SIDE + 22


def draw_board(position: dict[str, Any], colours: dict[str, Any], touched: Sequence[str]) -> str:
    """The board, WIDTH × HEIGHT; *touched* are the cells of the last action."""
    heights = position["height"]
    cells, numbers, walls = [], [], []
    for cell, height in enumerate(heights):
        x, y = _corner(cell)
        shade = shade_of(height, colours)
        cells.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{shade}"'
            f"{clickable(cell=CELL_NAMES[cell], height=height)}/>"
        )
        if height:
            numbers.append(text(x + 6, y + 18, str(height), ink_on(shade), 15, weight=700))
            walls.append(_walls(heights, cell, x, y))
    # Straight lines need no anti-aliasing, and render much faster without.
    grid = "".join(f"M{LEFT + i * CELL},0v{SIDE}M{LEFT},{i * CELL}h{SIDE}" for i in range(9))
    parts = [
        f'<g shape-rendering="crispEdges">{"".join(cells)}<path d="{grid}" stroke="{colours["line"]}" fill="none"/>',
        f'<path d="{"".join(walls)}" stroke="{colours["edge"]}" stroke-width="3" stroke-linecap="square" fill="none"/>',
        *(_frame(cell, colours) for cell in dict.fromkeys(touched) if cell in CELL_INDEX),
        "</g>",
        *numbers,
    ]
    for i in range(8):
        middle = i * CELL + CELL / 2
        parts.append(text(LEFT + middle, SIDE + 17, "abcdefgh"[i], colours["dim"], 13, "middle"))
        parts.append(text(10, middle + 5, "87654321"[i], colours["dim"], 13, "middle"))
    taken = (position["pending"] or {}).get("taken")
    if taken is not None:
        parts.append(_frame(taken, colours, 'stroke-dasharray="6 4"'))
    for seat, knights in enumerate(position["knights"]):
        for name in knights:
            x, y = _corner(CELL_INDEX[name])
            parts.append(seat_disc(x + 34, y + 34, 16, seat))
    if position["king"] is not None:
        x, y = _corner(CELL_INDEX[position["king"]])
        parts.append(crown(x + 34, y + 34))
    return "".join(parts)


def _corner(cell: int) -> tuple[int, int]:
    return LEFT + cell % 8 * CELL, (7 - cell // 8) * CELL


def shade_of(height: int, colours: dict[str, Any]) -> str:
    """The shade of a cell by its height."""
    if not height:
        return str(colours["ground"])
    return str(colours["levels"][min(height, len(colours["levels"])) - 1])


def _frame(name: str, colours: dict[str, Any], look: str = "") -> str:
    x, y = _corner(CELL_INDEX[name])
    return (
        f'<rect x="{x + 4}" y="{y + 4}" width="{CELL - 8}" height="{CELL - 8}" fill="none" '
        f'stroke="{colours["mark"]}" stroke-width="3" {look}/>'
    )


def _walls(heights: list[int], cell: int, x: int, y: int) -> str:
    """Walls of a cell: sides where a block meets the ground or the border."""
    column, row = cell % 8, cell // 8
    sides = ""
    if row == 7 or not heights[cell + 8]:
        sides += f"M{x},{y}h{CELL}"
    if row == 0 or not heights[cell - 8]:
        sides += f"M{x},{y + CELL}h{CELL}"
    if column == 0 or not heights[cell - 1]:
        sides += f"M{x},{y}v{CELL}"
    if column == 7 or not heights[cell + 1]:
        sides += f"M{x + CELL},{y}v{CELL}"
    return sides


def crown(x: float, y: float, size: float = 17) -> str:
    """The king, centred on a point."""
    half, low, high = size, 0.82 * size, 0.53 * size
    return (
        f'<path d="M{x - half:g},{y + low:g}V{y - high:g}L{x - half / 2:g},{y:g}L{x:g},{y - 0.95 * size:g}'
        f'L{x + half / 2:g},{y:g}L{x + half:g},{y - high:g}V{y + low:g}Z" '
        f'fill="{GOLD}" stroke="{GOLD_EDGE}" stroke-width="2.5" stroke-linejoin="round"/>'
    )
