"""What the rewards of Torres add up to; that batch and PettingZoo pay the same is checked by the kit."""

from __future__ import annotations

import numpy as np
import pytest
from positions import play

from torres_env import TorresState
from torres_env.game import GAME
from tower_core.envs.rewards import Rewards


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("reward", ["outcome", "margin", "score", "progress"])
def test_rewards_add_up(reward, num_players):
    state, chance = TorresState(num_players, "standard", 21), np.random.default_rng(0)
    rewards = Rewards(GAME, reward)
    rewards.begin(state)
    total, before = np.zeros(num_players), np.zeros(num_players)
    while not state.is_terminal():
        state.apply_action(int(chance.choice(state.legal_actions())))
        paid = np.array(rewards.pay(state))
        total += paid
        if reward == "score":
            np.testing.assert_allclose(paid, (np.array(state.scores()) - before) / 100, atol=2e-6)
            before = np.array(state.scores())
    points, utility = np.array(state.scores()), state.returns()
    lead = np.array([points[p] - np.delete(points, p).max() for p in range(num_players)])
    expected = {"outcome": utility, "margin": lead / 100, "score": points / 100, "progress": lead / 100 + utility}
    np.testing.assert_allclose(total, expected[reward], atol=1e-4)


def test_progress_pays_the_lead_to_come():
    """While nobody has points, the change of what the castles would give is what is paid."""
    state, rewards = TorresState(2, "standard", 3), Rewards(GAME, "progress")
    rewards.begin(state)
    for text in ("N c3", "N f6", "K d1", "B c4", "M c3 c4", "B c3", "M c4 c3"):
        paid = rewards.pay(play(state, text))
        assert paid[0] == -paid[1]
    # The knight came from level 1 to level 2 of a castle of area 2: 4 points instead of 2.
    assert paid[0] == pytest.approx(0.02)
