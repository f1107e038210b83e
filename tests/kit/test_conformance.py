"""What the kit does not ask of the two games: Stable-Baselines3's checker, light imports, seeds of vector environments."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest

import market_env
import torres_env
from tower_core.pixels import FRAME_WIDTH

IDS = {"torres": torres_env.GAME.gym_id, "market": market_env.GAME.gym_id}


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("torres", {"flatten": True, "dtype": "float32"}),
        ("torres", {"flatten": True, "illegal": "random"}),
        ("torres", {}),
        ("market", {"flatten": True, "illegal": "random"}),
        ("market", {}),
    ],
)
def test_stable_baselines(game, options):
    from stable_baselines3.common.env_checker import check_env

    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        check_env(gymnasium.make(IDS[game], **options))
    assert bool(given) == ((game, options) == ("torres", {}))
    # It takes the planes of Torres' default observation for an image.
    assert [str(it.message) for it in given if "image" not in str(it.message)] == []


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("market", "import gymnasium; env = gymnasium.make('{game}_env:{id}')"),
        ("torres", "import gymnasium; env = gymnasium.make_vec('{game}_env:{id}', num_envs=2)"),
        ("torres", "import pettingzoo, {game}_env; env = pettingzoo.make('aec', '{id}')"),
    ],
)
def test_fresh_interpreter(game, code, child):
    """Importing the package registers it and loads no compiler; the id with the package's name imports it."""
    code = code.format(game=game, id=IDS[game])
    light = f"import sys, {game}_env; assert not {{'numba', 'torch'}} & sys.modules.keys(); "
    done = child(light + code + "; env.reset(seed=1); print('reset')")
    assert done.stdout == "reset\n", done.stderr


def test_registered_environments_take_options():
    env = gymnasium.make(IDS["torres"], num_players=4, rules="digest", seat=2)
    assert env.unwrapped.batch.num_players == 4 and env.reset(seed=1)[1]["seat"] == 2
    assert pettingzoo.make("aec", IDS["market"], rules="solo").possible_agents == ["player_0"]
    torres_env.register_envs()  # once more does no harm


def test_rendered_pixels_change_with_the_game():
    env = torres_env.torres_v0.env(render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert before.shape == (281, FRAME_WIDTH, 3)
    assert len(np.unique(before)) > 20  # not an empty sheet
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert (env.render() != before).any()


@pytest.mark.parametrize("copied", [False, True])
def test_vector_env_shares_its_arrays_only_without_copies(copied):
    env = gymnasium.make_vec(IDS["torres"], num_envs=3, copy=copied, flatten=True)
    observation, _ = env.reset(seed=1)
    again, *_ = env.step(env.unwrapped.batch.sample_actions())
    assert np.shares_memory(again, observation) is not copied


def test_vector_env_takes_a_list_of_seeds():
    env = gymnasium.make_vec(IDS["torres"], num_envs=3, seat=0)
    one, _ = env.reset(seed=[9, 4, 9])
    np.testing.assert_array_equal(one["board"][0], one["board"][2])
    other, _ = env.reset(seed=4)
    np.testing.assert_array_equal(one["globals"][1], other["globals"][0])
    with pytest.raises(ValueError, match="3 integers"):
        env.reset(seed=[1, 2])
