"""Hidden information in compiled code: drawing anew what a seat can't know."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.cards import pile_set, refresh_deck, shuffled_pile
from torres_env.legal import only_end, update_legal
from torres_env.record import NOTHING
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U1, U64, popcount


@jit
def resample(s: Any, seat: Any, seed: Any) -> None:
    """Redraw what *seat* can't know: others' hands (where closed), decks and looked-at cards, its own unseen cards."""
    s.rng = seed
    while True:
        for p in range(s.num_players):
            if p == seat:
                resample_own(s, p)
            else:
                resample_other(s, p)
            refresh_deck(s, np.int64(p))
        update_legal(s)
        # Had the mover nothing to do but END, its turn would have ended by itself: everybody knows that it hasn't.
        if s.pending != NOTHING or s.to_move < 0 or not only_end(s):
            return


@jit
def resample_own(s: Any, p: Any) -> None:
    unseen = np.int64(s.deck_unseen[p])
    top = s.deck[p] & ((U1 << U64(4 * unseen)) - U1)
    kept = s.deck[p] ^ top
    s.deck[p] = shuffled_pile(s, pile_set(top, unseen)) | kept


@jit
def resample_other(s: Any, p: Any) -> None:
    looked = np.int64(s.looked_size) if p == s.to_move else np.int64(0)
    cards = pile_set(s.deck[p], np.int64(s.deck_size[p])) | pile_set(s.looked, looked)
    held = np.int64(0)
    if not s.hands_open:
        cards |= np.int64(s.hand[p])
        held = popcount(U64(s.hand[p]))
    pile = shuffled_pile(s, cards)
    if not s.hands_open:
        s.hand[p] = pile_set(pile, held)
        if p == s.to_move:
            s.bought = pile_set(pile, popcount(U64(s.bought)))
        pile >>= U64(4 * held)
    if looked > 0:
        s.looked = pile & ((U1 << U64(4 * looked)) - U1)
        pile >>= U64(4 * looked)
    s.deck[p] = pile
