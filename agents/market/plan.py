"""Values of ``greedy`` of the market game, in compiled code: gems, materials, lists, purchases.

All values are in worth of gems. Nothing here reads hidden information of the seat to move: hidden lists, other hands, the
order of decks, the random stream.
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
# Typed, because every new literal argument compiles a function again.
DEAREST, CHEAPEST = np.int64(1), np.int64(-1)
NO_TRADES, TRADES = np.int64(0), np.int64(1)
LAST_RESORT = 0.01  # cost of a trade, so that of equal gains the one with fewer trades is chosen
MAX_TRADES = 3  # in a row
MAX_HOLDINGS = 48  # most holdings after trades

# A HOLDING for each outcome of trades, a BASKET for each set of circles of a market.
HOLDING = np.dtype([("tokens", "u8"), ("loss", "f8"), ("rate", "i8")], align=True)
BASKET = np.dtype([("price", "u8"), ("pieces", "u8"), ("gain", "f8"), ("worth", "i8")], align=True)
MAX_BASKETS = 64


# ---------------------------------------------------------------------------------------------- worth
@jit
def worth_of(s: Any, tokens: Any) -> Any:
    """Worth of the gems among *tokens*."""
    total = 0.0
    for gem in range(len(GEMS)):
        total += np.float64(token_count(tokens, gem) * np.int64(s.gem_worth[gem]))
    return total


@jit
def scale_weights(s: Any, given: Any, w: Any) -> None:
    """Scale the weights, tuned for gems of mean worth MEAN_WORTH, to the component set."""
    unit = worth_of(s, s.bag_start) / (MEAN_WORTH * np.float64(larger(count_gems(s.bag_start), np.int64(1))))
    for i in range(NUM_WEIGHTS):
        w[i] = given[i] * unit
    w[RICH] = given[RICH]
    w[WAIT] = given[WAIT]


@jit
def some_gems(s: Any, tokens: Any, number: Any, sign: Any) -> Any:
    """The *number* dearest or cheapest (*sign*) gems of *tokens*, as tokens; fewer if there are no more."""
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
    """The cost for a seat of paying *number* gems of any colours."""
    return worth_of(s, some_gems(s, s.tokens[p], number, CHEAPEST))


@jit
def worth_of_draw(s: Any, w: Any) -> Any:
    """Mean worth of a token from the bag."""
    count = count_tokens(s.bag)
    if count == 0:
        return 0.0
    return (worth_of(s, s.bag) + w[PASS] * np.float64(token_count(s.bag, len(GEMS)))) / np.float64(count)


@jit
def value_materials(s: Any, p: Any, values: Any, w: Any) -> None:
    """Write the value of a piece of each material for a seat: between its mean and lowest price on the circles.

    Scarce materials are worth more, and so are all to a rich seat, which is short of turns rather than of gems.
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
    """Estimated cost of satisfying a list: the cheapest circles that hold the missing pieces."""
    missing, surplus = excess(need, have), count_pieces(excess(have, need))
    cost, gone = 0.0, np.int64(0)
    while missing != U0:
        material = count_trailing_zeros(missing) >> 3
        missing -= one_piece(material)
        circles = s.on[material]
        # Pieces of a material are counted one by one: skip the circles of those that are still missing.
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
    """The cheapest of *circles* (bits, not empty)."""
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
    """Whether a seat's list would be satisfied with *pieces* more."""
    need, have = asked(s, p), s.materials[p] + pieces
    missing = excess(need, have)
    return missing & ~s.exhausted == U0 and count_pieces(missing) <= count_pieces(excess(have, need))


@jit
def last_tower(s: Any, p: Any) -> Any:
    return s.score[p] + 1 == s.towers_to_win


@jit
def ways_to_trade(s: Any, p: Any, tokens: Any, holdings: Any) -> Any:
    """Write the holdings that a seat with *tokens* could trade to, with loss and first rate; returns their number."""
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
    """The best set of circles that a seat can buy with *tokens* at one of *markets*, with *trades* or without.

    Returns its gain and the first action, a trade or a purchase (0.0 and -1 if no purchase gains).
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
    """The circle with a legal purchase among those equal to this one."""
    return count_trailing_zeros((s.twins[circle] | bit(circle)) & s.on[s.holds[circle]])


@jit
def best_gift(s: Any, p: Any, circles: Any, values: Any, w: Any) -> Any:
    """The value and circle of the most useful free piece on *circles*."""
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
    """The value of a turn with *tokens*: the gems, and the gain of the best purchase."""
    return worth_of(s, tokens) + best_purchase(s, p, open_markets(s, p), tokens, trades, values, w, scratch)[0]


@jit
def cheapest_entry(s: Any, w: Any) -> Any:
    """The cheapest ENTER below the weight ENTRY, or -1."""
    best, choice = w[ENTRY], NO_ACTION
    for kind in range(len(ENTRIES)):
        if test_bit(s.legal[0], ENTER + kind) and worth_of(s, s.entry[kind]) < best:
            best, choice = worth_of(s, s.entry[kind]), np.int64(ENTER + kind)
    return choice


# ---------------------------------------------------------------------------------------------- the others
@jit
def lacks(s: Any, q: Any, seat: Any, material: Any) -> Any:
    """The number of pieces of a material that seat *q* lacks, as *seat* knows it; a guess if the list is hidden."""
    if list_hidden(s, q, seat):
        owned = piece_count(s.materials[q], material)
        return 1.0 if owned == 0 else 0.3 if owned == 1 else 0.0
    return np.float64(piece_count(excess(asked(s, q), s.materials[q]), material))


@jit
def lead(s: Any, q: Any) -> Any:
    """The progress of a seat: its towers, then its materials."""
    return np.float64(6 * np.int64(s.score[q]) + count_pieces(s.materials[q]))


@jit
def market_for_others(s: Any, p: Any, markets: Any) -> Any:
    """The one of *markets* with the most pieces that others need; -1 if there is none."""
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
