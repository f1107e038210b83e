"""States in which much happens, for the tests of players."""

from __future__ import annotations

import random
from functools import cache

import agents
from tower_core.registry import get_game

# Players that search, made small.
SMALL = {
    ("torres", "planner"): "planner:width=3",
    ("torres", "mcts"): "mcts:sims=6,worlds=2,playout=1,root=4,branch=3,root_width=3,width=2",
    ("market", "planner"): "planner:width=3,lines=4,samples=12",
    ("market", "mcts"): "mcts:sims=12,worlds=4,root=6,branch=2,root_width=3,width=2,turns=2",
}


def small(name, player):
    return SMALL.get((name, player), player)


@cache
def moments(name, rules, players, count=12):
    """States at random moments of games, half of their moves greedy's, the others random ones other than END (not to be
    changed)."""
    found, greedy = [], agents.make("greedy", name)
    for seed in range(10 * count):
        chance = random.Random(seed)
        state = get_game(name).state_class()(players, rules, seed)
        for _ in range(chance.randrange(4, 100)):
            if not state.is_terminal():
                rest = state.legal_actions()
                state.apply_action(greedy.act(state) if chance.random() < 0.5 else chance.choice(rest[1:] or rest))
        if not state.is_terminal():
            found.append(state)
        if len(found) == count:
            return found
    raise AssertionError("too few states")
