"""The package against the naive reference, which was written from the rules alone: whole games, move by move.

A small share, quick to run alone; tests/reference/test_fuzz_share.py plays many more.
"""

from __future__ import annotations

import random

import pytest
from torres_compare import STYLES, compare_game, random_rules

from torres_env import TorresState
from torres_env.rules import PRESETS

GAMES = 2


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset, num_players):
    style = STYLES[num_players - 2]
    moves = sum(compare_game(num_players, preset, 1000 * num_players + game, style) for game in range(GAMES))
    assert moves > 40 * GAMES


@pytest.mark.parametrize("number", range(6))
def test_random_rules(number):
    """Fields drawn at random, three games each."""
    chance = random.Random(number)
    for game in range(3):
        num_players = chance.randint(2, 4)
        rules = random_rules(chance, num_players)
        compare_game(num_players, rules, 100 * number + game, chance.choice(STYLES), checks=0.05)


def test_random_rules_vary():
    """The draw reaches every field, or the test above would say little."""
    chance = random.Random(1)
    drawn = [random_rules(chance, 2) for _ in range(200)]
    for name in drawn[0].__dataclass_fields__:
        assert len({str(getattr(rules, name)) for rules in drawn}) > 1, name


def test_a_difference_is_noticed(monkeypatch):
    """The comparison itself must be able to fail."""
    real = TorresState.scores
    monkeypatch.setattr(TorresState, "scores", lambda self: [score + (score > 0) for score in real(self)])
    with pytest.raises(AssertionError, match="seed 3"):
        compare_game(2, "standard", 3, "builder")
