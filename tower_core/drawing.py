"""Building blocks of all games' drawings: text, discs, panels, colours and the surrounding sheet.

A drawing is SVG text assembled from strings, which takes milliseconds and needs no library. Clickable elements have
``data-`` attributes and ``pointer-events="all"``; all other elements ignore the pointer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple, TypeVar

LETTERS = "ABCD"
"""Letters that identify the seats without colour."""
SEATS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
"""Colours of the seats (Okabe-Ito), distinguishable for colour-blind people."""
SEAT_INKS = ("#ffffff", "#ffffff", "#ffffff", "#1d1d1d")
NOBODY = "#777777"
"""Colour of the NPC's seat."""
GOLD, GOLD_EDGE = "#F5C518", "#4A3A00"
HIGHLIGHT = {"light": "#C0158A", "dark": "#FF7AD1"}
"""Frame around what the last action changed."""
PAPER = {
    "light": {
        "page": "#ffffff", "panel": "#faf8f4", "ink": "#1f1f1f", "dim": "#6b665c", "line": "#d9d3c6",
        "ground": "#f3f0e9", "chip": "#e7e1d3", "mark": HIGHLIGHT["light"],
    },
    "dark": {
        "page": "#14161a", "panel": "#1c1f25", "ink": "#eceae5", "dim": "#a19d94", "line": "#3a3f49",
        "ground": "#20242b", "chip": "#343a45", "mark": HIGHLIGHT["dark"],
    },
}  # fmt: skip
"""Colours of both themes."""
# DejaVu Sans ships with the package, for machines without fonts.
FONTS = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
CHIP_HEIGHT = 20
_MARGIN = 14

_Of = TypeVar("_Of")


class Part(NamedTuple):
    """A piece of a drawing and its size in pixels."""

    svg: str
    width: float
    height: float


def chosen(kind: str, name: str, known: Mapping[str, _Of]) -> _Of:
    """The theme or view called *name*. ValueError lists the valid names."""
    if name not in known:
        raise ValueError(f"unknown {kind} {name!r}: choose one of {', '.join(known)}")
    return known[name]


def svg(width: float, height: float, title: str, colours: Mapping[str, Any], parts: Iterable[str]) -> str:
    """A complete drawing of *width* × *height* pixels."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{FONTS}" role="img" pointer-events="none"><title>{escape(title)}</title>'
        f'<rect width="{width:g}" height="{height:g}" fill="{colours["page"]}" shape-rendering="crispEdges"/>'
        f"{''.join(parts)}</svg>"
    )


def moved(x: float, y: float, parts: Iterable[str]) -> str:
    """Parts translated by (*x*, *y*)."""
    return f'<g transform="translate({x:g} {y:g})">{"".join(parts)}</g>'


def text(x: float, y: float, words: str, colour: str, size: int, anchor: str = "start", weight: int = 400) -> str:
    """One line of text; *y* is its baseline."""
    look = "" if anchor == "start" else f' text-anchor="{anchor}"'
    if weight != 400:
        look += f' font-weight="{weight}"'
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}"{look}>{escape(words)}</text>'


def shortened(words: str, width: float, size: int) -> str:
    """Text cut with an ellipsis to fit a width in pixels."""
    fitting = max(int(width / (0.56 * size)), 1)
    return words if len(words) <= fitting else words[: fitting - 1].rstrip(" ,") + "…"


def ink_on(shade: str) -> str:
    """Black or white, whichever reads better on a colour ``#rrggbb``."""
    red, green, blue = (int(shade[i : i + 2], 16) for i in (1, 3, 5))
    return "#1d1d1d" if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else "#ffffff"


def mixed(shade: str, other: str, share: float) -> str:
    """A colour blended with a *share* (0–1) of another."""
    parts = ((int(shade[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def disc(x: float, y: float, radius: float, colour: str, ink: str, letter: str, attributes: str = "") -> str:
    """A piece seen from above, with a letter on it."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius + 1:g}" fill="{colour}" stroke="#ffffff" stroke-width="2"{attributes}/>'
        + text(x, y + 0.36 * radius, letter, ink, round(radius), "middle", 700)
    )


def seat_disc(x: float, y: float, radius: float, seat: int, attributes: str = "") -> str:
    return disc(x, y, radius, SEATS[seat], SEAT_INKS[seat], LETTERS[seat], attributes)


def panel(
    width: float, height: float, colours: Mapping[str, Any], frame: str | None = None, attributes: str = ""
) -> str:
    """A card; *frame* is the colour of a thick border."""
    look = f'stroke="{frame}" stroke-width="3"' if frame else f'stroke="{colours["line"]}"'
    return f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{colours["panel"]}" {look}{attributes}/>'


def chip(
    x: float, y: float, width: float, words: str, colours: Mapping[str, Any], kind: str, attributes: str = ""
) -> str:
    """A label in a box: ``full``, ``outlined``, ``dashed`` or ``struck`` through; ``waits`` is full and dashed."""
    full = kind in ("full", "waits")
    look = f'fill="{colours["chip"]}"' if full else 'fill="none"'
    if kind != "full":
        look += f' stroke="{colours["dim" if kind == "waits" else "line"]}"'
    if kind in ("dashed", "waits"):
        look += ' stroke-dasharray="3 3"'
    middle = x + width / 2
    parts = [
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{CHIP_HEIGHT}" rx="5" {look}{attributes}/>',
        text(middle, y + 14, words, colours["ink" if full else "dim"], 12, "middle"),
    ]
    if kind == "struck":
        half = 3.2 * len(words)
        parts.append(f'<path d="M{middle - half:g},{y + 10:g}h{2 * half:g}" stroke="{colours["dim"]}"/>')
    return "".join(parts)


def clickable(**data: Any) -> str:
    """Attributes of a clickable element: ``clickable(cell="d3")`` is ``data-cell="d3"``.

    In the browser app, a click plays the legal action with that word, such as ``B d3``; if there are several, a menu opens. For
    an action with two words on the board, the first word is clicked first. ``market=2`` stands for the verb ``MARKET`` with
    the word ``2``; a bare number requires such a verb or the name ``cell``. ``action="DROP d"`` stands for one action.
    """
    attributes = "".join(f' data-{name}="{escape(str(value))}"' for name, value in data.items())
    return f'{attributes} pointer-events="all"'


def last_line(last: tuple[int, str] | None) -> str:
    """The last action as text."""
    return "" if last is None else f"last: player_{last[0]} {last[1]}"


def header(
    width: float, headline: str, lines: Sequence[str], notes: Sequence[str], colours: Mapping[str, Any], narrow: bool
) -> tuple[str, float]:
    """Headline and lines on the left, notes on the right (below if narrow); also returns the height."""
    parts = [text(0, 18, headline, colours["ink"], 19, weight=700)]
    under = [line for line in (*lines, *(notes if narrow else ())) if line]
    for i, line in enumerate(under):
        parts.append(text(0, 40 + 19 * i, shortened(line, width, 14), colours["dim"], 14))
    if not narrow:
        for i, note in enumerate(note for note in notes if note):
            parts.append(text(width, 18 + 22 * i, note, colours["dim"], 14, "end"))
    rows = max(len(under), 0 if narrow else len(notes) - 1, 1)
    return "".join(parts), 33 + 19 * rows


def sheet(
    game: str,
    title: str,
    lines: Sequence[str],
    notes: Sequence[str],
    board: Part,
    aside: Part,
    colours: Mapping[str, Any],
    narrow: bool,
    gap: float,
) -> str:
    """The complete drawing of a position: :func:`header`, the board, and the rest beside it (below it if narrow)."""
    width = board.width if narrow else board.width + gap + aside.width
    head, top = header(width, title, lines, notes, colours, narrow)
    left, down = (0.0, top + board.height + gap) if narrow else (board.width + gap, top)
    height = max(top + board.height, down + aside.height)
    parts = [head, moved(0, top, [board.svg]), moved(left, down, [aside.svg])]
    everything = moved(_MARGIN, _MARGIN, parts)
    return svg(width + 2 * _MARGIN, height + 2 * _MARGIN, f"{game}: {title}", colours, [everything])


def text_sheet(title: str, lines: Sequence[str], last: tuple[int, str] | None, colours: Mapping[str, Any]) -> str:
    """A drawing made of lines of text, for games without a drawing of their own."""
    shown = [shortened(line, 600, 14) for line in lines]
    body = "".join(text(0, 16 + 20 * i, line, colours["ink"], 14) for i, line in enumerate(shown))
    panel = Part(body, 600, 20 * len(shown))
    return sheet(title, title, [], [last_line(last)], panel, Part("", 0, 0), colours, True, 0)
