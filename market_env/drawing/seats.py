"""The panels of the seats: towers, tokens, the list and its progress, cards."""

from __future__ import annotations

from typing import Any

from market_env.components import Components
from market_env.drawing.parts import draw_counts, draw_tower, seat_look, shade_of
from market_env.drawing.text import remarks, seat_name
from tower_core.drawing import CHIP_HEIGHT, chip, clickable, disc, ink_on, moved, panel, shortened, text
from tower_core.position import HIDDEN

SEATS_WIDTH = 400
_GAP = 8
_CHIP_WIDTH = 74


def draw_seats(
    position: dict[str, Any], components: Components, width: float, colours: dict[str, Any]
) -> tuple[str, float]:
    """All panels stacked, *width* pixels wide, and their total height."""
    parts, top = [], 0.0
    for seat in range(len(position["lists"])):
        body, height = _draw_seat(position, components, seat, width, colours)
        parts.append(moved(0, top, [body]))
        top += height + _GAP
    return "".join(parts), top - _GAP


def _draw_seat(
    position: dict[str, Any], components: Components, seat: int, width: float, colours: dict[str, Any]
) -> tuple[str, float]:
    players = position["num_players"]
    look = seat_look(seat, players)
    colour = look[0]
    parts = [
        disc(22, 20, 11, *look),
        text(42, 25, seat_name(position, seat), colours["ink"], 15, weight=600),
    ]
    notes = remarks(position, seat)
    if notes:
        parts.append(text(122, 25, shortened(", ".join(notes), width - 220, 13), colours["mark"], 13, weight=600))
    places = _tower_places(position, components, seat)
    for i in range(places):
        built = i < position["towers"][seat]
        parts.append(draw_tower(width - 20 - 22 * (places - 1 - i), 29, colour if built else None, colours))
    y = 38.0
    if seat < players:
        parts.append(draw_counts(14, y + 10, position["tokens"][seat], colours))
        y += 24
    parts.append(_draw_list(position, components, seat, y, width, colours))
    y += 26
    if seat < players:  # drawn even without cards, so that all frames of a game have the same size
        parts.append(_draw_hand(position["hands"][seat], seat, y, width, colours))
        y += 26
    frame = colour if seat == position["to_move"] else None
    return panel(width, y + 2, colours, frame, f' data-seat="{seat}"') + "".join(parts), y + 2


def _draw_hand(hand: list[str], seat: int, y: float, width: float, colours: dict[str, Any]) -> str:
    if not hand:
        return text(14, y + 14, "no cards", colours["dim"], 13)
    step = min(_CHIP_WIDTH + 5, (width - 28) / len(hand))
    return "".join(
        chip(14 + step * i, y, step - 5, card, colours, "full", clickable(card=card, seat=seat))
        for i, card in enumerate(hand)
    )


def _tower_places(position: dict[str, Any], components: Components, seat: int) -> int:
    if seat < position["num_players"]:
        return max(components.rule("towers_to_win"), int(position["towers"][seat]))
    return int(position["rules"]["solo_npc_towers"]) if position["num_players"] == 1 else 0


def _draw_list(
    position: dict[str, Any], components: Components, seat: int, y: float, width: float, colours: dict[str, Any]
) -> str:
    """A box per material: as filled as the list is satisfied; outlined if the list doesn't ask for the material."""
    number, owned = position["lists"][seat], position["materials"][seat]
    known = number is not None and number != HIDDEN
    asked = components.lists[number] if known else (0,) * len(components.materials)
    shown = [(m, name) for m, name in enumerate(components.materials) if asked[m] or owned.get(name)]
    parts = [text(14, y + 14, "list" if known else "list ?" if number == HIDDEN else "no list", colours["dim"], 13)]
    left, gap = (62, 5) if len(shown) < 5 else (46, 3)  # with five or more materials, names need the room
    step = min((width - left - 12) / max(len(shown), 1), 82)
    size = 12 if step > 70 else 10
    for i, (m, name) in enumerate(shown):
        x, has = left + step * i, owned.get(name, 0)
        count = f"{has}/{asked[m]}" if asked[m] else f"+{has}"
        full = 0 < asked[m] <= has
        fill, shade = (shade_of(m), shade_of(m)) if full else ("none", colours["panel"])
        parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{step - gap:g}" height="{CHIP_HEIGHT}" rx="3" fill="{fill}" '
            f'stroke="{shade_of(m)}" stroke-width="{2 if asked[m] else 1}"/>'
        )
        words = f"{shortened(name, step - gap - 2.4 * size, size)} {count}"
        parts.append(text(x + (step - gap) / 2, y + 14, words, ink_on(shade), size, "middle", 600 if full else 400))
    return "".join(parts)
