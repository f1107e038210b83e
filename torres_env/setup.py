"""Starting a game of Torres in compiled code: from a seed or from a position (section 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import all_dirty, find_castles
from torres_env.cards import NUM_CARDS, pile_set, refresh_deck, shuffled_pile
from torres_env.legal import FIRST_WORD
from torres_env.record import NO_CARD, NO_CELL, SETUP_BLOCK, SETUP_KNIGHT
from torres_env.rules import MASTER_CARDS, MAX_KNIGHTS, TOTAL_BLOCKS
from torres_env.turns import clear_turn
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U64, bit, popcount
from tower_core.engine.random import below


@jit
def lay_out(s: Any, seed: Any) -> None:
    """Set up the game of a seed under the rules in the record (section 2)."""
    s.rng = seed
    s.first_word = FIRST_WORD
    s.truncated = 0
    n = np.int64(s.num_players)
    for cell in range(64):
        s.height[cell] = 0
    s.occupied = U0
    s.discarded = U0
    s.king = NO_CELL
    s.supply = TOTAL_BLOCKS - np.int64(s.starting_count)
    for phase in range(3):
        for i in range(s.rounds[phase]):
            s.supply -= n * np.int64(s.stacks[phase, i])
    if not s.players_set_castles:
        for i in range(s.starting_count):
            s.height[s.starting_cell[i]] = 1
    find_castles(s)
    if s.king_random:
        s.king = s.starting_cell[below(s, np.int64(s.starting_count))]
        s.occupied = bit(s.king)
    for p in range(MAX_SEATS):
        s.knights[p] = U0
        s.knight_count[p] = 0
        s.dirty[p] = 0
        s.coming_dirty[p] = p < n
        s.score[p] = 0
        s.hand[p] = 0
        s.deck[p] = U0
        s.deck_size[p] = 0
        s.deck_unseen[p] = 0
        s.discard[p] = U0
        s.discard_size[p] = 0
        s.stack_count[p] = 0
        s.stack[p, 0] = 0
        s.blocks_left[p] = 0
        for k in range(MAX_KNIGHTS):
            s.knight_bit[p, k] = U0
            s.reach[p, k] = U0
            s.entry[p, k] = U0
        if p < n and s.start_hand_all:
            s.hand[p] = s.card_list
        elif p < n:
            s.deck[p] = shuffled_pile(s, np.int64(s.card_list))
            s.deck_size[p] = popcount(U64(s.card_list))
            s.deck_unseen[p] = s.deck_size[p]
        refresh_deck(s, p)
    s.master = below(s, np.int64(len(MASTER_CARDS))) if s.master_card else NO_CARD
    s.looked = U0
    s.looked_size = 0
    s.phase = 0
    s.round = 0
    s.start_player = 0
    s.turn = 0
    s.to_move = 0
    clear_turn(s)
    s.pending = SETUP_BLOCK if s.players_set_castles else SETUP_KNIGHT


@jit
def recompute(s: Any) -> None:
    """Compute all derived fields."""
    s.first_word = FIRST_WORD
    s.truncated = 0
    find_castles(s)
    s.occupied = bit(s.king) if s.king != NO_CELL else U0
    s.discarded = U0
    for p in range(s.num_players):
        s.knights[p] = U0
        for k in range(MAX_KNIGHTS):
            s.knight_bit[p, k] = bit(s.knight[p, k]) if k < s.knight_count[p] else U0
            s.reach[p, k] = U0
            s.entry[p, k] = U0
            s.knights[p] |= s.knight_bit[p, k]
        s.occupied |= s.knights[p]
        s.blocks_left[p] = 0
        for i in range(s.stack_count[p]):
            s.blocks_left[p] += s.stack[p, i]
        refresh_deck(s, np.int64(p))
        s.discarded |= U64(pile_set(s.discard[p], np.int64(s.discard_size[p]))) << U64(NUM_CARDS * p)
    all_dirty(s)
