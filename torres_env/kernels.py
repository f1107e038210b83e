"""The compiled rules of Torres: effects of actions, and the engine's hooks."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env import cards, legal
from torres_env.board import lower_cell, raise_cell
from torres_env.card_table import RELOCATE, UNDER
from torres_env.hidden import resample
from torres_env.knights import KNIGHT_AP
from torres_env.observation import write_observation
from torres_env.record import FOLLOW_UP, KING, NO_CELL, NOTHING, PICK, RECORD, SETUP_BLOCK, SETUP_KNIGHT
from torres_env.scoring import potential, terminal_reward
from torres_env.setup import lay_out, recompute
from torres_env.turns import end_turn, start_phase
from tower_core.engine.compiling import inlined, jit
from tower_core.engine.hooks import implement
from tower_core.engine.intrinsics import U0, bit

GO_ON = np.int64(-1)


@jit
def apply(s: Any, action: Any) -> None:
    """Play a legal action (numbers: see actions.py), or none for GO_ON, and continue to the next decision.

    It is the only caller of ``settle``, so that the code of every step is compiled into one function, once.
    """
    p = np.int64(s.to_move)
    if action < legal.FIRST_WORD:
        if action == GO_ON:
            pass
        elif action >= legal.PLAY_BIT:
            play_card(s, p, action - legal.PLAY_BIT)
        elif action >= legal.PICK_BIT:
            pick_card(s, p, action - legal.PICK_BIT)
        elif action == legal.BUY_BIT:
            buy_card(s, p)
        else:
            end_turn(s)
    else:
        word = 1 + ((action - legal.FIRST_WORD) >> 6)
        cell = (action - legal.FIRST_WORD) & 63
        if word == legal.B_WORD:
            place_block(s, p, cell)
        elif word == legal.N_WORD:
            place_knight(s, p, cell)
        elif word < legal.T_WORD:
            move_knight(s, p, word - legal.M_WORD, cell)
        elif word == legal.T_WORD:
            lower_cell(s, cell)
            s.taken = cell
        else:
            place_king(s, cell)
    settle(s)


@inlined
def settle(s: Any) -> None:
    """Continue to the next decision: compute legal actions, and end turns that end automatically (section 3)."""
    while True:
        if s.pending == NOTHING and s.end_when_spent and s.ap == 0 and s.to_move >= 0:
            end_turn(s)
            continue
        legal.update_legal(s)
        if s.pending != NOTHING or s.to_move < 0 or not legal.only_end(s):
            return
        end_turn(s)


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
        if s.castle_count == s.starting_count or legal.setup_cells(s) == U0:
            s.supply += np.int64(s.starting_count) - np.int64(s.castle_count)
            s.to_move = 0
            s.pending = SETUP_KNIGHT
    else:
        if pending == FOLLOW_UP + UNDER:
            cards.take_under_block(s, p)
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
        card = cards.draw_from_deck(s, p)
        s.hand[p] |= 1 << card
        s.bought |= 1 << card
        cards.refresh_deck(s, p)
        return
    s.looked = U0
    s.looked_size = 0
    while s.looked_size < s.draw_choice and s.deck_size[p] > 0:
        s.looked = cards.pile_with(s.looked, np.int64(s.looked_size), cards.draw_from_deck(s, p))
        s.looked_size += 1
    cards.refresh_deck(s, p)
    s.pending = PICK


@jit
def pick_card(s: Any, p: Any, card: Any) -> None:
    for i in range(s.looked_size):
        other = cards.pile_card(s.looked, np.int64(i))
        if other != card:
            cards.put_under_deck(s, p, other)
    cards.refresh_deck(s, p)
    s.looked = U0
    s.looked_size = 0
    s.hand[p] |= 1 << card
    s.bought |= 1 << card
    s.pending = NOTHING


@jit
def play_card(s: Any, p: Any, card: Any) -> None:
    if s.pending == NOTHING:  # otherwise it is the inner card of an encore, which stays where it is
        cards.to_discard(s, p, card)
        s.card_played = 1
    if not cards.asks_nothing(s, card):
        s.pending = FOLLOW_UP + card


# ---------------------------------------------------------------------------------------------- the hooks
@jit
def new_game(s: Any, seed: Any) -> None:
    """Set up the game of a seed under the rules in the record, up to the first decision (section 2)."""
    lay_out(s, seed)
    apply(s, GO_ON)


@jit
def refresh(s: Any) -> None:
    """Compute all derived fields, and continue to the next decision."""
    recompute(s)
    apply(s, GO_ON)


implement(
    RECORD,
    new_game=new_game,
    apply=apply,
    observe=write_observation,
    potential=potential,
    terminal_reward=terminal_reward,
    refresh=refresh,
    resample=resample,
)
