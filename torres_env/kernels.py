"""A game of Torres in compiled code: setup, actions, turns and rounds; and the game's one entry."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import (
    all_dirty,
    find_castles,
    lower_cell,
    raise_cell,
)
from torres_env.cards import (
    NUM_CARDS,
    RELOCATE,
    UNDER,
    asks_nothing,
    draw_from_deck,
    pile_card,
    pile_set,
    pile_with,
    put_under_deck,
    refresh_deck,
    shuffled_pile,
    take_under_block,
    to_discard,
)
from torres_env.legal import (
    B_WORD,
    BUY_BIT,
    FIRST_WORD,
    KNIGHT_AP,
    M_WORD,
    N_WORD,
    PICK_BIT,
    PLAY_BIT,
    T_WORD,
    only_end,
    setup_cells,
    update_legal,
)
from torres_env.observation import OBSERVATION_SIZE, write_observation
from torres_env.record import (
    FOLLOW_UP,
    KING,
    NO_CARD,
    NO_CELL,
    NOTHING,
    PICK,
    RECORD,
    SETUP_BLOCK,
    SETUP_KNIGHT,
    STARTS_LEADER,
    STARTS_LEFT,
)
from torres_env.resample import resample
from torres_env.rules import MAX_KNIGHTS
from torres_env.scoring import add_points, first_place, last_place, outcome, score_phase, standing
from tower_core.bits import U0, U64, bit, popcount
from tower_core.hooks import implement
from tower_core.loops import serve
from tower_core.memory import MAX_SEATS, OVER
from tower_core.native import compile_entry, inlined, jit
from tower_core.random import below

GO_ON = np.int64(-1)


# ---------------------------------------------------------------------------------------------- setup
@jit
def new_game(s: Any, seed: Any) -> None:
    """Set up the game of a seed under the rules in the record, up to the first decision (section 2)."""
    s.rng = seed
    s.first_word = FIRST_WORD
    s.truncated = 0
    n = np.int64(s.num_players)
    for cell in range(64):
        s.height[cell] = 0
    s.occupied = U0
    s.discarded = U0
    s.king = NO_CELL
    s.supply = 92 - np.int64(s.starting_count)
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
    s.master = below(s, np.int64(8)) if s.master_card else NO_CARD
    s.looked = U0
    s.looked_size = 0
    s.phase = 0
    s.round = 0
    s.start_player = 0
    s.turn = 0
    s.to_move = 0
    clear_turn(s)
    s.pending = SETUP_BLOCK if s.players_set_castles else SETUP_KNIGHT
    apply(s, GO_ON)


@inlined
def clear_turn(s: Any) -> None:
    s.ap = 0
    s.turn_stack = 0
    s.buys = 0
    s.bought = 0
    s.card_played = 0
    s.taken = NO_CELL
    s.pending = NOTHING


@jit
def start_phase(s: Any, phase: Any) -> None:
    s.phase = phase
    all_dirty(s)  # the king's bonus has changed
    s.round = 0
    for p in range(s.num_players):
        s.stack_count[p] = s.rounds[phase - 1]
        s.blocks_left[p] = 0
        for i in range(s.rounds[phase - 1]):
            s.stack[p, i] = s.stacks[phase - 1, i]
            s.blocks_left[p] += s.stack[p, i]
    start_round(s)


@jit
def start_round(s: Any) -> None:
    s.round += 1
    s.turn = 0
    if s.phase > 1 or s.round > 1:
        if s.starter == STARTS_LEADER:
            s.start_player = first_place(s)
        elif s.starter == STARTS_LEFT:
            s.start_player = (s.start_player + 1) % s.num_players
    s.to_move = s.start_player
    start_turn(s)


@jit
def start_turn(s: Any) -> None:
    p = s.to_move
    clear_turn(s)
    s.ap = s.action_points
    s.turn_stack = s.stack[p, 0]
    s.blocks_left[p] -= s.turn_stack
    s.stack_count[p] -= 1
    for i in range(s.stack_count[p]):
        s.stack[p, i] = s.stack[p, i + 1]
    s.stack[p, s.stack_count[p]] = 0


@jit
def end_turn(s: Any) -> None:
    """The end of a turn and what follows by itself: leftovers, the next turn, round, scoring or the end of the game."""
    p = np.int64(s.to_move)
    add_points(s, p, np.int64(s.ap) * s.unspent_ap_scores)
    for _ in range(s.turn_stack):
        i = 0
        while i < s.stack_count[p] and s.stack[p, i] >= s.max_stack:
            i += 1
        if i < s.stack_count[p]:
            s.stack[p, i] += 1
            s.blocks_left[p] += 1
        else:
            s.supply += 1
    clear_turn(s)
    s.turn += 1
    if s.turn < s.num_players:
        s.to_move = (p + 1) % s.num_players
        start_turn(s)
    elif s.round < s.rounds[s.phase - 1]:
        start_round(s)
    else:
        score_phase(s)
        all_dirty(s)
        if s.phase == 3:
            s.to_move = OVER
        else:
            s.to_move = last_place(s)
            s.pending = KING


@inlined
def settle(s: Any) -> None:
    """Run on to the next decision: legal actions, and the turn ends that come by themselves (section 3)."""
    while True:
        if s.pending == NOTHING and s.end_when_spent and s.ap == 0 and s.to_move >= 0:
            end_turn(s)
            continue
        update_legal(s)
        if s.pending != NOTHING or s.to_move < 0 or not only_end(s):
            return
        end_turn(s)


# ---------------------------------------------------------------------------------------------- actions
@jit
def apply(s: Any, action: Any) -> None:
    """Play a legal action (numbers: see actions.py), or with GO_ON none, and run on to the next decision.

    The one place that settles, so that what every step needs is compiled into one function, once.
    """
    p = np.int64(s.to_move)
    if action < FIRST_WORD:
        if action == GO_ON:
            pass
        elif action >= PLAY_BIT:
            play_card(s, p, action - PLAY_BIT)
        elif action >= PICK_BIT:
            pick_card(s, p, action - PICK_BIT)
        elif action == BUY_BIT:
            buy_card(s, p)
        else:
            end_turn(s)
    else:
        word = 1 + ((action - FIRST_WORD) >> 6)
        cell = (action - FIRST_WORD) & 63
        if word == B_WORD:
            place_block(s, p, cell)
        elif word == N_WORD:
            place_knight(s, p, cell)
        elif word < T_WORD:
            move_knight(s, p, word - M_WORD, cell)
        elif word == T_WORD:
            lower_cell(s, cell)
            s.taken = cell
        else:
            place_king(s, cell)
    settle(s)


@inlined
def place_block(s: Any, p: Any, cell: Any) -> None:
    pending = s.pending
    raise_cell(s, cell)
    s.taken = NO_CELL
    if pending == NOTHING:
        s.turn_stack -= 1
        s.ap -= 1
    elif pending == SETUP_BLOCK:
        s.to_move = (p + 1) % s.num_players
        if s.castle_count == s.starting_count or setup_cells(s) == U0:
            s.supply += np.int64(s.starting_count) - np.int64(s.castle_count)
            s.to_move = 0
            s.pending = SETUP_KNIGHT
    else:
        if pending == FOLLOW_UP + UNDER:
            take_under_block(s, p)
        elif pending != FOLLOW_UP + RELOCATE:
            s.supply -= 1
        s.pending = NOTHING


@inlined
def place_knight(s: Any, p: Any, cell: Any) -> None:
    k = s.knight_count[p]
    s.knight[p, k] = cell
    s.knight_count[p] = k + 1
    s.knight_bit[p, k] = bit(cell)
    s.knights[p] |= bit(cell)
    s.occupied |= bit(cell)
    s.dirty[p] |= 1 << k
    s.coming_dirty[p] = 1
    if s.pending == SETUP_KNIGHT:
        if p + 1 < s.num_players:
            s.to_move = p + 1
        elif s.king == NO_CELL:
            s.pending = KING
        else:
            s.pending = NOTHING
            start_phase(s, np.int64(1))
    else:
        s.ap -= KNIGHT_AP
        s.pending = NOTHING


@inlined
def move_knight(s: Any, p: Any, k: Any, cell: Any) -> None:
    change = bit(s.knight[p, k]) | bit(cell)
    s.knight[p, k] = cell
    s.knight_bit[p, k] = bit(cell)
    s.knights[p] ^= change
    s.occupied ^= change
    s.dirty[p] |= 1 << k
    s.coming_dirty[p] = 1
    if s.pending == NOTHING:
        s.ap -= 1
    s.pending = NOTHING


@jit
def place_king(s: Any, cell: Any) -> None:
    if s.king != NO_CELL:
        s.occupied &= ~bit(s.king)
    s.king = cell
    s.occupied |= bit(cell)
    s.pending = NOTHING
    start_phase(s, np.int64(s.phase) + 1)


@jit
def buy_card(s: Any, p: Any) -> None:
    s.ap -= 1
    s.buys += 1
    if s.draw_choice == 1:
        card = draw_from_deck(s, p)
        s.hand[p] |= 1 << card
        s.bought |= 1 << card
        refresh_deck(s, p)
        return
    s.looked = U0
    s.looked_size = 0
    while s.looked_size < s.draw_choice and s.deck_size[p] > 0:
        s.looked = pile_with(s.looked, np.int64(s.looked_size), draw_from_deck(s, p))
        s.looked_size += 1
    refresh_deck(s, p)
    s.pending = PICK


@jit
def pick_card(s: Any, p: Any, card: Any) -> None:
    for i in range(s.looked_size):
        other = pile_card(s.looked, np.int64(i))
        if other != card:
            put_under_deck(s, p, other)
    refresh_deck(s, p)
    s.looked = U0
    s.looked_size = 0
    s.hand[p] |= 1 << card
    s.bought |= 1 << card
    s.pending = NOTHING


@jit
def play_card(s: Any, p: Any, card: Any) -> None:
    if s.pending == NOTHING:  # else the inner card of an encore, which stays where it lies
        to_discard(s, p, card)
        s.card_played = 1
    if not asks_nothing(s, card):
        s.pending = FOLLOW_UP + card


# ---------------------------------------------------------------------------------------------- from outside
@jit
def refresh(s: Any) -> None:
    """Recompute everything derived after the plain fields were filled in, and run on to the next decision."""
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
    apply(s, GO_ON)


implement(
    RECORD,
    new_game=new_game,
    apply=apply,
    observe=write_observation,
    standing=standing,
    outcome=outcome,
    refresh=refresh,
    resample=resample,
)
SIZES = (np.int64(OBSERVATION_SIZE), np.int64(RECORD.itemsize))


def entry(op: int, address: int, x: int, y: int) -> int:
    return serve(op, address, x, y, RECORD, SIZES)  # type: ignore[no-any-return]


def compile_rules() -> tuple[Any, int]:
    """The compiled entry (see tower_core.loops) as a function, and its address."""
    return compile_entry(entry, ("tower_core", "torres_env"), "the rules of Torres")
