"""Evaluation of positions in points: a linear function of features, by phase and turns left.

The worth of a seat is its score plus its expected gain until the end: the sum of the features below with weights
``a + b * turns``, where *turns* are the seat's turns before the next scoring and ``a``, ``b`` belong to the phase. After a
seat's last turn its gain is the exact result of the scoring (with ``outlook=0``: after the last turn of the game).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.torres.master import master_value
from torres_env.board import around
from torres_env.knights import refresh_reach
from torres_env.record import KING, NO_CARD, NO_CELL
from torres_env.scoring import castle_points, king_points, master_points
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, count_trailing_zeros, popcount, test_bit

# The features of a seat.
(
    ONE,  # 1
    CASTLES,  # the present score of its castles
    REACH,  # their gain if a knight took each castle's best cell in reach for 1 AP
    ROYAL,  # the king's bonus as it stands
    COURT,  # the highest bonus of this phase, if a knight is in the king's castle
    AREAS,  # areas of its castles
    LEVELS,  # its best levels in them
    HOMES,  # castles with a knight
    KNIGHTS,  # knights on the board
    ROOM,  # ground cells where its castles can grow
    SHARED,  # points of castles where a rival stands as high or higher
    HAND,  # worth of its cards
    HIGHER,  # area times the levels above its best knight, per castle
    MOBILITY,  # cells in reach for 1 AP
    HEADROOM,  # area times the levels (up to 3) that may still be built above its best knight, per castle
) = range(15)
NUM_FEATURES = 15
NUM_WEIGHTS = 3 * NUM_FEATURES * 2
# Relative worth of the action cards, in the order of the card table.
WORTH = np.array([3.0, 6.0, 5.0, 3.5, 5.0, 5.0, 4.0, 5.0, 3.0, 4.0])


@jit
def best_level(s: Any, cells: Any) -> Any:
    """The greatest height among *cells* (0 for none)."""
    level = np.int64(0)
    while cells & s.level[level + 1] != U0:
        level += 1
    return level


@jit
def hand_worth(s: Any, p: Any, turns: Any) -> Any:
    """Worth of a seat's cards, reduced if there are more than *turns*: a seat plays one per turn."""
    cards = U64(s.hand[p])
    count = popcount(cards)
    total = np.float64(0.0)
    while cards != U0:
        total += WORTH[count_trailing_zeros(cards)]
        cards &= cards - U1
    if count > turns:
        total *= np.float64(turns) / np.float64(count)
    return total


@jit
def turns_left(s: Any, p: Any, mover_done: Any) -> Any:
    """Turns of a seat before the next scoring; *mover_done*: count the present turn as over."""
    if s.phase == 0:
        return np.int64(s.rounds[0])
    if s.pending == KING:
        return np.int64(s.rounds[s.phase]) if s.phase < 3 else np.int64(0)
    n = np.int64(s.num_players)
    place = (p + n - np.int64(s.start_player)) % n
    now = np.int64(s.turn)
    to_come = place > now or (place == now and not mover_done)
    return np.int64(s.rounds[s.phase - 1]) - np.int64(s.round) + np.int64(to_come)


@jit
def phase_ahead(s: Any) -> Any:
    """The phase of the next scoring."""
    if s.phase == 0:
        return np.int64(1)
    return np.int64(s.phase) + np.int64(s.pending == KING)


@jit
def every_reach(s: Any, p: Any) -> Any:
    """The feature REACH if every knight scores: the sum of the knights' possible gains."""
    points = np.int64(0)
    for k in range(s.knight_count[p]):
        cell = np.int64(s.knight[p, k])
        cells = s.reach[p, k] & ~s.occupied
        have = np.int64(s.area[cell]) * np.int64(s.height[cell])
        best = have
        for q in range(s.castle_count):
            there = cells & s.castle[q]
            if there != U0:
                value = popcount(s.castle[q]) * best_level(s, there)
                if value > best:
                    best = value
        points += best - have
    return points


@jit
def write_features(s: Any, p: Any, phase: Any, turns: Any, f: Any) -> None:
    """Fill *f*, float64 [NUM_FEATURES]."""
    if s.dirty[p]:
        refresh_reach(s, p)
    knights = s.knights[p]
    reached = U0
    for k in range(s.knight_count[p]):
        reached |= s.reach[p, k]
    reached &= ~s.occupied
    rivals = U0
    for q in range(s.num_players):
        if q != p:
            rivals |= s.knights[q]
    growth = s.block_targets & ~s.level[1]
    castles, reach, areas, levels, homes, room, shared, higher, headroom = 0, 0, 0, 0, 0, 0, 0, 0, 0
    court = False
    for i in range(s.castle_count):
        castle = s.castle[i]
        mine = castle & knights
        there = castle & reached
        if mine == U0 and there == U0:
            continue
        area = popcount(castle)
        level = best_level(s, mine)
        if there != U0:
            gain = best_level(s, there) - level
            if gain > 0:
                reach += area * gain
        if mine == U0:
            continue
        castles += area * level
        areas += area
        levels += level
        homes += 1
        room += popcount(around(castle) & growth)
        if rivals & castle & s.level[level] != U0:
            shared += area * level
        higher += area * (best_level(s, castle) - level)
        space = area - level
        headroom += area * (space if space < 3 else np.int64(3))
        if s.king != NO_CELL and test_bit(castle, s.king):
            court = True
    if s.score_every:
        castles = castle_points(s, p)
        reach = every_reach(s, p)
    f[ONE] = 1.0
    f[CASTLES] = castles
    f[REACH] = reach
    f[ROYAL] = king_points(s, p, phase)
    f[COURT] = 5.0 * phase if court else 0.0
    f[AREAS] = areas
    f[LEVELS] = levels
    f[HOMES] = homes
    f[KNIGHTS] = s.knight_count[p]
    f[ROOM] = room
    f[SHARED] = shared
    later = turns
    for i in range(phase, 3):
        later += np.int64(s.rounds[i])
    f[HAND] = hand_worth(s, p, later)
    f[HIGHER] = higher
    f[MOBILITY] = popcount(reached)
    f[HEADROOM] = headroom


@jit
def is_last_turn(s: Any) -> Any:
    """Whether the present turn is the last of the game."""
    return s.phase == 3 and s.round == s.rounds[2] and s.turn + 1 == s.num_players


@jit
def seat_worth(q: Any, s: Any, p: Any, mover_done: Any, w: Any) -> Any:
    """A seat's score and expected gain until the end. *q*: the search with its settings and memory, *w*: the weights."""
    worth = np.float64(s.score[p])
    if s.to_move < 0:
        return worth
    phase = phase_ahead(s)
    turns = turns_left(s, p, mover_done)
    if (s.phase == 3 and turns == 0) if q.outlook > 0.0 else (mover_done and is_last_turn(s)):  # exact
        worth += np.float64(castle_points(s, p) + king_points(s, p, np.int64(3)))
        return worth + np.float64(master_points(s, p)) if s.master != NO_CARD else worth
    f = q.features
    write_features(s, p, phase, turns, f)
    at = (phase - 1) * 2 * NUM_FEATURES
    for i in range(NUM_FEATURES):
        worth += f[i] * (w[at + 2 * i] + w[at + 2 * i + 1] * np.float64(turns))
    if s.master != NO_CARD:
        worth += master_value(s, p, phase, turns)
    return worth


@jit
def lead(worths: Any, n: Any, p: Any, rival: Any) -> Any:
    """A seat's worth minus *rival* times that of its rivals, the mean of the best and the average one."""
    best, total = -1e18, 0.0
    for q in range(n):
        if q != p:
            total += worths[q]
            if worths[q] > best:
                best = worths[q]
    return worths[p] - rival * 0.5 * (best + total / (n - 1.0))


@jit
def position_worth(q: Any, s: Any, p: Any, mover_done: Any, w: Any) -> Any:
    """The lead of a seat in a position, without the mover's remaining action points."""
    for seat in range(s.num_players):
        q.worths[seat] = seat_worth(q, s, np.int64(seat), mover_done, w)
    return lead(q.worths, s.num_players, p, q.rival)
