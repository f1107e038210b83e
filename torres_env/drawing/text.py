"""A position as text: a board for terminals, and the captions of every drawing."""

from __future__ import annotations

from typing import Any

from torres_env.rules import CELL_INDEX
from tower_core.drawing import LETTERS


def text(position: dict[str, Any]) -> str:
    """A board for a terminal: each cell's height (``.`` is ground), followed by knights A–D or the king ``*``."""
    lines = [_first_line(position), ""]
    for row, cells in _rows(position):
        lines.append(f" {row} {' '.join(f'{height:>2}{piece:1}' for height, piece in cells)}".rstrip())
    lines.append("    " + "   ".join("abcdefgh"))
    lines.append("")
    for seat, score in enumerate(position["scores"]):
        lines.append(_seat_line(position, seat, score))
    lines.append("  " + table_line(position))
    return "\n".join(lines)


def brief(position: dict[str, Any]) -> str:
    """The same in few characters, without columns."""
    lines = [_first_line(position)]
    lines += [" ".join([str(row), *map("".join, cells)]) for row, cells in _rows(position)]
    lines.append("  a b c d e f g h (. ground, digit height, letter knight, * king)")
    for seat, score in enumerate(position["scores"]):
        stacks = " ".join(map(str, position["stacks"][seat])) if position["stacks"] else ""
        lines.append(
            f"{LETTERS[seat]} {score} points, {len(position['knights'][seat])} knights, stacks {stacks or '-'}, "
            f"hand {_hand(position, seat)}, deck {len(position['decks'][seat])}"
        )
    return "\n".join([*lines, table_line(position)])


def _first_line(position: dict[str, Any]) -> str:
    turn = f": {turn_line(position)}" if position["to_move"] is not None else ""
    return headline(position) + turn


def _rows(position: dict[str, Any]) -> list[tuple[int, list[tuple[str, str]]]]:
    """From the top: the row's number, and height (``.`` is ground) and piece of each cell."""
    pieces, height = _pieces(position), position["height"]
    return [
        (row + 1, [(str(height[cell] or "."), pieces.get(cell, "")) for cell in range(8 * row, 8 * row + 8)])
        for row in range(7, -1, -1)
    ]


def headline(position: dict[str, Any]) -> str:
    """The phase and round, or the result."""
    if position["to_move"] is None:
        keys = [(score, len(hand)) for score, hand in zip(position["scores"], position["hands"], strict=True)]
        first = [f"player_{seat}" for seat, key in enumerate(keys) if key == max(keys)]
        return f"Game over: {' and '.join(first)} {'wins' if len(first) == 1 else 'share the win'}"
    if position["phase"] == 0:
        return "Setup"
    between = position["pending"] and position["pending"]["kind"] == "king"
    return f"After phase {position['phase']}" if between else f"Phase {position['phase']}, round {position['round']}"


def turn_line(position: dict[str, Any]) -> str:
    """Who is to move, and with what."""
    seat = position["to_move"]
    if seat is None:
        return "final scores"
    parts = [f"player_{seat} ({LETTERS[seat]}) to move"]
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


def table_line(position: dict[str, Any]) -> str:
    master = f", master card: {position['master_card']}" if position["master_card"] else ""
    return f"supply: {_blocks(position['supply'])}{master}"


def _blocks(count: int) -> str:
    return f"{count} block{'' if count == 1 else 's'}"


def _seat_line(position: dict[str, Any], seat: int, score: int) -> str:
    marker = ">" if seat == position["to_move"] else " "
    stacks = " ".join(map(str, position["stacks"][seat])) if position["stacks"] else ""
    return (
        f"{marker} {LETTERS[seat]} player_{seat}: {score:>3} points, knights {len(position['knights'][seat])}, "
        f"stacks [{stacks}], hand: {_hand(position, seat)}, deck {len(position['decks'][seat])}"
    )


def _hand(position: dict[str, Any], seat: int) -> str:
    return " ".join(position["hands"][seat]) or "-"


def _pieces(position: dict[str, Any]) -> dict[int, str]:
    pieces = {CELL_INDEX[cell]: LETTERS[seat] for seat, cells in enumerate(position["knights"]) for cell in cells}
    if position["king"] is not None:
        pieces[CELL_INDEX[position["king"]]] = "*"
    return pieces
