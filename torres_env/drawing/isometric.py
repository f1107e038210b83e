"""The board from a corner above: castles as stacks of blocks, with knights standing on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torres_env.drawing.board import HEIGHT, WIDTH, crown, shade_of
from torres_env.rules import CELL_INDEX, CELL_NAMES
from tower_core.drawing import SEAT_INKS, SEATS, clickable, ink_on, mixed, text

_HALF_WIDTH, _HALF_HEIGHT = 31, 23
_MIDDLE = WIDTH / 2
_FLOOR = HEIGHT - 26 - 16 * _HALF_HEIGHT  # y of the ground's far corner
_RISE = 18  # pixels per block; less if a castle would not fit


def draw_isometric(position: dict[str, Any], colours: dict[str, Any], touched: Sequence[str]) -> str:
    """The board, WIDTH × HEIGHT like the flat one; *touched* are the cells of the last action."""
    heights = position["height"]
    # The far corner has the least room above it, so a castle there sets the scale.
    rise = min([_RISE, *((_FLOOR + _depth(cell) * _HALF_HEIGHT - 24) / max(h, 1) for cell, h in enumerate(heights))])
    standing = _standing(position)
    marked = {CELL_INDEX[name] for name in touched if name in CELL_INDEX}
    taken = (position["pending"] or {}).get("taken")
    if taken is not None:
        marked.add(CELL_INDEX[taken])
    parts = []
    for cell in sorted(range(64), key=_depth):  # back to front
        x, y = _far_corner(cell)
        top = y - rise * heights[cell]
        parts.append(_prism(cell, heights[cell], x, top, rise, colours))
        piece = standing.get(cell)
        if piece is not None and cell not in marked:
            parts.append(_piece(piece, x, top + _HALF_HEIGHT))
    # Frames of the last action show through the blocks before them: draw all frames first, then the pieces.
    tops = {cell: (x, y - rise * heights[cell]) for cell in sorted(marked) for x, y in [_far_corner(cell)]}
    parts += [_top(*top, f'fill="none" stroke="{colours["mark"]}" stroke-width="3"') for top in tops.values()]
    parts += [_piece(standing[cell], x, y + _HALF_HEIGHT) for cell, (x, y) in tops.items() if cell in standing]
    for i in range(8):
        # Columns along the near left edge, rows along the near right one.
        x, y = _far_corner(i)
        parts.append(text(x - 24, y + 2 * _HALF_HEIGHT + 8, "abcdefgh"[i], colours["dim"], 13, "middle"))
        x, y = _far_corner(8 * i + 7)
        parts.append(text(x + 24, y + 2 * _HALF_HEIGHT + 8, "12345678"[i], colours["dim"], 13, "middle"))
    return "".join(parts)


def _depth(cell: int) -> int:
    """Depth order of a cell: 0 is the far corner a8, 14 the near corner h1."""
    return cell % 8 + 7 - cell // 8


def _far_corner(cell: int) -> tuple[float, float]:
    """The far corner of a cell's ground."""
    column, back = cell % 8, 7 - cell // 8
    return _MIDDLE + (column - back) * _HALF_WIDTH, _FLOOR + (column + back) * _HALF_HEIGHT


def _prism(cell: int, height: int, x: float, top: float, rise: float, colours: dict[str, Any]) -> str:
    """The blocks of a cell: a lit top, two sides, lines between blocks, the number on top."""
    w, h = _HALF_WIDTH, _HALF_HEIGHT
    shade = shade_of(height, colours)
    parts = []
    if height:
        down = rise * height
        left, right = mixed(shade, colours["side"], 0.3), mixed(shade, colours["side"], 0.5)
        edge = f'stroke="{colours["edge"]}" stroke-width="0.8" stroke-linejoin="round"'
        parts.append(f'<path d="M{x - w:g},{top + h:g}l{w},{h}v{down:g}l{-w},{-h}z" fill="{left}" {edge}/>')
        parts.append(f'<path d="M{x + w:g},{top + h:g}l{-w},{h}v{down:g}l{w},{-h}z" fill="{right}" {edge}/>')
        if height > 1:
            lines = "".join(f"M{x - w:g},{top + h + rise * i:g}l{w},{h}l{w},{-h}" for i in range(1, height))
            parts.append(f'<path d="{lines}" fill="none" {edge}/>')
    line = colours["edge" if height else "line"]
    parts.append(_top(x, top, f'fill="{shade}" stroke="{line}"{clickable(cell=CELL_NAMES[cell], height=height)}'))
    if height:
        parts.append(text(x - w + 14, top + h + 5, str(height), ink_on(shade), 13, "middle", 700))
    return "".join(parts)


def _top(x: float, y: float, look: str) -> str:
    w, h = _HALF_WIDTH, _HALF_HEIGHT
    return f'<path d="M{x:g},{y:g}l{w},{h}l{-w},{h}l{-w},{-h}z" stroke-linejoin="round" {look}/>'


def _standing(position: dict[str, Any]) -> dict[int, int]:
    """The seat whose knight stands on each cell; -1 is the king."""
    found = {CELL_INDEX[cell]: seat for seat, cells in enumerate(position["knights"]) for cell in cells}
    if position["king"] is not None:
        found[CELL_INDEX[position["king"]]] = -1
    return found


def _piece(seat: int, x: float, y: float) -> str:
    """A figure standing on a point: a cone with a lettered head, or the crown."""
    x += 5  # beside the number
    if seat < 0:
        return crown(x, y - 8, 14)
    colour = SEATS[seat]
    return (
        f'<path d="M{x - 10:g},{y + 3:g}q10,7 20,0l-6,-17h-8z" fill="{mixed(colour, "#000000", 0.25)}" stroke="#ffffff"/>'
        f'<circle cx="{x:g}" cy="{y - 19:g}" r="9.5" fill="{colour}" stroke="#ffffff" stroke-width="1.5"/>'
        + text(x, y - 15, "ABCD"[seat], SEAT_INKS[seat], 12, "middle", 700)
    )
