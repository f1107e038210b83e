"""The points that a seat's knights can still gain before the scoring after this turn, for intermediate positions.

For every knight, the best sequences of up to three action points are searched: steps, and blocks that raise a cell for the next
step. Sequences of different knights are combined as if they were independent. New knights, cards and blocks that enlarge a
castle are ignored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.torres.evaluation import best_level
from torres_env.board import around, castle_at
from torres_env.record import NO_CELL
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, bit, count_trailing_zeros, larger, smaller, test_bit

HORIZON = 3
_STACK = 64  # a way has at most HORIZON steps with at most 16 choices each


@jit
def outlook(s: Any, p: Any, points: Any) -> Any:
    """The gain with *points* action points, in points of the final scoring, less the points for unspent ones."""
    budget = smaller(points, np.int64(HORIZON))
    if budget < 1:
        return np.int64(0)
    total = np.zeros(HORIZON + 1, np.int64)
    gains = np.empty(HORIZON + 1, np.int64)
    ways = np.empty((_STACK, 4), np.int64)
    for k in range(s.knight_count[p]):
        gains[:] = 0
        write_gains(s, p, np.int64(k), budget, gains, ways)
        for spent in range(budget, 0, -1):
            for part in range(1, spent + 1):
                gain = gains[part] - part * np.int64(s.unspent_ap_scores)
                total[spent] = larger(total[spent], total[spent - part] + gain)
    return total[budget]


@jit
def write_gains(s: Any, p: Any, k: Any, budget: Any, gains: Any, ways: Any) -> None:
    """Raise ``gains[c]`` to the gain of knight *k* for *c* action points, up to *budget*. *ways*: int64 [_STACK, 4]."""
    home = np.int64(s.knight[p, k])
    free = ~s.occupied & s.level[1]
    ways[0, 0], ways[0, 1], ways[0, 2], ways[0, 3] = home, s.height[home], 0, 0
    count = 1
    while count > 0:
        count -= 1
        cell, height, spent, blocks = ways[count, 0], ways[count, 1], ways[count, 2], ways[count, 3]
        near = around(bit(cell)) & free
        steps = s.reach[p, k] & free if spent == 0 else near & ~s.level[height + 2]
        raised = near & ~s.level[height + 1]
        while steps | raised != U0:
            up = steps == U0
            target = count_trailing_zeros(raised if up else steps)
            level, more = np.int64(s.height[target]), np.int64(0)
            if up:
                raised &= raised - U1
                more = height + 1 - level
                level = height + 1
            else:
                steps &= steps - U1
            cost = spent + 1 + more
            if cost > budget or level > s.area[target] or blocks + more > s.turn_stack:
                continue
            gains[cost] = larger(gains[cost], gain_of(s, p, home, target, level))
            if cost < budget and count < _STACK:
                ways[count, 0], ways[count, 1], ways[count, 2], ways[count, 3] = target, level, cost, blocks + more
                count += 1


@jit
def gain_of(s: Any, p: Any, home: Any, cell: Any, level: Any) -> Any:
    """The gain if the knight on *home* stands on *cell* at *level*: castles, and the king's bonus of phase 3."""
    others = s.knights[p] & ~bit(home)
    area, area_left = np.int64(s.area[cell]), np.int64(s.area[home])
    castle = castle_at(s, cell)
    if s.score_every:
        gain = area * level - area_left * np.int64(s.height[home])
    else:
        gain = area * (larger(level, best_level(s, castle & others)) - best_level(s, castle & s.knights[p]))
        if area_left > 0 and not test_bit(castle, home):
            left = castle_at(s, home)
            gain -= area_left * (best_level(s, left & s.knights[p]) - best_level(s, left & others))
    if s.king != NO_CELL and s.height[s.king] > 0:
        court = castle_at(s, s.king)
        rank = np.int64(s.height[s.king]) if s.king_level_bonus else np.int64(3)
        here = court & s.level[rank] & ~s.level[rank + 1]
        if here & others == U0:
            gain += 15 * (np.int64(level == rank and test_bit(court, cell)) - np.int64(test_bit(here, home)))
    return gain
