"""What PettingZoo, Gymnasium and Stable-Baselines3 ask of an environment, by their own checkers and by hand."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest

import torres_env
from torres_env import torres_v0
from tower_core.pixels import FRAME_WIDTH

ID = "torres_env/Torres-v0"


# ---------------------------------------------------------------------------------------------- PettingZoo


def test_rendered_pixels_change_with_the_game():
    env = torres_v0.env(render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.shape == (281, FRAME_WIDTH, 3)
    assert len(np.unique(before)) > 20  # not an empty sheet
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert (env.render() != before).any()


# ---------------------------------------------------------------------------------------------- Gymnasium


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
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        check_env(gymnasium.make(ID))  # takes the planes of the default observation for an image
    assert given
    assert [str(it.message) for it in given if "image" not in str(it.message)] == []


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
