"""What ``greedy`` of the market game thinks things are worth, in compiled code: gems, materials, lists, purchases.

Everything is told in worth of gems. Nothing here reads what the seat to move may not know: of the others' lists only
those that it sees, no hands, no order of decks, no random stream.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env.actions import BUY, ENTER, TRADE
from market_env.components import CARDS, ENTRIES, GEMS, MAX_MATERIALS
from market_env.hidden import list_hidden
from market_env.packed_counts import (
    count_gems,
    count_pieces,
    count_tokens,
    covers,
    excess,
    one_piece,
    one_token,
    piece_count,
    token_count,
)
from market_env.shop import asked, circles_of, open_markets, usable
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, bit, count_trailing_zeros, larger, popcount, smaller, test_bit

# Places in the weights (values and meaning: agents/market/weights.py).
(
    RICH, SCARCE, EXHAUSTED, FINISH, WAIT, PASS, ENTRY, WANTED, HIRE, PROFIT, PERMIT, PERMIT_FINISH, BRIBE, ARCHITECT,
    CARD_WORTH,
) = range(15)  # fmt: skip
NUM_WEIGHTS = CARD_WORTH + len(CARDS)
MEAN_WORTH = 3.0
WIN = 1000.0
NEVER = -1e9
NO_ACTION = np.int64(-1)
# Typed, for every literal argument would compile a function once more.
DEAREST, CHEAPEST = np.int64(1), np.int64(-1)
NO_TRADES, TRADES = np.int64(0), np.int64(1)
LAST_RESORT = 0.01  # who gains as much with fewer trades trades less
MAX_TRADES = 3  # one after the other
MAX_HOLDINGS = 48  # what a player could hold after them: so many are looked at

# One entry for each way to have traded, and one for each set of circles of a market.
HOLDING = np.dtype([("tokens", "u8"), ("loss", "f8"), ("rate", "i8")], align=True)
BASKET = np.dtype([("price", "u8"), ("pieces", "u8"), ("gain", "f8"), ("worth", "i8")], align=True)
MAX_BASKETS = 64


# ---------------------------------------------------------------------------------------------- worth
@jit
def worth_of(s: Any, tokens: Any) -> Any:
    """Worth of the gems among some tokens."""
    total = 0.0
    for gem in range(len(GEMS)):
        total += np.float64(token_count(tokens, gem) * np.int64(s.gem_worth[gem]))
    return total


@jit
def scale_weights(s: Any, given: Any, w: Any) -> None:
    """The weights for the component set: they were found for gems whose mean worth is MEAN_WORTH."""
    unit = worth_of(s, s.bag_start) / (MEAN_WORTH * np.float64(larger(count_gems(s.bag_start), np.int64(1))))
    for i in range(NUM_WEIGHTS):
        w[i] = given[i] * unit
    w[RICH] = given[RICH]
    w[WAIT] = given[WAIT]


@jit
def some_gems(s: Any, tokens: Any, number: Any, sign: Any) -> Any:
    """So many of the dearest gems of some tokens, or of the cheapest (sign), as tokens; fewer if there are no more."""
    chosen = U0
    for _ in range(number):
        choice = np.int64(-1)
        for gem in range(len(GEMS)):
            if token_count(tokens - chosen, gem) == 0:
                continue
            if choice < 0 or sign * (np.int64(s.gem_worth[gem]) - np.int64(s.gem_worth[choice])) > 0:
                choice = np.int64(gem)
        if choice < 0:
            break
        chosen += one_token(choice)
    return chosen


@jit
def worth_of_fee(s: Any, p: Any, number: Any) -> Any:
    """What it costs a seat to pay so many gems of any colours."""
    return worth_of(s, some_gems(s, s.tokens[p], number, CHEAPEST))


@jit
def worth_of_draw(s: Any, w: Any) -> Any:
    """Mean worth of a token out of the bag."""
    count = count_tokens(s.bag)
    if count == 0:
        return 0.0
    return (worth_of(s, s.bag) + w[PASS] * np.float64(token_count(s.bag, len(GEMS)))) / np.float64(count)


@jit
def value_materials(s: Any, p: Any, values: Any, w: Any) -> None:
    """What a piece of each material is worth to a seat: about the price of the cheaper ones that lie there.

    More if few are left, and more for a rich seat, which lacks turns rather than gems.
    """
    rich = w[RICH] * worth_of(s, s.tokens[p])
    for material in range(MAX_MATERIALS):
        circles = s.on[material]
        count = popcount(circles)
        if count == 0:
            values[material] = w[EXHAUSTED]
            continue
        total, least = np.int64(0), np.int64(1_000_000)
        while circles != U0:
            price = np.int64(s.worth[count_trailing_zeros(circles)])
            circles &= circles - U1
            total += price
            least = smaller(least, price)
        mean = np.float64(total) / np.float64(count)
        values[material] = 0.5 * (mean + np.float64(least)) + rich + w[SCARCE] / np.float64(count)


@jit
def cost_of_list(s: Any, need: Any, have: Any, w: Any) -> Any:
    """About what it costs to satisfy a list: the cheapest circles that hold what is missing."""
    missing, surplus = excess(need, have), count_pieces(excess(have, need))
    cost, gone = 0.0, np.int64(0)
    while missing != U0:
        material = count_trailing_zeros(missing) >> 3
        missing -= one_piece(material)
        circles = s.on[material]
        # The pieces of a material are looked for one after the other: before this one are those still missing.
        for _ in range(piece_count(missing, material)):
            if circles != U0:
                circles &= ~bit(cheapest(s, circles))
        if circles != U0:
            cost += np.float64(s.worth[cheapest(s, circles)])
        else:
            gone += 1
    return cost + w[EXHAUSTED] * np.float64(gone - smaller(gone, surplus))


@jit
def cheapest(s: Any, circles: Any) -> Any:
    """The circle of some (at least one) whose price is worth least."""
    choice = count_trailing_zeros(circles)
    while circles != U0:
        circle = count_trailing_zeros(circles)
        circles &= circles - U1
        if s.worth[circle] < s.worth[choice]:
            choice = circle
    return choice


# ---------------------------------------------------------------------------------------------- purchases
@jit
def would_satisfy(s: Any, p: Any, pieces: Any) -> Any:
    """Whether a seat's list is satisfied once it owns some pieces more."""
    need, have = asked(s, p), s.materials[p] + pieces
    missing = excess(need, have)
    return missing & ~s.exhausted == U0 and count_pieces(missing) <= count_pieces(excess(have, need))


@jit
def last_tower(s: Any, p: Any) -> Any:
    return s.score[p] + 1 == s.towers_to_win


@jit
def ways_to_trade(s: Any, p: Any, tokens: Any, holdings: Any) -> Any:
    """Fill in what a seat with these tokens could hold after a few trades, the loss and the first rate; their number."""
    holdings[0].tokens = tokens
    holdings[0].loss = 0.0
    holdings[0].rate = -1
    total, before = tokens + s.pile, worth_of(s, tokens)
    count, begin = np.int64(1), np.int64(0)
    for trade in range(MAX_TRADES):
        end = count
        for i in range(begin, end):
            held = holdings[i].tokens
            for rate in range(np.int64(s.rates)):
                if count == MAX_HOLDINGS:
                    return count
                if not covers(held, s.give[rate]) or not covers(total - held, s.get[rate]):
                    continue
                after = held - s.give[rate] + s.get[rate]
                known = False
                for j in range(count):
                    if holdings[j].tokens == after:
                        known = True
                if known:
                    continue
                holdings[count].tokens = after
                holdings[count].loss = before - worth_of(s, after) + LAST_RESORT * np.float64(trade + 1)
                holdings[count].rate = np.int64(rate) if i == 0 else holdings[i].rate
                count += 1
        begin = end
    return count


@jit
def best_purchase(s: Any, p: Any, markets: Any, tokens: Any, trades: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The best set of circles at one of some markets that a seat could buy with these tokens, with TRADES before or without.

    Returns what it gains over not buying, and the first action: a trade or a purchase (0.0 and -1: nothing gains).
    """
    holdings, baskets = scratch
    need, have = asked(s, p), s.materials[p]
    missing = excess(need, have)
    stand_ins = count_pieces(missing & s.exhausted) - count_pieces(excess(have, need))
    stand_ins = stand_ins if stand_ins > 0 else np.int64(0)
    purse, ways = np.int64(worth_of(s, tokens)), np.int64(0)
    finishing = WIN if last_tower(s, p) else w[FINISH]
    best, action = 0.0, np.int64(-1)
    left = usable(s, p) & circles_of(markets)
    while left != U0:
        circles = left & circles_of(bit(count_trailing_zeros(left) // 6))
        left &= ~circles
        baskets[0].price = U0
        baskets[0].pieces = U0
        baskets[0].gain = 0.0
        baskets[0].worth = 0
        size = np.int64(1)
        while circles != U0:  # each circle doubles the number of baskets
            circle = count_trailing_zeros(circles)
            circles &= circles - U1
            material, price = np.int64(s.holds[circle]), np.int64(s.worth[circle])
            for k in range(size):
                basket, fuller = baskets[k], baskets[size + k]
                fuller.worth = basket.worth + price
                fuller.pieces = basket.pieces + one_piece(material)
                stands_in = piece_count(basket.pieces, material) >= piece_count(missing, material)
                if (
                    basket.gain == NEVER
                    or fuller.worth > purse
                    or (stands_in and count_pieces(excess(fuller.pieces, missing)) > stand_ins)
                ):
                    fuller.gain = NEVER
                    continue
                fuller.price = basket.price + s.price[circle]
                fuller.gain = basket.gain + (w[EXHAUSTED] if stands_in else values[material]) - np.float64(price)
                gain = fuller.gain
                if would_satisfy(s, p, fuller.pieces):
                    gain += finishing
                if gain <= best:
                    continue
                if ways == 0:
                    holdings[0].tokens = tokens
                    holdings[0].loss = 0.0
                    holdings[0].rate = -1
                    ways = (
                        ways_to_trade(s, p, tokens, holdings) if trades == TRADES and not s.wanted[p] else np.int64(1)
                    )
                loss, rate = -NEVER, np.int64(-1)
                for i in range(ways):
                    if holdings[i].loss < loss and covers(holdings[i].tokens, fuller.price):
                        loss, rate = holdings[i].loss, holdings[i].rate
                if gain - loss > best:
                    best = gain - loss
                    action = TRADE + rate if rate >= 0 else BUY + first_twin(s, circle)
            size *= 2
    return best, action


@jit
def first_twin(s: Any, circle: Any) -> Any:
    """The circle whose purchase is legal among those that equal this one."""
    return count_trailing_zeros((s.twins[circle] | bit(circle)) & s.on[s.holds[circle]])


@jit
def best_gift(s: Any, p: Any, circles: Any, values: Any, w: Any) -> Any:
    """The circle of some whose material helps a seat most if it costs nothing, and how much."""
    missing = excess(asked(s, p), s.materials[p])
    best, choice = NEVER, np.int64(-1)
    while circles != U0:
        circle = count_trailing_zeros(circles)
        circles &= circles - U1
        material = np.int64(s.holds[circle])
        value = values[material] if piece_count(missing, material) > 0 else w[EXHAUSTED]
        value += 0.01 * np.float64(s.worth[circle])  # of equal materials the dearest
        if would_satisfy(s, p, one_piece(material)):
            value += WIN if last_tower(s, p) else w[PERMIT_FINISH]
        if value > best:
            best, choice = value, circle
    return best, choice


@jit
def turn_value(s: Any, p: Any, tokens: Any, trades: Any, values: Any, w: Any, scratch: Any) -> Any:
    """What a turn with these tokens is worth: the gems, and the best that they buy."""
    return worth_of(s, tokens) + best_purchase(s, p, open_markets(s, p), tokens, trades, values, w, scratch)[0]


@jit
def cheapest_entry(s: Any, w: Any) -> Any:
    """The ENTER that a card is worth, or -1."""
    best, choice = w[ENTRY], NO_ACTION
    for kind in range(len(ENTRIES)):
        if test_bit(s.legal[0], ENTER + kind) and worth_of(s, s.entry[kind]) < best:
            best, choice = worth_of(s, s.entry[kind]), np.int64(ENTER + kind)
    return choice


# ---------------------------------------------------------------------------------------------- the others
@jit
def lacks(s: Any, q: Any, seat: Any, material: Any) -> Any:
    """How many pieces of a material a seat lacks, as far as *seat* can tell; where its list is closed, a guess."""
    if list_hidden(s, q, seat):
        owned = piece_count(s.materials[q], material)
        return 1.0 if owned == 0 else 0.3 if owned == 1 else 0.0
    return np.float64(piece_count(excess(asked(s, q), s.materials[q]), material))


@jit
def lead(s: Any, q: Any) -> Any:
    """How far a seat is: its towers count, then the materials that it owns."""
    return np.float64(6 * np.int64(s.score[q]) + count_pieces(s.materials[q]))


@jit
def market_for_others(s: Any, p: Any, markets: Any) -> Any:
    """The market of some at which the others could use most; -1: none."""
    best, choice = 0.0, np.int64(-1)
    while markets != U0:
        market = count_trailing_zeros(markets)
        markets &= markets - U1
        total = 0.0
        for q in range(np.int64(s.seats)):
            if q == p:
                continue
            for material in range(MAX_MATERIALS):
                there = np.float64(popcount(s.on[material] & circles_of(bit(market))))
                lacking = lacks(s, q, p, material)
                total += lacking if lacking < there else there
        if total > best:
            best, choice = total, market
    return choice
