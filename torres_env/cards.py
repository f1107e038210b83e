"""Action cards and piles in compiled code: which cards can be played, their follow-ups and effects (section 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import around, relocate_source, relocate_targets, under_cells
from torres_env.card_table import (
    AP_BITS,
    CARD_TABLE,
    CARDS,
    DIAGONAL,
    DOOR,
    ENCORE,
    EXTRA,
    JUMP,
    RELOCATE,
    UNDER,
)
from torres_env.knights import card_moves, recruit_cells
from torres_env.record import NOTHING
from tower_core.engine.compiling import inlined, jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros, smaller
from tower_core.engine.random import below

NUM_CARDS = np.int64(len(CARDS))
AP_GAINS = U64(sum(card.ap << AP_BITS * i for i, card in enumerate(CARD_TABLE)))
"""Action points of each card, packed."""
_4, _15 = U64(4), U64(15)


# ---------------------------------------------------------------------------------------------- piles
@jit
def pile_card(pile: Any, i: Any) -> Any:
    """Card number *i* of a pile, from 0."""
    return np.int64((pile >> U64(4 * i)) & _15)


@jit
def pile_with(pile: Any, size: Any, card: Any) -> Any:
    """The pile with a card appended."""
    return pile | (U64(card) << U64(4 * size))


@jit
def pile_set(pile: Any, size: Any) -> Any:
    """The cards of a pile as a set."""
    cards = np.int64(0)
    for i in range(size):
        cards |= np.int64(1) << pile_card(pile, i)
    return cards


@jit
def shuffled_pile(s: Any, cards: Any) -> Any:
    """A set of cards as a pile shuffled with the record's stream (from table order, swapped from the end)."""
    pile = U0
    size = np.int64(0)
    for card in range(NUM_CARDS):
        if (cards >> card) & 1:
            pile = pile_with(pile, size, card)
            size += 1
    for i in range(size - 1, 0, -1):
        j = below(s, np.int64(i + 1))
        a, b = pile_card(pile, i), pile_card(pile, j)
        pile &= ~((_15 << U64(4 * i)) | (_15 << U64(4 * j)))
        if i == j:
            pile |= U64(a) << U64(4 * i)
        else:
            pile |= (U64(a) << U64(4 * j)) | (U64(b) << U64(4 * i))
    return pile


@jit
def draw_from_deck(s: Any, p: Any) -> Any:
    card = pile_card(s.deck[p], np.int64(0))
    s.deck[p] >>= _4
    s.deck_size[p] -= 1
    if s.deck_unseen[p] > 0:
        s.deck_unseen[p] -= 1
    return card


@jit
def put_under_deck(s: Any, p: Any, card: Any) -> None:
    s.deck[p] = pile_with(s.deck[p], np.int64(s.deck_size[p]), card)
    s.deck_size[p] += 1


@jit
def refresh_deck(s: Any, p: Any) -> None:
    """Update the fields derived from a seat's deck: its set of cards, and the places known to its owner."""
    for card in range(16):
        s.deck_place[p, card] = 0
    cards = np.int64(0)
    for i in range(s.deck_size[p]):
        card = pile_card(s.deck[p], np.int64(i))
        cards |= np.int64(1) << card
        if i >= s.deck_unseen[p]:
            s.deck_place[p, card] = i + 1
    s.deck_cards[p] = cards


@jit
def to_discard(s: Any, p: Any, card: Any) -> None:
    s.hand[p] &= ~(1 << card)
    s.discard[p] = pile_with(s.discard[p], np.int64(s.discard_size[p]), card)
    s.discard_size[p] += 1
    s.discarded |= bit(NUM_CARDS * p + card)


@inlined
def discarded_cards(s: Any, p: Any) -> Any:
    """A seat's discards as a set."""
    return np.int64((s.discarded >> U64(NUM_CARDS * p)) & (bit(NUM_CARDS) - U1))


# ---------------------------------------------------------------------------------------------- what can be played
@jit
def effect_possible(s: Any, p: Any, card: Any) -> Any:
    """Whether a card other than ``encore`` can be carried out in full now."""
    if ap_gain(card) > 0:
        return True
    free = ~s.occupied
    if card == JUMP or card == DIAGONAL or card == DOOR:
        for k in range(s.knight_count[p]):
            if card_moves(s, card, s.knight[p, k]) != U0:
                return True
        return False
    if card == UNDER:
        return under_block_left(s, p) and under_cells(s, p) != U0
    if card == EXTRA:
        return s.supply > 0 and s.block_targets & free != U0
    if card == RELOCATE:
        sources = s.level[1] & free
        while sources != U0:
            if relocate_source(s, count_trailing_zeros(sources)):
                return True
            sources &= sources - U1
        return False
    return recruit_cells(s, p) != U0


@jit
def playable(s: Any, p: Any, cards: Any) -> Any:
    """The subset of *cards* that can be carried out in full now."""
    possible = np.int64(0)
    left = U64(cards)
    while left != U0:
        card = count_trailing_zeros(left)
        left &= left - U1
        if card == ENCORE:
            again = discarded_cards(s, p) & ~(1 << ENCORE)
            for other in range(NUM_CARDS):
                if (again >> other) & 1 and effect_possible(s, p, other):
                    possible |= 1 << ENCORE
                    break
        elif effect_possible(s, p, card):
            possible |= 1 << card
    return possible


@jit
def under_block_left(s: Any, p: Any) -> Any:
    return s.turn_stack > 0 or (s.stack_count[p] > 0 and s.stack[p, 0] > 0)


@jit
def take_under_block(s: Any, p: Any) -> None:
    """Pay the block of ``under``: from the lowest other stack that has one, otherwise from this turn's stack."""
    for i in range(np.int64(s.stack_count[p]) - 1, -1, -1):
        if s.stack[p, i] > 0:
            s.stack[p, i] -= 1
            s.blocks_left[p] -= 1
            return
    s.turn_stack -= 1


@jit
def relocate_legal(s: Any) -> Any:
    """Cells for the block that ``relocate`` has taken; the board is without it."""
    here = bit(s.taken)
    # The cell's castle is gone if neither the cell nor its neighbours have a block left.
    vanished = s.level[1] & (here | around(here)) == U0
    before = np.int64(s.castle_count) + (1 if vanished else 0)
    return relocate_targets(s, smaller(before, np.int64(6))) & ~here


@jit
def asks_nothing(s: Any, card: Any) -> Any:
    """Carry out a card without a follow-up; False for the others."""
    gain = ap_gain(card)
    if gain == 0:
        return False
    s.ap += gain
    s.pending = NOTHING
    return True


@inlined
def ap_gain(card: Any) -> Any:
    """Action points that a card gives; 0 for cards with a follow-up."""
    return np.int64((AP_GAINS >> U64(AP_BITS * card)) & U64((1 << AP_BITS) - 1))
