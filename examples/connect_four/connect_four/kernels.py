"""The compiled rules: hooks on the record of one game (tower_core.engine.hooks).

A player's discs are bits of one word: cell (row, column) is bit 8 * row + column, rows counted from the bottom. Column 7
stays empty, so that no line wraps around from one row to the next.
"""

from typing import Any

from tower_core.kernels import OVER, U0, U64, allow, bit, forbid_all, game_record, implement, jit, popcount, store_flags

ROWS, COLUMNS = 6, 7
RECORD = game_record(COLUMNS, seats=2, own=[("discs", "u8", (2,))])


@jit
def has_four(discs: Any) -> Any:
    """Whether four discs are in line: across, up, or along a diagonal."""
    for step in (1, 8, 7, 9):
        pairs = discs & (discs >> U64(step))
        if pairs & (pairs >> U64(2 * step)):
            return True
    return False


@jit
def refresh(s: Any) -> None:
    """Recompute score, legal columns and the seat to move from the discs."""
    forbid_all(s)
    for seat in range(2):
        s.score[seat] = has_four(s.discs[seat])
    if s.score[0] == s.score[1]:
        for column in range(COLUMNS):
            if not (s.discs[0] | s.discs[1]) & bit(8 * (ROWS - 1) + column):
                allow(s, column)
    s.to_move = popcount(s.discs[0]) - popcount(s.discs[1]) if s.legal[0] else OVER


@jit
def new_game(s: Any, seed: Any) -> None:
    """Start with an empty board. The game has no chance, but every game has a stream."""
    s.rng = seed
    s.discs[0] = s.discs[1] = U0
    refresh(s)


@jit
def apply(s: Any, action: Any) -> None:
    """Drop a disc into the column *action*."""
    cell = bit(action)
    while (s.discs[0] | s.discs[1]) & cell:
        cell <<= U64(8)
    s.discs[s.to_move] |= cell
    refresh(s)


@jit
def observe(s: Any, seat: Any, at: Any) -> None:
    """Write two planes of ROWS x COLUMNS bytes at the address *at*: own discs, then the other player's."""
    for player in (seat, 1 - seat):
        for row in range(ROWS):
            at = store_flags(at, s.discs[player] >> U64(8 * row), COLUMNS)


implement(RECORD, new_game=new_game, apply=apply, observe=observe, refresh=refresh)
