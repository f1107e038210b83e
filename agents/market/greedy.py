"""``greedy`` of the market game, in compiled code.

It compares the options of its turn by their worth in gems (agents/market/plan.py): the best set of purchases at one
market, with the trades it needs, against waiting for more tokens; and before and after that, profitable cards, apprentices
and thefts. It builds as soon as it can.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.market.answers import answer, leader_with_materials, worst_loss
from agents.market.plan import (
    ARCHITECT,
    BASKET,
    BRIBE,
    DEAREST,
    HIRE,
    HOLDING,
    MAX_BASKETS,
    MAX_HOLDINGS,
    NEVER,
    NO_ACTION,
    NO_TRADES,
    NUM_WEIGHTS,
    PERMIT,
    PROFIT,
    TRADES,
    WAIT,
    WANTED,
    best_gift,
    best_purchase,
    cheapest_entry,
    cost_of_list,
    last_tower,
    scale_weights,
    some_gems,
    turn_value,
    value_materials,
    worth_of,
    worth_of_draw,
    worth_of_fee,
)
from agents.market.weights import GREEDY
from market_env import actions, blackmarket
from market_env.blackmarket import LEVIED, SMUGGLED
from market_env.components import MAX_MATERIALS
from market_env.legal import draws_at_end
from market_env.packed_counts import count_gems, count_pieces, one_token, token_count
from market_env.record import (
    NOTHING,
    RECORD,
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
from tower_core.engine.compiling import Entry, jit
from tower_core.engine.intrinsics import U0, U64, carray, pointer, record_at, test_bit
from tower_core.engine.random import GOLDEN
from tower_core.game import Game
from tower_core.players.native_player import STREAM, NativePlayer

PLAY_SMUGGLER, PLAY_LEVY, PLAY_PICKPOCKET, PLAY_SABOTAGE, PLAY_PERMIT, PLAY_BRIBE, PLAY_ARCHITECT, PLAY_CURFEW = (
    np.int64(actions.CARD + card) for card in range(8)
)
HIRE_BULLY, HIRE_RUNNER = (np.int64(actions.HIRE + apprentice) for apprentice in (BULLY_HIRE, RUNNER_HIRE))


@jit
def at_start(s: Any, p: Any, values: Any, w: Any, scratch: Any) -> Any:
    """STEAL, PARDON or -1: stolen gems against a time without trades and the costs of jail or pardon."""
    own, steals = s.tokens[p], np.int64(s.steal_gems)
    if test_bit(s.legal[0], np.int64(actions.PARDON)):
        stay = turn_value(s, p, own, NO_TRADES, values, w, scratch)
        own -= RED_GEM
        pile = s.pile + RED_GEM if s.bag != U0 else U0
        s.wanted[p] = 0  # temporarily
        honest = turn_value(s, p, own, TRADES, values, w, scratch) + w[WANTED]
        theft = NEVER
        if count_gems(pile) >= steals:
            theft = turn_value(s, p, own + some_gems(s, pile, steals, DEAREST), NO_TRADES, values, w, scratch)
        s.wanted[p] = 1
        return np.int64(actions.PARDON) if honest > stay or theft > stay else NO_ACTION
    if not test_bit(s.legal[0], np.int64(actions.STEAL)):
        return NO_ACTION
    honest = turn_value(s, p, own, TRADES, values, w, scratch)
    if draws_at_end(s):
        waiting = worth_of(s, own) + value_of_waiting(s, w)
        honest = waiting if waiting > honest else honest
    theft = turn_value(s, p, own + some_gems(s, s.pile, steals, DEAREST), NO_TRADES, values, w, scratch) - w[WANTED]
    return np.int64(actions.STEAL) if theft > honest else NO_ACTION


@jit
def value_of_waiting(s: Any, w: Any) -> Any:
    """The worth of the tokens drawn in an idle turn."""
    return w[WAIT] * np.float64(s.draw_if_idle) * worth_of_draw(s, w)


@jit
def early_card(s: Any, p: Any, w: Any) -> Any:
    """A profitable card or visit to the black market before the purchases, or -1."""
    legal = s.legal[0]
    if test_bit(legal, PLAY_PICKPOCKET) and worth_of_fee(s, p, np.int64(s.fee[blackmarket.PICKPOCKET])) < w[PROFIT]:
        return PLAY_PICKPOCKET
    if test_bit(legal, PLAY_SMUGGLER):
        fee = worth_of_fee(s, p, np.int64(s.fee[blackmarket.SMUGGLER]))
        if np.float64(SMUGGLED) * worth_of_draw(s, w) - fee > w[PROFIT]:
            return PLAY_SMUGGLER
    if test_bit(legal, PLAY_LEVY):
        fee = worth_of_fee(s, p, np.int64(s.fee[blackmarket.LEVY]))
        if worth_of(s, some_gems(s, s.pile, LEVIED, DEAREST)) - fee > w[PROFIT]:
            return PLAY_LEVY
    if test_bit(legal, PLAY_ARCHITECT):
        fee = worth_of_fee(s, p, np.int64(s.fee[blackmarket.ARCHITECT]))
        if cost_of_list(s, s.need[s.building_list[p]], s.materials[p], w) - fee > w[ARCHITECT]:
            return PLAY_ARCHITECT
    if count_pieces(s.hand[p]) < s.hand_limit:
        return cheapest_entry(s, w)
    return NO_ACTION


@jit
def late_card(s: Any, p: Any, values: Any) -> Any:
    """A card against the others after the purchases, or -1."""
    if test_bit(s.legal[0], PLAY_SABOTAGE):
        victim = leader_with_materials(s, p)
        loss = values[worst_loss(s, p, victim, values)]
        if loss > worth_of_fee(s, p, np.int64(s.fee[blackmarket.SABOTAGE])):
            return PLAY_SABOTAGE
    return PLAY_CURFEW if test_bit(s.legal[0], PLAY_CURFEW) else NO_ACTION


@jit
def purchase(s: Any, p: Any, may_wait: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The next action towards the best purchase by any means; -1: none is profitable; END: waiting is better."""
    legal, own = s.legal[0], s.tokens[p]
    away = letting_in(s, p) & others_on(s, p)
    gain, action = best_purchase(s, p, open_markets(s, p), own, TRADES, values, w, scratch)
    if test_bit(legal, HIRE_BULLY):
        fee = one_token(BLUE) if token_count(own, BLUE) > 0 else one_token(RED)
        bullied = best_purchase(s, p, away, own - fee, NO_TRADES, values, w, scratch)[0] - worth_of(s, fee) - w[HIRE]
        if bullied > gain:
            gain, action = bullied, HIRE_BULLY
    if test_bit(legal, PLAY_BRIBE):
        bribed = best_purchase(s, p, away, own, TRADES, values, w, scratch)[0] - w[BRIBE]
        if bribed > gain:
            gain, action = bribed, PLAY_BRIBE
    if test_bit(legal, HIRE_RUNNER) and s.worker[p] != 0:
        markets = letting_in(s, p) & ~others_on(s, p) & ~U64(s.worker[p])
        second = best_purchase(s, p, markets, own - RED_GEM, TRADES, values, w, scratch)[0]
        second -= np.float64(s.gem_worth[RED]) + w[HIRE]
        if second > gain:
            gain, action = second, HIRE_RUNNER
    if test_bit(legal, PLAY_PERMIT):
        gift, _ = best_gift(s, p, permit_circles(s, p), values, w)
        gift -= worth_of_fee(s, p, np.int64(s.fee[blackmarket.PERMIT])) + w[PERMIT]
        if gift > gain:
            gain, action = gift, PLAY_PERMIT
    if may_wait and gain <= value_of_waiting(s, w):
        return np.int64(actions.END)
    return action


@jit
def free_choice(s: Any, p: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The action if no decision is pending."""
    can_build = test_bit(s.legal[0], np.int64(actions.BUILD))
    if can_build and last_tower(s, p):
        return np.int64(actions.BUILD)
    if s.guard_hunts and s.at_start:
        action = at_start(s, p, values, w, scratch)
        if action >= 0:
            return action
    step = np.int64(actions.BUILD)
    if not can_build:
        step = purchase(s, p, draws_at_end(s), values, w, scratch)
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


@jit
def greedy_action(s: Any, values: Any, w: Any, scratch: Any) -> Any:
    """The action of ``greedy`` with the scaled weights *w*; *values* and *scratch* are its working memory."""
    p = np.int64(s.to_move)
    value_materials(s, p, values, w)
    if s.pending == NOTHING:
        return free_choice(s, p, values, w, scratch)
    return answer(s, p, values, w, scratch)


def choose(record: int, stream_address: int, options: int) -> int:
    s = record_at(record, RECORD)
    record_at(stream_address, STREAM).rng += GOLDEN  # one step per action, though nothing is drawn
    given = carray(pointer(options), (NUM_WEIGHTS,), np.float64)
    w, values = np.empty(NUM_WEIGHTS, np.float64), np.empty(MAX_MATERIALS, np.float64)
    scale_weights(s, given, w)
    scratch = np.empty(MAX_HOLDINGS, HOLDING), np.empty(MAX_BASKETS, BASKET)
    return greedy_action(s, values, w, scratch)  # type: ignore[no-any-return]


compile_greedy = Entry(choose, ("market_env", "agents.market"), "greedy of the market game")
"""The compiled :func:`choose` and its address."""


def make_greedy(game: Game, seed: int = 0) -> NativePlayer:
    """A rule-based player that looks no further than its own turn."""
    return NativePlayer("greedy", game, seed, compile_greedy, GREEDY)
