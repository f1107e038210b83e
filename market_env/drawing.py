"""Drawings of a position: a board for terminals and an SVG, from ``MarketState.position()`` alone."""

from __future__ import annotations

from html import escape
from typing import Any

from market_env.components import CIRCLES, GEMS, TOKENS, Components
from market_env.position import HIDDEN
from market_env.rules import resolve

_LETTERS = "abcdef"
# Okabe-Ito colours, which stay apart for colour-blind eyes, for seats; the NPC is grey.
_SEATS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
_NPC = "#777777"
_GEMS = {"green": "#2E9E5B", "blue": "#2F6FD0", "red": "#CC3344", "pass": "#8A6FB0"}
_MATERIALS = ("#A9743A", "#C05B45", "#9A9A94", "#8794A8", "#8FC7D9", "#C9A66B", "#E0C95A", "#E3D3A8")
_THEMES = {
    "light": {
        "page": "#ffffff",
        "ink": "#222222",
        "dim": "#6b6b6b",
        "card": "#f5f1e8",
        "line": "#cfc8b8",
        "hole": "#ffffff",
    },
    "dark": {
        "page": "#16181d",
        "ink": "#e8e6e1",
        "dim": "#9a978f",
        "card": "#23262d",
        "line": "#3a3e47",
        "hole": "#16181d",
    },
}


# ---------------------------------------------------------------------------------------------- words
def _headline(position: dict[str, Any]) -> str:
    if position["to_move"] is None:
        return "Game over"
    pending = position["pending"]
    waits = ""
    if pending:
        left = f" ({pending['left']} to go)" if pending.get("left", 1) > 1 else ""
        waits = f", {pending['kind'].upper()} for {pending['for']}{left}"
    return f"Round {position['turn']}: player_{position['to_move']} to move{waits}"


def _seat_name(position: dict[str, Any], seat: int) -> str:
    return f"player_{seat}" if seat < position["num_players"] else "npc"


def _price(amounts: tuple[int, ...]) -> str:
    return " ".join(f"{number}{gem[0]}" for gem, number in zip(GEMS, amounts, strict=True) if number) or "free"


def _tokens(amounts: dict[str, int]) -> str:
    return " ".join(f"{amounts[kind]} {kind}" for kind in TOKENS)


def _pieces(amounts: dict[str, int]) -> str:
    return ", ".join(f"{number} {material}" for material, number in amounts.items() if number) or "-"


def _list_text(number: Any, components: Components) -> str:
    if number is None or number == HIDDEN:
        return "-" if number is None else HIDDEN
    return _pieces(dict(zip(components.materials, components.lists[number], strict=True)))


def _standing(position: dict[str, Any], market: int) -> list[tuple[str, int | None]]:
    """Who and what is on a market (counted from 1): words, and the seat it belongs to."""
    found: list[tuple[str, int | None]] = []
    figures = position["figures"]
    for seat, name in enumerate(_seat_name(position, seat) for seat in range(len(position["workers"]))):
        if position["workers"][seat] == market:
            found.append((name, seat))
        found += [(f"{kind} of {name}", seat) for kind in ("stand-in", "runner") if figures[kind][seat] == market]
        if market in figures["curfew"][seat]:
            found.append((f"curfew of {name}", seat))
    if position["guard"] == market:
        found.append(("royal guard", None))
    return found


def _remarks(position: dict[str, Any], seat: int) -> list[str]:
    remarks = [word for word in ("wanted", "jailed") if position[word][seat]]
    hired = position["apprentices"]
    return remarks + [f"with the {name}" for name, holder in hired["with"].items() if holder == seat]


def _table_lines(position: dict[str, Any], components: Components) -> list[str]:
    """Pile, bag, decks and what is looked at."""
    lines = [
        f"pile: {_tokens(position['pile'])}",
        f"bag: {_tokens(position['bag'])}",
        f"lists: {len(position['list_deck'])} in the deck, {len(position['list_discard'])} discarded",
        f"cards: {len(position['card_deck'])} in the deck, discarded: {', '.join(position['card_discard']) or '-'}",
    ]
    pending = position["pending"] or {}
    if "cards" in pending:
        lines.append(f"looked at: {', '.join(pending['cards'])}")
    for i, number in enumerate(pending.get("lists", []), start=1):
        lines.append(f"LIST {i}: {_list_text(number, components)}")
    if "pieces" in pending:
        lines.append(f"to return: {', '.join(pending['pieces'])}")
    return lines


# ---------------------------------------------------------------------------------------------- terminal
def draw_text(position: dict[str, Any]) -> str:
    """A board for a terminal: per market its circles with material and price, then seats and table."""
    components = resolve(position["rules"]).components
    width = max(len(name) for name in components.materials) + 9
    lines = [_headline(position), "", ("    " + "".join(letter.ljust(width) for letter in _LETTERS)).rstrip()]
    for m, row in enumerate(position["circles"]):
        printed = components.markets[m].circles
        cells = [f"{row[k] or '.'} {_price(printed[k].price)}".ljust(width) for k in range(CIRCLES)]
        on = ", ".join(name for name, _ in _standing(position, m + 1))
        lines.append(f" {m + 1}  {''.join(cells)}{f'<- {on}' if on else ''}".rstrip())
    lines.append("")
    for seat in range(len(position["lists"])):
        marker = ">" if seat == position["to_move"] else " "
        remarks = _remarks(position, seat)
        towers = f"{position['towers'][seat]} towers"
        lines.append(f"{marker} {_seat_name(position, seat)}: {', '.join([towers, *remarks])}")
        if seat < position["num_players"]:
            hand = ", ".join(position["hands"][seat]) or "-"
            lines.append(f"    tokens {_tokens(position['tokens'][seat])}; hand: {hand}")
        lines.append(
            f"    has {_pieces(position['materials'][seat])}; list: {_list_text(position['lists'][seat], components)}"
        )
    return "\n".join([*lines, "", *_table_lines(position, components)])


# ---------------------------------------------------------------------------------------------- SVG
_SIZE, _ROW, _LEFT, _TOP = 62, 84, 20, 48
_PANEL = _LEFT + CIRCLES * _SIZE + 150


def draw_svg(position: dict[str, Any], theme: str = "light") -> str:
    """An SVG of the table: markets with their circles and figures on the left, seats on the right."""
    if theme not in _THEMES:
        raise ValueError(f"unknown theme {theme!r}: choose one of {', '.join(_THEMES)}")
    colours = _THEMES[theme]
    components = resolve(position["rules"]).components
    table = _table_lines(position, components)
    board = _TOP + _ROW * len(position["circles"])
    seats = _TOP + 104 * len(position["lists"])
    width, height = _PANEL + 390, max(board, seats) + 18 * len(table) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="{colours["page"]}"/>',
        _text(_LEFT, 28, _headline(position), colours["ink"], 16, weight=600),
    ]
    for m in range(len(position["circles"])):
        parts += _draw_market(position, components, m, colours)
    for seat in range(len(position["lists"])):
        parts += _draw_seat(position, components, seat, colours)
    for i, line in enumerate(table):
        parts.append(_text(_LEFT, max(board, seats) + 18 + 18 * i, line, colours["dim"], 13))
    parts.append("</svg>")
    return "".join(parts)


def _draw_market(position: dict[str, Any], components: Components, m: int, colours: dict[str, str]) -> list[str]:
    top = _TOP + _ROW * m
    market = components.markets[m]
    parts = [
        f'<rect x="{_LEFT}" y="{top}" width="{_PANEL - _LEFT - 20}" height="{_ROW - 8}" rx="8" '
        f'fill="{colours["card"]}" stroke="{colours["line"]}"/>',
        _text(_LEFT + CIRCLES * _SIZE + 8, top + 18, f"{m + 1} {market.name}", colours["ink"], 13, weight=600),
    ]
    for k, material in enumerate(position["circles"][m]):
        x, y = _LEFT + _SIZE * k + _SIZE / 2, top + 30
        if material is None:
            parts.append(
                f'<circle cx="{x:g}" cy="{y}" r="20" fill="{colours["hole"]}" stroke="{colours["line"]}" '
                'stroke-dasharray="3 3"/>'
            )
        else:
            fill = _MATERIALS[components.materials.index(material)]
            parts.append(f'<circle cx="{x:g}" cy="{y}" r="20" fill="{fill}"/>')
            parts.append(_text(x, y + 4, material[:6], "#111111", 11, "middle", 600))
        parts.append(_text(x - 26, top + 14, _LETTERS[k], colours["dim"], 11))
        parts += _draw_price(x, top + 62, market.circles[k].price, colours)
    for i, (name, seat) in enumerate(_standing(position, m + 1)):
        y = top + 36 + 14 * i
        parts.append(
            f'<circle cx="{_LEFT + CIRCLES * _SIZE + 14}" cy="{y - 4}" r="5" fill="{_colour(position, seat)}"/>'
        )
        parts.append(_text(_LEFT + CIRCLES * _SIZE + 24, y, name, colours["ink"], 12))
    return parts


def _draw_price(x: float, y: float, price: tuple[int, ...], colours: dict[str, str]) -> list[str]:
    """Gems as coloured dots; more than five of them as numbers."""
    gems = [gem for gem, number in zip(GEMS, price, strict=True) for _ in range(number)]
    if len(gems) > 5:
        return [_text(x, y + 4, _price(price), colours["ink"], 11, "middle")]
    left = x - 5.5 * (len(gems) - 1)
    return [f'<circle cx="{left + 11 * i:g}" cy="{y}" r="4.5" fill="{_GEMS[gem]}"/>' for i, gem in enumerate(gems)]


def _draw_seat(position: dict[str, Any], components: Components, seat: int, colours: dict[str, str]) -> list[str]:
    top = _TOP + 104 * seat
    turn = " ◂" if seat == position["to_move"] else ""
    remarks = "".join(f", {remark}" for remark in _remarks(position, seat))
    towers = "▲" * position["towers"][seat]
    parts = [
        f'<circle cx="{_PANEL + 10}" cy="{top + 10}" r="9" fill="{_colour(position, seat)}"/>',
        _text(
            _PANEL + 26,
            top + 15,
            f"{_seat_name(position, seat)} {towers}{remarks}{turn}",
            colours["ink"],
            15,
            weight=600,
        ),
    ]
    lines = [f"has {_pieces(position['materials'][seat])}", f"list {_list_text(position['lists'][seat], components)}"]
    if seat < position["num_players"]:
        lines.append(f"hand {', '.join(position['hands'][seat]) or '-'}")
        for i, kind in enumerate(TOKENS):
            x = _PANEL + 32 + 48 * i
            parts.append(f'<circle cx="{x}" cy="{top + 30}" r="6" fill="{_GEMS[kind]}"/>')
            parts.append(_text(x + 10, top + 35, str(position["tokens"][seat][kind]), colours["ink"], 13))
    parts += [_text(_PANEL + 26, top + 53 + 17 * i, line, colours["dim"], 13) for i, line in enumerate(lines)]
    return parts


def _colour(position: dict[str, Any], seat: int | None) -> str:
    if seat is None:
        return "#E0B000"
    return _SEATS[seat] if seat < position["num_players"] else _NPC


def _text(x: float, y: float, text: str, colour: str, size: int, anchor: str = "start", weight: int = 400) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )
