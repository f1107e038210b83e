"""The vector environment as Stable-Baselines3 uses it."""

from __future__ import annotations

import numpy as np
import pytest
from stable_baselines3.common.vec_env import VecEnv

from torres_env import TorresBatch
from torres_env.observation import GLOBALS
from tower_core.pixels import svg_to_rgb
from train.vec_env import TowersVecEnv


def make(n=8, players=2, opponents="greedy", render_mode=None, **options):
    return TowersVecEnv(TorresBatch(n, players, "standard", 5, opponents, **options), render_mode=render_mode)


def play(env, steps, seed=0):
    """Random legal play; yields what every step gives, with the masks before it."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        masks = env.action_masks().copy()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        env.step_async(actions)
        yield masks, actions, env.step_wait()


def test_spaces_and_types():
    env = make()
    assert isinstance(env, VecEnv)
    assert env.num_envs == 8
    first = env.reset()
    assert first.shape == (8, 1356)
    assert first.dtype == np.uint8
    assert env.action_space.n == 662
    for _, _, (observation, rewards, dones, infos) in play(env, 200):
        assert all(env.observation_space.contains(row) for row in observation)
        assert rewards.shape == dones.shape == (8,)
        assert rewards.dtype == np.float32
        assert dones.dtype == np.bool_
        assert [bool(info) for info in infos] == dones.tolist()


def test_a_lost_game_shows_minus_one():
    """With reward "outcome", the last reward is the utility, and a random player loses to the greedy one."""
    env = make(16)
    env.reset()
    ends = []
    for _, _, (_, rewards, dones, infos) in play(env, 300):
        assert not rewards[~dones].any()
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["r"] == rewards[i] == infos[i]["episode"]["utility"]
            ends.append(float(rewards[i]))
    assert len(ends) > 30
    assert ends.count(-1.0) > 0.9 * len(ends)
    assert set(ends) <= {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("reward", ["margin", "score", "progress"])
def test_episodes_add_up(reward):
    env = make(12, 3, "random:1,passive:1", reward=reward, seat=1)
    env.reset()
    summed, counted = np.zeros(12), np.zeros(12, int)
    ended = 0
    for _, _, (_, rewards, dones, infos) in play(env, 150):
        summed += rewards
        counted += 1
        for i in np.flatnonzero(dones):
            episode = infos[i]["episode"]
            assert episode["r"] == pytest.approx(summed[i], abs=1e-5)
            assert episode["l"] == counted[i]
            assert episode["seat"] == 1
            if reward == "score":
                assert episode["r"] == pytest.approx(episode["score"] / 100, abs=1e-5)
            if reward == "progress":  # lead and utility have one sign, or the lead is 0
                assert (episode["r"] > 0) == (episode["utility"] > 0) or abs(episode["r"]) < 1.01
            assert infos[i]["terminal_observation"].shape == (1356,)
            assert infos[i]["TimeLimit.truncated"] is False
            summed[i], counted[i] = 0, 0
            ended += 1
    assert ended > 12


def test_terminal_observation_is_the_end():
    """The learner's seat sees nobody to move; the row handed out beside it is of the next game."""
    start = 18 * 64 + GLOBALS["to_move"].start
    env = make(4)
    env.reset()
    for _, _, (observation, _, dones, infos) in play(env, 120):
        for i in np.flatnonzero(dones):
            assert not infos[i]["terminal_observation"][start : start + 4].any()
            assert observation[i][start]  # the learner is to move


def test_masks_are_the_batch_s_own_memory():
    env = make()
    env.reset()
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    assert np.shares_memory(masks, env.batch.action_mask)
    assert np.shares_memory(env.env_method("action_masks"), env.batch.action_mask)
    np.testing.assert_array_equal(env.env_method("action_masks", indices=[2, 5]), masks[[2, 5]])
    np.testing.assert_array_equal(env.env_method("action_masks", indices=3), masks[[3]])
    for masks, actions, _ in play(env, 30):
        assert masks[np.arange(8), actions].all()
    assert env.has_attr("action_masks")


def test_observations_are_copies():
    env = make(2)
    first = env.reset()
    kept = first.copy()
    list(play(env, 5))
    np.testing.assert_array_equal(first, kept)


def test_seeds():
    """seed() starts the games of that seed at the next reset, once; then come the next games."""
    env, other = make(3), TowersVecEnv(TorresBatch(3, 2, "standard", 99, "greedy"))
    env.seed(7)
    other.seed(7)
    first = env.reset()
    np.testing.assert_array_equal(first, other.reset())
    again, also = env.reset(), other.reset()
    np.testing.assert_array_equal(again, also)
    env.seed(7)
    np.testing.assert_array_equal(env.reset(), first)
    one = [step[2][0] for step in play(env, 40)]
    other.seed(7)
    other.reset()
    for mine, (_, _, (theirs, *_)) in zip(one, play(other, 40), strict=True):
        np.testing.assert_array_equal(mine, theirs)


class First:
    """A player asked from Python, inside the environment."""

    name = "first"
    native = None

    def act(self, state):
        return state.legal_actions()[0]


def test_players_from_python_inside():
    env = make(3, 3, [First(), "passive"], seat="random")
    env.reset()
    ended = 0
    for _, _, (_, rewards, dones, infos) in play(env, 160):
        assert (env.batch.to_move == env.batch.learner).all()
        for i in np.flatnonzero(dones):
            assert rewards[i] == infos[i]["episode"]["utility"]
            ended += 1
    assert ended > 3


def test_all_games_are_drawn():
    env = make(3, render_mode="rgb_array")
    env.reset()
    images = env.get_images()
    assert len(images) == 3
    np.testing.assert_array_equal(images[1], svg_to_rgb(env.batch.state(1).to_svg()))
    height, width, _ = images[0].shape
    assert env.render().shape == (2 * height, 2 * width, 3)
    assert (env.render_mode, env.metadata["render_fps"]) == ("rgb_array", 2)
    assert env.render("ansi").count("\n") > 3
    with pytest.raises(ValueError, match="render_mode must be one of"):
        make(render_mode="film")


def test_opponents_are_needed():
    with pytest.raises(ValueError, match="needs opponents"):
        TowersVecEnv(TorresBatch(2))


def test_what_it_has_not():
    env = make(2)
    with pytest.raises(AttributeError):
        env.env_method("fly")
    with pytest.raises(AttributeError):
        env.set_attr("speed", 3)
    assert env.get_attr("num_envs") == [2, 2]
    assert env.env_is_wrapped(object) == [False, False]
    with pytest.raises(ValueError, match="slot 0"):
        env.step_async(np.array([661, 661]))
    env.close()
