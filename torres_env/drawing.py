"""Drawings of a position: a board for terminals and an SVG, from ``TorresState.position()`` alone."""

from __future__ import annotations

from html import escape
from typing import Any

from torres_env.rules import CELL_INDEX

_PIECES = "ABCD"
# Okabe-Ito: four colours that stay apart for colour-blind eyes, each with the ink that reads best on it.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
_INKS = ("#ffffff", "#ffffff", "#ffffff", "#1d1d1d")
_GOLD, _GOLD_EDGE = "#F5C518", "#4A3A00"
# Shades of a cell by its height: 1, 2, … and the last for all above. The higher, the further from the ground.
_THEMES: dict[str, dict[str, Any]] = {
    "light": {
        "page": "#ffffff", "panel": "#faf8f4", "ink": "#1f1f1f", "dim": "#6b665c", "line": "#d9d3c6",
        "ground": "#f3f0e9", "edge": "#4d371e", "chip": "#e7e1d3",
        "levels": ("#ead9b0", "#d8b97c", "#c19655", "#a4753a", "#835628", "#633d1b", "#472a11", "#2e1a09"),
    },
    "dark": {
        "page": "#14161a", "panel": "#1c1f25", "ink": "#eceae5", "dim": "#a19d94", "line": "#3a3f49",
        "ground": "#20242b", "edge": "#0b0c0e", "chip": "#343a45",
        "levels": ("#554b37", "#716040", "#8e7649", "#a98c53", "#c4a664", "#dbc07f", "#ecd9a4", "#f9efcf"),
    },
}  # fmt: skip
_FONTS = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', 'Liberation Sans', sans-serif"
# Geometry of the SVG, in pixels.
_CELL, _LEFT, _TOP = 60, 32, 66
_BOARD = 8 * _CELL
_PANEL_LEFT, _PANEL_WIDTH = _LEFT + _BOARD + 20, 356
_WIDTH, _HEIGHT = _PANEL_LEFT + _PANEL_WIDTH + 14, _TOP + _BOARD + 30
_CHIP_WIDTH, _CHIPS_PER_ROW = 64, 5


# ---------------------------------------------------------------------------------------------- text
def draw_text(position: dict[str, Any]) -> str:
    """A board for a terminal: per cell its height (``.`` is ground), and knights A–D or the king ``*`` after it."""
    pieces = _pieces(position)
    turn = f": {_turn_line(position)}" if position["to_move"] is not None else ""
    lines = [_headline(position) + turn, ""]
    for row in range(7, -1, -1):
        cells = []
        for column in range(8):
            cell = 8 * row + column
            height = position["height"][cell]
            cells.append(f"{height if height else '.':>2}{pieces.get(cell, ' ')}")
        lines.append(f" {row + 1} {' '.join(cells)}".rstrip())
    lines.append("    " + "   ".join("abcdefgh"))
    lines.append("")
    for seat, score in enumerate(position["scores"]):
        lines.append(_seat_line(position, seat, score))
    lines.append("  " + _table_line(position))
    return "\n".join(lines)


def _headline(position: dict[str, Any]) -> str:
    """Where the game is."""
    if position["to_move"] is None:
        keys = [(score, len(hand)) for score, hand in zip(position["scores"], position["hands"], strict=True)]
        first = [f"player_{seat}" for seat, key in enumerate(keys) if key == max(keys)]
        return f"Game over: {' and '.join(first)} {'wins' if len(first) == 1 else 'share the win'}"
    if position["phase"] == 0:
        return "Setup"
    between = position["pending"] and position["pending"]["kind"] == "king"
    return f"After phase {position['phase']}" if between else f"Phase {position['phase']}, round {position['round']}"


def _turn_line(position: dict[str, Any]) -> str:
    """Who is to move, and with what."""
    seat = position["to_move"]
    if seat is None:
        return "final scores"
    parts = [f"player_{seat} ({_PIECES[seat]}) to move"]
    pending = position["pending"]
    if position["phase"] > 0 and not (pending and pending["kind"] == "king"):
        parts += [f"{position['ap']} AP", _blocks(position["turn_stack"])]
    if pending:
        parts.append(_waits(pending))
    return ", ".join(parts)


def _waits(pending: dict[str, Any]) -> str:
    kind = pending["kind"]
    if kind == "king":
        return "places the king"
    if kind == "pick":
        return f"picks one of {' '.join(pending['cards'])}"
    if pending.get("taken") is not None:
        return f"{kind}: block taken from {pending['taken']}"
    return f"{kind}: what follows"


def _table_line(position: dict[str, Any]) -> str:
    master = f", master card: {position['master_card']}" if position["master_card"] else ""
    return f"supply: {_blocks(position['supply'])}{master}"


def _blocks(count: int) -> str:
    return f"{count} block{'' if count == 1 else 's'}"


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


# ---------------------------------------------------------------------------------------------- SVG
def draw_svg(position: dict[str, Any], theme: str = "light") -> str:
    """An SVG of the board: shade and number tell heights, discs are knights, the crown is the king.

    Beside it one panel per seat: points, action points of the seat to move, blocks (framed: the stack of this turn),
    knights in reserve, and cards: filled in hand, outlined once played, and how many are in the deck.
    """
    if theme not in _THEMES:
        raise ValueError(f"unknown theme {theme!r}: choose one of {', '.join(_THEMES)}")
    colours = _THEMES[theme]
    headline = _headline(position)
    right = _PANEL_LEFT + _PANEL_WIDTH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'font-family="{_FONTS}" role="img"><title>Torres: {escape(headline)}</title>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{colours["page"]}"/>',
        _text(_LEFT, 28, headline, colours["ink"], 19, weight=700),
        _text(_LEFT, 50, _turn_line(position), colours["dim"], 14),
        _text(right, 28, _table_line(position), colours["dim"], 14, "end"),
        _draw_board(position, colours),
        _draw_pieces(position),
    ]
    chips = max(_chips_of(position, seat) for seat in range(len(position["scores"])))
    rows = -(-chips // _CHIPS_PER_ROW)
    for seat in range(len(position["scores"])):
        parts.append(_draw_seat(position, seat, _TOP + seat * (70 + 24 * rows), 62 + 24 * rows, colours))
    parts.append("</svg>")
    return "".join(parts)


def _corner(cell: int) -> tuple[int, int]:
    return _LEFT + cell % 8 * _CELL, _TOP + (7 - cell // 8) * _CELL


def _draw_board(position: dict[str, Any], colours: dict[str, Any]) -> str:
    heights = position["height"]
    parts = [f'<rect x="{_LEFT}" y="{_TOP}" width="{_BOARD}" height="{_BOARD}" fill="{colours["ground"]}"/>']
    grid = "".join(f"M{_LEFT + i * _CELL},{_TOP}v{_BOARD}M{_LEFT},{_TOP + i * _CELL}h{_BOARD}" for i in range(9))
    parts.append(f'<path d="{grid}" stroke="{colours["line"]}" fill="none"/>')
    walls = []
    for cell, height in enumerate(heights):
        if not height:
            continue
        x, y = _corner(cell)
        shade = colours["levels"][min(height, len(colours["levels"])) - 1]
        parts.append(f'<rect x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_CELL - 2}" fill="{shade}"/>')
        parts.append(_text(x + 7, y + 19, str(height), _ink_on(shade), 14, weight=700))
        walls.append(_walls(heights, cell, x, y))
    # The walls of castles, where a block meets the ground or the border.
    stroke = f'stroke="{colours["edge"]}" stroke-width="3" stroke-linecap="round"'
    parts.append(f'<path d="{"".join(walls)}" {stroke} fill="none"/>')
    for i in range(8):
        middle = i * _CELL + _CELL / 2
        parts.append(_text(_LEFT + middle, _TOP + _BOARD + 20, "abcdefgh"[i], colours["dim"], 13, "middle"))
        parts.append(_text(_LEFT - 14, _TOP + middle + 5, "87654321"[i], colours["dim"], 13, "middle"))
    taken = (position["pending"] or {}).get("taken")
    if taken is not None:
        x, y = _corner(CELL_INDEX[taken])
        parts.append(
            f'<rect x="{x + 5}" y="{y + 5}" width="{_CELL - 10}" height="{_CELL - 10}" fill="none" '
            f'stroke="{colours["ink"]}" stroke-width="2" stroke-dasharray="6 4"/>'
        )
    return "".join(parts)


def _walls(heights: list[int], cell: int, x: int, y: int) -> str:
    column, row = cell % 8, cell // 8
    sides = ""
    if row == 7 or not heights[cell + 8]:
        sides += f"M{x},{y}h{_CELL}"
    if row == 0 or not heights[cell - 8]:
        sides += f"M{x},{y + _CELL}h{_CELL}"
    if column == 0 or not heights[cell - 1]:
        sides += f"M{x},{y}v{_CELL}"
    if column == 7 or not heights[cell + 1]:
        sides += f"M{x + _CELL},{y}v{_CELL}"
    return sides


def _ink_on(shade: str) -> str:
    red, green, blue = (int(shade[i : i + 2], 16) for i in (1, 3, 5))
    return "#1d1d1d" if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else "#ffffff"


def _draw_pieces(position: dict[str, Any]) -> str:
    parts = []
    for seat, cells in enumerate(position["knights"]):
        for name in cells:
            x, y = _corner(CELL_INDEX[name])
            parts.append(_disc(x + 33, y + 34, 17, seat, 17))
    if position["king"] is not None:
        x, y = _corner(CELL_INDEX[position["king"]])
        x, y = x + 33, y + 34
        parts.append(
            f'<path d="M{x - 17},{y + 14}V{y - 9}L{x - 8},{y}L{x},{y - 16}L{x + 8},{y}L{x + 17},{y - 9}V{y + 14}Z" '
            f'fill="{_GOLD}" stroke="{_GOLD_EDGE}" stroke-width="2.5" stroke-linejoin="round"/>'
        )
    return "".join(parts)


def _disc(x: float, y: float, radius: float, seat: int, size: int) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius + 2:g}" fill="#1d1d1d"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{_COLOURS[seat]}" stroke="#ffffff" stroke-width="2"/>'
        + _text(x, y + 0.36 * size, _PIECES[seat], _INKS[seat], size, "middle", 700)
    )


def _draw_seat(position: dict[str, Any], seat: int, top: int, height: int, colours: dict[str, Any]) -> str:
    """The panel of a seat."""
    moves = seat == position["to_move"]
    frame = f'stroke="{_COLOURS[seat]}" stroke-width="3"' if moves else f'stroke="{colours["line"]}"'
    x = _PANEL_LEFT
    right = x + _PANEL_WIDTH - 14
    score = position["scores"][seat]
    parts = [
        f'<rect x="{x}" y="{top}" width="{_PANEL_WIDTH}" height="{height}" rx="8" fill="{colours["panel"]}" {frame}/>',
        _disc(x + 24, top + 20, 11, seat, 12),
        _text(x + 44, top + 25, f"player_{seat}", colours["ink"], 15, weight=600),
        _text(right - 44, top + 26, str(score), colours["ink"], 20, "end", 700),
        _text(right, top + 26, "points", colours["dim"], 13, "end"),
    ]
    in_turn = moves and position["phase"] > 0 and (position["pending"] or {}).get("kind") != "king"
    if in_turn:
        parts.append(f'<rect x="{x + 140}" y="{top + 9}" width="64" height="22" rx="11" fill="{_COLOURS[seat]}"/>')
        parts.append(_text(x + 172, top + 25, f"{position['ap']} AP", _INKS[seat], 14, "middle", 700))
    drawn = _draw_stacks(position, seat, in_turn, x + 68, top + 38, colours)
    parts.append(_text(x + 14, top + 51, "blocks" if drawn else "no blocks", colours["dim"], 13))
    parts.append(drawn)
    left = int(position["rules"]["knights_per_player"]) - len(position["knights"][seat])
    parts.append(_text(right - 16 * left - 4, top + 51, "reserve" if left else "no reserve", colours["dim"], 13, "end"))
    for i in range(left):
        parts.append(
            f'<circle cx="{right - 16 * i - 7}" cy="{top + 46}" r="6" fill="{_COLOURS[seat]}" '
            f'stroke="{colours["ink"]}"/>'
        )
    parts.append(_draw_cards(position, seat, x + 12, top + 62, colours))
    return "".join(parts)


def _draw_stacks(
    position: dict[str, Any], seat: int, in_turn: bool, x: float, y: float, colours: dict[str, Any]
) -> str:
    """Stacks as numbered blocks, the stack of this turn framed and first; many of them as a sum."""
    stacks = position["stacks"][seat] if position["stacks"] else []
    parts = []
    if in_turn:
        parts.append(_block(x, y, position["turn_stack"], colours, f'stroke="{_COLOURS[seat]}" stroke-width="3"'))
        x += 26
    if len(stacks) > 4:
        parts.append(_text(x, y + 13, f"{sum(stacks)} in {len(stacks)} stacks", colours["ink"], 12))
        return "".join(parts)
    for height in stacks:
        parts.append(_block(x, y, height, colours, f'stroke="{colours["edge"]}"'))
        x += 22
    return "".join(parts)


def _block(x: float, y: float, height: int, colours: dict[str, Any], frame: str) -> str:
    shade = colours["levels"][min(height, 3) - 1] if height else colours["panel"]
    return f'<rect x="{x}" y="{y}" width="17" height="17" rx="2" fill="{shade}" {frame}/>' + _text(
        x + 8.5, y + 13, str(height), _ink_on(shade), 12, "middle", 600
    )


def _chips_of(position: dict[str, Any], seat: int) -> int:
    return len(position["hands"][seat]) + len(position["discards"][seat]) + bool(position["decks"][seat])


def _draw_cards(position: dict[str, Any], seat: int, x: float, y: float, colours: dict[str, Any]) -> str:
    """The hand, then what was played, then the deck: never more than ten chips."""
    bought = position["bought"] if seat == position["to_move"] else []
    chips = [(card, "hand") for card in position["hands"][seat]]
    chips += [(card, "played") for card in position["discards"][seat]]
    if position["decks"][seat]:
        chips.append((f"deck {len(position['decks'][seat])}", "deck"))
    parts = []
    for i, (name, kind) in enumerate(chips):
        left, top = x + i % _CHIPS_PER_ROW * (_CHIP_WIDTH + 3), y + i // _CHIPS_PER_ROW * 24
        ink = colours["ink"] if kind == "hand" else colours["dim"]
        look = f'fill="{colours["chip"]}"' if kind == "hand" else f'fill="none" stroke="{colours["line"]}"'
        if kind == "deck":
            look += ' stroke-dasharray="3 3"'
        elif name in bought and kind == "hand":  # not to be played in this turn
            look += f' stroke="{colours["dim"]}" stroke-dasharray="3 3"'
        middle = left + _CHIP_WIDTH / 2
        parts.append(f'<rect x="{left:g}" y="{top}" width="{_CHIP_WIDTH}" height="20" rx="10" {look}/>')
        parts.append(_text(middle, top + 14, name, ink, 12, "middle"))
        if kind == "played":
            half = 3.2 * len(name)
            parts.append(f'<path d="M{middle - half:g},{top + 10}h{2 * half:g}" stroke="{colours["dim"]}"/>')
    return "".join(parts)


def _text(x: float, y: float, text: str, colour: str, size: int, anchor: str = "start", weight: int = 400) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(text)}</text>"
    )
