"""Scoring in compiled code: castles, king, master cards, order of scoring, ranks (sections 5, 8 and 9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import castle_at, flood
from torres_env.record import NO_CARD, NO_CELL
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, bit, count_trailing_zeros, larger, popcount, test_bit

BORDER, DIAGONALS, SPREAD, CLUSTER, STAIRS, LINE, SQUARE, PLATEAU = range(8)
BORDER_CELLS = U64(0xFF818181818181FF)
DIAGONAL_CELLS = U64(0x8142241818244281)
_COLUMN, _ROW = U64(0x0101010101010101), U64(0xFF)
OUTCOME, MARGIN, SCORE, PROGRESS = range(4)
REWARDS = {"outcome": OUTCOME, "margin": MARGIN, "score": SCORE, "progress": PROGRESS}


@jit
def castle_points(s: Any, p: Any) -> Any:
    """Castle points of a seat: area times the level of its highest knight, or of every knight."""
    points = np.int64(0)
    left = s.knights[p] & s.level[1]
    while left != U0:
        cell = count_trailing_zeros(left)
        area = np.int64(s.area[cell])
        if s.score_every:
            points += area * np.int64(s.height[cell])
            left &= left - U1
        else:
            mine = left & castle_at(s, cell)
            left ^= mine
            level = np.int64(1)
            while mine & s.level[level + 1] != U0:
                level += 1
            points += area * level
    return points


@jit
def king_points(s: Any, p: Any, phase: Any) -> Any:
    """The king's bonus of a seat in a phase; 0 without a king."""
    if s.king == NO_CELL:
        return np.int64(0)
    level = np.int64(s.height[s.king]) if s.king_level_bonus else phase
    rank = s.level[level] & ~s.level[level + 1] & s.knights[p]
    if rank == U0 or s.height[s.king] == 0 or rank & castle_at(s, s.king) == U0:
        return np.int64(0)
    return 5 * phase


@jit
def most_in(s: Any, p: Any, cells: Any) -> Any:
    """Points of ``border`` and ``diagonals``: per knight on *cells*, plus a bonus for strictly the most."""
    value = np.int64(2 if s.phase == 1 else 5 if s.phase == 2 else 10)
    count = popcount(s.knights[p] & cells)
    most = True
    for q in range(s.num_players):
        if q != p and popcount(s.knights[q] & cells) >= count:
            most = False
    return value * count + (value if most else 0)


@jit
def in_one_line(knights: Any) -> Any:
    for i in range(8):
        if knights & ~(_COLUMN << U64(i)) == U0 or knights & ~(_ROW << U64(8 * i)) == U0:
            return True
    return False


@jit
def forms_square(knights: Any) -> Any:
    """Whether four knights stand at the corners of an axis-parallel square."""
    for cell in range(64):
        if not test_bit(knights, cell):
            continue
        x, y = cell & 7, cell >> 3
        for side in range(1, 8 - larger(x, y)):
            corners = bit(cell + side) | bit(cell + 8 * side) | bit(cell + 9 * side)
            if knights & corners == corners:
                return True
    return False


@jit
def master_points(s: Any, p: Any) -> Any:
    """Points of a seat from the master card in the scoring of the phase."""
    knights = s.knights[p]
    if s.master == BORDER:
        return most_in(s, p, BORDER_CELLS)
    if s.master == DIAGONALS:
        return most_in(s, p, DIAGONAL_CELLS)
    if s.master == SPREAD:
        castles = np.int64(0)
        for q in range(s.castle_count):
            if s.castle[q] & knights != U0:
                castles += 1
        if castles != 3 + np.int64(s.phase):
            return np.int64(0)
        return np.int64(5 if s.phase == 1 else 15 if s.phase == 2 else 30)
    if s.phase < 3:
        return np.int64(0)
    if s.master == SQUARE:
        return np.int64(50 if forms_square(knights) else 0)
    if s.knight_count[p] < s.knights_per_player:
        return np.int64(0)
    if s.master == CLUSTER:
        return np.int64(40 if flood(bit(count_trailing_zeros(knights)), knights) == knights else 0)
    if s.master == LINE:
        return np.int64(50 if in_one_line(knights) else 0)
    levels = U0
    for k in range(s.knight_count[p]):
        levels |= bit(s.height[s.knight[p, k]])
    if s.master == STAIRS:
        return np.int64(40 if popcount(levels) == s.knight_count[p] else 0)
    return np.int64(50 if popcount(levels) == 1 else 0)


@jit
def add_points(s: Any, p: Any, points: Any) -> None:
    """Add points; if numbers other than 0 are unique, the score marker moves on to a free one (section 5)."""
    if points == 0:
        return
    s.score[p] += points
    if not s.unique_scores:
        return
    q = 0
    while q < s.num_players:
        if q != p and s.score[q] == s.score[p]:
            s.score[p] += 1
            q = 0
        else:
            q += 1


@jit
def score_phase(s: Any) -> None:
    """Score the phase: step by step for all players, or player by player (section 5)."""
    n = np.int64(s.num_players)
    phase = np.int64(s.phase)
    for seat in range(n):  # the scores before the scoring fix the order
        place = 0
        for q in range(n):
            ahead = s.score[q] - s.score[seat] if phase > 1 else np.int64(0)
            earlier = (q - s.start_player) % n < (seat - s.start_player) % n
            if ahead > 0 or (ahead == 0 and earlier):
                place += 1
        s.order[place] = seat
    for i in range(n):
        p = np.int64(s.order[i])
        points = castle_points(s, p)
        if s.score_by_player:
            points += king_points(s, p, phase)
        add_points(s, p, points)
        if s.score_by_player and s.master != NO_CARD:
            add_points(s, p, master_points(s, p))
    if s.score_by_player:
        return
    for i in range(n):
        p = np.int64(s.order[i])
        add_points(s, p, king_points(s, p, phase))
    if s.master != NO_CARD:
        for i in range(n):
            p = np.int64(s.order[i])
            add_points(s, p, master_points(s, p))


@jit
def last_place(s: Any) -> Any:
    """The seat with the fewest points; ties go to the last in turn order."""
    n = np.int64(s.num_players)
    lowest_seat = np.int64(s.start_player)
    for i in range(1, n):
        p = (s.start_player + i) % n
        if s.score[p] <= s.score[lowest_seat]:
            lowest_seat = np.int64(p)
    return lowest_seat


@jit
def first_place(s: Any) -> Any:
    """The seat with the most points; ties go to the first clockwise from the previous starting player."""
    n = np.int64(s.num_players)
    best = np.int64(s.start_player)
    for i in range(1, n):
        p = (s.start_player + i) % n
        if s.score[p] > s.score[best]:
            best = np.int64(p)
    return best


@jit
def rank_key(s: Any, p: Any) -> Any:
    """Ranking key: points, then cards in hand."""
    return np.int64(s.score[p]) * 16 + popcount(U64(s.hand[p]))


@jit
def utility(s: Any, p: Any) -> Any:
    """1 for the first rank down to -1 for the last; ties share the average (section 9)."""
    better, equal = 0.0, 0.0
    own = rank_key(s, p)
    for q in range(s.num_players):
        other = rank_key(s, np.int64(q))
        if other > own:
            better += 1.0
        elif other == own:
            equal += 1.0
    rank = better + (equal + 1.0) / 2.0
    return 1.0 - 2.0 * (rank - 1.0) / (s.num_players - 1.0)


@jit
def refresh_coming(s: Any) -> None:
    """Update ``coming``: the points of the next scoring if it happened now (without the master card).

    It is 0 during setup and at the end.
    """
    for p in range(np.int64(s.num_players)):
        if s.coming_dirty[p]:
            s.coming_dirty[p] = 0
            s.coming[p] = 0
            if s.to_move >= 0 and s.phase > 0:
                s.coming[p] = castle_points(s, p) + king_points(s, p, np.int64(s.phase))


@jit
def potential(s: Any, seat: Any, kind: Any) -> Any:
    """The potential of dense rewards: points, or for ``progress`` the lead in points scored and coming."""
    if kind == SCORE:
        return s.score[seat] / 100.0
    refresh_coming(s)
    own = np.int64(s.score[seat]) + np.int64(s.coming[seat])
    best = np.int64(-1_000_000)
    for q in range(s.num_players):
        if q != seat:
            best = larger(best, np.int64(s.score[q]) + np.int64(s.coming[q]))
    return (own - best) / 100.0


@jit
def terminal_reward(s: Any, seat: Any, kind: Any) -> Any:
    """The reward at the end of the game."""
    if kind == SCORE:
        return 0.0
    if kind == MARGIN:
        best = np.int64(-1_000_000)
        for q in range(s.num_players):
            if q != seat:
                best = larger(best, np.int64(s.score[q]))
        return (s.score[seat] - best) / 100.0
    return utility(s, seat)
