"""One seed is one game, whoever asks: state, PettingZoo, Gymnasium, vector and batch; copies go on as what they copy."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from torres_env import TorresBatch, TorresState, torres_v0
from tower_core.engine.random import episode_seed_of

ID = "torres_env/Torres-v0"
REWARDS = ("outcome", "margin", "score", "progress")


# ---------------------------------------------------------------------------------------------- state and PettingZoo


# ---------------------------------------------------------------------------------------------- batch


# ---------------------------------------------------------------------------------------------- rewards
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_agree_and_add_up(reward, num_players):
    batch = TorresBatch(1, num_players, "standard", 21, reward=reward, autoreset=False)
    env = torres_v0.raw_env(num_players, "standard", reward)
    env.reset(seed=21)
    total = np.zeros(num_players)
    before = expected_standing(env.game_state)
    while batch.to_move[0] >= 0:
        action = int(batch.sample_actions()[0])
        batch.step(batch.actions)
        env.step(action)
        paid = [env.rewards[agent] for agent in env.possible_agents]
        np.testing.assert_allclose(batch.reward[0], paid, atol=2e-6)
        if reward == "score":
            now = expected_standing(env.game_state)
            np.testing.assert_allclose(paid, (now - before) / 100, atol=2e-6)
            before = now
        total += paid
    points, utility = np.array(env.game_state.scores()), env.game_state.returns()
    lead = np.array([points[p] - np.delete(points, p).max() for p in range(num_players)])
    expected = {"outcome": utility, "margin": lead / 100, "score": points / 100, "progress": lead / 100 + utility}
    np.testing.assert_allclose(total, expected[reward], atol=1e-4)


def expected_standing(state):
    return np.array(state.scores(), float)


def test_progress_pays_the_lead_to_come():
    """While nobody has points, the change of what the castles would give is what is paid."""
    env = torres_v0.raw_env(2, "standard", "progress")
    env.reset(seed=3)
    for text in ("N c3", "N f6", "K d1", "B c4", "M c3 c4", "B c3", "M c4 c3"):
        env.step(env.game_state.string_to_action(text))
        paid = env.rewards["player_0"]
        assert paid == -env.rewards["player_1"]
    # The knight came from level 1 to level 2 of a castle of area 2: 4 points instead of 2.
    assert paid == pytest.approx(0.02)


# ---------------------------------------------------------------------------------------------- Gymnasium


@pytest.mark.parametrize("preset", ["standard", "master"])
def test_gymnasium_starts_the_states_games(preset):
    for seed in range(4):
        env = gymnasium.make(ID, rules=preset, opponents="random")
        env.reset(seed=seed)
        found, expected = env.unwrapped.game_state.position(), TorresState(2, preset, seed).position()
        assert found["decks"] == expected["decks"]
        assert found["master_card"] == expected["master_card"]
        env.reset()
        expected = TorresState(2, preset, episode_seed_of(seed, 1)).position()
        assert env.unwrapped.game_state.position()["decks"] == expected["decks"]


# ---------------------------------------------------------------------------------------------- copies
