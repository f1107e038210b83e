"""Drawings of a position: a board for terminals and an SVG, from ``TorresState.position()`` alone."""

from __future__ import annotations

from html import escape
from typing import Any

from torres_env.rules import CELL_INDEX

_PIECES = "ABCD"
# Okabe-Ito: four colours that stay apart for colour-blind eyes.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
_THEMES = {
    "light": {"page": "#ffffff", "ink": "#222222", "dim": "#777777", "ground": "#f1ede4", "line": "#cfc8b8", "block": (214, 196, 160, 92, 62, 36)},
    "dark": {"page": "#16181d", "ink": "#e8e6e1", "dim": "#9a978f", "ground": "#23262d", "line": "#3a3e47", "block": (84, 74, 60, 226, 196, 140)},
}  # fmt: skip


def draw_text(position: dict[str, Any]) -> str:
    """A board for a terminal: per cell its height (``.`` is ground), and knights A–D or the king ``*`` after it."""
    pieces = _pieces(position)
    lines = [_headline(position), ""]
    for row in range(7, -1, -1):
        cells = []
        for column in range(8):
            cell = 8 * row + column
            height = position["height"][cell]
            cells.append(f"{height if height else '.':>2}{pieces.get(cell, ' ')}")
        lines.append(f" {row + 1} {' '.join(cells)}")
    lines.append("    " + "   ".join("abcdefgh"))
    lines.append("")
    for seat, score in enumerate(position["scores"]):
        lines.append(_seat_line(position, seat, score))
    return "\n".join(lines)


def _headline(position: dict[str, Any]) -> str:
    if position["to_move"] is None:
        return "Game over"
    mover = f"player_{position['to_move']} ({_PIECES[position['to_move']]}) to move"
    pending = position["pending"]
    waits = f", waiting for {pending['kind']}" if pending else ""
    if position["phase"] == 0:
        return f"Setup: {mover}{waits}"
    head = f"Phase {position['phase']}, round {position['round']}: {mover}, {position['ap']} AP, {position['turn_stack']} blocks"
    return head + waits


def _seat_line(position: dict[str, Any], seat: int, score: int) -> str:
    marker = ">" if seat == position["to_move"] else " "
    stacks = " ".join(map(str, position["stacks"][seat])) if position["stacks"] else ""
    hand = " ".join(position["hands"][seat]) or "-"
    return (
        f"{marker} {_PIECES[seat]} player_{seat}: {score:>3} points, knights {len(position['knights'][seat])}, "
        f"stacks [{stacks}], hand: {hand}, deck {len(position['decks'][seat])}"
    )


def _pieces(position: dict[str, Any]) -> dict[int, str]:
    pieces = {CELL_INDEX[cell]: _PIECES[seat] for seat, cells in enumerate(position["knights"]) for cell in cells}
    if position["king"] is not None:
        pieces[CELL_INDEX[position["king"]]] = "*"
    return pieces


def draw_svg(position: dict[str, Any], theme: str = "light") -> str:
    """An SVG of the board: shade and number tell heights, discs are knights, the crown is the king."""
    if theme not in _THEMES:
        raise ValueError(f"unknown theme {theme!r}: choose one of {', '.join(_THEMES)}")
    colours: dict[str, Any] = _THEMES[theme]
    size, left, top = 56, 34, 44
    width, height = left + 8 * size + 300, top + 8 * size + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="{colours["page"]}"/>',
        _text(left, 26, _headline(position), colours["ink"], 16, weight=600),
    ]
    for cell in range(64):
        x, y = left + cell % 8 * size, top + (7 - cell // 8) * size
        parts.append(_draw_cell(x, y, size, position["height"][cell], colours))
    for i in range(8):
        parts.append(_text(left + i * size + size / 2, top + 8 * size + 20, "abcdefgh"[i], colours["dim"], 13, "middle"))
        parts.append(_text(left - 14, top + (7 - i) * size + size / 2 + 5, str(i + 1), colours["dim"], 13, "middle"))
    for seat, cells in enumerate(position["knights"]):
        for name in cells:
            x, y = _centre(name, size, left, top)
            parts.append(f'<circle cx="{x}" cy="{y}" r="15" fill="{_COLOURS[seat]}" stroke="#fff" stroke-width="2"/>')
            parts.append(_text(x, y + 5, _PIECES[seat], "#ffffff", 14, "middle", 700))
    if position["king"] is not None:
        x, y = _centre(position["king"], size, left, top)
        parts.append(
            f'<path d="M{x - 14},{y + 10} L{x - 14},{y - 8} L{x - 6},{y} L{x},{y - 13} L{x + 6},{y} L{x + 14},{y - 8} '
            f'L{x + 14},{y + 10} Z" fill="#F0C419" stroke="#5a4500" stroke-width="1.5"/>'
        )
    parts.append(_draw_seats(position, left + 8 * size + 20, top, colours))
    parts.append("</svg>")
    return "".join(parts)


def _centre(name: str, size: int, left: int, top: int) -> tuple[float, float]:
    cell = CELL_INDEX[name]
    return left + cell % 8 * size + size / 2, top + (7 - cell // 8) * size + size / 2


def _draw_cell(x: float, y: float, size: int, height: int, colours: dict[str, Any]) -> str:
    if not height:
        return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{colours["ground"]}" stroke="{colours["line"]}"/>'
    r0, g0, b0, r1, g1, b1 = colours["block"]
    part = min(height - 1, 7) / 7
    shade = f"rgb({r0 + (r1 - r0) * part:.0f},{g0 + (g1 - g0) * part:.0f},{b0 + (b1 - b0) * part:.0f})"
    luminance = (0.299 * (r0 + (r1 - r0) * part) + 0.587 * (g0 + (g1 - g0) * part) + 0.114 * (b0 + (b1 - b0) * part)) / 255
    ink = "#222222" if luminance > 0.55 else "#f5f2ea"
    box = f'<rect x="{x + 1}" y="{y + 1}" width="{size - 2}" height="{size - 2}" rx="4" fill="{shade}"/>'
    return box + _text(x + 6, y + 16, str(height), ink, 13, weight=600)


def _draw_seats(position: dict[str, Any], x: float, y: float, colours: dict[str, Any]) -> str:
    parts = []
    for seat, score in enumerate(position["scores"]):
        top = y + seat * 106
        parts.append(f'<circle cx="{x + 10}" cy="{top + 8}" r="9" fill="{_COLOURS[seat]}"/>')
        turn = " ◂" if seat == position["to_move"] else ""
        parts.append(_text(x + 26, top + 13, f"{_PIECES[seat]}  player_{seat}  {score} points{turn}", colours["ink"], 15, weight=600))
        stacks = " ".join(map(str, position["stacks"][seat])) if position["stacks"] else ""
        parts.append(_text(x + 26, top + 34, f"stacks {stacks or '–'}   knights {len(position['knights'][seat])}", colours["dim"], 13))
        hand = position["hands"][seat]
        for i in range(0, max(len(hand), 1), 4):
            line = ", ".join(hand[i : i + 4]) or "–"
            head = "hand " if i == 0 else ""
            parts.append(_text(x + 26, top + 53 + 17 * (i // 4), head + line, colours["dim"], 13))
    if position["master_card"]:
        parts.append(_text(x, y + len(position["scores"]) * 106 + 6, f"master card: {position['master_card']}", colours["ink"], 14))
    return "".join(parts)


def _text(x: float, y: float, text: str, colour: str, size: int, anchor: str = "start", weight: int = 400) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )
