"""Possible turns of a player of the market game, in compiled code: a beam search over actions up to the next chance event.

A *line* is a sequence of actions up to the end of the turn, or up to a chance event or hidden cards; from there ``greedy``
continues. Lines that lead to the same position are merged.

The *brain* is the working memory of greedy and the evaluation: greedy's values of materials, scaled weights and scratch; the
evaluation's weights, stock of the markets, features of a player, and probabilities.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.market.evaluation import chance_to_win
from agents.market.greedy import greedy_action
from market_env import actions
from market_env.record import ASK_LIST, ASK_RETURN, RECORD
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, call_entry, count_trailing_zeros, store_copy
from tower_core.engine.loops import APPLY
from tower_core.engine.random import mix

MAX_LENGTH = 20  # actions of a line
MAX_LINES = 64
MAX_WIDTH = 64
MAX_TRADES = 3  # in one line
SEEN = 1 << 12  # size of the hash table of positions
RECORD_SIZE = np.int64(RECORD.itemsize)

LINE = np.dtype(
    [
        ("value", "f8"),  # of the position after it; in playouts the mean result
        ("total", "f8"),  # sum of results
        ("count", "i8"),  # number of results
        ("length", "i8"),
        ("trades", "i8"),
        ("actions", "u1", (MAX_LENGTH,)),
    ],
    align=True,
)
I0, I1 = np.int64(0), np.int64(1)


@jit
def copy_record(target: Any, source: Any) -> None:
    for i in range(RECORD_SIZE // 64):
        store_copy(target + 64 * i, source + 64 * i)


@jit
def action_of(word: Any, place: Any) -> Any:
    """The number of the action at bit *place* of a legal word."""
    return place if word == 0 else np.int64(actions.FIRST_WORD) + 64 * (word - 1) + place


@jit
def fingerprint(s: Any, p: Any) -> Any:
    """A hash of what a player can change in its turn."""
    h = mix(s.tokens[p] + np.uint64(1))
    for q in range(np.int64(s.seats)):
        h = mix(h ^ s.materials[q])
    for material in range(len(s.on)):
        h = mix(h ^ s.on[material])
    h = mix(h ^ s.hand[p])
    h = mix(h ^ s.pile)
    figures = (
        U64(s.worker[p]) | U64(s.stand_in[p]) << U64(8) | U64(s.runner[p]) << U64(16) | U64(s.curfew[p]) << U64(24)
    )
    for q in range(np.int64(s.seats)):  # the bully sends others home
        figures += U64(s.worker[q]) << U64(32 + 6 * q)
    h = mix(h ^ figures)
    flags = U64(s.pending) | U64(s.cause) << U64(8) | U64(s.left) << U64(16) | U64(s.victim) << U64(24)
    flags |= U64(s.chosen) << U64(32) | U64(s.building_list[p]) << U64(40) | U64(s.wanted[p]) << U64(48)
    flags |= U64(s.at_start) << U64(49) | U64(s.acted) << U64(50) | U64(s.visited) << U64(51)
    flags |= U64(s.bribed) << U64(52) | U64(s.has_hired[p]) << U64(53)
    h = mix(h ^ flags)
    return h if h != U0 else U1


@jit
def is_new(seen: Any, key: Any) -> Any:
    """Whether a position is new, and remember it; in a full table it counts as known."""
    place = np.int64(key & U64(SEEN - 1))
    for _ in range(16):
        if seen[place] == key:
            return False
        if seen[place] == U0:
            seen[place] = key
            return True
        place = (place + 1) & (SEEN - 1)
    return False


@jit
def turn_of(s: Any) -> Any:
    """A number that changes with every turn."""
    return 4 * np.int64(s.round) + np.int64(s.to_move)


@jit
def is_open(s: Any, before: Any, rng: Any, action: Any) -> Any:
    """Whether the turn depends on chance, hidden cards or another player after an action."""
    if s.to_move < 0 or turn_of(s) != before or s.rng != rng:
        return True
    return action == actions.LOOK or action == actions.BUILD or s.pending == ASK_LIST


@jit
def finish_turn(s: Any, at: Any, entry: Any, before: Any, values: Any, w: Any, scratch: Any) -> None:
    """Play like ``greedy`` up to the next turn."""
    while s.to_move >= 0 and turn_of(s) == before:
        call_entry(entry, APPLY, at, greedy_action(s, values, w, scratch), I0)


@jit
def worst_of(lines: Any, count: Any) -> Any:
    worst = I0
    for i in range(1, count):
        if lines[i].value < lines[worst].value:
            worst = np.int64(i)
    return worst


@jit
def room_for(lines: Any, count: Any, limit: Any, value: Any) -> Any:
    """The place for a line of *value*: the next free one, that of the worst line if it is worse, or -1."""
    if count < limit:
        return count
    worst = worst_of(lines, count)
    return worst if lines[worst].value < value else np.int64(-1)


@jit
def extend(line: Any, parent: Any, action: Any, value: Any) -> None:
    """Set *line* to *parent* plus one action."""
    length = parent.length
    for i in range(length):
        line.actions[i] = parent.actions[i]
    line.actions[length] = action
    line.length = length + 1
    line.trades = parent.trades + (1 if actions.TRADE <= action < actions.KEEP else 0)
    line.value = value
    line.total = 0.0
    line.count = 0


@jit
def find_lines(
    s: Any, at: Any, entry: Any, width: Any, lines: Any, beam: Any, boards: Any, seen: Any, brain: Any
) -> Any:
    """Write the best lines of the turn from a resampled position; returns their number.

    *beam* holds 2 * width lines, *boards* the positions after them, and one more as working memory.
    """
    values, w, scratch = brain[0], brain[1], brain[2]
    limit = np.int64(len(lines))
    p, before, base = np.int64(s.to_move), turn_of(s), boards.ctypes.data
    follower = (p + 1) % np.int64(s.num_players)
    work = boards[2 * width]
    work_at = base + RECORD_SIZE * (2 * width)
    seen[:] = U0
    count, old, nodes = I0, I0, I1
    copy_record(base, at)
    beam[0].length = 0
    beam[0].trades = 0
    for _ in range(MAX_LENGTH):
        new, children = width - old, I0
        for i in range(old, old + nodes):
            node = boards[i]
            if node.pending == ASK_RETURN and beam[i].length > 0:
                copy_record(work_at, base + RECORD_SIZE * i)
                only = greedy_action(work, values, w, scratch)
            else:
                only = np.int64(-1)
            for word in range(len(node.legal)):
                legal = node.legal[word]
                while legal != U0:
                    action = action_of(np.int64(word), count_trailing_zeros(legal))
                    legal &= legal - U1
                    if only >= 0 and action != only:
                        continue
                    if actions.TRADE <= action < actions.KEEP and beam[i].trades >= MAX_TRADES:
                        continue
                    copy_record(work_at, base + RECORD_SIZE * i)
                    call_entry(entry, APPLY, work_at, action, I0)
                    if is_open(work, before, node.rng, action):
                        finish_turn(work, work_at, entry, before, values, w, scratch)
                        value = chance_to_win(work, p, np.int64(work.to_move), brain)
                        place = room_for(lines, count, limit, value)
                        if place >= 0:
                            extend(lines[place], beam[i], action, value)
                            count += place == count
                        continue
                    if not is_new(seen, fingerprint(work, p)):
                        continue
                    value = chance_to_win(work, p, follower, brain)
                    place = room_for(beam[new : new + width], children, width, value)
                    if place >= 0:
                        extend(beam[new + place], beam[i], action, value)
                        copy_record(base + RECORD_SIZE * (new + place), work_at)
                        children += place == children
        if children == 0:
            break
        old, nodes = new, children
    return count
