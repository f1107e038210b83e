"""Evaluation of positions of the market game, in compiled code: every player's probability to win.

Each player has a *potential*, a weighted sum of features; the probabilities to win are the softmax of the potentials (a
conditional logit model). Search evaluates resampled copies, so all lists and hands are known here.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.market.plan import FINISH, TRADES, WIN, best_purchase, cheapest, value_materials, worth_of
from market_env.components import CARDS
from market_env.packed_counts import (
    PASS,
    count_gems,
    count_pieces,
    excess,
    lane_of,
    one_piece,
    piece_count,
    token_count,
)
from market_env.record import NO_MATERIAL
from market_env.scoring import utility
from market_env.shop import asked, figures, letting_in
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, bit, count_trailing_zeros, larger, smaller, test_bit

# The features of a player. Worth is in gems of mean worth, so that component sets may use any unit.
FEATURES = (
    "towers",  # still to build
    "last",  # only one tower is left to build
    "missing",  # pieces that the list lacks, without those for which others stand in
    "cost",  # worth of the cheapest circles that hold them
    "deficit",  # the part of it that the own gems do not cover
    "spare",  # worth of gems beyond it, up to three draws
    "gone",  # pieces lacking that lie nowhere, and for which nothing stands in
    "visits",  # fewest markets at which they can be bought: 0 … 3
    "reach",  # most pieces lacking at one market that will be open in the next turn
    "ready",  # the list is satisfied
    "finish",  # all that is lacking lies at one market that will be open, and there are about enough gems
    "now",  # the next to move can build at once: it has all, or can buy it with what it holds
    "last_now",
    "last_missing", "last_deficit", "last_visits", "last_ready", "last_finish",  # the same for the last tower
    "surplus",  # pieces beyond the list
    "passes", "red", "gems",  # tokens
    "wanted", "jailed", "hired",
    "order",  # turns of others before the next own one, over the number of players
    *CARDS,  # cards in hand
)  # fmt: skip
NUM_FEATURES = len(FEATURES)
(
    TOWERS, LAST, MISSING, COST, DEFICIT, SPARE, GONE, VISITS, REACH, READY, ENOUGH, NOW, LAST_NOW, LAST_MISSING,
    LAST_DEFICIT, LAST_VISITS, LAST_READY, LAST_FINISH, SURPLUS, PASSES, RED_GEMS, GEM_COUNT, IS_WANTED, IS_JAILED, HIRED,
    ORDER, HELD,
) = range(27)  # fmt: skip
NPC_FEATURES = 3  # of the NPC in the solo game: a constant, towers still to build, pieces lacking
MOST_VISITS = np.int64(3)
RED_COLOUR = np.int64(2)
I0 = np.int64(0)
NO_POTENTIAL = -1e300


@jit
def unit_of(s: Any) -> Any:
    """Mean worth of the component set's gems."""
    return worth_of(s, s.bag_start) / np.float64(larger(count_gems(s.bag_start), np.int64(1)))


@jit
def stock_markets(s: Any, stock: Any) -> None:
    """Write the pieces at each market to *stock*."""
    for market in range(np.int64(s.markets)):
        pieces = U0
        for circle in range(6 * market, 6 * market + 6):
            material = s.holds[circle]
            if material != NO_MATERIAL:
                pieces += one_piece(np.int64(material))
        stock[market] = pieces


@jit
def barred_markets(s: Any, q: Any, mover: Any) -> Any:
    """Markets (bits) that will be closed in the next turn of seat *q*: by figures of seats that move later, and curfews."""
    players = np.int64(s.num_players)
    order = (q - mover + players) % players
    barred = U0
    for r in range(np.int64(s.seats)):
        if r != q and (r >= players or (r - mover + players) % players > order):
            barred |= figures(s, r) | np.uint64(s.curfew[r])
    return barred


@jit
def fewest_visits(stock: Any, markets: Any, missing: Any) -> Any:
    """The fewest markets at which the pieces can be bought, at most MOST_VISITS."""
    if missing == U0:
        return I0
    for i in range(markets):
        if excess(missing, stock[i]) == U0:
            return np.int64(1)
    for i in range(markets):
        rest = excess(missing, stock[i])
        if rest == missing:
            continue
        for j in range(i):
            if excess(rest, stock[j]) == U0:
                return np.int64(2)
    return MOST_VISITS


@jit
def cost_of_pieces(s: Any, missing: Any) -> Any:
    """Worth of the cheapest circles that hold the pieces."""
    cost = 0.0
    while missing != U0:
        material = count_trailing_zeros(missing) >> 3
        wanted, circles = piece_count(missing, material), s.on[material]
        missing &= ~lane_of(material)
        while wanted > 0 and circles != U0:
            circle = cheapest(s, circles)
            circles &= ~bit(circle)
            cost += np.float64(s.worth[circle])
            wanted -= 1
    return cost


@jit
def can_complete(s: Any, q: Any, markets: Any, brain: Any) -> Any:
    """Whether player *q* could buy all missing pieces at one of *markets*, trades included."""
    values, w, scratch = brain[0], brain[1], brain[2]
    value_materials(s, q, values, w)
    usual = w[FINISH]
    w[FINISH] = WIN  # no other gain comes near it
    gain, _ = best_purchase(s, q, markets, s.tokens[q], TRADES, values, w, scratch)
    w[FINISH] = usual
    return gain > 0.5 * WIN


@jit
def describe(s: Any, q: Any, mover: Any, unit: Any, brain: Any, f: Any) -> None:
    """Write the features of player *q* to *f*, with *mover* next to move; call stock_markets before."""
    stock = brain[4]
    need, have = asked(s, q), s.materials[q]
    missing, surplus = excess(need, have), count_pieces(excess(have, need))
    nowhere = missing & s.exhausted
    lacking_nowhere = count_pieces(nowhere)
    stand_ins = smaller(lacking_nowhere, surplus)
    buyable = missing & ~s.exhausted
    number = count_pieces(buyable) + lacking_nowhere - stand_ins
    cost, worth = cost_of_pieces(s, buyable) / unit, worth_of(s, s.tokens[q]) / unit
    last = np.float64(s.score[q] + 1 == s.towers_to_win)
    markets = np.int64(s.markets)
    barred = barred_markets(s, q, mover)
    reach, finish = I0, False
    for market in range(markets):
        if not test_bit(barred, market):
            lacking = excess(buyable, stock[market])
            reach = larger(reach, count_pieces(buyable) - count_pieces(lacking))
            finish |= lacking == U0
    ready = number == 0 and need != U0
    income = 0.0 if q == mover else np.float64(s.draw)
    f[TOWERS] = np.float64(np.int64(s.towers_to_win) - np.int64(s.score[q]))
    f[LAST] = last
    f[MISSING] = np.float64(number)
    f[COST] = cost
    f[DEFICIT] = cost - worth if cost > worth else 0.0
    spare = worth - cost if worth > cost else 0.0
    f[SPARE] = spare if spare < 3.0 * np.float64(s.draw) else 3.0 * np.float64(s.draw)
    f[GONE] = np.float64(lacking_nowhere - stand_ins)
    f[VISITS] = np.float64(fewest_visits(stock, markets, buyable))
    f[REACH] = np.float64(reach)
    f[READY] = np.float64(ready)
    f[ENOUGH] = np.float64(finish and not ready and lacking_nowhere == stand_ins and worth + income >= cost)
    f[NOW] = 0.0
    if q == mover and (ready or (f[ENOUGH] > 0.0 and can_complete(s, q, letting_in(s, q) & ~barred, brain))):
        f[NOW] = 1.0
    f[LAST_NOW] = last * f[NOW]
    f[LAST_MISSING] = last * f[MISSING]
    f[LAST_DEFICIT] = last * f[DEFICIT]
    f[LAST_VISITS] = last * f[VISITS]
    f[LAST_READY] = last * f[READY]
    f[LAST_FINISH] = last * f[ENOUGH]
    f[SURPLUS] = np.float64(surplus - stand_ins)
    f[PASSES] = np.float64(token_count(s.tokens[q], np.int64(PASS)))
    f[RED_GEMS] = np.float64(token_count(s.tokens[q], RED_COLOUR))
    f[GEM_COUNT] = np.float64(count_gems(s.tokens[q]))
    f[IS_WANTED] = np.float64(s.wanted[q])
    f[IS_JAILED] = np.float64(s.jailed[q])
    f[HIRED] = np.float64(s.has_hired[q])
    players = np.int64(s.num_players)
    f[ORDER] = np.float64((q - mover + players) % players) / np.float64(players)
    for card in range(len(CARDS)):
        f[HELD + card] = np.float64(piece_count(s.hand[q], card))


@jit
def npc_potential(s: Any, weights: Any) -> Any:
    """The potential of the NPC in the solo game."""
    npc = np.int64(s.num_players)
    left = np.float64(np.int64(s.solo_npc_towers) - np.int64(s.score[npc]))
    missing = np.float64(count_pieces(excess(asked(s, npc), s.materials[npc])))
    return weights[NUM_FEATURES] + weights[NUM_FEATURES + 1] * left + weights[NUM_FEATURES + 2] * missing


@jit
def fill_probs(s: Any, mover: Any, brain: Any, probs: Any) -> None:
    """Write every player's probability to win, with *mover* next to move; at the end of the game, its result (0 to 1)."""
    if s.to_move < 0:
        for q in range(np.int64(s.num_players)):
            probs[q] = (utility(s, q) + 1.0) / 2.0
        return
    weights, f = brain[3], brain[5]
    stock_markets(s, brain[4])
    unit, players = unit_of(s), np.int64(s.num_players)
    npc = npc_potential(s, weights) if s.solo else NO_POTENTIAL
    highest = npc
    for q in range(players):
        describe(s, q, mover, unit, brain, f)
        potential = 0.0
        for i in range(NUM_FEATURES):
            potential += weights[i] * f[i]
        probs[q] = potential
        highest = potential if potential > highest else highest
    total = math.exp(npc - highest)
    for q in range(players):
        probs[q] = math.exp(probs[q] - highest)
        total += probs[q]
    for q in range(players):
        probs[q] /= total


@jit
def chance_to_win(s: Any, p: Any, mover: Any, brain: Any) -> Any:
    """The probability of player *p* to win (see fill_probs)."""
    probs = brain[6]
    fill_probs(s, mover, brain, probs)
    return probs[p]
