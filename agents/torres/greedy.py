"""``greedy`` of Torres, in compiled code: looks one action ahead, or two with a card's follow-up.

The value of a position for a seat is the sum of its points, those of its remaining action points, the coming scorings of
the present board (castles in each, the king in the next), the gains in reach of its knights, its knights on the board and
its cards, minus a share of the same sum for its best opponent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.actions import FIRST_CELL_ACTION
from torres_env.card_table import ENCORE, RELOCATE
from torres_env.knights import refresh_reach
from torres_env.record import FOLLOW_UP, RECORD, SETUP_BLOCK, SETUP_KNIGHT
from torres_env.scoring import castle_points, king_points
from tower_core.engine import loops
from tower_core.engine.compiling import Entry, jit
from tower_core.engine.intrinsics import (
    U0,
    U1,
    U64,
    address_of,
    call_entry,
    carray,
    count_trailing_zeros,
    get_int,
    pointer,
    popcount,
    record_at,
    store_copy,
)
from tower_core.engine.loops import random_legal
from tower_core.engine.random import GOLDEN, mix
from tower_core.game import Game
from tower_core.players.native_player import STREAM, NativePlayer

# Places in the options; after them come the bits of the address of the rules.
RIVAL, REACH, KNIGHT, CARD = range(4)
WEIGHTS = (0.5, 0.25, 1.5, 1.5)
APPLY = np.int64(loops.APPLY)
SIZE = np.int64(RECORD.itemsize)
_WORST = -1e18


@jit
def reach_points(s: Any, p: Any) -> Any:
    """The gain of the castles if the knights took the best cells in reach for 1 AP."""
    if s.dirty[p]:
        refresh_reach(s, p)
    cells = U0
    for k in range(s.knight_count[p]):
        cells |= s.reach[p, k]
    cells &= ~s.occupied
    points = np.int64(0)
    for q in range(s.castle_count):
        reached = s.castle[q] & cells
        if reached == U0:
            continue
        mine = s.castle[q] & s.knights[p]
        level = np.int64(0)
        while (reached & s.level[level + 1]) != U0:
            level += 1
        have = np.int64(0)
        while (mine & s.level[have + 1]) != U0:
            have += 1
        if level > have:
            points += popcount(s.castle[q]) * (level - have)
    return points


@jit
def seat_value(s: Any, p: Any, w: Any) -> Any:
    """A seat's points and expected gains."""
    value = np.float64(s.score[p])
    if s.to_move >= 0:
        phase = np.int64(s.phase)
        scorings = np.float64(4 - phase) if phase > 0 else 3.0
        value += scorings * (np.float64(castle_points(s, p)) + w[REACH] * np.float64(reach_points(s, p)))
        value += np.float64(king_points(s, p, phase))
        if p == s.to_move:
            value += np.float64(s.ap) * np.float64(s.unspent_ap_scores)
        value += w[KNIGHT] * np.float64(s.knight_count[p])
    return value + w[CARD] * np.float64(popcount(U64(s.hand[p])))


@jit
def position_value(s: Any, p: Any, w: Any) -> Any:
    rival = _WORST
    for q in range(s.num_players):
        if q != p:
            value = seat_value(s, np.int64(q), w)
            if value > rival:
                rival = value
    return seat_value(s, p, w) - w[RIVAL] * rival


@jit
def copy_record(target: Any, source: Any) -> None:
    for i in range(SIZE // 64):
        store_copy(target + 64 * i, source + 64 * i)


@jit
def action_of(k: Any, place: Any) -> Any:
    """The number of the action at bit *place* of legal word *k*."""
    return place if k == 0 else np.int64(FIRST_CELL_ACTION) + 64 * (np.int64(k) - 1) + place


@jit
def value_after(entry: Any, at: Any, action: Any, p: Any, w: Any, boards: Any, scratch: Any) -> Any:
    """The value of the position after an action, with the best follow-up if it is a card with one."""
    after, follow = boards[0], boards[1]
    copy_record(scratch, at)
    call_entry(entry, APPLY, scratch, action, np.int64(0))
    if after.pending < FOLLOW_UP or after.to_move != p:
        return position_value(after, p, w)
    if after.pending == FOLLOW_UP + RELOCATE or after.pending == FOLLOW_UP + ENCORE:
        return _WORST  # two follow-ups: not searched
    best = _WORST
    for k in range(len(after.legal)):
        word = after.legal[k]
        while word != U0:
            place = count_trailing_zeros(word)
            word &= word - U1
            copy_record(scratch + SIZE, scratch)
            call_entry(entry, APPLY, scratch + SIZE, action_of(k, place), np.int64(0))
            value = position_value(follow, p, w)
            if value > best:
                best = value
    return best


@jit
def greedy_choice(s: Any, at: Any, stream: Any, w: Any, entry: Any) -> Any:
    boards = np.empty(2, RECORD)
    scratch = address_of(boards)
    p = np.int64(s.to_move)
    best, choice = 2.0 * _WORST, np.int64(-1)
    for k in range(len(s.legal)):
        word = s.legal[k]
        while word != U0:
            action = action_of(k, count_trailing_zeros(word))
            word &= word - U1
            value = value_after(entry, at, action, p, w, boards, scratch)
            # Ties are broken at random, by less than any difference in points.
            stream.rng += GOLDEN
            value += np.float64(mix(stream.rng) >> U64(11)) * 1e-18
            if value > best:
                best, choice = value, action
    return choice


def choose(record: int, stream_address: int, options: int) -> int:
    s = record_at(record, RECORD)
    stream = record_at(stream_address, STREAM)
    w = carray(pointer(options), (CARD + 1,), np.float64)
    stream.rng += GOLDEN
    if s.pending == SETUP_KNIGHT or s.pending == SETUP_BLOCK:
        return random_legal(s, stream.rng)  # type: ignore[no-any-return]
    entry = get_int(options + 8 * (CARD + 1))
    return greedy_choice(s, record, stream, w, entry)  # type: ignore[no-any-return]


compile_greedy = Entry(choose, ("torres_env", "agents.torres"), "greedy of Torres")
"""The compiled :func:`choose` and its address."""


def make_greedy(game: Game, seed: int = 0) -> NativePlayer:
    """A rule-based player that looks one action ahead."""
    return NativePlayer("greedy", game, seed, compile_greedy, WEIGHTS)
