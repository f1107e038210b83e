"""The pending decisions of ``greedy`` of the market game: gems, cards, targets, circles, markets, lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.market import plan
from market_env import actions, blackmarket, record
from market_env.components import MAX_MATERIALS
from market_env.legal import BUYS, DROP_AT, KEEP_AT, MARKET_AT, PAY_AT, TAKE_AT, TARGET_AT
from market_env.packed_counts import count_gems, count_pieces, one_token, piece_count
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros, test_bit

LOSE, GAIN = np.int64(0), np.int64(1)


@jit
def best_gem(s: Any, p: Any, gems: Any, change: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The colour among *gems* (bits) that is best to take (change GAIN) or to pay (LOSE)."""
    best, choice = plan.NEVER, np.int64(0)
    trades = plan.NO_TRADES if s.cause == record.STEAL else plan.TRADES
    while gems != U0:
        gem = count_trailing_zeros(gems)
        gems &= gems - U1
        tokens = s.tokens[p] + one_token(gem) if change == GAIN else s.tokens[p] - one_token(gem)
        value = plan.turn_value(s, p, tokens, trades, values, w, scratch)
        if value > best:
            best, choice = value, gem
    return choice


@jit
def best_card(cards: Any, w: Any, sign: Any) -> Any:
    """The most valuable of *cards* (bits), or with sign -1 the least valuable."""
    best, choice = plan.NEVER, np.int64(0)
    while cards != U0:
        card = count_trailing_zeros(cards)
        cards &= cards - U1
        if sign * w[plan.CARD_WORTH + card] > best:
            best, choice = sign * w[plan.CARD_WORTH + card], card
    return choice


@jit
def best_pocket(s: Any, p: Any, targets: Any) -> Any:
    """The seat among *targets* (bits, counted from the next seat) with the best gems on average; of equals the leader."""
    best, choice = plan.NEVER, np.int64(0)
    while targets != U0:
        place = count_trailing_zeros(targets)
        targets &= targets - U1
        q = (p + 1 + place) % np.int64(s.seats)
        value = plan.worth_of(s, s.tokens[q]) / np.float64(count_gems(s.tokens[q])) + 0.05 * plan.lead(s, q)
        if value > best:
            best, choice = value, place
    return choice


@jit
def leader_with_materials(s: Any, p: Any) -> Any:
    """The leading one of the other seats that own materials; the next seat if none does."""
    seats = np.int64(s.seats)
    best, choice = plan.NEVER, (p + 1) % seats
    for q in range(seats):
        if q != p and s.materials[q] != U0 and plan.lead(s, q) > best:
            best, choice = plan.lead(s, q), np.int64(q)
    return choice


@jit
def worst_loss(s: Any, p: Any, q: Any, values: Any) -> Any:
    """The most valuable material of seat *q*, with a bonus for those that *q* lacks."""
    best, choice = plan.NEVER, np.int64(0)
    for material in range(MAX_MATERIALS):
        if piece_count(s.materials[q], material) > 0:
            value = values[material] + (0.5 if plan.lacks(s, q, p, material) > 0.0 else 0.0)
            if value > best:
                best, choice = value, np.int64(material)
    return choice


@jit
def circle_to_return(s: Any, p: Any, circles: Any) -> Any:
    """The dearest of *circles*; the cheapest in the solo game, or if the player lacks the piece."""
    material = count_trailing_zeros(s.to_return) >> 3
    cheap = s.solo or (s.cause != record.BUILD and plan.lacks(s, p, p, material) > 0.0)
    best, choice = plan.NEVER, np.int64(0)
    while circles != U0:
        circle = count_trailing_zeros(circles)
        circles &= circles - U1
        value = -np.float64(s.worth[circle]) if cheap else np.float64(s.worth[circle])
        if value > best:
            best, choice = value, circle
    return choice


@jit
def best_list(s: Any, p: Any, w: Any) -> Any:
    """The list that costs least to satisfy; the player keeps its own unless another is cheaper."""
    best, choice = -plan.NEVER, np.int64(actions.LIST)
    if test_bit(s.legal[2], np.int64(actions.LIST_KEEP - actions.RETURN)):
        best = plan.cost_of_list(s, s.need[s.building_list[p]], s.materials[p], w)
        choice = np.int64(actions.LIST_KEEP)
    for i in range(np.int64(s.drawn_size)):
        cost = plan.cost_of_list(s, s.need[s.drawn[i]], s.materials[p], w)
        if cost < best:
            best, choice = cost, np.int64(actions.LIST + i)
    return choice


@jit
def best_market(s: Any, p: Any, markets: Any, values: Any, w: Any, scratch: Any) -> Any:
    """For the bully, the market with the best purchase; otherwise the market that the others need most."""
    if s.cause != record.BULLY:
        market = plan.market_for_others(s, p, markets)
        return market if market >= 0 else count_trailing_zeros(markets)
    best, choice = plan.NEVER, np.int64(0)
    while markets != U0:
        market = count_trailing_zeros(markets)
        markets &= markets - U1
        gain, _ = plan.best_purchase(s, p, bit(market), s.tokens[p], plan.NO_TRADES, values, w, scratch)
        if gain > best:
            best, choice = gain, market
    return choice


@jit
def forced_purchase(s: Any, p: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The purchase for a permit or a bully."""
    if s.cause == record.BULLY:
        _, action = plan.best_purchase(s, p, U64(s.chosen), s.tokens[p], plan.NO_TRADES, values, w, scratch)
        if action >= 0:
            return action
    _, circle = plan.best_gift(s, p, s.legal[1] & BUYS, values, w)
    return actions.BUY + circle


@jit
def answer(s: Any, p: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The action for the pending decision."""
    pending = np.int64(s.pending)
    if pending == record.ASK_ENTER:
        entry = plan.cheapest_entry(s, w) if count_pieces(s.hand[p]) + s.left < s.hand_limit else plan.NO_ACTION
        return entry if entry >= 0 else np.int64(actions.LOOK)
    if pending == record.ASK_KEEP or pending == record.ASK_DROP:
        keep = pending == record.ASK_KEEP
        card = best_card(s.legal[1] >> (KEEP_AT if keep else DROP_AT), w, 1.0 if keep else -1.0)
        return (actions.KEEP if keep else actions.DROP) + card
    if pending == record.ASK_PAY:
        return actions.PAY + best_gem(s, p, s.legal[0] >> PAY_AT, LOSE, values, w, scratch)
    if pending == record.ASK_TAKE:
        return actions.TAKE + best_gem(s, p, s.legal[2] >> TAKE_AT, GAIN, values, w, scratch)
    if pending == record.ASK_TARGET:
        if s.cause == blackmarket.PICKPOCKET:
            return actions.TARGET + best_pocket(s, p, s.legal[2] >> TARGET_AT)
        seats = np.int64(s.seats)
        return actions.TARGET + (leader_with_materials(s, p) - p - 1 + seats) % seats
    if pending == record.ASK_MATERIAL:
        return actions.MATERIAL + worst_loss(s, p, np.int64(s.victim), values)
    if pending == record.ASK_RETURN:
        return actions.RETURN + circle_to_return(s, p, s.legal[2])
    if pending == record.ASK_MARKET:
        return actions.MARKET + best_market(s, p, s.legal[2] >> MARKET_AT, values, w, scratch)
    if pending == record.ASK_LIST:
        return best_list(s, p, w)
    return forced_purchase(s, p, values, w, scratch)
