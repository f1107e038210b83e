"""The compiled rules of the market game: actions, hidden information, and the engine's hooks."""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env import actions, blackmarket, record, turn
from market_env.hidden import resample_seats
from market_env.legal import PAY_AT, draws_at_end, update_legal
from market_env.observation import write_observation
from market_env.packed_counts import one_piece, one_token
from market_env.parts import draw_tokens, fill_bag, pay_pile, take_piece
from market_env.scoring import potential, terminal_reward
from market_env.shop import RED_GEM, permit_circles
from tower_core.engine.compiling import jit
from tower_core.engine.hooks import implement
from tower_core.engine.intrinsics import U0, count_trailing_zeros, popcount

FIRST_WORD = np.int64(actions.FIRST_WORD)


# ---------------------------------------------------------------------------------------------- actions
@jit
def settle(s: Any) -> None:
    """Continue to the next decision: compute legal actions, and play a PAY or RETURN with only one choice (section 3)."""
    while True:
        update_legal(s)
        p = np.int64(s.to_move)
        if s.pending == record.ASK_PAY and popcount(s.legal[0]) == 1:
            pay(s, p, count_trailing_zeros(s.legal[0] >> PAY_AT))
        elif s.pending == record.ASK_RETURN and popcount(s.legal[2]) == 1:
            turn.return_piece(s, p, count_trailing_zeros(s.legal[2]))
        else:
            return


@jit
def apply(s: Any, action: Any) -> None:
    """Play a legal action (numbers: see actions.py) and the automatic moves after it."""
    p = np.int64(s.to_move)
    if action < actions.BUY:
        apply_first(s, p, action)
    elif action < actions.RETURN:
        if action < actions.TRADE:
            buy_here(s, p, action - actions.BUY)
        elif action < actions.KEEP:
            trade(s, p, action - actions.TRADE)
        elif action < actions.DROP:
            blackmarket.keep(s, p, action - actions.KEEP)
        else:
            blackmarket.drop(s, p, action - actions.DROP)
    elif action < actions.TAKE:
        turn.return_piece(s, p, action - actions.RETURN)
    else:
        apply_answer(s, p, action)
    settle(s)


@jit
def apply_first(s: Any, p: Any, action: Any) -> None:
    """Play an action of the first legal word."""
    if action >= actions.PAY:
        pay(s, p, action - actions.PAY)
        return
    if action == actions.PARDON:  # still at the start of the turn
        pay_pile(s, p, RED_GEM)
        s.wanted[p] = 0
        return
    if action == actions.END:
        if draws_at_end(s):
            draw_tokens(s, p, np.int64(s.draw_if_idle))
        turn.end_turn(s, p)
        return
    s.at_start = 0
    if action >= actions.CARD:
        s.acted = 1
        blackmarket.play_card(s, p, action - actions.CARD)
    elif action >= actions.ENTER:
        s.acted = 1
        s.visited = 1
        s.left = s.left + 1 if s.pending == record.ASK_ENTER else 1
        s.pending = record.ASK_ENTER
        s.cause = record.VISIT
        pay_pile(s, p, s.entry[action - actions.ENTER])
    elif action >= actions.HIRE:
        turn.hire(s, p, action - actions.HIRE)
    elif action == actions.STEAL:
        s.acted = 1
        s.cause = record.STEAL
        s.left = s.steal_gems
        s.pending = record.ASK_TAKE
    elif action == actions.LOOK:
        blackmarket.look(s)
        blackmarket.next_choice(s, p)
    else:
        turn.begin_building(s, p)


@jit
def buy_here(s: Any, p: Any, circle: Any) -> None:
    s.at_start = 0
    if s.pending == record.ASK_BUY and s.cause == blackmarket.PERMIT:
        take_piece(s, p, circle)
        blackmarket.finish_card(s)
    else:
        turn.buy(s, p, circle)


@jit
def trade(s: Any, p: Any, rate: Any) -> None:
    s.at_start = 0
    s.acted = 1
    s.tokens[p] += s.get[rate] - s.give[rate]
    s.pile += s.give[rate] - s.get[rate]
    fill_bag(s)


@jit
def pay(s: Any, p: Any, colour: Any) -> None:
    """Pay one gem of a fee; the last one completes the payment and starts what it paid for."""
    gem = one_token(colour)
    s.tokens[p] -= gem
    s.pile += gem
    s.left -= 1
    if s.left > 0:
        return
    fill_bag(s)
    if s.cause == record.JAIL:
        turn.leave_jail(s, p)
    elif s.cause == record.STAND_IN or s.cause == record.BULLY:
        s.pending = record.ASK_MARKET
    else:
        blackmarket.begin_effect(s, p, np.int64(s.cause))


@jit
def apply_answer(s: Any, p: Any, action: Any) -> None:
    """Play TAKE, TARGET, MATERIAL, MARKET or LIST."""
    if action < actions.TARGET:
        gem = one_token(action - actions.TAKE)
        s.pile -= gem
        s.tokens[p] += gem
        s.left -= 1
        if s.left == 0:
            if s.cause == blackmarket.LEVY:
                blackmarket.finish_card(s)
            else:
                s.wanted[p] = 1
                s.pending = record.NOTHING
                s.cause = record.NO_CAUSE
    elif action < actions.MATERIAL:
        victim = (p + 1 + action - actions.TARGET) % np.int64(s.seats)
        if s.cause == blackmarket.PICKPOCKET:
            blackmarket.pick_pocket(s, p, victim)
        else:
            s.victim = victim
            s.pending = record.ASK_MATERIAL
    elif action < actions.MARKET:
        s.to_return = one_piece(action - actions.MATERIAL)
        s.pending = record.ASK_RETURN
    elif action < actions.LIST:
        choose_market(s, p, action - actions.MARKET)
    else:
        turn.choose_list(s, p, action - actions.LIST if action < actions.LIST_KEEP else np.int64(-1))


@jit
def choose_market(s: Any, p: Any, market: Any) -> None:
    if s.cause == blackmarket.CURFEW:
        s.curfew[p] |= 1 << market
        blackmarket.finish_card(s)
    elif s.cause == record.STAND_IN:
        s.stand_in[p] = 1 << market
        s.pending = record.NOTHING
        s.cause = record.NO_CAUSE
    else:
        turn.send_home(s, p, market)


# ---------------------------------------------------------------------------------------------- the hooks
@jit
def new_game(s: Any, seed: Any) -> None:
    """Set up the game of a seed under the rules in the record, up to the first decision (section 2)."""
    s.first_word = FIRST_WORD
    turn.set_up(s, seed)
    turn.begin_turn(s, np.int64(0))
    settle(s)


@jit
def refresh(s: Any) -> None:
    """Recompute all derived fields, and continue to the next decision."""
    s.first_word = FIRST_WORD
    turn.find_materials(s)
    turn.find_discards(s)
    settle(s)


@jit
def resample(s: Any, seat: Any, seed: Any) -> None:
    """Redraw what *seat* can't know, uniformly among what is consistent with the pending decision."""
    s.rng = seed
    while True:
        resample_seats(s, seat)
        update_legal(s)
        if agrees(s):
            return


@jit
def agrees(s: Any) -> Any:
    """Whether the pending decision is possible with the lists and hands that were dealt.

    It is public that a permit could be used, that a bully could serve, and that a fee had more than one choice.
    """
    if s.pending == record.NOTHING or s.to_move < 0:
        return True
    if s.cause == blackmarket.PERMIT:
        return permit_circles(s, np.int64(s.to_move)) != U0
    if s.cause == record.BULLY:
        return popcount(s.legal[0]) + popcount(s.legal[1]) + popcount(s.legal[2]) > (
            1 if s.pending == record.ASK_PAY else 0
        )
    return True


implement(
    record.RECORD,
    new_game=new_game,
    apply=apply,
    observe=write_observation,
    potential=potential,
    terminal_reward=terminal_reward,
    refresh=refresh,
    resample=resample,
)
