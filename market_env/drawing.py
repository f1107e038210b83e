"""The picture of a position as SVG, from ``MarketState.position()`` alone: frame, markets, table, seats."""

from __future__ import annotations

from typing import Any

from market_env.drawing_board import WIDTH, draw_board
from market_env.drawing_seats import SEATS_WIDTH, draw_seats
from market_env.drawing_table import draw_table
from market_env.drawing_text import headline
from market_env.rules import resolve
from tower_core.drawing import PAPER, chosen, header, last_line, moved, svg

_THEMES: dict[str, dict[str, Any]] = {name: dict(colours) for name, colours in PAPER.items()}
_VIEWS = {"flat": draw_board}
_MARGIN, _GAP = 14, 14


def draw_svg(
    position: dict[str, Any],
    theme: str = "light",
    *,
    view: str = "flat",
    narrow: bool = False,
    last: tuple[int, str] | None = None,
) -> str:
    """An SVG of a position as ``position()`` or ``position(seat)`` tells it: markets, seats, and what lies beside them.

    *theme* is ``light`` or ``dark``, the *view* ``flat``. *narrow* puts the seats below the markets, for a width of 400
    pixels. *last* is the seat and the action that led here, which is named; a circle or market in it is framed.
    Markets have ``data-market`` (``"2"``), circles ``data-circle`` (``"2d"``), figures ``data-figure`` (``"worker"``)
    and ``data-seat``, rates ``data-trade``, lists to choose from ``data-list``, hand cards ``data-card`` and
    ``data-seat``. ValueError tells which themes and views there are.
    """
    colours = chosen("theme", theme, _THEMES)
    board = chosen("view", view, _VIEWS)
    components = resolve(position["rules"]).components
    touched = last[1].split()[1:] if last and last[1].startswith(("BUY", "RETURN", "MARKET")) else []
    markets, markets_height = board(position, components, colours, touched)
    seats, seats_height = draw_seats(position, components, WIDTH if narrow else SEATS_WIDTH, colours)
    table, table_height = draw_table(position, components, WIDTH if narrow else SEATS_WIDTH, colours)
    inner = WIDTH if narrow else WIDTH + _GAP + SEATS_WIDTH
    title = headline(position, components)
    head, top = header(inner, title, [], [last_line(last)], colours, narrow)
    aside = [seats, moved(0, seats_height + _GAP, [table])]
    aside_height = seats_height + _GAP + table_height
    beside = (0, top + markets_height + _GAP) if narrow else (WIDTH + _GAP, top)
    height = beside[1] + aside_height if narrow else top + max(markets_height, aside_height)
    everything = moved(_MARGIN, _MARGIN, [head, moved(0, top, [markets]), moved(*beside, aside)])
    return svg(inner + 2 * _MARGIN, height + 2 * _MARGIN, f"Market: {title}", colours, [everything])
