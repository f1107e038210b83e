"""The legal actions in compiled code, as the three words of the record (numbers: actions.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env import actions, record, shop
from market_env.blackmarket import PERMIT, PICKPOCKET, entries, pickpocket_targets, playable, sabotage_targets
from market_env.components import CARDS, ENTRIES, MAX_MATERIALS
from market_env.packed_counts import colours, count_gems, covers, piece_count
from market_env.parts import return_circles
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros, test_bit

BUILD_BIT, LOOK_BIT, STEAL_BIT, PARDON_BIT = (
    U64(1 << action) for action in (actions.BUILD, actions.LOOK, actions.STEAL, actions.PARDON)
)
PAY_AT = U64(actions.PAY)
# Where groups start in the second word, which starts with BUY, and in the third, which starts with RETURN.
TRADE_AT, KEEP_AT, DROP_AT = (U64(first - actions.BUY) for first in (actions.TRADE, actions.KEEP, actions.DROP))
TAKE_AT, TARGET_AT, MATERIAL_AT, MARKET_AT, LIST_AT, LIST_KEEP_AT = (
    U64(first - actions.RETURN)
    for first in (actions.TAKE, actions.TARGET, actions.MATERIAL, actions.MARKET, actions.LIST, actions.LIST_KEEP)
)
BUYS = U64((1 << actions.MAX_CIRCLES) - 1)
# Actions of the first word that, like BUY, prevent the idle draw if they are legal (section 3).
ABLE = BUILD_BIT | U64(sum(1 << actions.CARD + i for i in range(len(CARDS))))
ABLE |= U64(sum(1 << actions.ENTER + i for i in range(len(ENTRIES))))


@jit
def update_legal(s: Any) -> None:
    s.legal[0] = U0
    s.legal[1] = U0
    s.legal[2] = U0
    if s.to_move < 0:
        return
    p = np.int64(s.to_move)
    pending = np.int64(s.pending)
    if pending == record.NOTHING:
        write_actions(s, p)
    elif pending <= record.ASK_PAY:
        write_visit(s, p, pending)
    else:
        write_question(s, p, pending)


@jit
def write_actions(s: Any, p: Any) -> None:
    """Write the legal words of a player without a pending decision (sections 3, 4, 7 and 8)."""
    words = U1 | shop.hires(s, p) | playable(s, p)
    if shop.list_satisfied(s, p):
        words |= BUILD_BIT
    if not s.visited:
        words |= entries(s, p)
    if s.guard_hunts and s.at_start:
        if s.wanted[p]:
            if covers(s.tokens[p], shop.RED_GEM):
                words |= PARDON_BIT
        elif count_gems(s.pile) >= s.steal_gems:
            words |= STEAL_BIT
    s.legal[0] = words
    s.legal[1] = shop.to_buy(s, p, shop.open_markets(s, p), s.tokens[p])
    if not s.wanted[p]:
        for rate in range(np.int64(s.rates)):
            if covers(s.tokens[p], s.give[rate]) and covers(s.pile, s.get[rate]):
                s.legal[1] |= bit(rate) << TRADE_AT


@jit
def draws_at_end(s: Any) -> Any:
    """Whether END draws tokens for the seat to move, which has no pending decision: it did nothing and could do nothing."""
    return not s.acted and (s.idle_always or (s.legal[1] & BUYS == U0 and s.legal[0] & ABLE == U0))


@jit
def write_visit(s: Any, p: Any, pending: Any) -> None:
    """Write the legal words while ENTER, KEEP, DROP or PAY is pending."""
    if pending == record.ASK_ENTER:
        s.legal[0] = LOOK_BIT | entries(s, p)
    elif pending == record.ASK_PAY:
        s.legal[0] = (shop.bully_fees(s, p) if s.cause == record.BULLY else colours(s.tokens[p])) << PAY_AT
    elif pending == record.ASK_DROP:
        for card in range(len(CARDS)):
            if piece_count(s.hand[p], card) > 0:
                s.legal[1] |= bit(card) << DROP_AT
    else:
        for i in range(s.shown_size):
            s.legal[1] |= bit(s.shown[i]) << KEEP_AT


@jit
def write_question(s: Any, p: Any, pending: Any) -> None:
    """Write the legal words while a card, an apprentice, a theft or a building needs a decision."""
    if pending == record.ASK_RETURN:
        s.legal[2] = returns(s)
    elif pending == record.ASK_BUY:
        s.legal[1] = shop.permit_circles(s, p) if s.cause == PERMIT else shop.to_buy(s, p, U64(s.chosen), s.tokens[p])
    elif pending == record.ASK_MARKET:
        markets = shop.bully_markets(s, p, s.tokens[p]) if s.cause == record.BULLY else shop.free_markets(s)
        s.legal[2] = markets << MARKET_AT
    elif pending == record.ASK_TAKE:
        s.legal[2] = colours(s.pile) << TAKE_AT
    elif pending == record.ASK_LIST:
        s.legal[2] = (bit(s.drawn_size) - U1) << LIST_AT
        if s.building_list[p] != record.NO_LIST:
            s.legal[2] |= U1 << LIST_KEEP_AT
    elif pending == record.ASK_TARGET:
        targets = pickpocket_targets(s, p) if s.cause == PICKPOCKET else sabotage_targets(s, p)
        seats = np.int64(s.seats)
        for j in range(1, seats):
            if test_bit(targets, (p + j) % seats):
                s.legal[2] |= bit(j - 1) << TARGET_AT
    else:
        for material in range(MAX_MATERIALS):
            if piece_count(s.materials[s.victim], material) > 0:
                s.legal[2] |= bit(material) << MATERIAL_AT


@jit
def returns(s: Any) -> Any:
    """Circles for the next piece to return; of equal circles only the first (section 5)."""
    left = return_circles(s, count_trailing_zeros(s.to_return) >> 3)
    circles = left
    while left != U0:
        circle = count_trailing_zeros(left)
        left &= left - U1
        if s.twins[circle] & circles != U0:
            circles &= ~bit(circle)
    return circles
