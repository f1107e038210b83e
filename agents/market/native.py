"""The built-in players of the market game in compiled code: one function, whose options say which player it is.

``greedy`` weighs what it can do in its turn in worth of gems (agents/market/plan.py): the best set of purchases at one
market, with the trades on the way to it, against waiting for more tokens; before and after that the cards, apprentices
and thefts that gain something. It builds as soon as it can.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray

from agents.market.plan import (
    ARCHITECT,
    BASKET,
    BRIBE,
    CARD_WORTH,
    DEAREST,
    ENTRY,
    HIRE,
    HOLDING,
    MAX_BASKETS,
    MAX_HOLDINGS,
    NEVER,
    NO_TRADES,
    NUM_OPTIONS,
    PERMIT,
    PROFIT,
    TRADES,
    WAIT,
    WANTED,
    best_gift,
    best_purchase,
    cost_of_list,
    lacks,
    last_tower,
    lead,
    market_for_others,
    scale_weights,
    some_gems,
    value_materials,
    worth_of,
    worth_of_draw,
    worth_of_fee,
)
from agents.native import PASSIVE, RANDOM
from market_env import actions, blackmarket
from market_env.blackmarket import LEVIED, SMUGGLED
from market_env.components import ENTRIES, MAX_MATERIALS
from market_env.lanes import count_gems, count_pieces, one_token, piece_count, token_count
from market_env.legal import BUYS, DROP_AT, KEEP_AT, MARKET_AT, PAY_AT, TAKE_AT, TARGET_AT
from market_env.record import (
    ASK_DROP,
    ASK_ENTER,
    ASK_KEEP,
    ASK_LIST,
    ASK_MARKET,
    ASK_MATERIAL,
    ASK_PAY,
    ASK_RETURN,
    ASK_TAKE,
    ASK_TARGET,
    BUILD,
    BULLY,
    NOTHING,
    RECORD,
    STEAL,
)
from market_env.shop import (
    BLUE,
    BULLY_HIRE,
    RED,
    RED_GEM,
    RUNNER_HIRE,
    letting_in,
    open_markets,
    others_on,
    permit_circles,
)
from tower_core.bits import U0, U1, U64, bit, has, lowest, pointer, record_at
from tower_core.loops import random_legal
from tower_core.native import compile_entry, jit
from tower_core.random import GOLDEN

STREAM = np.dtype([("rng", "u8")])
NO_ACTION = np.int64(-1)
LOSE, GAIN = np.int64(0), np.int64(1)
PLAY_SMUGGLER, PLAY_LEVY, PLAY_PICKPOCKET, PLAY_SABOTAGE, PLAY_PERMIT, PLAY_BRIBE, PLAY_ARCHITECT, PLAY_CURFEW = (
    np.int64(actions.CARD + card) for card in range(8)
)
HIRE_BULLY, HIRE_RUNNER = (np.int64(actions.HIRE + apprentice) for apprentice in (BULLY_HIRE, RUNNER_HIRE))


# ---------------------------------------------------------------------------------------------- the turn
@jit
def turn_value(s: Any, p: Any, tokens: Any, trades: Any, values: Any, w: Any, scratch: Any) -> Any:
    """What a turn with these tokens is worth: the gems, and the best that they buy."""
    return worth_of(s, tokens) + best_purchase(s, p, open_markets(s, p), tokens, trades, values, w, scratch)[0]


@jit
def at_start(s: Any, p: Any, values: Any, w: Any, scratch: Any) -> Any:
    """STEAL or PARDON, or -1: gems against a while without trades and the gems that jail or pardon will cost."""
    own, steals = s.tokens[p], np.int64(s.steal_gems)
    if has(s.legal[0], np.int64(actions.PARDON)):
        stay = turn_value(s, p, own, NO_TRADES, values, w, scratch)
        own -= RED_GEM
        pile = s.pile + RED_GEM
        s.wanted[p] = 0  # for a look only
        honest = turn_value(s, p, own, TRADES, values, w, scratch) + w[WANTED]
        theft = NEVER
        if count_gems(pile) >= steals:
            theft = turn_value(s, p, own + some_gems(s, pile, steals, DEAREST), NO_TRADES, values, w, scratch)
        s.wanted[p] = 1
        return np.int64(actions.PARDON) if honest > stay or theft > stay else NO_ACTION
    if not has(s.legal[0], np.int64(actions.STEAL)):
        return NO_ACTION
    honest = turn_value(s, p, own, TRADES, values, w, scratch)
    if s.legal[1] & BUYS == U0 or s.idle_always:
        waiting = worth_of(s, own) + value_of_waiting(s, w)
        honest = waiting if waiting > honest else honest
    theft = turn_value(s, p, own + some_gems(s, s.pile, steals, DEAREST), NO_TRADES, values, w, scratch) - w[WANTED]
    return np.int64(actions.STEAL) if theft > honest else NO_ACTION


@jit
def value_of_waiting(s: Any, w: Any) -> Any:
    """What the tokens are worth that who does nothing draws."""
    return w[WAIT] * np.float64(s.draw_if_idle) * worth_of_draw(s, w)


@jit
def early_card(s: Any, p: Any, w: Any) -> Any:
    """A card or a visit to the black market that brings something before the purchases, or -1."""
    legal = s.legal[0]
    if has(legal, PLAY_PICKPOCKET) and worth_of_fee(s, p, np.int64(s.fee[blackmarket.PICKPOCKET])) < w[PROFIT]:
        return PLAY_PICKPOCKET
    if has(legal, PLAY_SMUGGLER):
        fee = worth_of_fee(s, p, np.int64(s.fee[blackmarket.SMUGGLER]))
        if np.float64(SMUGGLED) * worth_of_draw(s, w) - fee > w[PROFIT]:
            return PLAY_SMUGGLER
    if has(legal, PLAY_LEVY):
        fee = worth_of_fee(s, p, np.int64(s.fee[blackmarket.LEVY]))
        if worth_of(s, some_gems(s, s.pile, LEVIED, DEAREST)) - fee > w[PROFIT]:
            return PLAY_LEVY
    if has(legal, PLAY_ARCHITECT):
        fee = worth_of_fee(s, p, np.int64(s.fee[blackmarket.ARCHITECT]))
        if cost_of_list(s, s.need[s.building_list[p]], s.materials[p], w) - fee > w[ARCHITECT]:
            return PLAY_ARCHITECT
    if count_pieces(s.hand[p]) < s.hand_limit:
        return cheapest_entry(s, w)
    return NO_ACTION


@jit
def cheapest_entry(s: Any, w: Any) -> Any:
    """The ENTER that a card is worth, or -1."""
    best, choice = w[ENTRY], NO_ACTION
    for kind in range(len(ENTRIES)):
        if has(s.legal[0], actions.ENTER + kind) and worth_of(s, s.entry[kind]) < best:
            best, choice = worth_of(s, s.entry[kind]), np.int64(actions.ENTER + kind)
    return choice


@jit
def late_card(s: Any, p: Any, values: Any) -> Any:
    """A card against the others, when the own purchases are done, or -1."""
    if has(s.legal[0], PLAY_SABOTAGE):
        victim = leader_with_materials(s, p)
        loss = values[worst_loss(s, p, victim, values)]
        if loss > worth_of_fee(s, p, np.int64(s.fee[blackmarket.SABOTAGE])):
            return PLAY_SABOTAGE
    return PLAY_CURFEW if has(s.legal[0], PLAY_CURFEW) else NO_ACTION


@jit
def purchase(s: Any, p: Any, may_wait: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The next step to the best purchase, by whatever way in; -1: none gains; END: to wait is better."""
    legal, own = s.legal[0], s.tokens[p]
    away = letting_in(s, p) & others_on(s, p)
    gain, action = best_purchase(s, p, open_markets(s, p), own, TRADES, values, w, scratch)
    if has(legal, HIRE_BULLY):
        fee = one_token(BLUE) if token_count(own, BLUE) > 0 else one_token(RED)
        bullied = best_purchase(s, p, away, own - fee, NO_TRADES, values, w, scratch)[0] - worth_of(s, fee) - w[HIRE]
        if bullied > gain:
            gain, action = bullied, HIRE_BULLY
    if has(legal, PLAY_BRIBE):
        bribed = best_purchase(s, p, away, own, TRADES, values, w, scratch)[0] - w[BRIBE]
        if bribed > gain:
            gain, action = bribed, PLAY_BRIBE
    if has(legal, HIRE_RUNNER) and s.worker[p] != 0:
        markets = letting_in(s, p) & ~others_on(s, p) & ~U64(s.worker[p])
        second = best_purchase(s, p, markets, own - RED_GEM, TRADES, values, w, scratch)[0]
        second -= np.float64(s.gem_worth[RED]) + w[HIRE]
        if second > gain:
            gain, action = second, HIRE_RUNNER
    if has(legal, PLAY_PERMIT):
        gift, _ = best_gift(s, p, permit_circles(s, p), values, w)
        gift -= worth_of_fee(s, p, np.int64(s.fee[blackmarket.PERMIT])) + w[PERMIT]
        if gift > gain:
            gain, action = gift, PLAY_PERMIT
    if may_wait and gain <= value_of_waiting(s, w):
        return np.int64(actions.END)
    return action


@jit
def free_choice(s: Any, p: Any, values: Any, w: Any, scratch: Any) -> Any:
    """What to do where nothing is asked."""
    can_build = has(s.legal[0], np.int64(actions.BUILD))
    if can_build and last_tower(s, p):
        return np.int64(actions.BUILD)
    if s.guard_hunts and s.at_start:
        action = at_start(s, p, values, w, scratch)
        if action >= 0:
            return action
    step = np.int64(actions.BUILD)
    if not can_build:
        may_wait = not s.acted and (s.idle_always or s.legal[1] & BUYS == U0)
        step = purchase(s, p, may_wait, values, w, scratch)
        if step == actions.END:
            return step
    action = early_card(s, p, w)
    if action < 0 and step > actions.BUILD:
        action = step
    if action < 0:
        action = late_card(s, p, values)
    if action >= 0:
        return action
    return step if can_build else np.int64(actions.END)


# ---------------------------------------------------------------------------------------------- answers
@jit
def best_gem(s: Any, p: Any, gems: Any, change: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The colour of some whose gem is best taken (change GAIN), or missed least where it is paid (LOSE)."""
    best, choice = NEVER, np.int64(0)
    trades = NO_TRADES if s.cause == STEAL else TRADES
    while gems != U0:
        gem = lowest(gems)
        gems &= gems - U1
        tokens = s.tokens[p] + one_token(gem) if change == GAIN else s.tokens[p] - one_token(gem)
        value = turn_value(s, p, tokens, trades, values, w, scratch)
        if value > best:
            best, choice = value, gem
    return choice


@jit
def best_card(cards: Any, w: Any, sign: Any) -> Any:
    """The card of some (bits) that is worth most, or with sign -1 least."""
    best, choice = NEVER, np.int64(0)
    while cards != U0:
        card = lowest(cards)
        cards &= cards - U1
        if sign * w[CARD_WORTH + card] > best:
            best, choice = sign * w[CARD_WORTH + card], card
    return choice


@jit
def best_pocket(s: Any, p: Any, targets: Any) -> Any:
    """Of some seats (counted from the next) that whose gems are worth most on average; of equals that which leads."""
    best, choice = NEVER, np.int64(0)
    while targets != U0:
        place = lowest(targets)
        targets &= targets - U1
        q = (p + 1 + place) % np.int64(s.seats)
        value = worth_of(s, s.tokens[q]) / np.float64(count_gems(s.tokens[q])) + 0.05 * lead(s, q)
        if value > best:
            best, choice = value, place
    return choice


@jit
def leader_with_materials(s: Any, p: Any) -> Any:
    """The other seat that is farthest, of those that own materials (the next, if none does)."""
    seats = np.int64(s.seats)
    best, choice = NEVER, (p + 1) % seats
    for q in range(seats):
        if q != p and s.materials[q] != U0 and lead(s, q) > best:
            best, choice = lead(s, q), np.int64(q)
    return choice


@jit
def worst_loss(s: Any, p: Any, q: Any, values: Any) -> Any:
    """The material of a seat that is worth most, rather one of which the seat has too few."""
    best, choice = NEVER, np.int64(0)
    for material in range(MAX_MATERIALS):
        if piece_count(s.materials[q], material) > 0:
            value = values[material] + (0.5 if lacks(s, q, p, material) > 0.0 else 0.0)
            if value > best:
                best, choice = value, np.int64(material)
    return choice


@jit
def circle_to_return(s: Any, p: Any, circles: Any) -> Any:
    """Dear for the others; cheap where only the player pays (solo), or where it lacks the piece itself."""
    material = lowest(s.to_return) >> 3
    cheap = s.solo or (s.cause != BUILD and lacks(s, p, p, material) > 0.0)
    best, choice = NEVER, np.int64(0)
    while circles != U0:
        circle = lowest(circles)
        circles &= circles - U1
        value = -np.float64(s.worth[circle]) if cheap else np.float64(s.worth[circle])
        if value > best:
            best, choice = value, circle
    return choice


@jit
def best_list(s: Any, p: Any, w: Any) -> Any:
    """The list that costs least to satisfy; the own one if another is no better."""
    best, choice = -NEVER, np.int64(actions.LIST)
    if has(s.legal[2], np.int64(actions.LIST_KEEP - actions.RETURN)):
        best = cost_of_list(s, s.need[s.building_list[p]], s.materials[p], w)
        choice = np.int64(actions.LIST_KEEP)
    for i in range(np.int64(s.drawn_size)):
        cost = cost_of_list(s, s.need[s.drawn[i]], s.materials[p], w)
        if cost < best:
            best, choice = cost, np.int64(actions.LIST + i)
    return choice


@jit
def best_market(s: Any, p: Any, markets: Any, values: Any, w: Any, scratch: Any) -> Any:
    """For the bully the market at which the player buys best, else the one that the others need most."""
    if s.cause != BULLY:
        market = market_for_others(s, p, markets)
        return market if market >= 0 else lowest(markets)
    best, choice = NEVER, np.int64(0)
    while markets != U0:
        market = lowest(markets)
        markets &= markets - U1
        gain, _ = best_purchase(s, p, bit(market), s.tokens[p], NO_TRADES, values, w, scratch)
        if gain > best:
            best, choice = gain, market
    return choice


@jit
def forced_purchase(s: Any, p: Any, values: Any, w: Any, scratch: Any) -> Any:
    """What to buy where a permit or a bully asks for it."""
    if s.cause == BULLY:
        _, action = best_purchase(s, p, U64(s.chosen), s.tokens[p], NO_TRADES, values, w, scratch)
        if action >= 0:
            return action
    _, circle = best_gift(s, p, s.legal[1] & BUYS, values, w)
    return actions.BUY + circle


@jit
def answer(s: Any, p: Any, values: Any, w: Any, scratch: Any) -> Any:
    """What to answer to the question that is open."""
    pending = np.int64(s.pending)
    if pending == ASK_ENTER:
        entry = cheapest_entry(s, w) if count_pieces(s.hand[p]) + s.left < s.hand_limit else NO_ACTION
        return entry if entry >= 0 else np.int64(actions.LOOK)
    if pending == ASK_KEEP or pending == ASK_DROP:
        keep = pending == ASK_KEEP
        card = best_card(s.legal[1] >> (KEEP_AT if keep else DROP_AT), w, 1.0 if keep else -1.0)
        return (actions.KEEP if keep else actions.DROP) + card
    if pending == ASK_PAY:
        return actions.PAY + best_gem(s, p, s.legal[0] >> PAY_AT, LOSE, values, w, scratch)
    if pending == ASK_TAKE:
        return actions.TAKE + best_gem(s, p, s.legal[2] >> TAKE_AT, GAIN, values, w, scratch)
    if pending == ASK_TARGET:
        if s.cause == blackmarket.PICKPOCKET:
            return actions.TARGET + best_pocket(s, p, s.legal[2] >> TARGET_AT)
        seats = np.int64(s.seats)
        return actions.TARGET + (leader_with_materials(s, p) - p - 1 + seats) % seats
    if pending == ASK_MATERIAL:
        return actions.MATERIAL + worst_loss(s, p, np.int64(s.victim), values)
    if pending == ASK_RETURN:
        return actions.RETURN + circle_to_return(s, p, s.legal[2])
    if pending == ASK_MARKET:
        return actions.MARKET + best_market(s, p, s.legal[2] >> MARKET_AT, values, w, scratch)
    if pending == ASK_LIST:
        return best_list(s, p, w)
    return forced_purchase(s, p, values, w, scratch)


@jit
def greedy_action(s: Any, values: Any, w: Any, scratch: Any) -> Any:
    """What ``greedy`` does with the scaled weights *w*; *values* and *scratch* are its working memory."""
    p = np.int64(s.to_move)
    value_materials(s, p, values, w)
    if s.pending == NOTHING:
        return free_choice(s, p, values, w, scratch)
    return answer(s, p, values, w, scratch)


def choose(record: int, stream_address: int, options: int) -> int:
    s = record_at(record, RECORD)
    stream = record_at(stream_address, STREAM)
    given = carray(pointer(options), (NUM_OPTIONS,), np.float64)
    kind = np.int64(given[0])
    stream.rng += GOLDEN
    if kind == PASSIVE and has(s.legal[0], np.int64(actions.END)):
        return actions.END
    if kind == PASSIVE or kind == RANDOM:
        return random_legal(s, stream.rng)  # type: ignore[no-any-return]
    w, values = np.empty(NUM_OPTIONS, np.float64), np.empty(MAX_MATERIALS, np.float64)
    scale_weights(s, given, w)
    scratch = np.empty(MAX_HOLDINGS, HOLDING), np.empty(MAX_BASKETS, BASKET)
    return greedy_action(s, values, w, scratch)  # type: ignore[no-any-return]


def compile_players() -> tuple[Any, int]:
    """The compiled ``choose(record, stream, options)`` and its address."""
    return compile_entry(
        choose, ("tower_core", "market_env", "agents", "agents/market"), "the players of the market game", num_args=3
    )
