"""Utilities and rewards in compiled code (section 11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from market_env.shop import list_share
from tower_core.engine.compiling import jit

OUTCOME, WIN, PROGRESS = range(3)
REWARDS = {"outcome": OUTCOME, "win": WIN, "progress": PROGRESS}


@jit
def utility(s: Any, p: Any) -> Any:
    """1 for the first rank down to -1 for the last, ties sharing the average; solo: 1 won, -1 lost, 0 truncated."""
    if s.solo:
        return win_or_loss(s, p)
    better, equal = 0.0, 0.0
    for q in range(np.int64(s.num_players)):
        if s.score[q] > s.score[p]:
            better += 1.0
        elif s.score[q] == s.score[p]:
            equal += 1.0
    rank = better + (equal + 1.0) / 2.0
    return 1.0 - 2.0 * (rank - 1.0) / (s.num_players - 1.0)


@jit
def win_or_loss(s: Any, p: Any) -> Any:
    """1 for the winner, -1 shared among the others; 0 without a winner."""
    if s.winner < 0:
        return 0.0
    if s.winner == p:
        return 1.0
    return -1.0 if s.solo else -1.0 / (s.num_players - 1.0)


@jit
def potential(s: Any, seat: Any, kind: Any) -> Any:
    """The potential of ``progress``: towers plus the satisfied share of the list, divided by the towers that win."""
    return (s.score[seat] + list_share(s, seat)) / s.towers_to_win


@jit
def terminal_reward(s: Any, seat: Any, kind: Any) -> Any:
    """The reward at the end of the game."""
    return win_or_loss(s, seat) if kind == WIN else utility(s, seat)
