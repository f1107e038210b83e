"""Random draws in compiled code: from the stream, or forced by a script (tower_core.engine.forced_chance).

The stream is used in a fixed order (section 2). A script contains the result of each draw: a kind of token, a market, a
circle, a whole deck from the top. Impossible results are rejected; the stream's result is used instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env.packed_counts import counted_off, token_count
from market_env.record import CARD_DECK, LISTS
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import jit
from tower_core.engine.forced_chance import next_outcome, reject
from tower_core.engine.intrinsics import U0, U1, count_trailing_zeros, popcount, test_bit
from tower_core.engine.random import below

# Codes of outcomes in a script: decks use the deck's number; tokens and gems use one code per seat, from these on.
CIRCLES, DIE, CIRCLE, TOKEN = np.int64(2), np.int64(3), np.int64(4), np.int64(8)
GEM = TOKEN + MAX_SEATS
assert max(LISTS, CARD_DECK) < CIRCLES


@jit
def draw_kind(s: Any, code: Any, seat: Any, held: Any, total: Any) -> Any:
    """The kind of one of the *total* tokens or gems *held*, drawn for a seat."""
    drawn = counted_off(held, below(s, total))
    if s.script == U0:
        return drawn
    kind = next_outcome(s, code + seat, drawn)
    if token_count(held, kind) == 0:
        reject(s)
        return drawn
    return kind


@jit
def roll_die(s: Any, markets: Any) -> Any:
    """A market from the non-empty set *markets*: the die is rolled until it shows one."""
    drawn = below(s, np.int64(s.die))
    while not test_bit(markets, drawn):
        drawn = below(s, np.int64(s.die))
    return drawn if s.script == U0 else forced_value(s, DIE, markets, drawn)


@jit
def draw_circle(s: Any, circles: Any) -> Any:
    """A circle from a non-empty set."""
    rest = circles
    for _ in range(below(s, popcount(circles))):
        rest &= rest - U1
    drawn = count_trailing_zeros(rest)
    return drawn if s.script == U0 else forced_value(s, CIRCLE, circles, drawn)


@jit
def forced_value(s: Any, code: Any, members: Any, drawn: Any) -> Any:
    """The forced outcome from the script, which must be in the set *members*."""
    member = next_outcome(s, code, drawn)
    if not test_bit(members, member):
        reject(s)
        return drawn
    return member


@jit
def shuffle(s: Any, which: Any) -> None:
    """Shuffle a deck in place: its last entry is the top, number 0 of the shuffle."""
    last = np.int64(s.deck_size[which]) - 1
    for i in range(last, 0, -1):
        j = below(s, np.int64(i + 1))
        item = s.deck[which, last - i]
        s.deck[which, last - i] = s.deck[which, last - j]
        s.deck[which, last - j] = item


@jit
def shuffle_deck(s: Any, which: Any, code: Any) -> None:
    """Like :func:`shuffle`, but a script may force the order; a deck of one card has no outcome."""
    shuffle(s, which)
    if s.script == U0 or s.deck_size[which] < 2:
        return
    # Card by card from the top, which is the last entry: the forced card must be among those below.
    for i in range(np.int64(s.deck_size[which]) - 1, -1, -1):
        drawn = s.deck[which, i]
        item = next_outcome(s, code, np.int64(drawn))
        k = i
        while k >= 0 and s.deck[which, k] != item:
            k -= 1
        if k < 0:
            reject(s)
            return
        s.deck[which, i] = s.deck[which, k]
        s.deck[which, k] = drawn
