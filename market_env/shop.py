"""What a seat can buy, build and hire, in compiled code (sections 4, 5, 7 and 8)."""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env.actions import HIRE
from market_env.card_table import APPRENTICES
from market_env.components import GEMS
from market_env.packed_counts import (
    PLENTY,
    colours,
    count_pieces,
    covers,
    excess,
    lane_of,
    one_piece,
    one_token,
    piece_count,
)
from market_env.record import NO_LIST
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros, smaller

STAND_IN_HIRE, BULLY_HIRE, RUNNER_HIRE = (APPRENTICES.index(name) for name in ("stand-in", "bully", "runner"))
BLUE, RED = GEMS.index("blue"), GEMS.index("red")
BULLY_COLOURS = U64(1 << BLUE | 1 << RED)
RED_GEM = U64(1 << 16 * RED)
_SIX = U64(0b111111)


# ---------------------------------------------------------------------------------------------- lists
@jit
def asked(s: Any, p: Any) -> Any:
    """Pieces that a seat's list asks for; 0 without a list."""
    number = s.building_list[p]
    return s.need[number] if number != NO_LIST else U0


@jit
def usable(s: Any, p: Any) -> Any:
    """Circles whose material a seat can use: the list lacks it, or it can stand in for an exhausted one (section 5)."""
    need, have = asked(s, p), s.materials[p]
    missing = excess(need, have)
    if count_pieces(excess(have, need)) < count_pieces(missing & s.exhausted):
        return circles_of(market_bits(s)) & ~s.empty
    circles = U0
    while missing != U0:
        material = count_trailing_zeros(missing) >> 3
        circles |= s.on[material]
        missing &= ~lane_of(material)
    return circles


@jit
def list_satisfied(s: Any, p: Any) -> Any:
    need, have = asked(s, p), s.materials[p]
    missing = excess(need, have)
    return need != U0 and missing & ~s.exhausted == U0 and count_pieces(missing) <= count_pieces(excess(have, need))


@jit
def list_share(s: Any, p: Any) -> Any:
    """The satisfied share of a seat's list, including pieces that stand in; exactly 1 if the list is satisfied."""
    need, have = asked(s, p), s.materials[p]
    if need == U0:
        return 0.0
    missing = excess(need, have)
    stand_ins = smaller(count_pieces(missing & s.exhausted), count_pieces(excess(have, need)))
    total = count_pieces(need)
    return (total - count_pieces(missing) + stand_ins) / total


@jit
def pieces_to_return(s: Any, p: Any) -> Any:
    """Pieces that a building uses up: those of the list; missing ones are replaced by surplus in material order."""
    need, have = asked(s, p), s.materials[p]
    stand_ins = count_pieces(excess(need, have))
    surplus = excess(have, need)
    pieces = have - surplus
    while stand_ins > 0:
        material = count_trailing_zeros(surplus) >> 3
        count = smaller(piece_count(surplus, material), stand_ins)
        pieces += U64(count) * one_piece(material)
        surplus &= ~lane_of(material)
        stand_ins -= count
    return pieces


# ---------------------------------------------------------------------------------------------- markets
@jit
def market_bits(s: Any) -> Any:
    """Markets in play."""
    return bit(s.markets) - U1


@jit
def circles_of(markets: Any) -> Any:
    """All circles of a set of markets."""
    circles = U0
    while markets != U0:
        circles |= _SIX << U64(6 * count_trailing_zeros(markets))
        markets &= markets - U1
    return circles


@jit
def markets_of(circles: Any) -> Any:
    """The markets of a set of circles."""
    markets = U0
    while circles != U0:
        market = count_trailing_zeros(circles) // 6
        markets |= bit(market)
        circles &= ~(_SIX << U64(6 * market))
    return markets


@jit
def figures(s: Any, p: Any) -> Any:
    """Markets with a figure of a seat: worker or standing NPC, stand-in, runner."""
    return U64(s.worker[p] | s.stand_in[p] | s.runner[p])


@jit
def others_on(s: Any, p: Any) -> Any:
    """Markets with a figure of another seat."""
    markets = U0
    for q in range(np.int64(s.seats)):
        if q != p:
            markets |= figures(s, q)
    return markets


@jit
def curfews(s: Any) -> Any:
    return U64(s.curfew[0] | s.curfew[1] | s.curfew[2] | s.curfew[3])


@jit
def free_markets(s: Any) -> Any:
    """Markets without figures and curfew (section 4, ``curfew``; sections 7 and 9)."""
    return market_bits(s) & ~(others_on(s, np.int64(-1)) | curfews(s))


@jit
def letting_in(s: Any, p: Any) -> Any:
    """Markets that curfew and guard allow a seat to enter; nothing overrides these two."""
    barred = curfews(s)
    if s.wanted[p]:
        barred |= U64(s.guard)
    return market_bits(s) & ~barred


@jit
def open_markets(s: Any, p: Any) -> Any:
    """Markets at which the seat to move may buy, regardless of price and use (sections 4 and 7)."""
    here = U64(s.worker[p] | s.runner[p])
    if s.worker[p] == 0:
        markets = letting_in(s, p)
        return here | (markets if s.bribed else markets & ~others_on(s, p))
    if s.apprentice[RUNNER_HIRE] == p and s.runner[p] == 0:
        return here | (letting_in(s, p) & ~others_on(s, p))
    return here


@jit
def to_buy(s: Any, p: Any, markets: Any, tokens: Any) -> Any:
    """Circles of *markets* that a seat with these tokens can pay and use; of equal circles only the first (section 4)."""
    circles = usable(s, p) & circles_of(markets)
    found = U0
    while circles != U0:
        circle = count_trailing_zeros(circles)
        circles &= circles - U1
        if covers(tokens, s.price[circle]) and s.twins[circle] & s.on[s.holds[circle]] == U0:
            found |= bit(circle)
    return found


@jit
def permit_circles(s: Any, p: Any) -> Any:
    """Circles that ``permit`` allows: all usable ones, regardless of figures."""
    return to_buy(s, p, market_bits(s), PLENTY)


# ---------------------------------------------------------------------------------------------- apprentices
@jit
def bully_markets(s: Any, p: Any, tokens: Any) -> Any:
    """Markets with others' figures at which a seat with these tokens could buy if they were gone (section 7)."""
    if s.worker[p] != 0:
        return U0
    return markets_of(to_buy(s, p, letting_in(s, p) & others_on(s, p), tokens))


@jit
def bully_fees(s: Any, p: Any) -> Any:
    """Colours (blue, red) of a fee after which the bully still has a market."""
    fees = colours(s.tokens[p]) & BULLY_COLOURS
    for colour in range(BLUE, RED + 1):
        if fees & bit(colour) != U0 and bully_markets(s, p, s.tokens[p] - one_token(colour)) == U0:
            fees &= ~bit(colour)
    return fees


@jit
def hires(s: Any, p: Any) -> Any:
    """Legal HIRE as bits of the first word."""
    bits = U0
    if not s.apprentices or s.has_hired[p]:
        return bits
    gems = colours(s.tokens[p])
    if s.apprentice[STAND_IN_HIRE] < 0 and gems != U0 and free_markets(s) != U0:
        bits |= bit(HIRE + STAND_IN_HIRE)
    if s.apprentice[BULLY_HIRE] < 0 and gems & BULLY_COLOURS != U0 and bully_fees(s, p) != U0:
        bits |= bit(HIRE + BULLY_HIRE)
    if s.apprentice[RUNNER_HIRE] < 0 and gems & bit(RED) != U0:
        bits |= bit(HIRE + RUNNER_HIRE)
    return bits
