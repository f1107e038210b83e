"""Which actions are legal, as words of bits: sections 2, 3 and 6 of the rules in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import around, refresh_reach
from torres_env.cards import ENCORE, discarded_cards, pile_set, playable, write_follow_up
from torres_env.record import FOLLOW_UP, KING, NO_CELL, NOTHING, PICK, SETUP_BLOCK, SETUP_KNIGHT
from torres_env.rules import MAX_KNIGHTS
from tower_core.engine.compiling import inlined, jit
from tower_core.engine.intrinsics import U0, U1, U64, bit

KNIGHT_AP = 2
# Bits of the first legal word; the words after it are B, N, M by knight (six), T and K.
END_BIT, BUY_BIT, PICK_BIT, PLAY_BIT = 0, 1, 2, 12
FIRST_WORD = 22
B_WORD, N_WORD, M_WORD, T_WORD, K_WORD = 1, 2, 3, 9, 10
ONLY_END = U64(1)


@jit
def setup_cells(s: Any) -> Any:
    """Cells for a starting block: at least three steps from every other (section 7)."""
    near = s.level[1]
    for _ in range(2):
        near |= around(near)
    return ~near


@jit
def update_legal(s: Any) -> None:
    for k in range(len(s.legal)):
        s.legal[k] = U0
    if s.to_move < 0:
        return
    p = np.int64(s.to_move)
    free = ~s.occupied
    pending = s.pending
    if pending == NOTHING:
        write_turn(s, p, free)
    elif pending == PICK:
        s.legal[0] = U64(pile_set(s.looked, np.int64(s.looked_size))) << U64(PICK_BIT)
    elif pending == KING:
        s.legal[K_WORD] = s.level[1] & free
        if s.king != NO_CELL:
            s.legal[K_WORD] |= bit(s.king)
    elif pending == SETUP_KNIGHT:
        s.legal[N_WORD] = s.level[1] & free
    elif pending == SETUP_BLOCK:
        s.legal[B_WORD] = setup_cells(s)
    elif pending == FOLLOW_UP + ENCORE:
        again = discarded_cards(s, p) & ~(1 << ENCORE)
        s.legal[0] = U64(playable(s, p, again)) << U64(PLAY_BIT)
    else:
        write_follow_up(s, p, np.int64(pending) - FOLLOW_UP)


@inlined
def write_turn(s: Any, p: Any, free: Any) -> None:
    """Legal words of a normal turn."""
    if s.dirty[p]:
        refresh_reach(s, p)
    words = U1 << U64(END_BIT)
    if s.ap >= 1:
        if s.turn_stack > 0:
            s.legal[B_WORD] = s.block_targets & free
        entry = U0
        for k in range(MAX_KNIGHTS):
            s.legal[M_WORD + k] = s.reach[p, k] & free
            entry |= s.entry[p, k]
        if s.deck_size[p] > 0 and s.buys < s.buys_per_turn:
            words |= U1 << U64(BUY_BIT)
        if s.ap >= KNIGHT_AP and s.knight_count[p] < s.knights_per_player:
            s.legal[N_WORD] = entry & free
    if not s.card_played:
        cards = np.int64(s.hand[p]) & ~np.int64(s.bought)
        if cards:
            words |= U64(playable(s, p, cards)) << U64(PLAY_BIT)
    s.legal[0] = words


@inlined
def only_end(s: Any) -> Any:
    if s.legal[0] != ONLY_END:
        return False
    for k in range(1, len(s.legal)):
        if s.legal[k] != U0:
            return False
    return True
