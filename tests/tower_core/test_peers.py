"""Both games before what other libraries bring to check and to wrap environments (PettingZoo, SuperSuit, Gymnasium, SB3).

Which of PettingZoo's checks apply and which do not, with the reasons, is in docs/correctness.md.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil

import gymnasium
import numpy as np
import pettingzoo.test
import pytest
import supersuit
from gymnasium.wrappers import DtypeObservation, FlattenObservation, FrameStackObservation, RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as VectorStatistics
from pettingzoo.test.performance_benchmark import performance_benchmark

from market_env import market_v0
from torres_env import torres_v0

MODULES = {"torres": torres_v0, "market": market_v0}
IDS = {"torres": "torres_env/Torres-v0", "market": "market_env/Market-v0"}
GAMES = tuple(MODULES)

# Every check that PettingZoo brings: what runs here or in the games' own conformance tests, and what cannot.
APPLIES = {"api_test", "seed_test", "render_test", "performance_benchmark"}
DOES_NOT = {
    "parallel_api_test", "parallel_seed_test", "max_cycles_test", "state_test", "test_save_obs", "bombardment_test",
    "manual_control_test", "collect_render_results",
}  # fmt: skip
FOLDERS = {"example_envs", "parallel_test", "save_obs_test"}


def test_no_check_of_pettingzoo_is_overlooked():
    there = {name for name in vars(pettingzoo.test) if not name.startswith("_")}
    there |= {module.name for module in pkgutil.iter_modules(pettingzoo.test.__path__)}
    assert there == APPLIES | DOES_NOT | FOLDERS


# ---------------------------------------------------------------------------------------------- PettingZoo
@pytest.mark.parametrize("game", GAMES)
def test_performance_benchmark(game, monkeypatch, capsys):
    """PettingZoo's loop of five seconds, with a clock that runs ahead."""
    clock = itertools.count(0, 0.02)
    module = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(module.time, "time", lambda: next(clock))
    performance_benchmark(MODULES[game].env())
    assert "turns per second" in capsys.readouterr().out


def test_bombardment_fails_for_pettingzoos_own_example_too():
    """It takes what ``step`` returns (nothing) for an observation: a fault of the check, not of an environment."""
    from pettingzoo.test.bombardment_test import bombardment_test
    from pettingzoo.test.example_envs import generated_agents_env_v0

    with pytest.raises(AssertionError, match="outside of its observation space"):
        bombardment_test(generated_agents_env_v0.env(), cycles=4)


@pytest.mark.parametrize("game", GAMES)
def test_as_a_parallel_environment(game):
    """PettingZoo's face for games of turns: whoever is not to move gives no action."""
    env = pettingzoo.utils.conversions.turn_based_aec_to_parallel(MODULES[game].raw_env())
    observations, _ = env.reset(seed=4)
    alone = MODULES[game].raw_env()
    alone.reset(seed=4)
    rng = np.random.default_rng(0)
    for _ in range(60):
        mover = alone.agent_selection
        action = int(rng.choice(np.flatnonzero(observations[mover]["action_mask"])))
        observations, rewards, *_ = env.step({agent: action if agent == mover else None for agent in env.agents})
        alone.step(action)
        assert rewards == alone.rewards
        for agent in alone.agents:
            np.testing.assert_equal(observations[agent], alone.observe(agent))


# ---------------------------------------------------------------------------------------------- SuperSuit
def bare(env):
    """The observation alone: SuperSuit's wrappers of observations take boxes; the mask stays in the infos."""
    return supersuit.observation_lambda_v0(
        env, lambda seen, space: seen["observation"], lambda space: space["observation"]
    )


def as_bytes(env):
    """The bare observation in a box from 0 to 255 throughout."""

    def box(space):
        return gymnasium.spaces.Box(0, 255, space.shape, space.dtype)

    return supersuit.observation_lambda_v0(bare(env), lambda seen, space: seen, box)


AEC_WRAPPERS = {
    "reward_lambda_v0": lambda env: supersuit.reward_lambda_v0(env, lambda reward: 2 * reward),
    "clip_reward_v0": supersuit.clip_reward_v0,
    "observation_lambda_v0": bare,
    "dtype_v0": lambda env: supersuit.dtype_v0(bare(env), np.float32),
    "normalize_obs_v0": lambda env: supersuit.normalize_obs_v0(supersuit.dtype_v0(bare(env), np.float32)),
    "frame_stack_v1": lambda env: supersuit.frame_stack_v1(bare(env), 3),
    # It takes boxes with one bound for all entries only, so the observation is stretched to bytes first.
    "agent_indicator_v0": lambda env: supersuit.agent_indicator_v0(as_bytes(env)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", AEC_WRAPPERS)
@pytest.mark.parametrize("game", GAMES)
def test_supersuit_around_pettingzoo(game, name):
    env = AEC_WRAPPERS[name](MODULES[game].raw_env(flatten=True))
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter(50):
        observation, _, terminated, truncated, info = env.last()
        assert env.observation_space(agent).contains(observation)
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(info["action_mask"]))))


GYM_WRAPPERS = {
    "supersuit dtype_v0": lambda env: supersuit.dtype_v0(env, np.float32),
    "supersuit frame_stack_v1": lambda env: supersuit.frame_stack_v1(env, 2),
    "supersuit clip_reward_v0": supersuit.clip_reward_v0,
    "RecordEpisodeStatistics": RecordEpisodeStatistics,
    "DtypeObservation": lambda env: DtypeObservation(env, np.float32),
    "FrameStackObservation": lambda env: FrameStackObservation(env, 2),
    "FlattenObservation": FlattenObservation,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", GYM_WRAPPERS)
@pytest.mark.parametrize("game", GAMES)
def test_wrappers_around_gymnasium(game, name):
    env = GYM_WRAPPERS[name](gymnasium.make(IDS[game], flatten=True))
    _, info = env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(40):
        observation, _, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        assert env.observation_space.contains(observation)
        if terminated or truncated:
            _, info = env.reset()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", GAMES)
def test_supersuits_vectors(game):
    env = supersuit.stable_baselines3_vec_env_v0(gymnasium.make(IDS[game], flatten=True, illegal="random"), 2, False)
    env.reset()
    observation, reward, *_ = env.step([0, 0])
    assert observation.shape[0] == reward.shape[0] == 2


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_wrapper_of_vectors(game):
    env = VectorStatistics(gymnasium.make_vec(IDS[game], num_envs=4, opponents="random"))
    _, info = env.reset(seed=1)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(2000):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        *_, info = env.step(actions)
        ends += int(info.get("_episode", np.zeros(4, bool)).sum())
        if ends:
            break
    assert ends


# ---------------------------------------------------------------------------------------------- Stable-Baselines3
@pytest.mark.parametrize("game", GAMES)
def test_maskable_ppo_learns(game):
    """Without regard to the mask the first illegal action would raise."""
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv

    torch.set_num_threads(1)
    make = lambda: Monitor(gymnasium.make(IDS[game], flatten=True, illegal="raise", opponents="random"))  # noqa: E731
    env = DummyVecEnv([make, make])
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=32, n_epochs=1, seed=1, policy_kwargs={"net_arch": [8]}
    )
    model.learn(256)
    mean, _ = evaluate_policy(model, env, n_eval_episodes=2)
    assert -1 <= mean <= 1
