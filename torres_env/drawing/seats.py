"""The panels of the seats: points, action points, stacks, knights in reserve, cards."""

from __future__ import annotations

from typing import Any

from torres_env.drawing.board import shade_of
from tower_core.drawing import SEAT_INKS, SEATS, chip, clickable, ink_on, moved, panel, seat_disc, text

SEATS_WIDTH = 360
_CHIP_WIDTH, _ROW, _GAP = 64, 24, 8


def draw_seats(position: dict[str, Any], width: float, colours: dict[str, Any]) -> tuple[str, float]:
    """All panels stacked, *width* pixels wide, and their total height."""
    per_row = int((width - 20) // (_CHIP_WIDTH + 3))
    parts, top = [], 0
    for seat in range(len(position["scores"])):
        chips = _cards(position, seat)
        height = 62 + _ROW * -(-len(chips) // per_row)
        parts.append(moved(0, top, [_draw_seat(position, seat, chips, per_row, width, height, colours)]))
        top += height + _GAP
    return "".join(parts), top - _GAP


def _draw_seat(
    position: dict[str, Any], seat: int, cards: list[tuple[str, str]], per_row: int, width: float, height: float,
    colours: dict[str, Any],
) -> str:  # fmt: skip
    moves = seat == position["to_move"]
    right = width - 14
    parts = [
        panel(width, height, colours, SEATS[seat] if moves else None, f' data-seat="{seat}"'),
        seat_disc(24, 20, 11, seat),
        text(44, 25, f"player_{seat}", colours["ink"], 15, weight=600),
        text(right - 48, 26, str(position["scores"][seat]), colours["ink"], 20, "end", 700),
        text(right, 26, "points", colours["dim"], 13, "end"),
    ]
    in_turn = moves and position["phase"] > 0 and (position["pending"] or {}).get("kind") != "king"
    if in_turn:
        parts.append(f'<rect x="140" y="9" width="64" height="22" rx="5" fill="{SEATS[seat]}"/>')
        parts.append(text(172, 25, f"{position['ap']} AP", SEAT_INKS[seat], 14, "middle", 700))
    stacks = _draw_stacks(position, seat, in_turn, colours)
    parts.append(text(14, 51, "blocks" if stacks else "no blocks", colours["dim"], 13))
    parts += stacks
    left = int(position["rules"]["knights_per_player"]) - len(position["knights"][seat])
    parts.append(text(right - 16 * left - 4, 51, "reserve" if left else "no reserve", colours["dim"], 13, "end"))
    for i in range(left):
        parts.append(
            f'<circle cx="{right - 16 * i - 7:g}" cy="46" r="6" fill="{SEATS[seat]}" stroke="{colours["ink"]}"/>'
        )
    for i, (name, kind) in enumerate(cards):
        x, y = 12 + i % per_row * (_CHIP_WIDTH + 3), 62 + i // per_row * _ROW
        attributes = clickable(card=name, seat=seat) if kind in ("full", "waits") else ""
        parts.append(chip(x, y - 2, _CHIP_WIDTH, name, colours, kind, attributes))
    return "".join(parts)


def _draw_stacks(position: dict[str, Any], seat: int, in_turn: bool, colours: dict[str, Any]) -> list[str]:
    """Stacks as numbered blocks, this turn's stack framed and first; many stacks as a sum."""
    stacks = position["stacks"][seat] if position["stacks"] else []
    x, parts = 68, []
    if in_turn:
        parts.append(_block(x, position["turn_stack"], colours, f'stroke="{SEATS[seat]}" stroke-width="3"'))
        x += 26
    if len(stacks) > 4:
        return [*parts, text(x, 51, f"{sum(stacks)} in {len(stacks)} stacks", colours["ink"], 12)]
    for i, height in enumerate(stacks):
        parts.append(_block(x + 22 * i, height, colours, f'stroke="{colours["edge"]}"'))
    return parts


def _block(x: float, height: int, colours: dict[str, Any], frame: str) -> str:
    shade = shade_of(min(height, 3), colours)
    return f'<rect x="{x:g}" y="38" width="17" height="17" fill="{shade}" {frame}/>' + text(
        x + 8.5, 51, str(height), ink_on(shade), 12, "middle", 600
    )


def _cards(position: dict[str, Any], seat: int) -> list[tuple[str, str]]:
    """The hand, the cards played and the deck, each with its look; a card bought this turn is shown as waiting."""
    bought = position["bought"] if seat == position["to_move"] else []
    cards = [(card, "waits" if card in bought else "full") for card in position["hands"][seat]]
    cards += [(card, "struck") for card in position["discards"][seat]]
    if position["decks"][seat]:
        cards.append((f"deck {len(position['decks'][seat])}", "dashed"))
    return cards
