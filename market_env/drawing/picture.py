"""The SVG picture of a position, from ``MarketState.position()``: frame, markets, table, seats."""

from __future__ import annotations

from typing import Any

from market_env.drawing.board import WIDTH, draw_board
from market_env.drawing.seats import SEATS_WIDTH, draw_seats
from market_env.drawing.table import draw_table
from market_env.drawing.text import brief, headline, text
from market_env.rules import resolve
from tower_core.drawing import PAPER, Part, chosen, last_line, moved, sheet

__all__ = ["brief", "draw", "text"]

_THEMES: dict[str, dict[str, Any]] = {name: dict(colours) for name, colours in PAPER.items()}
_VIEWS = {"flat": draw_board}
_GAP = 14


def draw(
    position: dict[str, Any],
    theme: str = "light",
    view: str = "flat",
    narrow: bool = False,
    last: tuple[int, str] | None = None,
) -> str:
    """An SVG of a position from ``position()`` or ``position(seat)``: markets, seats, and the table beside them.

    *theme* is ``light`` or ``dark``, *view* ``flat``. *narrow* puts the seats below the markets, for a width of 400 pixels.
    *last* is the seat and text of the last action, which is captioned; its circle or market is framed. Markets have
    ``data-market`` (``"2"``), circles ``data-circle`` (``"2d"``), figures ``data-figure`` (``"worker"``) and ``data-seat``,
    rates ``data-trade``, lists to choose from ``data-list``, hand cards ``data-card`` and ``data-seat``. ValueError lists the
    valid themes and views.
    """
    colours = chosen("theme", theme, _THEMES)
    board = chosen("view", view, _VIEWS)
    components = resolve(position["rules"]).components
    touched = last[1].split()[1:] if last and last[1].startswith(("BUY", "RETURN", "MARKET")) else []
    markets, markets_height = board(position, components, colours, touched)
    aside_width = WIDTH if narrow else SEATS_WIDTH
    seats, seats_height = draw_seats(position, components, aside_width, colours)
    table, table_height = draw_table(position, components, aside_width, colours)
    aside = seats + moved(0, seats_height + _GAP, [table])
    return sheet(
        "Market",
        headline(position, components),
        [],
        [last_line(last)],
        Part(markets, WIDTH, markets_height),
        Part(aside, aside_width, seats_height + _GAP + table_height),
        colours,
        narrow,
        _GAP,
    )
