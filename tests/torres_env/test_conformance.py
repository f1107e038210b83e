"""What PettingZoo, Gymnasium and Stable-Baselines3 ask of an environment, by their own checkers and by hand."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check
from gymnasium.vector import AutoresetMode, VectorEnv
from pettingzoo.test import api_test, render_test, seed_test

import torres_env
from torres_env import torres_v0
from torres_env.rules import PRESETS
from tower_core.pixels import FRAME_WIDTH

ID = "torres_env/Torres-v0"
FORMATS = [{}, {"flatten": True}, {"dtype": "float32"}, {"flatten": True, "dtype": "float32"}]


# ---------------------------------------------------------------------------------------------- PettingZoo
@pytest.mark.parametrize(
    "options", [{}, {"illegal": "random"}, {"illegal": "raise"}, {"reward": "score"}, *FORMATS[1:]]
)
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_api(num_players, options, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # What every environment with action masks is told: its observations are dictionaries.
        warnings.filterwarnings("ignore", message="Observation (is not a NumPy array|space for each agent probably)")
        api_test(torres_v0.env(num_players, **options), num_cycles=150)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("preset", PRESETS)
def test_api_of_presets_raw(preset):
    api_test(torres_v0.raw_env(3, preset), num_cycles=100)


@pytest.mark.parametrize("preset", ["standard", "master"])
def test_seeds(preset):
    seed_test(lambda: torres_v0.env(rules=preset), num_cycles=150)


@pytest.mark.parametrize("num_players", [2, 4])
def test_render(num_players, capsys):
    render_test(lambda render_mode=None: torres_v0.env(num_players, render_mode=render_mode))
    assert "player_0" in capsys.readouterr().out  # the mode "human" prints


def test_rendered_pixels_change_with_the_game():
    env = torres_v0.env(render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.shape == (281, FRAME_WIDTH, 3)
    assert len(np.unique(before)) > 20  # not an empty sheet
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert (env.render() != before).any()


def test_names_spaces_and_masks():
    env = torres_v0.env(4)
    assert env.metadata["name"] == "torres_v0"
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    env.reset(seed=2)
    assert env.agents == env.possible_agents
    for agent in env.agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert seen["action_mask"].dtype == np.int8
        assert seen["action_mask"].any() == (agent == env.agent_selection)
        np.testing.assert_array_equal(env.infos[agent]["action_mask"], seen["action_mask"])
    observation, _, _, _, info = env.last()
    np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])
    assert env.observation_space("player_0") is env.observation_space("player_0")
    assert env.action_space("player_1").n == 662


def test_observations_are_fresh_arrays():
    env = torres_v0.env()
    env.reset(seed=3)
    first = env.observe("player_0")
    kept = first["observation"]["board"].copy()
    first["observation"]["board"][:] = 99
    first["action_mask"][:] = 1
    np.testing.assert_array_equal(env.observe("player_0")["observation"]["board"], kept)
    assert env.observe("player_0")["action_mask"].sum() == 8


def test_infos_handed_out_stay_as_they_were():
    for make in (torres_v0.env, torres_v0.raw_env):
        env = make()
        env.reset(seed=3)
        info = env.last()[4]
        mask = info["action_mask"].copy()
        env.step(int(np.flatnonzero(mask)[0]))
        assert not env.infos["player_0"]["action_mask"].any()
        env.last()
        np.testing.assert_array_equal(info["action_mask"], mask)


# ---------------------------------------------------------------------------------------------- Gymnasium
@pytest.mark.parametrize("options", FORMATS)
@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_check_env(options, render_mode):
    env = gymnasium.make(ID, opponents="random", render_mode=render_mode, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gymnasium_check(env.unwrapped)


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("opponents", ["greedy", "random:1,passive:2"])
def test_single_env(num_players, opponents):
    env = gymnasium.make(ID, num_players=num_players, opponents=opponents)
    env.action_space.seed(0)
    for episode in range(3):
        observation, info = env.reset(seed=episode)
        over = False
        while not over:
            assert env.observation_space.contains(observation)
            assert info["action_mask"].dtype == np.int8
            assert 0 <= info["seat"] < num_players
            np.testing.assert_array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool))
            action = env.action_space.sample(mask=info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            assert not truncated
            assert reward == 0 or over
        assert env.observation_space.contains(observation)
        assert not info["action_mask"].any()
        assert len(info["scores"]) == num_players
        assert -1 <= reward <= 1
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)


def test_step_before_reset():
    with pytest.raises(gymnasium.error.ResetNeeded):
        gymnasium.make(ID).step(0)


@pytest.mark.parametrize("options", FORMATS)
def test_vector_env(options):
    env = gymnasium.make_vec(ID, num_envs=6, num_players=3, opponents="random", illegal="raise", **options)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert env.num_envs == 6
    single = gymnasium.make(ID, num_players=3, **options)
    assert env.single_observation_space == single.observation_space
    assert env.single_action_space == single.action_space
    observation, info = env.reset(seed=4)
    rng = np.random.default_rng(0)
    ended = np.zeros(6, int)
    for _ in range(400):
        assert env.observation_space.contains(observation)
        assert info["action_mask"].shape == (6, 662)
        assert (info["action_mask"].sum(axis=1) > 0).all()  # after an end, the next game has begun
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        assert env.action_space.contains(actions)
        observation, reward, terminated, truncated, info = env.step(actions)
        assert reward.shape == terminated.shape == truncated.shape == (6,)
        assert reward.dtype == np.float64
        assert terminated.dtype == truncated.dtype == np.bool_
        assert (reward[~terminated] == 0).all()
        assert not truncated.any()
        assert ("final_obs" in info) == terminated.any()
        for i in np.flatnonzero(terminated):
            assert info["_final_obs"][i]
            assert env.single_observation_space.contains(info["final_obs"][i])
            assert not info["final_info"]["action_mask"][i].any()
            assert info["final_info"]["_scores"][i]
        if terminated.any():
            assert all(info["final_obs"][i] is None for i in np.flatnonzero(~terminated))
        ended += terminated
    assert (ended >= 2).all()
    env.close()


def test_vector_env_without_copies_hands_out_its_own_arrays():
    env = gymnasium.make_vec(ID, num_envs=3, copy=False, flatten=True)
    observation, _ = env.reset(seed=1)
    again, *_ = env.step(env.unwrapped.batch.sample_actions())
    assert again is observation or np.shares_memory(again, observation)
    kept = gymnasium.make_vec(ID, num_envs=3, flatten=True)
    first, _ = kept.reset(seed=1)
    second, *_ = kept.step(kept.unwrapped.batch.sample_actions())
    assert not np.shares_memory(first, second)


def test_vector_env_takes_a_list_of_seeds():
    env = gymnasium.make_vec(ID, num_envs=3, seat=0)
    one, _ = env.reset(seed=[9, 4, 9])
    np.testing.assert_array_equal(one["board"][0], one["board"][2])
    other, _ = env.reset(seed=4)
    np.testing.assert_array_equal(one["globals"][1], other["globals"][0])
    with pytest.raises(ValueError, match="3 entries"):
        env.reset(seed=[1, 2])


# ---------------------------------------------------------------------------------------------- Stable-Baselines3
def test_stable_baselines_check():
    from stable_baselines3.common.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, flatten=True, dtype="float32"))
        check_env(gymnasium.make(ID, flatten=True, illegal="random"))


def test_maskable_ppo_learns_on_it():
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    torch.set_num_threads(1)
    env = gymnasium.make(ID, flatten=True, illegal="raise", opponents="passive")
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=16, n_epochs=1, seed=1, policy_kwargs={"net_arch": [8]}
    )
    assert is_masking_supported(model.get_env())
    model.learn(128)  # illegal="raise": one action without regard to the mask, and this fails
    masks = get_action_masks(model.get_env())
    assert masks.shape == (1, 662)
    observation, info = env.reset(seed=1)
    for _ in range(30):
        action, _ = model.predict(observation, action_masks=info["action_mask"].astype(bool))
        assert info["action_mask"][action]
        observation, _, terminated, _, info = env.step(int(action))
        assert not terminated


def test_towers_vec_env_under_maskable_ppo():
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import is_masking_supported

    from train.vec_env import TowersVecEnv

    env = TowersVecEnv(torres_env.TorresBatch(4, 3, opponents="random", illegal="raise"))
    assert is_masking_supported(env)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=1, policy_kwargs={"net_arch": [8]}
    )
    model.learn(128)
    assert model.num_timesteps == 128


# ---------------------------------------------------------------------------------------------- registries
def test_registered_after_import():
    spec = gymnasium.spec(ID)
    assert spec.id == ID
    env = gymnasium.make(ID, num_players=4, rules="digest", seat=2)
    assert env.unwrapped.batch.num_players == 4
    assert env.reset(seed=1)[1]["seat"] == 2
    aec = pettingzoo.make("aec", ID, num_players=3)
    assert aec.possible_agents == ["player_0", "player_1", "player_2"]
    torres_env.register_envs()  # once more does no harm


@pytest.mark.parametrize(
    "code",
    [
        "import gymnasium; env = gymnasium.make('torres_env:torres_env/Torres-v0')",
        "import gymnasium; env = gymnasium.make_vec('torres_env:torres_env/Torres-v0', num_envs=2)",
        "import pettingzoo, torres_env; env = pettingzoo.make('aec', 'torres_env/Torres-v0')",
        "import gymnasium, torres_env; env = gymnasium.make('torres_env/Torres-v0')",
    ],
)
def test_fresh_interpreter(code, child):
    done = child(code + "; env.reset(seed=1); print('reset', env.unwrapped.metadata['render_modes'])")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("reset ['ansi'")


def test_import_is_light(child):
    """Importing the package registers it and loads no compiler."""
    done = child("import sys, torres_env; print('numba' in sys.modules, 'torch' in sys.modules)")
    assert done.stdout.split() == ["False", "False"], done.stderr
