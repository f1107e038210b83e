"""The package against the naive reference, which was written from the rules alone: whole games, move by move.

For a long run: ``python -m tests.fuzz market --seconds 300``.
"""

from __future__ import annotations

import itertools
import random

import pytest
from market_compare import FLAGS, compare_game, random_components, random_rules

from market_env import MarketRules

COMBINATIONS = [
    (players, npc, dict(zip(FLAGS, flags, strict=True)))
    for npc in (False, True)
    for players in ((1, 2, 3) if npc else (2, 3, 4))
    for flags in itertools.product((False, True), repeat=3)
]


@pytest.mark.parametrize(("players", "npc", "flags"), COMBINATIONS)
def test_default_set(players, npc, flags):
    seed = (players + sum(flags.values())) % 2
    rules = MarketRules(
        npc=npc,
        **flags,
        idle_draw=("unable", "always")[seed],
        first_tokens=((0, 0, 0, 0), (0, 2, 3, 4))[seed],
        solo_npc_towers=1 + seed,
        max_turns=(None, 12)[seed],
    )
    compare_game(players, rules, seed, random.Random(seed))


@pytest.mark.parametrize("number", range(25))
def test_random_component_sets(number):
    chance = random.Random(number)
    players, rules = random_rules(chance, random_components(chance))
    compare_game(players, rules, number, chance)
