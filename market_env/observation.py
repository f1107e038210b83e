"""Observations of the market game: named blocks of one uint8 vector, and the kernel that writes them.

They are egocentric: "own" is the observing seat, which is relative seat 0; the other seats follow in turn order, the NPC
in its place. Absent seats, materials and markets are 0. The numbers of the component set (prices, rates, fees) are not
included. Nothing depends on information hidden from the seat (hidden.py).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from market_env.actions import APPRENTICES, MAX_CIRCLES
from market_env.components import CARDS, MAX_LIST_CHOICE, MAX_LISTS, MAX_MARKETS, MAX_MATERIALS, MAX_OFFER, TOKENS
from market_env.hidden import known_top, knows_drawn, knows_shown, list_hidden
from market_env.packed_counts import count_pieces, excess
from market_env.record import ASK_RETURN, BULLY, CARD_DECK, CAUSES, KINDS, LISTS, NO_CAUSE
from market_env.shop import asked, list_satisfied, market_bits
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U64, bit, store_bits, store_byte, store_clipped, store_int, store_zero
from tower_core.engine.seats import absolute, relative
from tower_core.game_checks import check_width
from tower_core.observation import Block, Layout

_SEATS = "relative seats"
_KNOWN = MAX_OFFER - 1  # at least one of the cards looked at is taken
# The first blocks are single bits, stored as words of at most 64; the first block of each word is in _WORDS.
VECTOR = Layout(
    [
        *(
            Block(f"circles_{m}", MAX_CIRCLES, f"circles that hold material {m} (of the set, counted from 0), 1a to 6f")
            for m in range(MAX_MATERIALS)
        ),
        Block("num_players", MAX_SEATS, "1, 2, 3 or 4 players", "one-hot"),
        Block("seat", MAX_SEATS, "own absolute seat", "one-hot"),
        Block("npc", MAX_SEATS, f"the NPC's seat ({_SEATS}); all 0 without one", "one-hot"),
        Block("options", 5, "advanced, apprentices, guard, solo, lists closed"),
        Block("to_move", MAX_SEATS, f"the seat to move ({_SEATS}); all 0 at the end", "one-hot"),
        Block("pending", len(KINDS), "asked for: nothing (free to act), " + ", ".join(KINDS[1:]), "one-hot"),
        Block("cause", len(CAUSES), "what for: " + ", ".join(CAUSES), "one-hot"),
        Block("at_start", 1, "the turn has just started: STEAL and PARDON are still possible"),
        Block("acted", 1, "the player to move has done something: no idle draw"),
        Block("visited", 1, "the player to move has been at the black market in this turn"),
        Block("bribed", 1, "the player to move has bribed in this turn"),
        Block("victim", MAX_SEATS, f"sabotage: whose material returns ({_SEATS})", "one-hot"),
        Block("chosen", MAX_MARKETS, "bully: the market at which the player to move must buy", "one-hot"),
        Block("workers", MAX_SEATS * MAX_MARKETS, f"where the workers of {_SEATS} stand, or the NPC, six markets each"),
        Block("curfews", MAX_SEATS * MAX_MARKETS, f"curfew markers laid by {_SEATS}, six markets each"),
        Block("stand_in", MAX_MARKETS, "where the stand-in stands"),
        Block("runner", MAX_MARKETS, "where the runner stands"),
        Block(
            "apprentices",
            len(APPRENTICES) * MAX_SEATS,
            f"whom stand-in, bully and runner are with ({_SEATS})",
            "one-hot",
        ),
        Block("wanted", MAX_SEATS, f"{_SEATS} that are wanted"),
        Block("jailed", MAX_SEATS, f"{_SEATS} that sit in jail"),
        Block("has_hired", MAX_SEATS, f"{_SEATS} that have hired their apprentice of the game"),
        Block("guard", MAX_MARKETS, "where the guard stands; all 0: in the jail", "one-hot"),
        Block("markets", MAX_MARKETS, "markets in play"),
        Block("list_seen", MAX_SEATS, f"{_SEATS} whose list the observer sees"),
        Block("can_build", MAX_SEATS, f"{_SEATS} whose list, seen by the observer, is satisfied"),
        Block("shown", MAX_OFFER * len(CARDS), "cards that the observer looks at, place by place", "one-hot"),
        Block("known_top", _KNOWN * len(CARDS), "top of the card deck as far as known, place by place", "one-hot"),
        Block("list_discard", MAX_LISTS, "lists in the discard pile, by their number in the set"),
        Block("tokens", MAX_SEATS * len(TOKENS), f"green, blue, red, passes of {_SEATS}", "0–250", high=250, unit=4),
        Block("pile", len(TOKENS), "tokens of the collector's pile", "0–250", high=250, unit=4),
        Block("bag", len(TOKENS), "tokens left in the bag", "0–250", high=250, unit=8),
        Block("materials", MAX_SEATS * MAX_MATERIALS, f"materials of {_SEATS}, eight each", "0–36", high=36, unit=2),
        Block(
            "needs",
            MAX_SEATS * MAX_MATERIALS,
            f"what the lists of {_SEATS} ask for, where seen",
            "0–36",
            high=36,
            unit=2,
        ),
        Block(
            "missing",
            MAX_SEATS * MAX_MATERIALS,
            f"what {_SEATS} lack of their lists, where seen",
            "0–36",
            high=36,
            unit=2,
        ),
        Block("surplus", MAX_SEATS, f"pieces of {_SEATS} beyond their lists, where seen", "0–36", high=36, unit=4),
        Block("towers", MAX_SEATS, f"towers of {_SEATS}", "0–9", high=9, unit=2),
        Block("hand_size", MAX_SEATS, f"black-market cards of {_SEATS}", "0–8", high=8, unit=2),
        Block("hand", len(CARDS), "own black-market cards by kind", "0–8", high=8, unit=2),
        Block("card_discard", len(CARDS), "cards in the discard pile by kind", "0–64", high=64, unit=2),
        Block("to_return", MAX_MATERIALS, "pieces that still have to be laid down", "0–36", high=36, unit=2),
        Block(
            "drawn",
            MAX_LIST_CHOICE * MAX_MATERIALS,
            "what each list to choose from asks for, where seen",
            "0–36",
            high=36,
            unit=2,
        ),
        Block("drawn_size", 1, "lists to choose from", "0–7", high=7, unit=4),
        Block("list_deck", 1, "lists in the deck", "0–64", high=64, unit=16),
        Block("card_deck", 1, "cards in the deck", "0–64", high=64, unit=16),
        Block("left", 1, "PAY or TAKE still to do, or entries paid and not yet used", "0–20", high=20, unit=4),
        Block(
            "rounds_left", 1, "rounds after this one before the game is truncated", "0–255, clipped", high=255, unit=32
        ),
    ]
)
"""Blocks of ``vector``."""

OBSERVATION_SIZE = VECTOR.size
_WORDS = ("num_players", "workers", "apprentices", "shown", "list_discard")
_SITUATION, _FIGURES, _SEAT_BITS, _CARD_BITS, _LIST_BITS = (VECTOR.start(name) for name in _WORDS)
_NUMBERS = VECTOR.start("tokens")
for _word, _next in pairwise((*_WORDS, "tokens")):
    check_width(f"the market's observation from {_word} on, one word", VECTOR[_next].start - VECTOR[_word].start, 64)
check_width("circles of a market game, in one word of the observation", MAX_CIRCLES, 64)
_PAIRS = U64(0x0000_FFFF_0000_FFFF)


def _shifts(word: str, *names: str) -> tuple[np.int64, ...]:
    """Bit offsets of blocks inside the word that starts with the block *word*."""
    return tuple(np.int64(VECTOR[name].start - VECTOR[word].start) for name in names)


_SEAT, _NPC, _OPTIONS, _TO_MOVE, _PENDING, _CAUSE, _FLAGS, _VICTIM, _CHOSEN = _shifts(
    "num_players", "seat", "npc", "options", "to_move", "pending", "cause", "at_start", "victim", "chosen"
)
_CURFEWS, _STAND_IN, _RUNNER = _shifts("workers", "curfews", "stand_in", "runner")
_WANTED, _JAILED, _HAS_HIRED, _GUARD, _MARKETS, _LIST_SEEN, _CAN_BUILD = _shifts(
    "apprentices", "wanted", "jailed", "has_hired", "guard", "markets", "list_seen", "can_build"
)
(_KNOWN_TOP,) = _shifts("shown", "known_top")
(
    _TOKENS, _PILE, _BAG, _MATERIALS, _NEEDS, _MISSING, _SURPLUS, _TOWERS, _HAND_SIZE, _HAND, _CARD_DISCARD, _TO_RETURN,
    _DRAWN, _DRAWN_SIZE, _LIST_DECK, _CARD_DECK, _LEFT, _ROUNDS_LEFT,
) = (np.int64(block.start) for block in VECTOR if block.start >= _NUMBERS)  # fmt: skip


@jit
def write_observation(s: Any, seat: Any, at: Any) -> None:
    """Write the observation of *seat*, OBSERVATION_SIZE bytes, at an address."""
    # Each word is stored as 64 bytes; the next word, and finally the numbers, overwrite its surplus.
    for m in range(MAX_MATERIALS):
        store_bits(at + MAX_CIRCLES * m, s.on[m])
    write_situation(s, seat, at)
    write_figures(s, seat, at)
    store_bits(at + _CARD_BITS, known_cards(s, seat))
    store_bits(at + _LIST_BITS, s.discarded_lists)
    # Clear the numbers first, so that only non-zero ones are written. The last store ends with the row.
    for k in range((OBSERVATION_SIZE - _NUMBERS) // 64):
        store_zero(at + _NUMBERS + 64 * k)
    store_zero(at + OBSERVATION_SIZE - 64)
    write_seats(s, seat, at)
    write_table(s, seat, at)


@jit
def write_situation(s: Any, seat: Any, at: Any) -> None:
    n = np.int64(s.seats)
    bits = bit(np.int64(s.num_players) - 1) | bit(_SEAT + seat) | bit(_PENDING + np.int64(s.pending))
    if s.seats > s.num_players:
        bits |= bit(_NPC + relative(np.int64(s.num_players), seat, n))
    options = U64(s.advanced | s.apprentices << 1 | s.guard_hunts << 2 | s.solo << 3 | s.closed << 4)
    bits |= options << U64(_OPTIONS)
    if s.to_move >= 0:
        bits |= bit(_TO_MOVE + relative(np.int64(s.to_move), seat, n))
        bits |= U64(s.at_start | s.acted << 1 | s.visited << 2 | s.bribed << 3) << U64(_FLAGS)
    if s.cause != NO_CAUSE:
        bits |= bit(_CAUSE + np.int64(s.cause))
    if s.pending == ASK_RETURN and s.cause < len(CARDS):
        bits |= bit(_VICTIM + relative(np.int64(s.victim), seat, n))
    if s.cause == BULLY:
        bits |= U64(s.chosen) << U64(_CHOSEN)
    store_bits(at + _SITUATION, bits)


@jit
def write_figures(s: Any, seat: Any, at: Any) -> None:
    n = np.int64(s.seats)
    where, who = U0, U64(s.guard) << U64(_GUARD) | market_bits(s) << U64(_MARKETS)
    for j in range(n):
        p = absolute(j, seat, n)
        where |= U64(s.worker[p]) << U64(MAX_MARKETS * j) | U64(s.curfew[p]) << U64(_CURFEWS + MAX_MARKETS * j)
        where |= U64(s.stand_in[p]) << U64(_STAND_IN) | U64(s.runner[p]) << U64(_RUNNER)
        who |= U64(s.wanted[p]) << U64(_WANTED + j) | U64(s.jailed[p]) << U64(_JAILED + j)
        who |= U64(s.has_hired[p]) << U64(_HAS_HIRED + j)
        if not list_hidden(s, p, seat):
            who |= bit(_LIST_SEEN + j)
            if list_satisfied(s, p):
                who |= bit(_CAN_BUILD + j)
    for k in range(len(APPRENTICES)):
        if s.apprentice[k] >= 0:
            who |= bit(MAX_SEATS * k + relative(np.int64(s.apprentice[k]), seat, n))
    store_bits(at + _FIGURES, where)
    store_bits(at + _SEAT_BITS, who)


@jit
def known_cards(s: Any, seat: Any) -> Any:
    """Cards that the seat looks at, and those that it put back on top of the deck."""
    bits = U0
    if knows_shown(s, seat):
        for i in range(np.int64(s.shown_size)):
            bits |= bit(len(CARDS) * i + np.int64(s.shown[i]))
    for i in range(known_top(s, seat)):
        bits |= bit(_KNOWN_TOP + len(CARDS) * i + np.int64(s.deck[CARD_DECK, s.deck_size[CARD_DECK] - 1 - i]))
    return bits


@jit
def store_pieces(at: Any, pieces: Any) -> None:
    """Store eight counts as eight bytes."""
    store_int(at, np.int64(pieces))
    store_int(at + 4, np.int64(pieces >> U64(32)))


@jit
def store_tokens(at: Any, tokens: Any) -> None:
    """Store four counts, each below 256, as four bytes."""
    pairs = (tokens | (tokens >> U64(8))) & _PAIRS
    store_int(at, np.int64(pairs | (pairs >> U64(16))))


@jit
def write_seats(s: Any, seat: Any, at: Any) -> None:
    """Write the numbers of every seat."""
    n = np.int64(s.seats)
    for j in range(n):
        p = absolute(j, seat, n)
        have = s.materials[p]
        store_tokens(at + _TOKENS + len(TOKENS) * j, s.tokens[p])
        store_pieces(at + _MATERIALS + MAX_MATERIALS * j, have)
        if not list_hidden(s, p, seat):
            need = asked(s, p)
            store_pieces(at + _NEEDS + MAX_MATERIALS * j, need)
            store_pieces(at + _MISSING + MAX_MATERIALS * j, excess(need, have))
            store_byte(at + _SURPLUS + j, count_pieces(excess(have, need)))
        store_byte(at + _TOWERS + j, np.int64(s.score[p]))
        store_byte(at + _HAND_SIZE + j, count_pieces(s.hand[p]))


@jit
def write_table(s: Any, seat: Any, at: Any) -> None:
    """Write the numbers of the table, the own hand and the pending decision."""
    store_tokens(at + _PILE, s.pile)
    store_tokens(at + _BAG, s.bag)
    store_pieces(at + _HAND, s.hand[seat])
    store_pieces(at + _CARD_DISCARD, s.discarded_cards)
    if s.pending == ASK_RETURN:
        store_pieces(at + _TO_RETURN, s.to_return)
    if knows_drawn(s, seat):
        for i in range(np.int64(s.drawn_size)):
            store_pieces(at + _DRAWN + MAX_MATERIALS * i, s.need[s.drawn[i]])
    store_byte(at + _DRAWN_SIZE, np.int64(s.drawn_size))
    store_byte(at + _LIST_DECK, np.int64(s.deck_size[LISTS]))
    store_byte(at + _CARD_DECK, np.int64(s.deck_size[CARD_DECK]))
    store_byte(at + _LEFT, np.int64(s.left))
    store_clipped(at + _ROUNDS_LEFT, np.int64(s.max_turns) - np.int64(s.round))
