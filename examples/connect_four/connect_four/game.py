"""The description of the game, from which the suite derives everything else."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from connect_four.kernels import COLUMNS, RECORD, ROWS
from tower_core import options, position
from tower_core.actions import ActionTable, Verb
from tower_core.game import Game
from tower_core.observation import Block, Layout, Part


@dataclass(frozen=True)
class Rules(options.Rules):
    """No options."""


def from_position(game: Game, given: Mapping[str, Any]) -> tuple[NDArray[Any], Rules]:
    """The record of a position. ValueError for discs that float, overlap, are off the board, or too many of one player."""
    record, rules = position.from_position(game, given)
    first, second = map(int, record["discs"][0])
    bottom = 2**COLUMNS - 1
    board = sum(bottom << 8 * row for row in range(ROWS))
    if first & second or (first | second) & ~(board & ((first | second) << 8 | bottom)):
        raise ValueError("discs: a disc overlaps another, floats, or is off the board")
    if first.bit_count() - second.bit_count() not in (0, 1):
        raise ValueError("discs: the players must alternate, player_0 first")
    return record, rules


PLANES = Layout([Block("own", 1, "discs of the observing seat"), Block("other", 1, "discs of the other seat")])
COLUMN_NAMES = [str(column + 1) for column in range(COLUMNS)]

GAME = Game(
    name="connect_four",
    title="Connect Four",
    package="connect_four",
    prefix="ConnectFour",
    record=RECORD,
    actions=ActionTable([Verb("DROP", (COLUMN_NAMES,), "drops a disc into column {0}")]),
    observation=(Part("board", PLANES, (2, ROWS, COLUMNS)),),
    rules=Rules,
    seats=range(2, 3),
    drawing="connect_four.drawing",
    from_position=from_position,
)
