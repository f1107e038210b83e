"""The legal actions as bit words, in compiled code (sections 2, 3 and 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.actions import ACTIONS, FIRST_CELL_ACTION
from torres_env.board import around, relocate_source, under_cells
from torres_env.card_table import DIAGONAL, DOOR, ENCORE, EXTRA, JUMP, RECRUIT, RELOCATE, UNDER
from torres_env.cards import discarded_cards, pile_set, playable, relocate_legal
from torres_env.knights import KNIGHT_AP, card_moves, recruit_cells, refresh_reach
from torres_env.record import FOLLOW_UP, KING, NO_CELL, NOTHING, PICK, SETUP_BLOCK, SETUP_KNIGHT
from torres_env.rules import MAX_KNIGHTS
from tower_core.engine.compiling import inlined, jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros

# The first legal word has one bit for each action before those on cells; each further word covers the 64 cells.
FIRST_WORD = FIRST_CELL_ACTION
END_BIT, BUY_BIT, PICK_BIT, PLAY_BIT = (ACTIONS.first(verb) for verb in ("END", "BUY", "PICK", "PLAY"))
B_WORD, N_WORD, M_WORD, T_WORD, K_WORD = (1 + (ACTIONS.first(verb) - FIRST_WORD) // 64 for verb in "BNMTK")
ONLY_END = U64(1 << END_BIT)


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


@jit
def write_follow_up(s: Any, p: Any, card: Any) -> None:
    """Write the legal words while a card waits for its follow-up."""
    if card == JUMP or card == DIAGONAL or card == DOOR:
        for k in range(s.knight_count[p]):
            s.legal[M_WORD + k] = card_moves(s, card, s.knight[p, k])
    elif card == UNDER:
        s.legal[B_WORD] = under_cells(s, p)
    elif card == EXTRA:
        s.legal[B_WORD] = s.block_targets & ~s.occupied
    elif card == RECRUIT:
        s.legal[N_WORD] = recruit_cells(s, p)
    elif card == RELOCATE:
        if s.taken != NO_CELL:
            s.legal[B_WORD] = relocate_legal(s)
            return
        sources = s.level[1] & ~s.occupied
        while sources != U0:
            cell = count_trailing_zeros(sources)
            if relocate_source(s, cell):
                s.legal[T_WORD] |= bit(cell)
            sources &= sources - U1


@inlined
def write_turn(s: Any, p: Any, free: Any) -> None:
    """Write the legal words of a normal turn."""
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
