"""Hidden information of Torres: the only place that decides what each seat may know.

Everything is public except the cards in hand (unless hands are open), which of them were bought this turn, the cards that
a buyer looks at, and the order of the decks. Positions, texts and pictures of a seat (position.py), observations,
histories and resampling all use these functions, in compiled code and in Python (see :func:`in_python`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.cards import pile_set, refresh_deck, shuffled_pile
from torres_env.legal import only_end, update_legal
from torres_env.record import NOTHING
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U1, U64, popcount


# ---------------------------------------------------------------------------------------------- the gate
@jit
def knows_hand(s: Any, seat: Any, p: Any) -> Any:
    """Whether *seat* knows the hand of seat *p*, and which of its cards were bought this turn."""
    return p == seat or s.hands_open != 0


@jit
def knows_looked(s: Any, seat: Any) -> Any:
    """Whether *seat* knows the cards being looked at: only the buyer does, even if hands are open."""
    return s.to_move == seat


@jit
def unseen_in_deck(s: Any, seat: Any, p: Any) -> Any:
    """Number of cards on top of the deck of seat *p* whose order *seat* doesn't know."""
    return np.int64(s.deck_unseen[p]) if p == seat else np.int64(s.deck_size[p])


def knows_action(hands_open: bool, seat: int, mover: int, verb: str) -> bool:
    """Whether *seat* knows which action of a verb *mover* played: PICK takes a card into a hidden hand."""
    return verb != "PICK" or mover == seat or hands_open


# ---------------------------------------------------------------------------------------------- resampling
@jit
def resample(s: Any, seat: Any, seed: Any) -> None:
    """Redraw what *seat* can't know: others' closed hands, decks and looked-at cards, and its own unseen cards."""
    s.rng = seed
    while True:
        for p in range(s.num_players):
            if p == seat:
                resample_own(s, p)
            else:
                resample_other(s, seat, p)
            refresh_deck(s, np.int64(p))
        update_legal(s)
        # If the mover could only END, its turn would have ended automatically, so everybody knows that it has a choice.
        if s.pending != NOTHING or s.to_move < 0 or not only_end(s):
            return


@jit
def resample_own(s: Any, p: Any) -> None:
    unseen = unseen_in_deck(s, p, p)
    top = s.deck[p] & ((U1 << U64(4 * unseen)) - U1)
    kept = s.deck[p] ^ top
    s.deck[p] = shuffled_pile(s, pile_set(top, unseen)) | kept


@jit
def resample_other(s: Any, seat: Any, p: Any) -> None:
    looked = np.int64(s.looked_size) if p == s.to_move and not knows_looked(s, seat) else np.int64(0)
    cards = pile_set(s.deck[p], unseen_in_deck(s, seat, p)) | pile_set(s.looked, looked)
    held = np.int64(0)
    if not knows_hand(s, seat, p):
        cards |= np.int64(s.hand[p])
        held = popcount(U64(s.hand[p]))
    pile = shuffled_pile(s, cards)
    if not knows_hand(s, seat, p):
        s.hand[p] = pile_set(pile, held)
        if p == s.to_move:
            s.bought = pile_set(pile, popcount(U64(s.bought)))
        pile >>= U64(4 * held)
    if looked > 0:
        s.looked = pile & ((U1 << U64(4 * looked)) - U1)
        pile >>= U64(4 * looked)
    s.deck[p] = pile
