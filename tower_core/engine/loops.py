"""The compiled loops over games, shared by all games.

A game implements the hooks of tower_core.engine.hooks for its record; Numba specialises the loops for it, so that only
players are called through pointers. Every record has the fields ``legal`` (uint64 words: the first holds ``first_word``
bits, from 1 to 64, the others 64), ``to_move`` (-4 at the end), ``num_players``, ``truncated``, ``rng`` and ``score``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tower_core.engine.batch_structs import CONTEXT, ILLEGAL_LOSE, MAX_MOVES, MAX_SEATS, PLAYER, SLOT
from tower_core.engine.compiling import inlined, jit
from tower_core.engine.hooks import apply, new_game, observe, potential, refresh, resample, terminal_reward
from tower_core.engine.intrinsics import (
    U0,
    U64,
    address_of,
    call_address,
    get_int,
    larger,
    nth_bit,
    popcount,
    prefetch,
    record_at,
    smaller,
    store_bits,
    store_byte,
    store_float,
    store_int,
    store_int64,
    test_bit,
)
from tower_core.engine.random import GOLDEN, PLAYER_SALT, below, episode_seed, mix, scale

# Operations on one record (address = the record; PLAYOUT: play randomly to the end, x = state of the random stream;
# CHOOSE: the action y if it is legal, otherwise a random one from x, an advanced state of a stream) …
NEW, APPLY, ADVANCE, OBSERVE, MASK, REFRESH, RESAMPLE, POTENTIAL, TERMINAL_REWARD, PLAYOUT, CHOOSE = range(11)
# … and on a batch (address = the context; x, y = first game and end).
RESET, STEP, SAMPLE, WRITE, CHECK, PLAY, RESUME = range(16, 23)
ILLEGAL_ACTION = -9

UTILITY = np.int64(0)  # reward kind 0 of every game
I0, I1 = np.int64(0), np.int64(1)
I63 = np.int64(63)
MOST = np.int64(MAX_MOVES)


@inlined
def legal_bit(s: Any, action: Any) -> Any:
    """Whether *action* is legal for the seat to move; False for anything out of range."""
    words = len(s.legal)
    first = s.first_word
    if action < 0 or action >= first + 64 * (words - 1):
        return False
    if action < first:
        return test_bit(s.legal[0], action)
    rest = action - first
    return test_bit(s.legal[1 + (rest >> 6)], rest & I63)


# Branch predictors can't learn random play, so legal actions are chosen without branches.
@inlined
def nth_legal(s: Any, n: Any) -> Any:
    """The *n*-th legal action, counted from 0."""
    word, rest, before = I0, n, I0
    for k in range(len(s.legal) - 1):
        before += popcount(s.legal[k])
        word += np.int64(n >= before)
        rest = n - before if n >= before else rest
    place = nth_bit(s.legal[word], rest)
    return place + (np.int64(s.first_word) - 64 + 64 * word if word > 0 else I0)


@inlined
def count_legal(s: Any) -> Any:
    total = I0
    for k in range(len(s.legal)):
        total += popcount(s.legal[k])
    return total


@jit
def random_legal(s: Any, stream: Any) -> Any:
    """A uniformly random legal action; *stream* is the already advanced state of a random stream."""
    return nth_legal(s, scale(mix(stream), count_legal(s)))


@inlined
def write_mask(s: Any, at: Any) -> None:
    """Write the legal actions as bytes of 0 or 1.

    The first word is stored as 64 bytes, whose surplus the next word overwrites; a single word is stored byte by byte, so
    that no store leaves the row.
    """
    if len(s.legal) == 1:
        for action in range(s.first_word):
            store_byte(at + action, np.int64(test_bit(s.legal[0], np.int64(action))))
        return
    store_bits(at, s.legal[0])
    at += np.int64(s.first_word)
    for k in range(1, len(s.legal)):
        store_bits(at + 64 * (k - 1), s.legal[k])


@inlined
def player_at(context: Any, i: Any) -> Any:
    return record_at(context.players + PLAYER_SIZE * np.int64(i), PLAYER)


@jit
def start_game(context: Any, slot: Any, s: Any) -> None:
    seed = episode_seed(slot.seed, slot.episode)
    new_game(s, seed)
    slot.rng = mix(seed ^ PLAYER_SALT)
    slot.learner = context.learner
    if context.learner == -1:
        slot.learner = below(slot, np.int64(s.num_players))
    if context.learner >= -1:
        total = 0.0
        for i in range(context.player_count):
            total += player_at(context, i).weight
        for seat in range(s.num_players):
            slot.rng += GOLDEN
            draw = np.float64(mix(slot.rng) >> U64(11)) / 9007199254740992.0 * total
            chosen: Any = np.int64(0)
            while chosen < context.player_count - 1 and draw >= player_at(context, chosen).weight:
                draw -= player_at(context, chosen).weight
                chosen += 1
            slot.opponent[seat] = chosen


@jit
def note_potentials(context: Any, slot: Any, s: Any) -> None:
    """Set the potentials from which the next rewards are measured."""
    for seat in range(MAX_SEATS):
        slot.potential[seat] = 0.0
    if context.dense:
        for seat in range(s.num_players):
            slot.potential[seat] = potential(s, np.int64(seat), context.reward_kind)


@inlined
def keep_move(context: Any, s: Any, i: Any, action: Any) -> None:
    """Append the next action to the moves of game *i*, if the batch keeps them."""
    if context.moves != 0:
        count = get_int(context.move_count + 8 * i)
        if count < MAX_MOVES:
            store_int(context.moves + 4 * (MAX_MOVES * i + count), action * MAX_SEATS + np.int64(s.to_move))
        store_int64(context.move_count + 8 * i, count + 1)


@jit
def finish_moves(context: Any, i: Any) -> None:
    """Set the moves of game *i* aside, and start with none."""
    if context.moves != 0:
        count = get_int(context.move_count + 8 * i)
        at, to = context.moves + 4 * MAX_MOVES * i, context.final_moves + 4 * MAX_MOVES * i
        for k in range((smaller(count, MOST) + 1) >> 1):  # two moves at once
            store_int64(to + 8 * k, get_int(at + 8 * k))
        store_int64(context.final_move_count + 8 * i, count)
        store_int64(context.move_count + 8 * i, I0)


@inlined
def play_opponents(context: Any, slot: Any, s: Any, record: Any, i: Any) -> None:
    """Play the opponents inside the batch until the learner, or a seat played by the caller, is to move."""
    if context.learner < -1:
        return
    stream = address_of(slot.potential) + STREAM_OFFSET
    while s.to_move >= 0 and s.to_move != slot.learner:
        player = player_at(context, np.int64(slot.opponent[s.to_move]))
        if player.address == 0:
            return
        action = call_address(player.address, record, stream, player.options)
        keep_move(context, s, i, action)
        apply(s, action)


@inlined
def pay(context: Any, slot: Any, s: Any, i: Any, loser: Any) -> None:
    """Fill row *i* of the rewards: potential differences, plus the terminal reward if the game is over."""
    n = np.int64(s.num_players)
    reward = context.reward + 4 * n * i
    if not context.dense and loser < 0 and s.to_move >= 0:
        for seat in range(n):
            store_float(reward + 4 * seat, 0.0)
        return
    for seat in range(n):
        value = 0.0
        if context.dense:
            now = potential(s, seat, context.reward_kind)
            value = now - slot.potential[seat]
            slot.potential[seat] = now
        if loser >= 0:
            value += -1.0 if seat == loser else 0.0
        elif s.to_move < 0:
            value += terminal_reward(s, seat, context.reward_kind)
        store_float(reward + 4 * seat, value)


@inlined
def write_outputs(context: Any, s: Any, i: Any, size: Any) -> None:
    observe(s, np.int64(s.to_move), context.observation + size * i)
    actions = np.int64(s.first_word) + 64 * (len(s.legal) - 1)
    write_mask(s, context.mask + actions * i)


@inlined
def step_game(context: Any, slot: Any, s: Any, record: Any, i: Any, action: Any, size: Any) -> None:
    loser = np.int64(-1)
    if not legal_bit(s, action):
        if context.illegal == ILLEGAL_LOSE:
            loser = np.int64(s.to_move)
        else:
            slot.sampler += GOLDEN
            action = random_legal(s, slot.sampler)
    n = np.int64(s.num_players)
    over = loser >= 0
    if not over:
        keep_move(context, s, i, action)
        apply(s, action)
        play_opponents(context, slot, s, record, i)
        over = s.to_move < 0
    pay(context, slot, s, i, loser)
    store_byte(context.done + i, np.int64(over))
    store_byte(context.truncated + i, np.int64(over and s.truncated and loser < 0))
    if over:
        for seat in range(n):
            at = 4 * (n * i + seat)
            store_int(context.final_score + at, np.int64(s.score[seat]))
            value = terminal_reward(s, seat, UTILITY) if loser < 0 else -1.0 if seat == loser else 0.0
            store_float(context.final_utility + at, value)
        observe(s, larger(np.int64(slot.learner), I0), context.final_observation + size * i)
        if context.autoreset:
            slot.episode += 1
            finish_moves(context, i)
            start_game(context, slot, s)
            note_potentials(context, slot, s)
            play_opponents(context, slot, s, record, i)
        elif loser >= 0:
            s.to_move = -4
            for k in range(len(s.legal)):
                s.legal[k] = U0
    store_byte(context.to_move + i, np.int64(s.to_move))


@jit
def serve_one(op: Any, s: Any, x: Any, y: Any, size: Any) -> Any:
    """Operations on a single record. Returns the seat to move, or ILLEGAL_ACTION with nothing changed."""
    if op == NEW:
        new_game(s, U64(x))
    elif op == APPLY or op == ADVANCE or op == PLAYOUT:
        if op != PLAYOUT and not legal_bit(s, x):
            return np.int64(ILLEGAL_ACTION)
        # One loop for all three operations, so that the rules are compiled only once.
        action, stream = x, U64(x)
        while s.to_move >= 0:
            if op == PLAYOUT:
                stream += GOLDEN
                action = random_legal(s, stream)
            apply(s, action)
            if op != PLAYOUT:
                break
        if op == ADVANCE and s.to_move >= 0:
            observe(s, np.int64(s.to_move), y)
            write_mask(s, y + size)
    elif op == CHOOSE:
        return y if legal_bit(s, y) else random_legal(s, U64(x))
    elif op == OBSERVE:
        observe(s, x, y)
    elif op == MASK:
        write_mask(s, y)
    elif op == REFRESH:
        refresh(s)
    elif op == RESAMPLE:
        resample(s, x, U64(y))
    elif op == POTENTIAL:
        return np.int64(np.rint(potential(s, x, y) * 1e6))
    elif op == TERMINAL_REWARD:
        return np.int64(np.rint(terminal_reward(s, x, y) * 1e6))
    return np.int64(s.to_move)


@jit
def serve_batch(op: Any, context: Any, lo: Any, hi: Any, dtype: Any, sizes: Any) -> Any:
    """Operations on the games ``lo … hi - 1`` of a batch. CHECK returns the first slot with an illegal action, or -1."""
    if op == CHECK:
        for i in range(lo, hi):
            action = get_int(context.actions + 8 * i)
            if action >= 0 and not legal_bit(record_at(context.games + sizes[1] * i, dtype), action):
                return i
        return np.int64(-1)
    # PLAY repeats inside this function, so that threads don't synchronise after every step.
    for _ in range(context.repeat if op == PLAY else I1):
        for i in range(lo, hi):
            # Prefetch the next game's record while this one is played.
            if i + 1 < hi:
                for line in range(context.games + sizes[1] * (i + 1), context.games + sizes[1] * (i + 2), 64):
                    prefetch(line)
            serve_slot(op, context, i, dtype, sizes)
    return I0


@jit
def serve_slot(op: Any, context: Any, i: Any, dtype: Any, sizes: Any) -> None:
    size, itemsize = sizes
    record = context.games + itemsize * i
    s, slot = record_at(record, dtype), record_at(context.slots + SLOT_SIZE * i, SLOT)
    if op == SAMPLE or op == PLAY:
        slot.sampler += GOLDEN
        store_int64(context.actions + 8 * i, random_legal(s, slot.sampler) if s.to_move >= 0 else np.int64(-1))
    if op == SAMPLE:
        return
    if op == RESET or op == RESUME:
        if op == RESET:
            start_game(context, slot, s)
        if context.moves != 0:
            store_int64(context.move_count + 8 * i, I0)
        note_potentials(context, slot, s)
        play_opponents(context, slot, s, record, i)
        n = np.int64(s.num_players)
        for seat in range(n):
            store_float(context.reward + 4 * (n * i + seat), 0.0)
        store_byte(context.done + i, I0)
        store_byte(context.to_move + i, np.int64(s.to_move))
    elif op == STEP or op == PLAY:
        action = get_int(context.actions + 8 * i)
        if action < 0 or s.to_move < 0:
            store_byte(context.done + i, I0)
            return
        step_game(context, slot, s, record, i, action, size)
    if s.to_move >= 0:
        write_outputs(context, s, i, size)


SLOT_SIZE, PLAYER_SIZE = np.int64(SLOT.itemsize), np.int64(PLAYER.itemsize)
STREAM_OFFSET = np.int64(SLOT.fields["rng"][1] - SLOT.fields["potential"][1])  # type: ignore[index]


@jit
def serve(op: Any, address: Any, x: Any, y: Any, record_dtype: Any, sizes: Any) -> Any:
    """The body of a game's compiled entry; see the operations above."""
    if op < RESET:
        return serve_one(op, record_at(address, record_dtype), x, y, sizes[0])
    return serve_batch(op, record_at(address, CONTEXT), x, y, record_dtype, sizes)
