"""Observations of Torres: ``board`` uint8 [18, 8, 8] and ``globals`` uint8 [204], and the kernel that writes them.

They are egocentric: "own" is the observing seat, which is relative seat 0; the other seats follow in turn order. Unused
seats are 0. Nothing depends on information hidden from the seat (hidden.py).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from torres_env.board import castle_at
from torres_env.card_table import CARDS
from torres_env.cards import NUM_CARDS, pile_card
from torres_env.hidden import knows_hand, knows_looked
from torres_env.knights import refresh_reach
from torres_env.record import FOLLOW_UP, NO_CARD, NO_CELL
from torres_env.rules import MASTER_CARDS, MAX_KNIGHTS
from torres_env.scoring import refresh_coming
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import inlined, jit
from tower_core.engine.intrinsics import (
    U0,
    U1,
    U64,
    address_of,
    bit,
    clipped_four,
    count_four,
    get_four,
    low_four,
    store_bits,
    store_byte,
    store_copy,
    store_eight,
    store_int,
    store_int64,
    store_product,
    store_zero,
)
from tower_core.engine.seats import absolute, relative
from tower_core.game_checks import check_width
from tower_core.observation import Block, Layout

PLANES = Layout(
    [
        Block("height", 1, "blocks on the cell", "0–46", high=46, unit=4),
        Block("area", 1, "area of the cell's castle, 0 on the ground", "0–64", high=64, unit=8),
        Block("worth", 1, "height × area: what a knight there scores", "0–255, clipped", high=255, unit=32),
        Block("king", 1, "the king"),
        Block("king_castle", 1, "cells of the king's castle"),
        Block("knights", 4, "knights of each relative seat"),
        Block("own_knight", MAX_KNIGHTS, "own knight number k, in the order they came (the k of action M)"),
        Block("block_targets", 1, "cells where a block may be placed, ignoring pieces"),
        Block("own_reach", 1, "cells that an own knight reaches for 1 AP"),
        Block("taken", 1, "cell that `relocate` took its block from"),
    ]
)
"""Planes of ``board`` (index = plane)."""

_SEATS = "relative seats"
# Single bits come first, so that the kernel writes them as a few words; numbers follow.
GLOBALS = Layout(
    [
        Block("num_players", 3, "2, 3 or 4 players", "one-hot"),
        Block("seat", 4, "own absolute seat", "one-hot"),
        Block("phase", 4, "phase 0 (setup), 1, 2, 3", "one-hot"),
        Block("to_move", 4, f"the seat to move ({_SEATS}); all 0 at the end", "one-hot"),
        Block("start_player", 4, f"starting player of the round ({_SEATS})", "one-hot"),
        Block("card_played", 1, "a card was played in this turn"),
        Block(
            "pending",
            5 + len(CARDS),
            "waited for: nothing, starting block, knight of the setup, king, pick; then "
            "the follow-up of each card in table order",
            "one-hot",
        ),
        Block("master_card", len(MASTER_CARDS), "the master card, if there is one", "one-hot"),
        Block("hand", len(CARDS), "own hand, cards in table order"),
        Block("bought", len(CARDS), "own cards bought in this turn"),
        Block("deck", len(CARDS), "own cards still in the deck"),
        Block("open_hands", 3 * len(CARDS), "hands of relative seats 1, 2, 3 where hands are open, all cards of each"),
        Block("discards", MAX_SEATS * len(CARDS), f"discard piles of {_SEATS}, all cards of each"),
        Block("rounds_left", 1, "rounds of this phase after this one", "0–15", high=15, unit=4),
        Block("ap", 1, "action points left of the seat to move", "0–255", high=255, unit=5),
        Block("turn_stack", 1, "blocks left of the stack of this turn", "0–92", high=92, unit=3),
        Block("supply", 1, "blocks in the general supply", "0–92", high=92, unit=12),
        Block("buys", 1, "cards bought in this turn", "0–100", high=100, unit=2),
        Block(
            "looked",
            len(CARDS),
            "cards that the observer looks at",
            "0, or place among those drawn from 1",
            high=len(CARDS),
            unit=3,
        ),
        Block(
            "deck_place",
            len(CARDS),
            "own deck: place from the top where it is known",
            f"0 unknown, 1–{len(CARDS)}",
            high=len(CARDS),
            unit=len(CARDS),
        ),
        Block("score", MAX_SEATS, f"points of {_SEATS}, in fours", "points // 4, clipped at 255", high=255, unit=32),
        Block("score_rest", MAX_SEATS, f"points of {_SEATS}, rest of the fours", "points % 4", high=3, unit=4),
        Block(
            "lead",
            MAX_SEATS,
            f"own points minus those of {_SEATS}",
            "128 + difference, clipped to 0–255",
            high=255,
            zero=128,
            unit=64,
        ),
        Block(
            "coming",
            MAX_SEATS,
            f"points of {_SEATS} if the scoring came now (castles and king)",
            "0–255, clipped",
            high=255,
            unit=64,
        ),
        Block("knights_left", MAX_SEATS, f"knights in reserve of {_SEATS}", "0–6", high=6, unit=6),
        Block("hand_size", MAX_SEATS, f"cards in hand of {_SEATS}", f"0–{len(CARDS)}", high=len(CARDS), unit=4),
        Block(
            "deck_size",
            MAX_SEATS,
            f"cards in the deck of {_SEATS}",
            f"0–{len(CARDS)}",
            high=len(CARDS),
            unit=len(CARDS),
        ),
        Block(
            "blocks_left", MAX_SEATS, f"blocks in the other stacks of this phase of {_SEATS}", "0–92", high=92, unit=12
        ),
        Block("stack", MAX_SEATS, f"tallest other stack of {_SEATS}", "0–92", high=92, unit=3),
    ]
)
"""Blocks of ``globals``."""

BOARD_SIZE = PLANES.size * 64
GLOBALS_SIZE = GLOBALS.size
OBSERVATION_SIZE = BOARD_SIZE + GLOBALS_SIZE

_HEIGHT, _AREA, _WORTH, _KING, _KING_CASTLE, _KNIGHTS, _OWN, _BLOCKS, _REACH, _TAKEN = (
    np.int64(64 * block.start) for block in PLANES
)
# First blocks of the bit words. Open hands have their own word if they don't fit into that of the cards.
_APART = GLOBALS["discards"].start - GLOBALS["hand"].start > 64
_WORDS = ("num_players", "hand", *(["open_hands"] if _APART else []), "discards", "rounds_left")
for _word, _next in pairwise(_WORDS):
    check_width(f"Torres' observation from {_word} on, one word", GLOBALS[_next].start - GLOBALS[_word].start, 64)
check_width(
    "Torres' observation from looked on, cleared by one store", GLOBALS_SIZE - GLOBALS["looked"].start, 64, "bytes"
)
check_width("Torres' observation: eight bytes of deck_place", 8, len(CARDS), "cards")
_TURN_BITS, _CARD_BITS, _OPEN_BITS, _DISCARD_BITS = (
    np.int64(BOARD_SIZE + GLOBALS[name].start) for name in ("num_players", "hand", "open_hands", "discards")
)
# Bit offsets inside the words.
_SEAT, _PHASE, _TO_MOVE, _START, _CARD_PLAYED, _PENDING, _MASTER = (
    np.int64(GLOBALS[name].start)
    for name in ("seat", "phase", "to_move", "start_player", "card_played", "pending", "master_card")
)
_HAND, _BOUGHT, _DECK = (U64(GLOBALS[name].start - GLOBALS["hand"].start) for name in ("hand", "bought", "deck"))
_OPEN_HANDS = U64(0 if _APART else _OPEN_BITS - _CARD_BITS)
_LAST_PLACES = np.int64(len(CARDS) - 8)
(
    _ROUNDS_LEFT, _AP, _TURN_STACK, _SUPPLY, _BUYS, _LOOKED, _DECK_PLACE, _SCORE, _SCORE_REST, _LEAD, _COMING,
    _KNIGHTS_LEFT, _HAND_SIZE, _DECK_SIZE, _BLOCKS_LEFT, _STACK,
) = (
    np.int64(BOARD_SIZE + block.start) for block in GLOBALS if block.start >= GLOBALS["rounds_left"].start
)  # fmt: skip
_NUM_CARDS = U64(len(CARDS))
_32, _EACH, _BOTH = U64(32), U64(0x01010101), U64(0x0000000100000001)
I0, I1 = np.int64(0), np.int64(1)


@jit
def write_observation(s: Any, seat: Any, at: Any) -> None:
    """Write the observation of *seat*, OBSERVATION_SIZE bytes, at an address."""
    write_board(s, seat, at)
    # Each word is stored as 64 bytes; the next word overwrites its surplus, and the last one ends with the row.
    write_turn_bits(s, seat, at)
    write_card_bits(s, seat, at)
    store_zero(at + OBSERVATION_SIZE - 64)
    write_discard_bits(s, seat, at)
    write_numbers(s, seat, at)
    write_seat_numbers(s, seat, at)


@inlined
def write_board(s: Any, seat: Any, at: Any) -> None:
    height, area = address_of(s.height), address_of(s.area)
    store_copy(at + _HEIGHT, height)
    store_copy(at + _AREA, area)
    store_product(at + _WORTH, height, area)
    king, king_castle = U0, U0
    if s.king != NO_CELL:
        king = bit(s.king)
        if king & s.level[1] != U0:
            king_castle = castle_at(s, s.king)
    store_bits(at + _KING, king)
    store_bits(at + _KING_CASTLE, king_castle)
    n = np.int64(s.num_players)
    for j in range(MAX_SEATS):
        store_bits(at + _KNIGHTS + 64 * j, s.knights[absolute(np.int64(j), seat, n)] if j < n else U0)
    if s.dirty[seat]:
        refresh_reach(s, seat)
    reach = U0
    for k in range(MAX_KNIGHTS):
        store_bits(at + _OWN + 64 * k, s.knight_bit[seat, k])
        reach |= s.reach[seat, k]
    store_bits(at + _BLOCKS, s.block_targets)
    store_bits(at + _REACH, reach & ~s.occupied)
    store_bits(at + _TAKEN, bit(s.taken) if s.taken != NO_CELL else U0)


@inlined
def write_turn_bits(s: Any, seat: Any, at: Any) -> None:
    n = np.int64(s.num_players)
    pending = np.int64(s.pending)
    bits = bit(n - 2) | bit(_SEAT + seat) | bit(_PHASE + np.int64(s.phase))
    bits |= bit(_PENDING + (pending - FOLLOW_UP + 5 if pending >= FOLLOW_UP else pending))
    bits |= U64(s.card_played) << U64(_CARD_PLAYED)
    if s.phase > 0:
        bits |= bit(_START + relative(np.int64(s.start_player), seat, n))
    if s.to_move >= 0:
        bits |= bit(_TO_MOVE + relative(np.int64(s.to_move), seat, n))
    if s.master != NO_CARD:
        bits |= bit(_MASTER + np.int64(s.master))
    store_bits(at + _TURN_BITS, bits)


@inlined
def write_card_bits(s: Any, seat: Any, at: Any) -> None:
    n = np.int64(s.num_players)
    bits = U64(s.hand[seat]) << _HAND
    bits |= U64(s.deck_cards[seat]) << _DECK
    if seat == s.to_move:
        bits |= U64(s.bought) << _BOUGHT
    opened = U0
    for j in range(1, n):
        p = absolute(j, seat, n)
        if knows_hand(s, seat, p):
            opened |= U64(s.hand[p]) << (_OPEN_HANDS + _NUM_CARDS * U64(j - 1))
    if _APART:
        store_bits(at + _CARD_BITS, bits)
        store_bits(at + _OPEN_BITS, opened)
    else:
        store_bits(at + _CARD_BITS, bits | opened)


@inlined
def write_discard_bits(s: Any, seat: Any, at: Any) -> None:
    n = np.int64(s.num_players)
    bits = (s.discarded >> U64(NUM_CARDS * seat)) | (s.discarded << U64(NUM_CARDS * (n - seat)))
    store_bits(at + _DISCARD_BITS, bits & (bit(NUM_CARDS * n) - U1))


@inlined
def write_numbers(s: Any, seat: Any, at: Any) -> None:
    if s.phase > 0:
        store_byte(at + _ROUNDS_LEFT, np.int64(s.rounds[s.phase - 1]) - np.int64(s.round))
    store_byte(at + _AP, np.int64(s.ap))
    store_byte(at + _TURN_STACK, np.int64(s.turn_stack))
    store_byte(at + _SUPPLY, np.int64(s.supply))
    store_byte(at + _BUYS, np.int64(s.buys))
    if knows_looked(s, seat):
        for i in range(s.looked_size):
            store_byte(at + _LOOKED + pile_card(s.looked, np.int64(i)), np.int64(i + 1))
    places = address_of(s.deck_place) + 16 * seat
    store_eight(at + _DECK_PLACE, places)
    store_eight(at + _DECK_PLACE + _LAST_PLACES, places + _LAST_PLACES)


@inlined
def write_seat_numbers(s: Any, seat: Any, at: Any) -> None:
    """Write every seat's numbers: blocks of four bytes, read by absolute seat and rotated, two blocks at a time."""
    if get_four(address_of(s.coming_dirty)) != U0:
        refresh_coming(s)
    n = np.int64(s.num_players)
    scores = address_of(s.score)
    fours = clipped_four(scores, I0, I1, np.int64(2))
    rest = low_four(scores) & (_EACH * U64(3))
    lead = clipped_four(scores, 128 + np.int64(s.score[seat]), -I1, I0)
    coming = clipped_four(address_of(s.coming), I0, I1, I0)
    knights = _EACH * U64(s.knights_per_player) - get_four(address_of(s.knight_count))
    hands = count_four(address_of(s.hand))
    decks, blocks = get_four(address_of(s.deck_size)), get_four(address_of(s.blocks_left))
    stacks = U0
    for p in range(MAX_SEATS):
        stacks |= U64(s.stack[p, 0]) << U64(8 * p)
    # Seats *seat* … n - 1 come first, then those before *seat*.
    first = (bit(8 * (n - seat)) - U1) * _BOTH
    second = (bit(8 * n) - U1) * _BOTH ^ first
    down, up = U64(8 * seat), U64(8 * (n - seat))
    store_int64(at + _SCORE, turned(fours | rest << _32, down, first, up, second))
    store_int64(at + _LEAD, turned(lead | coming << _32, down, first, up, second))
    store_int64(at + _KNIGHTS_LEFT, turned(knights | hands << _32, down, first, up, second))
    store_int64(at + _DECK_SIZE, turned(decks | blocks << _32, down, first, up, second))
    store_int(at + _STACK, turned(stacks, down, first, up, second))


@inlined
def turned(fours: Any, down: Any, first: Any, up: Any, second: Any) -> Any:
    return np.int64(((fours >> down) & first) | ((fours << up) & second))
