"""The SVG picture of a position, from ``TorresState.position()``: frame, board, seats."""

from __future__ import annotations

from typing import Any

from torres_env.drawing.board import HEIGHT, WIDTH, draw_board
from torres_env.drawing.isometric import draw_isometric
from torres_env.drawing.seats import SEATS_WIDTH, draw_seats
from torres_env.drawing.text import brief, headline, table_line, text, turn_line
from tower_core.drawing import PAPER, Part, chosen, last_line, sheet

__all__ = ["brief", "draw", "text"]

# Shades by height: 1, 2, … and the last for all above; higher cells contrast more with the ground.
_THEMES: dict[str, dict[str, Any]] = {
    "light": PAPER["light"] | {
        "edge": "#4d371e", "side": "#2b1c0d",
        "levels": ("#ead9b0", "#d8b97c", "#c19655", "#a4753a", "#835628", "#633d1b", "#472a11", "#2e1a09"),
    },
    "dark": PAPER["dark"] | {
        "edge": "#0b0c0e", "side": "#000000",
        "levels": ("#554b37", "#716040", "#8e7649", "#a98c53", "#c4a664", "#dbc07f", "#ecd9a4", "#f9efcf"),
    },
}  # fmt: skip
_VIEWS = {"flat": draw_board, "isometric": draw_isometric}
_GAP = 18


def draw(
    position: dict[str, Any],
    theme: str = "light",
    view: str = "flat",
    narrow: bool = False,
    last: tuple[int, str] | None = None,
) -> str:
    """An SVG of a position from ``position()`` or ``position(seat)``: the board, and one panel per seat beside it.

    *theme* is ``light`` or ``dark``. *view* is ``flat`` (from above: shade and number show heights) or ``isometric`` (castles
    as stacks of blocks). *narrow* puts the panels below the board, for a width of 400 pixels. *last* is the seat and text of
    the last action, which is captioned and framed. Cells have ``data-cell`` (``"d3"``), hand cards ``data-card`` and
    ``data-seat``. ValueError lists the valid themes and views.
    """
    colours = chosen("theme", theme, _THEMES)
    board = chosen("view", view, _VIEWS)
    seats_width = WIDTH if narrow else SEATS_WIDTH
    seats, seats_height = draw_seats(position, seats_width, colours)
    touched = last[1].split()[1:] if last else []
    return sheet(
        "Torres",
        headline(position),
        [turn_line(position)],
        [table_line(position), last_line(last)],
        Part(board(position, colours, touched), WIDTH, HEIGHT),
        Part(seats, seats_width, seats_height),
        colours,
        narrow,
        _GAP,
    )
