"""Hidden information of the market game: the only place that decides what each seat may know.

Hidden from a seat are the order of both decks, the black-market cards of other players, cards that another player looks
at, and, if lists are closed, the lists of other players and those they choose from. Discard piles are public; a seat also
knows the cards it put back on top of the deck, until that top changes. Positions, texts and pictures of a seat
(position.py), observations, histories and resampling all use these functions, in compiled code and in Python (see
:func:`in_python`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env.components import CARDS
from market_env.draws import shuffle
from market_env.packed_counts import count_pieces, one_piece, piece_count
from market_env.parts import put_on_deck
from market_env.record import ASK_RETURN, BUILD, CARD_DECK, LISTS, NO_LIST
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, bit, count_trailing_zeros

I0 = np.int64(0)


# ---------------------------------------------------------------------------------------------- the gate
@jit
def knows_hand(s: Any, seat: Any, p: Any) -> Any:
    """Whether *seat* knows the black-market cards of seat *p*."""
    return p == seat


@jit
def knows_shown(s: Any, seat: Any) -> Any:
    """Whether *seat* knows the cards being looked at."""
    return s.to_move == seat


@jit
def known_top(s: Any, seat: Any) -> Any:
    """Number of cards on top of the deck that *seat* knows, having put them back."""
    return np.int64(s.known_size) if s.known_by == seat else I0


@jit
def list_hidden(s: Any, p: Any, seat: Any) -> Any:
    """Whether the list of seat *p* is hidden from *seat*. Building reveals the list, which is discarded next."""
    if not s.closed or p == seat or p == s.num_players or s.building_list[p] == NO_LIST:
        return False
    return not (p == s.to_move and s.pending == ASK_RETURN and s.cause == BUILD)


@jit
def knows_drawn(s: Any, seat: Any) -> Any:
    """Whether *seat* knows the lists that the player to move chooses from."""
    return s.to_move == seat or not s.closed


def knows_action(lists_closed: bool, seat: int, mover: int, verb: str) -> bool:
    """Whether *seat* knows which action of a verb *mover* played: KEEP and LIST reveal hidden information."""
    return mover == seat or not (verb == "KEEP" or (verb == "LIST" and lists_closed))


# ---------------------------------------------------------------------------------------------- resampling
@jit
def resample_seats(s: Any, seat: Any) -> None:
    """Collect all hidden cards and lists, sort, shuffle and deal them, so that nothing of their old order remains."""
    resample_cards(s, seat)
    resample_lists(s, seat)


@jit
def resample_cards(s: Any, seat: Any) -> None:
    """Redeal the black-market cards that *seat* doesn't know."""
    # The known top is kept in `shown`, which is unused: a top is only known between visits.
    known = known_top(s, seat)
    size = np.int64(s.deck_size[CARD_DECK]) - known
    for i in range(known):
        s.shown[i] = s.deck[CARD_DECK, size + i]
    hidden_shown = I0 if knows_shown(s, seat) else np.int64(s.shown_size)
    pool = U0
    for i in range(size):
        pool += one_piece(np.int64(s.deck[CARD_DECK, i]))
    for i in range(hidden_shown):
        pool += one_piece(np.int64(s.shown[i]))
    for p in range(np.int64(s.num_players)):
        if not knows_hand(s, seat, p):
            pool += s.hand[p]
    s.deck_size[CARD_DECK] = 0
    for card in range(len(CARDS)):
        for _ in range(piece_count(pool, card)):
            put_on_deck(s, CARD_DECK, card)
    shuffle(s, CARD_DECK)
    for p in range(np.int64(s.num_players)):
        if not knows_hand(s, seat, p):
            held = count_pieces(s.hand[p])
            s.hand[p] = U0
            for _ in range(held):
                s.hand[p] += one_piece(take_top(s, CARD_DECK))
    for i in range(hidden_shown):
        s.shown[i] = take_top(s, CARD_DECK)
    for i in range(known):
        put_on_deck(s, CARD_DECK, np.int64(s.shown[i]))


@jit
def take_top(s: Any, which: Any) -> Any:
    """Take the top of a non-empty deck."""
    s.deck_size[which] -= 1
    return np.int64(s.deck[which, s.deck_size[which]])


@jit
def resample_lists(s: Any, seat: Any) -> None:
    """Redeal the building lists that *seat* doesn't know."""
    hidden_drawn = I0 if knows_drawn(s, seat) else np.int64(s.drawn_size)
    pool = U0
    for i in range(s.deck_size[LISTS]):
        pool |= bit(s.deck[LISTS, i])
    for i in range(hidden_drawn):
        pool |= bit(s.drawn[i])
    for p in range(np.int64(s.num_players)):
        if list_hidden(s, p, seat):
            pool |= bit(s.building_list[p])
    s.deck_size[LISTS] = 0
    while pool != U0:
        put_on_deck(s, LISTS, count_trailing_zeros(pool))
        pool &= pool - U1
    shuffle(s, LISTS)
    for p in range(np.int64(s.num_players)):
        if list_hidden(s, p, seat):
            s.building_list[p] = take_top(s, LISTS)
    for i in range(hidden_drawn):
        s.drawn[i] = take_top(s, LISTS)
