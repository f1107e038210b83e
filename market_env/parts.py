"""Moving the parts of the market game in compiled code: drawing tokens, decks, materials on circles.

Random draws come in the order that the interfaces fix (section 2); a script may overrule their results (draws.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env.draws import GEM, TOKEN, draw_kind, shuffle_deck
from market_env.lanes import count_gems, count_tokens, lane_of, one_piece, one_token
from market_env.record import LISTS, NO_MATERIAL
from tower_core.bits import U0, bit
from tower_core.native import jit


# ---------------------------------------------------------------------------------------------- tokens
@jit
def fill_bag(s: Any) -> None:
    """Pour the collector's pile into an empty bag: called after every token drawn and every whole payment (3.1)."""
    if s.bag == U0:
        s.bag = s.pile
        s.pile = U0


@jit
def draw_tokens(s: Any, p: Any, count: Any) -> None:
    """A seat draws tokens at random; where the bag is empty, the pile is too, and nothing is drawn (3.1)."""
    for _ in range(count):
        total = count_tokens(s.bag)
        if total == 0:
            return
        token = one_token(draw_kind(s, TOKEN, p, s.bag, total))
        s.bag -= token
        s.tokens[p] += token
        fill_bag(s)


@jit
def random_gem(s: Any, p: Any, held: Any) -> Any:
    """One of the gems of *held* at random for the seat *p*, as tokens; there must be one."""
    return one_token(draw_kind(s, GEM, p, held, count_gems(held)))


@jit
def draw_reward(s: Any, p: Any) -> None:
    """One gem out of the bag's gems; the pile is poured in where it holds none (section 8)."""
    if count_gems(s.bag) == 0:
        s.bag += s.pile
        s.pile = U0
    if count_gems(s.bag) > 0:
        gem = random_gem(s, p, s.bag)
        s.bag -= gem
        s.tokens[p] += gem
        fill_bag(s)


@jit
def pay_pile(s: Any, p: Any, tokens: Any) -> None:
    """A whole payment to the collector."""
    s.tokens[p] -= tokens
    s.pile += tokens
    fill_bag(s)


# ---------------------------------------------------------------------------------------------- decks
@jit
def put_on_deck(s: Any, which: Any, item: Any) -> None:
    s.deck[which, s.deck_size[which]] = item
    s.deck_size[which] += 1


@jit
def to_discard(s: Any, which: Any, item: Any) -> None:
    s.discard[which, s.discard_size[which]] = item
    s.discard_size[which] += 1
    if which == LISTS:
        s.discarded_lists |= bit(item)
    else:
        s.discarded_cards += one_piece(item)


@jit
def clear_discard(s: Any, which: Any) -> None:
    s.discard_size[which] = 0
    if which == LISTS:
        s.discarded_lists = U0
    else:
        s.discarded_cards = U0


@jit
def draw_from(s: Any, which: Any) -> Any:
    """The top of a deck, refilled from its discard pile where it is empty; -1 if there is nothing (section 3)."""
    size = np.int64(s.deck_size[which])
    if size == 0:
        size = np.int64(s.discard_size[which])
        if size == 0:
            return np.int64(-1)
        for i in range(size):
            s.deck[which, size - 1 - i] = s.discard[which, i]
        s.deck_size[which] = size
        clear_discard(s, which)
        shuffle_deck(s, which, which)
    s.deck_size[which] = size - 1
    return np.int64(s.deck[which, size - 1])


# ---------------------------------------------------------------------------------------------- materials
@jit
def take_piece(s: Any, p: Any, circle: Any) -> None:
    """The material of a circle goes to a seat."""
    material = np.int64(s.holds[circle])
    s.holds[circle] = NO_MATERIAL
    s.on[material] &= ~bit(circle)
    s.empty |= bit(circle)
    if s.on[material] == U0:
        s.exhausted |= lane_of(material)
    s.materials[p] += one_piece(material)


@jit
def lay_down(s: Any, p: Any, material: Any, circle: Any) -> None:
    """A seat lays a material on an empty circle."""
    s.materials[p] -= one_piece(material)
    s.holds[circle] = material
    s.on[material] |= bit(circle)
    s.empty &= ~bit(circle)
    s.exhausted &= ~lane_of(material)


@jit
def return_circles(s: Any, material: Any) -> Any:
    """Empty circles on which a material may be laid, equal ones not merged (sections 5 and 6)."""
    return s.empty if s.advanced else s.empty & s.starts[material]
