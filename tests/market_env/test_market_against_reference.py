"""The package against the naive reference, which was written from the rules alone: whole games, move by move.

Every combination of flags once; tests/reference/test_fuzz.py plays many more, also with component sets drawn at random.
"""

from __future__ import annotations

import itertools
import random

import pytest
from market_compare import FLAGS, compare_game

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
