"""Playouts of lines, in compiled code: all seats continue like ``greedy`` in resampled games, which are then evaluated."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.market.evaluation import chance_to_win
from agents.market.greedy import greedy_action
from agents.market.turns import copy_record, turn_of
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import call_entry, larger
from tower_core.engine.loops import APPLY, RESAMPLE, legal_bit
from tower_core.engine.random import GOLDEN, mix

I0 = np.int64(0)


@jit
def play_line(s: Any, at: Any, entry: Any, line: Any) -> None:
    """Play the actions of a line, up to one that is illegal in this resampled game."""
    for i in range(line.length):
        action = np.int64(line.actions[i])
        if not legal_bit(s, action):
            return
        call_entry(entry, APPLY, at, action, I0)


@jit
def play_on(s: Any, at: Any, entry: Any, turns: Any, brain: Any) -> None:
    """Let ``greedy`` play all seats until *turns* more turns have started, or the game is over."""
    values, w, scratch = brain[0], brain[1], brain[2]
    turn = turn_of(s)
    while s.to_move >= 0:
        call_entry(entry, APPLY, at, greedy_action(s, values, w, scratch), I0)
        if turn_of(s) != turn:
            turn = turn_of(s)
            turns -= 1
            if turns <= 0:
                return


@jit
def try_lines(
    at: Any, p: Any, entry: Any, lines: Any, count: Any, samples: Any, turns: Any, seed: Any, boards: Any, brain: Any
) -> None:
    """Add *samples* results to each of the first *count* lines, in the same resampled games for all lines."""
    base = boards.ctypes.data
    size = np.int64(boards.itemsize)
    root, work = base, base + size
    s = boards[1]
    for _ in range(samples):
        seed += GOLDEN
        copy_record(root, at)
        call_entry(entry, RESAMPLE, root, p, np.int64(mix(seed)))
        for i in range(count):
            copy_record(work, root)
            before = turn_of(s)
            play_line(s, work, entry, lines[i])
            left = turns - (1 if turn_of(s) != before else 0)
            if s.to_move >= 0 and left > 0:
                play_on(s, work, entry, left, brain)
            lines[i].total += chance_to_win(s, p, np.int64(s.to_move), brain)
            lines[i].count += 1


@jit
def rank_lines(lines: Any, count: Any) -> None:
    """Sort lines by their mean result, best first; the sort is stable."""
    for i in range(count):
        lines[i].value = lines[i].total / np.float64(lines[i].count) if lines[i].count > 0 else lines[i].value
    for i in range(1, count):
        k = np.int64(i)
        while k > 0 and lines[k].value > lines[k - 1].value:
            swap(lines, k, k - 1)
            k -= 1


@jit
def swap(lines: Any, i: Any, j: Any) -> None:
    a, b = lines[i], lines[j]
    a.value, b.value = b.value, a.value
    a.total, b.total = b.total, a.total
    a.count, b.count = b.count, a.count
    a.length, b.length = b.length, a.length
    a.trades, b.trades = b.trades, a.trades
    for k in range(len(a.actions)):
        a.actions[k], b.actions[k] = b.actions[k], a.actions[k]


@jit
def halve_lines(
    at: Any, p: Any, entry: Any, lines: Any, count: Any, samples: Any, turns: Any, seed: Any, boards: Any, brain: Any
) -> None:
    """Sequential halving: every round has the same number of results, then the better half remains; sorts the lines."""
    rounds, left = np.int64(0), count
    while left > 1:
        rounds += 1
        left = (left + 1) // 2
    left = count
    for i in range(rounds):
        share = larger(samples // (rounds * left), np.int64(1))
        try_lines(at, p, entry, lines, left, share, turns, mix(seed + np.uint64(i)), boards, brain)
        rank_lines(lines, left)
        left = (left + 1) // 2
