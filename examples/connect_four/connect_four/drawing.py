"""Draws a position as text and as SVG; a click on a column plays it."""

from collections.abc import Mapping
from typing import Any

from connect_four.kernels import COLUMNS, ROWS
from tower_core.drawing import LETTERS, PAPER, Part, chosen, clickable, last_line, seat_disc, sheet

CELL = 56  # pixels


def seat_at(position: Mapping[str, Any], row: int, column: int) -> int | None:
    """The seat whose disc is on a cell; None if it is empty."""
    return next((seat for seat, discs in enumerate(position["discs"]) if discs >> (8 * row + column) & 1), None)


def headline(position: Mapping[str, Any]) -> str:
    """Who is to move, or who has won."""
    if position["to_move"] is not None:
        return f"player_{position['to_move']} ({LETTERS[position['to_move']]}) to move"
    return f"player_{position['score'].index(1)} wins" if any(position["score"]) else "a draw"


def text(position: Mapping[str, Any]) -> str:
    """The board, the top row first."""
    seats = [[seat_at(position, row, column) for column in range(COLUMNS)] for row in reversed(range(ROWS))]
    lines = [" ".join("." if seat is None else LETTERS[seat] for seat in row) for row in seats]
    return "\n".join([*lines, " ".join(map(str, range(1, COLUMNS + 1))), headline(position)])


def draw(position: Mapping[str, Any], theme: str, view: str, narrow: bool, last: tuple[int, str] | None) -> str:
    """The board as SVG."""
    chosen("view", view, {"flat": None})
    colours, pieces = PAPER[theme], []
    for column in range(COLUMNS):
        x = CELL * (column + 0.5)
        click = clickable(action=f"DROP {column + 1}")
        pieces.append(
            f'<rect x="{CELL * column}" width="{CELL}" height="{CELL * ROWS}" fill="{colours["chip"]}"{click}/>'
        )
        for row in range(ROWS):
            y, seat = CELL * (ROWS - row - 0.5), seat_at(position, row, column)
            empty = f'<circle cx="{x}" cy="{y}" r="22" fill="{colours["page"]}"/>'
            pieces.append(empty if seat is None else seat_disc(x, y, 22, seat))
    board = Part("".join(pieces), CELL * COLUMNS, CELL * ROWS)
    return sheet("Connect Four", headline(position), [last_line(last)], [], board, Part("", 0, 0), colours, True, 0)
