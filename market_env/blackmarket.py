"""The black market in compiled code: visits, and requirements and effects of cards (section 4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env import record
from market_env.actions import CARD, ENTER
from market_env.components import CARDS, ENTRIES
from market_env.packed_counts import count_gems, count_pieces, count_tokens, covers, one_piece, piece_count
from market_env.parts import draw_from, draw_tokens, put_on_deck, random_gem, to_discard
from market_env.shop import free_markets, permit_circles
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, bit, smaller
from tower_core.game_checks import GameError

_WITH_EFFECT = ("smuggler", "levy", "pickpocket", "sabotage", "permit", "bribe", "architect", "curfew")
SMUGGLER, LEVY, PICKPOCKET, SABOTAGE, PERMIT, BRIBE, ARCHITECT, CURFEW = (CARDS.index(name) for name in _WITH_EFFECT)
for _name in CARDS:
    if _name not in _WITH_EFFECT:
        raise GameError(f"black-market card {_name!r}: has no effect in blackmarket.py yet")
SMUGGLED, LEVIED, PLANNED = np.int64(3), np.int64(2), np.int64(3)  # tokens, gems and lists of the cards


# ---------------------------------------------------------------------------------------------- the visit
@jit
def entries(s: Any, p: Any) -> Any:
    """Legal ENTER as bits of the first word."""
    bits = U0
    paid = np.int64(s.left) if s.pending == record.ASK_ENTER else np.int64(0)
    cards = np.int64(s.deck_size[record.CARD_DECK]) + np.int64(s.discard_size[record.CARD_DECK])
    if paid < smaller(np.int64(s.offer), cards):
        for kind in range(len(ENTRIES)):
            if s.entry[kind] != U0 and covers(s.tokens[p], s.entry[kind]):
                bits |= bit(ENTER + kind)
    return bits


@jit
def look(s: Any) -> None:
    """Draw the cards to choose from; afterwards nobody knows the top of the deck."""
    s.known_size = 0
    s.shown_size = 0
    for _ in range(s.offer):
        card = draw_from(s, record.CARD_DECK)
        if card < 0:
            break
        s.shown[s.shown_size] = card
        s.shown_size += 1


@jit
def next_choice(s: Any, p: Any) -> None:
    """Ask for the next DROP or KEEP of a visit, or end it: the remaining cards go back on top in their order."""
    if s.left > 0:
        s.pending = record.ASK_DROP if count_pieces(s.hand[p]) >= s.hand_limit else record.ASK_KEEP
        return
    for i in range(np.int64(s.shown_size) - 1, -1, -1):
        put_on_deck(s, record.CARD_DECK, np.int64(s.shown[i]))
    s.known_size = s.shown_size
    s.known_by = p
    s.shown_size = 0
    s.pending = record.NOTHING
    s.cause = record.NO_CAUSE


@jit
def drop(s: Any, p: Any, card: Any) -> None:
    s.hand[p] -= one_piece(card)
    to_discard(s, record.CARD_DECK, card)
    s.pending = record.ASK_KEEP


@jit
def keep(s: Any, p: Any, card: Any) -> None:
    """Take the upper copy of a card that is shown."""
    i = np.int64(0)
    while s.shown[i] != card:
        i += 1
    s.shown_size -= 1
    while i < s.shown_size:
        s.shown[i] = s.shown[i + 1]
        i += 1
    s.hand[p] += one_piece(card)
    s.left -= 1
    next_choice(s, p)


# ---------------------------------------------------------------------------------------------- cards
@jit
def pickpocket_targets(s: Any, p: Any) -> Any:
    """Other seats with a gem, as bits."""
    seats = U0
    for q in range(np.int64(s.seats)):
        if q != p and count_gems(s.tokens[q]) > 0:
            seats |= bit(q)
    return seats


@jit
def sabotage_targets(s: Any, p: Any) -> Any:
    """Other seats with a material, as bits."""
    seats = U0
    for q in range(np.int64(s.seats)):
        if q != p and s.materials[q] != U0:
            seats |= bit(q)
    return seats


@jit
def effect_possible(s: Any, p: Any, card: Any) -> Any:
    """Whether a card has an effect once its fee is paid."""
    if card == SMUGGLER:
        return count_tokens(s.bag) + count_tokens(s.pile) + np.int64(s.fee[card]) > 0
    if card == LEVY:
        return not s.wanted[p] and count_gems(s.pile) >= LEVIED
    if card == PICKPOCKET:
        return pickpocket_targets(s, p) != U0
    if card == SABOTAGE:
        return sabotage_targets(s, p) != U0
    if card == PERMIT:
        return permit_circles(s, p) != U0
    if card == BRIBE:
        return s.worker[p] == 0
    if card == ARCHITECT:
        return s.deck_size[record.LISTS] > 0 or s.discard_size[record.LISTS] > 0
    return free_markets(s) != U0


@jit
def playable(s: Any, p: Any) -> Any:
    """Legal CARD as bits of the first word."""
    bits = U0
    gems = count_gems(s.tokens[p])
    for card in range(len(CARDS)):
        if piece_count(s.hand[p], card) > 0 and gems >= s.fee[card] and effect_possible(s, p, card):
            bits |= bit(CARD + card)
    return bits


@jit
def play_card(s: Any, p: Any, card: Any) -> None:
    s.hand[p] -= one_piece(card)
    s.cause = card
    s.left = s.fee[card]
    if s.left > 0:
        s.pending = record.ASK_PAY
    else:
        begin_effect(s, p, card)


@jit
def finish_card(s: Any) -> None:
    """Discard the card in play and continue the turn."""
    to_discard(s, record.CARD_DECK, np.int64(s.cause))
    s.cause = record.NO_CAUSE
    s.pending = record.NOTHING


@jit
def begin_effect(s: Any, p: Any, card: Any) -> None:
    """Carry out a card whose fee is paid, up to its first decision."""
    if card == SMUGGLER:
        draw_tokens(s, p, SMUGGLED)
        finish_card(s)
    elif card == BRIBE:
        s.bribed = 1
        finish_card(s)
    elif card == LEVY:
        s.left = LEVIED
        s.pending = record.ASK_TAKE
    elif card == PERMIT:
        s.pending = record.ASK_BUY
    elif card == ARCHITECT:
        draw_lists(s, PLANNED)
    elif card == CURFEW:
        s.pending = record.ASK_MARKET
    else:
        s.pending = record.ASK_TARGET


@jit
def pick_pocket(s: Any, p: Any, victim: Any) -> None:
    gem = random_gem(s, p, s.tokens[victim])
    s.tokens[victim] -= gem
    s.tokens[p] += gem
    finish_card(s)


@jit
def draw_lists(s: Any, count: Any) -> None:
    """Draw up to *count* lists and ask for one (sections 4 and 5)."""
    s.drawn_size = 0
    for _ in range(count):
        number = draw_from(s, record.LISTS)
        if number < 0:
            break
        s.drawn[s.drawn_size] = number
        s.drawn_size += 1
    s.pending = record.ASK_LIST
