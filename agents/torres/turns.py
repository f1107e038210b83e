"""Whole turns: a beam search over the ways to spend a turn's action points.

Positions are kept in buckets by the number of action points left, before and after the turn's card; a bucket keeps the
*width* best distinct positions. A card and its follow-ups are one step, and so are BUY and PICK. Every position is also a
possible end of the turn, a *leaf*.

During the search the seat has one extra action point, so that no turn ends by itself and all leaves are valued before the
turn passes on. Actions that would spend the extra point are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.torres.beam import (
    ACTION_BITS,
    ACTION_MASK,
    BUCKETS,
    DEPTH,
    STAGES,
    consider,
    group_of,
    keep_leaf,
    position_key,
    remember,
)
from agents.torres.evaluation import WORTH, position_worth, turns_left
from agents.torres.greedy import SIZE, action_of, copy_record
from torres_env.card_table import JUMP, RECRUIT, RELOCATE
from torres_env.legal import BUY_BIT, N_WORD, PICK_BIT, PLAY_BIT, T_WORD
from torres_env.record import FOLLOW_UP, NO_CELL, NOTHING, PICK, RECORD
from tower_core.engine import loops
from tower_core.engine.compiling import jit
from tower_core.engine.intrinsics import U0, U1, U64, address_of, bit, call_entry, count_trailing_zeros

APPLY, RESAMPLE = np.int64(loops.APPLY), np.int64(loops.RESAMPLE)
MOST_TAKEN = 3  # cells from which relocate is tried
CARDS_FROM = 4  # cards with follow-ups are tried from the best quarter of a bucket


@jit
def affordable(q: Any, s: Any, k: Any, word: Any, cards: Any) -> Any:
    """The actions of legal word *k* that the true number of action points allows, without END and PICK.

    Without *cards*, cards with follow-ups are left out too.
    """
    points = np.int64(s.ap) - 1
    if s.pending != NOTHING:
        if k == 0 and points < 2:
            word &= ~bit(PLAY_BIT + RECRUIT)
        return word
    if k == 0:
        word &= ~((bit(PLAY_BIT) - U1) & ~bit(BUY_BIT))
        if points - q.floor < 1:
            word &= ~bit(BUY_BIT)
        if not cards:
            word &= (bit(PLAY_BIT + JUMP)) - U1
        return word if points >= 2 else word & ~bit(PLAY_BIT + RECRUIT)
    if points - q.floor < 1 or (k == N_WORD and points < 2):
        return U0
    return word


@jit
def best_taken(q: Any, boards: Any, here: Any, free: Any, word: Any, w: Any) -> Any:
    """The cells of *word* whose top block is least missed in the position in slot *here*; slot *free* is scratch."""
    base = address_of(boards)
    chosen = U0
    values = np.full(MOST_TAKEN, -1e18)
    cells = np.zeros(MOST_TAKEN, np.int64)
    while word != U0:
        cell = count_trailing_zeros(word)
        word &= word - U1
        copy_record(base + SIZE * free, base + SIZE * here)
        call_entry(q.entry, APPLY, base + SIZE * free, action_of(np.int64(T_WORD), cell), np.int64(0))
        value = position_worth(q, boards[free], q.seat, True, w)
        worst = 0
        for i in range(1, MOST_TAKEN):
            if values[i] < values[worst]:
                worst = i
        if value > values[worst]:
            values[worst] = value
            cells[worst] = cell
    for i in range(MOST_TAKEN):
        if values[i] > -1e17:
            chosen |= bit(cells[i])
    return chosen


@jit
def best_card(word: Any) -> Any:
    """The PICK action of the most valuable card."""
    best = np.int64(-1)
    cards = word >> U64(PICK_BIT)
    while cards != U0:
        card = count_trailing_zeros(cards)
        cards &= cards - U1
        if best < 0 or WORTH[card] > WORTH[best]:
            best = card
    return best + PICK_BIT


@jit
def expand(q: Any, slot: Any, cards: Any, boards: Any, scratch: Any, steps: Any, seen: Any, w: Any) -> None:
    """Consider every step from the position in *slot* (see affordable). The boards from *scratch* on are scratch."""
    base = address_of(boards)
    words = len(boards[0].legal)
    where = np.empty(DEPTH, np.int64)
    current = np.zeros(DEPTH, np.int64)
    left = np.zeros(DEPTH, np.uint64)
    taken = np.empty(DEPTH, np.uint64)
    where[0] = slot
    for i in range(1, DEPTH):
        where[i] = scratch + i
    steps_so_far = np.zeros(DEPTH + 1, np.uint64)
    depth = 0
    current[0] = -1
    while depth >= 0:
        s = boards[where[depth]]
        while left[depth] == U0 and current[depth] < words - 1:
            current[depth] += 1
            word = affordable(q, s, current[depth], s.legal[current[depth]], cards)
            if current[depth] == T_WORD and word != U0 and s.pending == FOLLOW_UP + RELOCATE and s.taken == NO_CELL:
                word = best_taken(q, boards, where[depth], where[depth + 1], word, w)
            left[depth] = word
        if left[depth] == U0:
            depth -= 1
            continue
        action = action_of(current[depth], count_trailing_zeros(left[depth]))
        left[depth] &= left[depth] - U1
        child = where[depth + 1]
        at = base + SIZE * child
        copy_record(at, base + SIZE * where[depth])
        call_entry(q.entry, APPLY, at, action, np.int64(0))
        c = boards[child]
        taken[depth] = U64(action + 1) << (ACTION_BITS * U64(depth))
        step = steps_so_far[depth] | taken[depth]
        if c.pending == PICK and c.to_move == q.seat:
            action = best_card(c.legal[0])
            call_entry(q.entry, APPLY, at, action, np.int64(0))
            step |= U64(action + 1) << (ACTION_BITS * U64(depth + 1))
        elif c.pending >= FOLLOW_UP and c.to_move == q.seat:
            depth += 1
            steps_so_far[depth] = step
            current[depth] = -1
            left[depth] = U0
            continue
        consider(q, c, slot, step, steps, seen, w)


@jit
def better_than(steps: Any, base: Any, count: Any, i: Any) -> Any:
    """The number of positions in a bucket that are better than number *i*."""
    better = 0
    for j in range(count):
        if steps[base + j].value > steps[base + i].value:
            better += 1
    return better


@jit
def play_step(entry: Any, at: Any, step: Any) -> None:
    """Play the actions of a step on the record at an address."""
    while step != U0:
        call_entry(entry, APPLY, at, np.int64(step & ACTION_MASK) - 1, np.int64(0))
        step >>= ACTION_BITS


@jit
def make_boards(width: Any) -> Any:
    """Memory for the positions of a search: the root, the buckets, and the boards within a step."""
    return np.empty(1 + BUCKETS * width + DEPTH + 3, RECORD)


@jit
def search_turn(q: Any, boards: Any, steps: Any, seen: Any, w: Any) -> None:
    """Search the turn of ``boards[0]`` with the settings of *q*, which holds the leaves afterwards.

    *boards*: from :func:`make_boards`, *steps*: STEP [BUCKETS · width], *seen*: uint64 [SEEN].
    """
    root = boards[0]
    q.seat = root.to_move
    q.phase, q.round, q.turn = root.phase, root.round, root.turn
    points = np.int64(root.ap)
    q.last = np.int64(q.outlook > 0.0 and root.phase == 3 and turns_left(root, q.seat, True) == 0)
    q.floor = points - (STAGES - 3) if points > STAGES - 3 else np.int64(0)
    q.leaves = 0
    q.worst_leaf = 0
    q.seen_count = 0
    for i in range(len(seen)):
        seen[i] = U0
    for i in range(BUCKETS):
        q.count[i] = 0
        q.worst[i] = 0
    root.ap += 1
    scratch = 1 + BUCKETS * q.width
    base = address_of(boards)
    if root.pending == NOTHING and root.legal[0] & U1 != U0:
        value = position_worth(q, root, q.seat, True, w)
        keep_leaf(
            q, value + np.float64(root.unspent_ap_scores) * np.float64(points), np.int64(0), U0, group_of(root, q.seat)
        )
        remember(q, seen, position_key(root, q.seat))
    expand(q, np.int64(0), True, boards, scratch, steps, seen, w)
    # First the buckets before the card, which lead to those after it; the most action points first.
    for turn_of in range(BUCKETS):
        stage = STAGES - 1 - turn_of % STAGES
        played = turn_of >= STAGES
        bucket = stage + (STAGES if played else np.int64(0))
        for i in range(q.count[bucket]):
            at = bucket * q.width + i
            slot = 1 + at
            if stage == 0 and (played or boards[steps[at].slot].hand[q.seat] == 0):
                break  # nothing can follow
            copy_record(base + SIZE * slot, base + SIZE * steps[at].slot)
            play_step(q.entry, base + SIZE * slot, steps[at].step)
            cards = better_than(steps, bucket * q.width, q.count[bucket], i) < (q.width + 3) // CARDS_FROM
            expand(q, np.int64(slot), cards, boards, scratch, steps, seen, w)


@jit
def hidden_copy(entry: Any, target: Any, source: Any, p: Any, seed: Any) -> None:
    """A copy of a record with the hidden information of seat *p* resampled."""
    copy_record(target, source)
    call_entry(entry, RESAMPLE, target, p, np.int64(seed >> U1))
