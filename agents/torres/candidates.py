"""Torres' plug for the tree search (agents/search/tree.py): candidate turns, and values of positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.tree import TURN_LENGTH
from agents.torres.beam import BUCKETS, SEEN, STEP, record_at, write_turn_of
from agents.torres.evaluation import WORTH, lead, position_worth, seat_worth
from agents.torres.greedy import action_of, copy_record
from agents.torres.setup import SETUP_NOISE, setup_value
from agents.torres.turns import make_boards, play_step, search_turn
from torres_env.legal import PICK_BIT
from torres_env.record import KING, NOTHING, PICK, SETUP_BLOCK, SETUP_KNIGHT
from tower_core.engine import loops
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, address_of, call_entry, count_trailing_zeros
from tower_core.engine.random import mix

APPLY = np.int64(loops.APPLY)
END = np.int64(0)


@jit
def insert_turn(turns: Any, count: Any, keep: Any, value: Any) -> Any:
    """Make room for a turn of *value* in the sorted list; returns its place, or -1 if it is not good enough."""
    if count == keep and value <= turns[count - 1].value:
        return np.int64(-1)
    place = count if count < keep else count - 1
    while place > 0 and turns[place - 1].value < value:
        turns[place] = turns[place - 1]
        place -= 1
    turns[place].value = value
    return np.int64(place)


@jit
def single_value(q: Any, boards: Any, action: Any, w: Any) -> Any:
    """The value of a setup, king or PICK action for the seat to move in ``boards[0]``."""
    s = boards[0]
    if s.pending == PICK:
        return WORTH[action - PICK_BIT]
    if s.pending == SETUP_KNIGHT or s.pending == SETUP_BLOCK:
        return setup_value(s, action)
    base = address_of(boards)
    copy_record(base + boards.itemsize, base)
    play_step(q.entry, base + boards.itemsize, U64(action + 1))
    return position_worth(q, boards[1], np.int64(s.to_move), False, w)


@jit
def single_actions(q: Any, boards: Any, turns: Any, w: Any) -> Any:
    """Turns of a single action: setup, king, or PICK."""
    s = boards[0]
    noise = q.noise * SETUP_NOISE if s.pending == SETUP_KNIGHT or s.pending == SETUP_BLOCK else q.noise
    if s.pending == PICK:
        noise = 0.0
    count = np.int64(0)
    for k in range(len(s.legal)):
        word = s.legal[k]
        while word != U0:
            action = action_of(k, count_trailing_zeros(word))
            word &= word - U1
            chance = np.float64(mix(U64(action) ^ q.noise_seed) >> U64(11)) / 9007199254740992.0
            value = single_value(q, boards, action, w) + noise * chance
            place = insert_turn(turns, count, q.keep, value)
            if place >= 0:
                turns[place].length = 1
                turns[place].actions[0] = action
                count += np.int64(count < q.keep)
    return count


@jit
def same_turn(a: Any, b: Any) -> Any:
    return (
        a.to_move == b.to_move
        and a.turn == b.turn
        and a.round == b.round
        and a.phase == b.phase
        and (a.pending == KING) == (b.pending == KING)
    )


@jit
def finish_turn(q: Any, turn: Any, record: Any, boards: Any) -> None:
    """Append END if the turn doesn't end by itself."""
    base = address_of(boards)
    copy_record(base, record)
    for i in range(turn.length):
        call_entry(q.entry, APPLY, base, turn.actions[i], np.int64(0))
    if same_turn(boards[0], record_at(record)) and boards[0].pending == NOTHING:
        turn.actions[turn.length] = END
        turn.length += 1


@jit
def propose(q: Any, record: Any, turns: Any, w: Any) -> Any:
    """Write the best turns from the record at an address, at most ``q.keep``, best first; returns their number."""
    s = record_at(record)
    boards = make_boards(q.width)
    copy_record(address_of(boards), record)
    if s.pending == KING or s.pending == PICK or s.pending == SETUP_KNIGHT or s.pending == SETUP_BLOCK:
        return single_actions(q, boards, turns, w)
    steps = np.empty(BUCKETS * q.width, STEP)
    search_turn(q, boards, steps, np.empty(SEEN, np.uint64), w)
    count = np.int64(0)
    order = np.empty(q.leaves, np.int64)
    for leaf in range(q.leaves):
        place = insert_turn(turns, count, q.keep, q.leaf_value[leaf])
        for i in range(count, place, -1):
            order[i] = order[i - 1]
        order[place] = leaf
        count += 1
    actions = np.empty(TURN_LENGTH - 1, np.int64)
    for i in range(count):
        turns[i].length = write_turn_of(q, order[i], steps, actions)
        for j in range(turns[i].length):
            turns[i].actions[j] = actions[j]
        finish_turn(q, turns[i], record, boards)
    return count


@jit
def value_seats(q: Any, record: Any, values: Any, w: Any) -> None:
    """Write the value of a position for each seat: its lead, with the weight *rival* for the other seats."""
    s = record_at(record)
    for p in range(s.num_players):
        q.worths[p] = seat_worth(q, s, np.int64(p), False, w)
    for p in range(s.num_players):
        values[p] = lead(q.worths, s.num_players, p, q.rival)
