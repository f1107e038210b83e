"""The markets: circles with material and price, and the figures on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from market_env.actions import CIRCLE_LETTERS
from market_env.components import CIRCLES, Components
from market_env.drawing.parts import draw_amounts, draw_figure, shade_of
from market_env.drawing.text import figures_on
from tower_core.drawing import clickable, ink_on, moved, panel, shortened, text

_STEP, _ROW, _GAP, _TOP = 68, 92, 8, 16
_FIGURES = 8 + CIRCLES * _STEP
WIDTH = _FIGURES + 122


def draw_board(
    position: dict[str, Any], components: Components, colours: dict[str, Any], touched: Sequence[str]
) -> tuple[str, float]:
    """All markets, WIDTH pixels wide, and their height; *touched* are circles and markets of the last action."""
    letters = [
        text(8 + _STEP * k + _STEP / 2, 10, CIRCLE_LETTERS[k], colours["dim"], 13, "middle") for k in range(CIRCLES)
    ]
    rows = [
        moved(0, _TOP + (_ROW + _GAP) * market, _draw_market(position, components, market, colours, touched))
        for market in range(len(position["circles"]))
    ]
    return "".join([*letters, *rows]), _TOP + (_ROW + _GAP) * len(rows) - _GAP


def _draw_market(
    position: dict[str, Any], components: Components, market: int, colours: dict[str, Any], touched: Sequence[str]
) -> list[str]:
    number = str(market + 1)
    printed = components.markets[market]
    frame = colours["mark"] if number in touched else None
    parts = [
        panel(WIDTH, _ROW, colours, frame, clickable(market=number)),
        text(_FIGURES + 6, 19, number, colours["ink"], 15, weight=700),
        text(_FIGURES + 20, 19, shortened(printed.name, 98, 13), colours["dim"], 13),
    ]
    for k, material in enumerate(position["circles"][market]):
        x, circle = 8 + _STEP * k + _STEP / 2, number + CIRCLE_LETTERS[k]
        fill, line = colours["page"], f'stroke="{colours["line"]}" stroke-dasharray="4 3"'
        if material is not None:
            fill = shade_of(components.materials.index(material))
            line = 'stroke="none"'
        if circle in touched:
            line = f'stroke="{colours["mark"]}" stroke-width="3"'
        parts.append(f'<circle cx="{x:g}" cy="36" r="27" fill="{fill}" {line}{clickable(circle=circle)}/>')
        if material is not None:
            parts.append(text(x, 40, shortened(material, 54, 12), ink_on(fill), 12, "middle", 600))
        parts.append(draw_amounts(x, 78, printed.circles[k].price, colours))
    figures = figures_on(position, market + 1)
    step = min(21.0, 44 / max(len(figures) - 1, 1))  # stacked, all within the panel
    for i, (kind, seat) in enumerate(figures):
        parts.append(draw_figure(_FIGURES + 14, 37 + step * i, kind, seat, position["num_players"], colours))
    return parts
