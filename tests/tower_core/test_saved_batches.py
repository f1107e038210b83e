"""Batches as plain data: they go on as they would have, and nothing but games of this suite gets in."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from market_env import MarketBatch
from torres_env import TorresBatch
from tower_core.envs.saved_batches import hold_batch, restore_batch, save_batch

OPTIONS = {"opponents": "random:1,greedy:1", "reward": "progress"}


def begun(kind=TorresBatch, players=3, seed=3, n=12):
    batch = kind(n, players, None, seed, **OPTIONS)
    for _ in range(45):
        batch.step(batch.sample_actions())
    return batch


@pytest.mark.parametrize(("kind", "players"), [(TorresBatch, 2), (TorresBatch, 4), (MarketBatch, 2), (MarketBatch, 4)])
def test_a_restored_batch_goes_on_as_the_other(kind, players):
    one, other = begun(kind, players), kind(12, players, None, 99, **OPTIONS)
    held = hold_batch(one)
    now = save_batch(one)
    one.step(one.sample_actions())
    assert save_batch(one) != now
    saved = json.loads(json.dumps(save_batch(one, held)))
    assert saved == json.loads(json.dumps(now))
    restore_batch(other, saved)
    other.step(other.sample_actions())
    for _ in range(200):
        np.testing.assert_array_equal(one.observation, other.observation)
        np.testing.assert_array_equal(one.action_mask, other.action_mask)
        np.testing.assert_array_equal(one.reward, other.reward)
        np.testing.assert_array_equal(one.learner, other.learner)
        for batch in (one, other):
            batch.step(batch.sample_actions())


DAMAGE = {
    "opponent beyond the table": lambda saved: saved["slots"]["opponent"][0].__setitem__(1, 7),
    "opponent below it": lambda saved: saved["slots"]["opponent"][0].__setitem__(1, -1),
    "learner without a seat": lambda saved: saved["slots"]["learner"].__setitem__(0, 3),
    "nobody learns": lambda saved: saved["slots"]["learner"].__setitem__(0, -2),
    "potential": lambda saved: saved["slots"]["potential"][0].__setitem__(0, float("nan")),
    "another number of slots": lambda saved: saved["slots"]["seed"].pop(),
    "another number of games": lambda saved: saved["positions"].pop(),
    "no slots": lambda saved: saved.pop("slots"),
    "a field missing": lambda saved: saved["positions"][3].pop("to_move", None) or saved["positions"][3].clear(),
    "no position": lambda saved: saved["positions"].__setitem__(2, 5),
    "a number too large": lambda saved: saved["slots"]["seed"].__setitem__(0, 2**70),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_refused_and_changes_nothing(what):
    batch = begun()
    saved = copy.deepcopy(save_batch(batch))
    DAMAGE[what](saved)
    before = batch.games.tobytes(), batch.slots.tobytes()
    with pytest.raises(ValueError, match=r"\w"):
        restore_batch(batch, saved)
    assert (batch.games.tobytes(), batch.slots.tobytes()) == before


def test_games_of_others_are_refused():
    with pytest.raises(ValueError, match="3 players"):
        restore_batch(begun(), save_batch(begun(players=2)))
    with pytest.raises(ValueError, match=r"\w"):
        restore_batch(begun(), save_batch(begun(MarketBatch)))
