"""The course of a game in compiled code: phases, rounds and turns (sections 2 and 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torres_env.board import all_dirty
from torres_env.record import KING, NO_CELL, NOTHING
from torres_env.rules import STARTERS
from torres_env.scoring import add_points, first_place, last_place, score_phase
from tower_core.engine.batch_structs import OVER
from tower_core.engine.compiling import inlined, jit

LEADER, LEFT = STARTERS.index("leader"), STARTERS.index("left")


@inlined
def clear_turn(s: Any) -> None:
    s.ap = 0
    s.turn_stack = 0
    s.buys = 0
    s.bought = 0
    s.card_played = 0
    s.taken = NO_CELL
    s.pending = NOTHING


@jit
def start_phase(s: Any, phase: Any) -> None:
    s.phase = phase
    all_dirty(s)  # the king's bonus has changed
    s.round = 0
    for p in range(s.num_players):
        s.stack_count[p] = s.rounds[phase - 1]
        s.blocks_left[p] = 0
        for i in range(s.rounds[phase - 1]):
            s.stack[p, i] = s.stacks[phase - 1, i]
            s.blocks_left[p] += s.stack[p, i]
    start_round(s)


@jit
def start_round(s: Any) -> None:
    s.round += 1
    s.turn = 0
    if s.phase > 1 or s.round > 1:
        if s.starter == LEADER:
            s.start_player = first_place(s)
        elif s.starter == LEFT:
            s.start_player = (s.start_player + 1) % s.num_players
    s.to_move = s.start_player
    start_turn(s)


@jit
def start_turn(s: Any) -> None:
    p = s.to_move
    clear_turn(s)
    s.ap = s.action_points
    s.turn_stack = s.stack[p, 0]
    s.blocks_left[p] -= s.turn_stack
    s.stack_count[p] -= 1
    for i in range(s.stack_count[p]):
        s.stack[p, i] = s.stack[p, i + 1]
    s.stack[p, s.stack_count[p]] = 0


@jit
def end_turn(s: Any) -> None:
    """End a turn, with everything automatic after it: leftovers, the next turn or round, scoring, the end of the game."""
    p = np.int64(s.to_move)
    add_points(s, p, np.int64(s.ap) * s.unspent_ap_scores)
    for _ in range(s.turn_stack):
        i = 0
        while i < s.stack_count[p] and s.stack[p, i] >= s.max_stack:
            i += 1
        if i < s.stack_count[p]:
            s.stack[p, i] += 1
            s.blocks_left[p] += 1
        else:
            s.supply += 1
    clear_turn(s)
    s.turn += 1
    if s.turn < s.num_players:
        s.to_move = (p + 1) % s.num_players
        start_turn(s)
    elif s.round < s.rounds[s.phase - 1]:
        start_round(s)
    else:
        score_phase(s)
        all_dirty(s)
        if s.phase == 3:
            s.to_move = OVER
        else:
            s.to_move = last_place(s)
            s.pending = KING
