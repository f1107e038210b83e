"""Shared parts of the drawings: tokens, prices, materials, figures, towers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from market_env.components import TOKENS
from tower_core.drawing import GOLD, GOLD_EDGE, LETTERS, NOBODY, SEAT_INKS, SEATS, clickable, disc, text

_TOKENS = {"green": "#2E9E5B", "blue": "#2F6FD0", "red": "#D0343F", "pass": "#8A6FB0"}
_MATERIALS = ("#B9814B", "#C8624B", "#A5A59E", "#6F7F96", "#8FC7D9", "#D8B777", "#E0C95A", "#E3D3A8")


def shade_of(material: int) -> str:
    """The colour of a material, by its index."""
    return _MATERIALS[material]


def draw_token(x: float, y: float, kind: str, size: float = 5) -> str:
    """A token centred on a point. Each kind has its own shape, so that colours are not needed."""
    fill = f'fill="{_TOKENS[kind]}"'
    if kind == "green":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" {fill}/>'
    if kind == "blue":
        s = 1.2 * size
        return f'<path d="M{x:g},{y - s:g}l{s:g},{s:g}l{-s:g},{s:g}l{-s:g},{-s:g}z" {fill}/>'
    if kind == "red":
        s = 1.15 * size
        return f'<path d="M{x:g},{y - s:g}l{s:g},{1.9 * s:g}h{-2 * s:g}z" {fill}/>'
    return (
        f'<rect x="{x - 1.3 * size:g}" y="{y - 0.8 * size:g}" width="{2.6 * size:g}" height="{1.6 * size:g}" {fill}/>'
    )


def draw_amounts(x: float, y: float, amounts: Sequence[int], colours: dict[str, Any]) -> str:
    """A price centred on a point, token by token; more than five tokens as numbers."""
    if not any(amounts):
        return text(x, y + 4, "free", colours["ink"], 12, "middle")
    kinds = [(kind, number) for kind, number in zip(TOKENS, amounts, strict=False) if number]
    if sum(amounts) <= 5:
        tokens = [kind for kind, number in kinds for _ in range(number)]
        left = x - 6.5 * (len(tokens) - 1)
        return "".join(draw_token(left + 13 * i, y, kind) for i, kind in enumerate(tokens))
    step = 24
    left = x - step / 2 * (len(kinds) - 1)
    return "".join(
        text(left + step * i - 2, y + 4, str(number), colours["ink"], 12, "end", 600)
        + draw_token(left + step * i + 5, y, kind, 4)
        for i, (kind, number) in enumerate(kinds)
    )


def draw_counts(x: float, y: float, amounts: dict[str, int], colours: dict[str, Any]) -> str:
    """All kinds of tokens with their counts, to the right of a point."""
    parts = []
    for i, kind in enumerate(TOKENS):
        strong = amounts[kind] > 0
        parts.append(draw_token(x + 52 * i + 6, y, kind, 6))
        parts.append(text(x + 52 * i + 18, y + 5, str(amounts[kind]), colours["ink" if strong else "dim"], 14))
    return "".join(parts)


def seat_look(seat: int | None, players: int) -> tuple[str, str, str]:
    """Colour, ink and letter of a seat; the NPC is grey, the guard (None) gold."""
    if seat is None:
        return GOLD, GOLD_EDGE, "★"
    return (SEATS[seat], SEAT_INKS[seat], LETTERS[seat]) if seat < players else (NOBODY, "#ffffff", "N")


def draw_figure(x: float, y: float, kind: str, seat: int | None, players: int, colours: dict[str, Any]) -> str:
    """A figure on a market, labelled with its kind."""
    look = seat_look(seat, players)
    attributes = clickable(figure=kind, seat="" if seat is None else seat)
    return disc(x, y, 8, *look, attributes) + text(x + 14, y + 5, kind, colours["ink"], 12)


def draw_tower(x: float, y: float, colour: str | None, colours: dict[str, Any]) -> str:
    """A tower standing on a point: filled with the seat's colour, or an outline if None."""
    outline = f"M{x - 6:g},{y:g}v-12h-2v-6h4v3h2.5v-3h3v3h2.5v-3h4v6h-2v12z"
    if colour is None:
        return f'<path d="{outline}" fill="none" stroke="{colours["line"]}"/>'
    return f'<path d="{outline}" fill="{colour}" stroke="{colours["ink"]}"/>'
