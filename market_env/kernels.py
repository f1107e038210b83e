"""A market game in compiled code: legal actions, playing them, hidden information; and the game's one entry."""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env import actions
from market_env.blackmarket import (
    CURFEW,
    LEVY,
    PERMIT,
    PICKPOCKET,
    begin_effect,
    drop,
    entries,
    finish_card,
    keep,
    look,
    next_choice,
    pick_pocket,
    pickpocket_targets,
    play_card,
    playable,
    sabotage_targets,
)
from market_env.components import CARDS, MAX_MATERIALS
from market_env.lanes import colours, count_gems, covers, one_piece, one_token, piece_count
from market_env.observation import OBSERVATION_SIZE, write_observation
from market_env.parts import draw_tokens, pay_pile, return_circles, take_piece
from market_env.record import (
    ASK_BUY,
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
    BULLY,
    JAIL,
    NO_CAUSE,
    NO_LIST,
    NOTHING,
    RECORD,
    STAND_IN,
    STEAL,
    VISIT,
)
from market_env.resample import resample_seats
from market_env.scoring import outcome, standing
from market_env.shop import (
    RED_GEM,
    bully_fees,
    bully_markets,
    free_markets,
    hires,
    list_satisfied,
    open_markets,
    permit_circles,
    to_buy,
)
from market_env.turn import (
    begin_building,
    begin_turn,
    buy,
    choose_list,
    end_turn,
    find_materials,
    hire,
    leave_jail,
    return_piece,
    send_home,
    set_up,
)
from tower_core.bits import U0, U1, U64, bit, has, lowest, popcount
from tower_core.hooks import implement
from tower_core.loops import serve
from tower_core.native import compile_entry, jit

FIRST_WORD = np.int64(actions.FIRST_WORD)
BUILD_BIT, LOOK_BIT, STEAL_BIT, PARDON_BIT = (
    U64(1 << action) for action in (actions.BUILD, actions.LOOK, actions.STEAL, actions.PARDON)
)
PAY_AT = U64(actions.PAY)
# Where groups begin in the second word, which starts with BUY, and in the third, which starts with RETURN.
TRADE_AT, KEEP_AT, DROP_AT = (U64(first - actions.BUY) for first in (actions.TRADE, actions.KEEP, actions.DROP))
TAKE_AT, TARGET_AT, MATERIAL_AT, MARKET_AT, LIST_AT, LIST_KEEP_AT = (
    U64(first - actions.RETURN)
    for first in (actions.TAKE, actions.TARGET, actions.MATERIAL, actions.MARKET, actions.LIST, actions.LIST_KEEP)
)
BUYS = U64((1 << actions.MAX_CIRCLES) - 1)


# ---------------------------------------------------------------------------------------------- legal actions
@jit
def update_legal(s: Any) -> None:
    s.legal[0] = U0
    s.legal[1] = U0
    s.legal[2] = U0
    if s.to_move < 0:
        return
    p = np.int64(s.to_move)
    pending = np.int64(s.pending)
    if pending == NOTHING:
        write_actions(s, p)
    elif pending <= ASK_PAY:
        write_visit(s, p, pending)
    else:
        write_question(s, p, pending)


@jit
def write_actions(s: Any, p: Any) -> None:
    """Legal words of a player who is free to act (sections 3, 4, 7 and 8)."""
    words = U1 | hires(s, p) | playable(s, p)
    if list_satisfied(s, p):
        words |= BUILD_BIT
    if not s.visited:
        words |= entries(s, p)
    if s.guard_hunts and s.at_start:
        if s.wanted[p]:
            if covers(s.tokens[p], RED_GEM):
                words |= PARDON_BIT
        elif count_gems(s.pile) >= s.steal_gems:
            words |= STEAL_BIT
    s.legal[0] = words
    s.legal[1] = to_buy(s, p, open_markets(s, p), s.tokens[p])
    if not s.wanted[p]:
        for rate in range(np.int64(s.rates)):
            if covers(s.tokens[p], s.give[rate]) and covers(s.pile, s.get[rate]):
                s.legal[1] |= bit(rate) << TRADE_AT


@jit
def write_visit(s: Any, p: Any, pending: Any) -> None:
    """Legal words while ENTER, KEEP, DROP or PAY is waited for."""
    if pending == ASK_ENTER:
        s.legal[0] = LOOK_BIT | entries(s, p)
    elif pending == ASK_PAY:
        s.legal[0] = (bully_fees(s, p) if s.cause == BULLY else colours(s.tokens[p])) << PAY_AT
    elif pending == ASK_DROP:
        for card in range(len(CARDS)):
            if piece_count(s.hand[p], card) > 0:
                s.legal[1] |= bit(card) << DROP_AT
    else:
        for i in range(s.shown_size):
            s.legal[1] |= bit(s.shown[i]) << KEEP_AT


@jit
def write_question(s: Any, p: Any, pending: Any) -> None:
    """Legal words while a card, an apprentice, a theft or a building waits for an answer."""
    if pending == ASK_RETURN:
        s.legal[2] = returns(s)
    elif pending == ASK_BUY:
        s.legal[1] = permit_circles(s, p) if s.cause == PERMIT else to_buy(s, p, U64(s.chosen), s.tokens[p])
    elif pending == ASK_MARKET:
        markets = bully_markets(s, p, s.tokens[p]) if s.cause == BULLY else free_markets(s)
        s.legal[2] = markets << MARKET_AT
    elif pending == ASK_TAKE:
        s.legal[2] = colours(s.pile) << TAKE_AT
    elif pending == ASK_LIST:
        s.legal[2] = (bit(s.drawn_size) - U1) << LIST_AT
        if s.building_list[p] != NO_LIST:
            s.legal[2] |= U1 << LIST_KEEP_AT
    elif pending == ASK_TARGET:
        targets = pickpocket_targets(s, p) if s.cause == PICKPOCKET else sabotage_targets(s, p)
        seats = np.int64(s.seats)
        for j in range(1, seats):
            if has(targets, (p + j) % seats):
                s.legal[2] |= bit(j - 1) << TARGET_AT
    else:
        for material in range(MAX_MATERIALS):
            if piece_count(s.materials[s.victim], material) > 0:
                s.legal[2] |= bit(material) << MATERIAL_AT


@jit
def returns(s: Any) -> Any:
    """Circles for the piece that is laid down next; of equal ones the first (section 5)."""
    left = return_circles(s, lowest(s.to_return) >> 3)
    circles = left
    while left != U0:
        circle = lowest(left)
        left &= left - U1
        if s.twins[circle] & circles != U0:
            circles &= ~bit(circle)
    return circles


@jit
def settle(s: Any) -> None:
    """Run on to the next decision: legal actions, and the PAY and RETURN that have one answer only (section 3)."""
    while True:
        update_legal(s)
        p = np.int64(s.to_move)
        if s.pending == ASK_PAY and popcount(s.legal[0]) == 1:
            pay(s, p, lowest(s.legal[0] >> PAY_AT))
        elif s.pending == ASK_RETURN and popcount(s.legal[2]) == 1:
            return_piece(s, p, lowest(s.legal[2]))
        else:
            return


# ---------------------------------------------------------------------------------------------- actions
@jit
def apply(s: Any, action: Any) -> None:
    """Play a legal action (numbers: see actions.py) and what follows by itself."""
    p = np.int64(s.to_move)
    if action < actions.BUY:
        apply_first(s, p, action)
    elif action < actions.RETURN:
        if action < actions.TRADE:
            buy_here(s, p, action - actions.BUY)
        elif action < actions.KEEP:
            trade(s, p, action - actions.TRADE)
        elif action < actions.DROP:
            keep(s, p, action - actions.KEEP)
        else:
            drop(s, p, action - actions.DROP)
    elif action < actions.TAKE:
        return_piece(s, p, action - actions.RETURN)
    else:
        apply_answer(s, p, action)
    settle(s)


@jit
def apply_first(s: Any, p: Any, action: Any) -> None:
    """The actions of the first legal word."""
    if action >= actions.PAY:
        pay(s, p, action - actions.PAY)
        return
    if action == actions.PARDON:  # what starts a turn may still follow
        pay_pile(s, p, RED_GEM)
        s.wanted[p] = 0
        return
    if action == actions.END:
        # A player who has done nothing draws: always, or only where no purchase is possible (section 3.4).
        if not s.acted and (s.idle_always or s.legal[1] & BUYS == U0):
            draw_tokens(s, p, np.int64(s.draw_if_idle))
        end_turn(s, p)
        return
    s.at_start = 0
    if action >= actions.CARD:
        s.acted = 1
        play_card(s, p, action - actions.CARD)
    elif action >= actions.ENTER:
        s.acted = 1
        s.visited = 1
        s.left = s.left + 1 if s.pending == ASK_ENTER else 1
        s.pending = ASK_ENTER
        s.cause = VISIT
        pay_pile(s, p, s.entry[action - actions.ENTER])
    elif action >= actions.HIRE:
        hire(s, p, action - actions.HIRE)
    elif action == actions.STEAL:
        s.acted = 1
        s.cause = STEAL
        s.left = s.steal_gems
        s.pending = ASK_TAKE
    elif action == actions.LOOK:
        look(s)
        next_choice(s, p)
    else:
        begin_building(s, p)


@jit
def buy_here(s: Any, p: Any, circle: Any) -> None:
    s.at_start = 0
    if s.pending == ASK_BUY and s.cause == PERMIT:
        take_piece(s, p, circle)
        finish_card(s)
    else:
        buy(s, p, circle)


@jit
def trade(s: Any, p: Any, rate: Any) -> None:
    s.at_start = 0
    s.acted = 1
    s.tokens[p] += s.get[rate] - s.give[rate]
    s.pile += s.give[rate] - s.get[rate]


@jit
def pay(s: Any, p: Any, colour: Any) -> None:
    """One gem of a fee; after the last what was paid for begins."""
    pay_pile(s, p, one_token(colour))
    s.left -= 1
    if s.left > 0:
        return
    if s.cause == JAIL:
        leave_jail(s, p)
    elif s.cause == STAND_IN or s.cause == BULLY:
        s.pending = ASK_MARKET
    else:
        begin_effect(s, p, np.int64(s.cause))


@jit
def apply_answer(s: Any, p: Any, action: Any) -> None:
    """TAKE, TARGET, MATERIAL, MARKET, LIST."""
    if action < actions.TARGET:
        gem = one_token(action - actions.TAKE)
        s.pile -= gem
        s.tokens[p] += gem
        s.left -= 1
        if s.left == 0:
            if s.cause == LEVY:
                finish_card(s)
            else:
                s.wanted[p] = 1
                s.pending = NOTHING
                s.cause = NO_CAUSE
    elif action < actions.MATERIAL:
        victim = (p + 1 + action - actions.TARGET) % np.int64(s.seats)
        if s.cause == PICKPOCKET:
            pick_pocket(s, p, victim)
        else:
            s.victim = victim
            s.pending = ASK_MATERIAL
    elif action < actions.MARKET:
        s.to_return = one_piece(action - actions.MATERIAL)
        s.pending = ASK_RETURN
    elif action < actions.LIST:
        choose_market(s, p, action - actions.MARKET)
    else:
        choose_list(s, p, action - actions.LIST if action < actions.LIST_KEEP else np.int64(-1))


@jit
def choose_market(s: Any, p: Any, market: Any) -> None:
    if s.cause == CURFEW:
        s.curfew[p] |= 1 << market
        finish_card(s)
    elif s.cause == STAND_IN:
        s.stand_in[p] = 1 << market
        s.pending = NOTHING
        s.cause = NO_CAUSE
    else:
        send_home(s, p, market)


# ---------------------------------------------------------------------------------------------- the hooks
@jit
def new_game(s: Any, seed: Any) -> None:
    """Set up the game of a seed under the rules in the record, up to the first decision (section 2)."""
    s.first_word = FIRST_WORD
    set_up(s, seed)
    begin_turn(s, np.int64(0))
    settle(s)


@jit
def refresh(s: Any) -> None:
    """Recompute everything derived after the plain fields were filled in, and run on to the next decision."""
    s.first_word = FIRST_WORD
    find_materials(s)
    settle(s)


@jit
def resample(s: Any, seat: Any, seed: Any) -> None:
    """Redraw what *seat* can't know, uniformly among what fits the question that is open."""
    s.rng = seed
    while True:
        resample_seats(s, seat)
        update_legal(s)
        if agrees(s):
            return


@jit
def agrees(s: Any) -> Any:
    """Whether the question that is open could have been asked with the lists and hands that were dealt.

    Everybody has seen that a permit could be used and that a bully could serve, and that a fee had more than one answer.
    """
    if s.pending == NOTHING or s.to_move < 0:
        return True
    if s.cause == PERMIT:
        return permit_circles(s, np.int64(s.to_move)) != U0
    if s.cause == BULLY:
        return popcount(s.legal[0]) + popcount(s.legal[1]) + popcount(s.legal[2]) > (1 if s.pending == ASK_PAY else 0)
    return True


implement(
    RECORD,
    new_game=new_game,
    apply=apply,
    observe=write_observation,
    standing=standing,
    outcome=outcome,
    refresh=refresh,
    resample=resample,
)
SIZES = (np.int64(OBSERVATION_SIZE), np.int64(RECORD.itemsize))


def entry(op: int, address: int, x: int, y: int) -> int:
    return serve(op, address, x, y, RECORD, SIZES)  # type: ignore[no-any-return]


def compile_market() -> tuple[Any, int]:
    """The compiled entry (see tower_core.loops) as a ctypes function, and its address."""
    return compile_entry(entry, ("tower_core", "market_env"), "the rules of the market game")
