"""The table beside the markets: the collector's pile and rates, the bag, the decks, and cards being looked at."""

from __future__ import annotations

from typing import Any

from market_env.components import Components
from market_env.drawing.parts import draw_amounts, draw_counts
from market_env.drawing.text import deck_lines
from tower_core.drawing import clickable, panel, shortened, text

_LINE, _RATE_WIDTH = 22, 124


def draw_table(
    position: dict[str, Any], components: Components, width: float, colours: dict[str, Any]
) -> tuple[str, float]:
    """The table, *width* pixels wide, and its height."""
    parts = []
    for i, name in enumerate(("pile", "bag")):
        parts.append(text(14, 24 + _LINE * i, name, colours["dim"], 13))
        parts.append(draw_counts(62, 19 + _LINE * i, position[name], colours))
    y = 24.0 + 2 * _LINE
    per_row = int((width - 48) // _RATE_WIDTH)
    parts.append(text(14, y, "trade", colours["dim"], 13))
    for i, rate in enumerate(components.rates):
        x, row = 62 + i % per_row * _RATE_WIDTH, y + _LINE * (i // per_row)
        parts.append(
            f'<rect x="{x - 4:g}" y="{row - 15:g}" width="{_RATE_WIDTH - 6}" height="20" fill="{colours["chip"]}" rx="3"'
            f"{clickable(trade=i + 1)}/>"
        )
        parts.append(text(x + 2, row, str(i + 1), colours["dim"], 12))
        parts.append(draw_amounts(x + 38, row - 5, rate.give, colours))
        parts.append(text(x + 66, row, "→", colours["ink"], 13, "middle"))
        parts.append(draw_amounts(x + 92, row - 5, rate.get, colours))
    y += _LINE * (-(-len(components.rates) // per_row))
    # Reserve room for the lists to choose from, so that all frames of a game have the same size.
    bottom = y + _LINE * (2 + max(components.rule("lists_after_building"), 1)) - 8
    for line, choice in deck_lines(position, components):
        if choice:
            parts.append(
                f'<rect x="10" y="{y - 15:g}" width="{width - 20:g}" height="20" fill="{colours["chip"]}" rx="3"'
                f"{clickable(list=choice)}/>"
            )
        parts.append(text(14, y, shortened(line, width - 28, 13), colours["ink" if choice else "dim"], 13))
        y += _LINE
    return panel(width, bottom, colours) + "".join(parts), bottom
