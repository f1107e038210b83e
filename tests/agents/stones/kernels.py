"""The hooks of the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from stones.game import RECORD
from tower_core.engine.batch_structs import MAX_SEATS, OVER
from tower_core.engine.compiling import jit
from tower_core.engine.hooks import implement
from tower_core.engine.intrinsics import U0, bit, store_byte
from tower_core.engine.random import below


@jit
def refresh(s: Any) -> None:
    for k in range(len(s.legal)):
        s.legal[k] = U0
    if s.to_move < 0:
        return
    for n in range(min(np.int64(s.most), np.int64(s.heap))):
        if n < s.first_word:
            s.legal[0] |= bit(n)
        else:
            rest = n - np.int64(s.first_word)
            s.legal[1 + (rest >> 6)] |= bit(rest & 63)


@jit
def deal(s: Any, seat: Any) -> None:
    for p in range(MAX_SEATS):
        if p != seat and s.bags:
            s.bag[p] = below(s, np.int64(10))


@jit
def new_game(s: Any, seed: Any) -> None:
    s.rng = seed
    s.heap, s.moves, s.to_move, s.truncated = s.stones, 0, 0, 0
    for p in range(MAX_SEATS):
        s.score[p] = 0
        s.bag[p] = 0
    deal(s, -1)
    refresh(s)


@jit
def apply(s: Any, action: Any) -> None:
    s.heap -= action + 1
    s.moves += 1
    if s.wind and s.heap > 1:
        s.heap -= below(s, np.int64(2))
    if s.heap == 0:
        s.score[s.to_move] = 1
        s.to_move = OVER
    else:
        s.to_move = (s.to_move + 1) % s.num_players
    refresh(s)


@jit
def observe(s: Any, seat: Any, at: Any) -> None:
    store_byte(at, np.int64(s.heap))
    store_byte(at + 1, np.int64(s.bag[seat]))


@jit
def terminal_reward(s: Any, seat: Any, kind: Any) -> Any:
    if s.num_players == 1:
        return 1.0 - 2.0 * np.float64(s.moves) / np.float64(s.stones)
    return 1.0 if s.score[seat] else -1.0 / np.float64(s.num_players - 1)


@jit
def resample(s: Any, seat: Any, seed: Any) -> None:
    s.rng = seed
    deal(s, seat)


implement(RECORD, new_game=new_game, apply=apply, observe=observe, refresh=refresh, resample=resample,
          terminal_reward=terminal_reward)  # fmt: skip
