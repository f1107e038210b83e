"""The package against the naive reference, which was written from the rules alone: whole games, move by move.

Every preset once; tests/reference/test_fuzz.py plays many more, also of rules drawn at random.
"""

from __future__ import annotations

import random

import pytest
from torres_compare import STYLES, compare_game, random_rules

from torres_env import TorresState
from torres_env.rules import PRESETS


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset, num_players):
    style = STYLES[num_players - 2]
    assert compare_game(num_players, preset, 1000 * num_players, style) > 40


def test_random_rules_vary():
    """The draw of the fuzz test reaches every field."""
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
