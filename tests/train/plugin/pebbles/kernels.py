"""The rules as compiled code: functions on the record of one game (hooks: tower_core.engine.hooks)."""

from typing import Any

import numpy as np

from tower_core.engine.batch_structs import OVER, padded
from tower_core.engine.compiling import jit
from tower_core.engine.hooks import implement
from tower_core.engine.intrinsics import U64, store_byte

MOST = 14  # pebbles of a pile
RECORD = padded(
    np.dtype(
        [
            ("legal", "u8", (1,)),
            ("rng", "u8"),
            ("score", "i4", (4,)),
            ("first_word", "u1"),
            ("num_players", "u1"),
            ("to_move", "i1"),
            ("truncated", "u1"),
            ("pebbles", "u1"),
        ],
        align=True,
    )
)


@jit
def refresh(s: Any) -> None:
    """The legal actions from the pile: one to three pebbles, as many as there are."""
    s.legal[0] = U64(7) if s.pebbles >= 3 else U64(3) if s.pebbles == 2 else U64(1)


@jit
def new_game(s: Any, seed: Any) -> None:
    """A pile of 10 to 14 pebbles."""
    s.rng = seed
    s.pebbles = 10 + np.int64(U64(seed) % U64(5))
    s.to_move = 0
    s.truncated = 0
    for seat in range(4):
        s.score[seat] = 0
    refresh(s)


@jit
def apply(s: Any, action: Any) -> None:
    """Take *action* + 1 pebbles."""
    s.pebbles -= action + 1
    if s.pebbles == 0:
        s.score[s.to_move] = 1
        s.to_move = OVER
    else:
        s.to_move = (s.to_move + 1) % s.num_players
        refresh(s)


@jit
def observe(s: Any, seat: Any, at: Any) -> None:
    """A flag for each size of the pile."""
    for count in range(MOST + 1):
        store_byte(at + count, np.int64(count == s.pebbles))


implement(RECORD, new_game=new_game, apply=apply, observe=observe, refresh=refresh)
