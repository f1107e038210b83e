"""The native vector environment against Gymnasium's ``SyncVectorEnv`` of as many single ones, in every autoreset mode."""

from __future__ import annotations

import re

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from gymnasium.wrappers.vector import FlattenObservation, RecordEpisodeStatistics

import market_env
import torres_env
from torres_env import torres_v0

assert torres_env
assert market_env
GAMES = [("torres_env/Torres-v0", {"rules": "digest"}), ("market_env/Market-v0", {"rules": "base:max_turns=6"})]
N = 5


def pair(game, mode, limit=None, **options):
    identity, rules = game
    options = {"opponents": "random", "seat": "random", "illegal": "random", **rules, **options}
    native = gymnasium.make_vec(identity, num_envs=N, autoreset_mode=mode, max_episode_steps=limit, **options)

    def make():
        env = gymnasium.make(identity, **options)
        return TimeLimit(env, limit) if limit else env

    return native, SyncVectorEnv([make] * N, autoreset_mode=mode)


def same(first, second, path="", ignored=()):
    if isinstance(first, dict):
        keys = {key for key in first if key not in ignored}
        assert keys == {key for key in second if key not in ignored}, path
        for key in keys:
            same(first[key], second[key], f"{path}.{key}", ignored)
    elif isinstance(first, np.ndarray) and first.dtype == object:
        assert len(first) == len(second), path
        for i, (one, other) in enumerate(zip(first, second, strict=True)):
            assert (one is None) == (other is None), (path, i)
            if one is not None:
                same(one, other, f"{path}[{i}]", ignored)
    else:
        np.testing.assert_array_equal(np.asarray(first), np.array(list(second)) if np.ndim(second) else second, path)


def scores_as_rows(info):
    """``SyncVectorEnv`` keeps lists as objects, None where there are none; ours is one array."""
    info = dict(info)
    if "final_info" in info:
        info["final_info"] = scores_as_rows(info["final_info"])
    if "scores" in info and info["scores"].dtype == object:
        width = max(len(one) for one in info["scores"] if one is not None)
        info["scores"] = np.array([[0] * width if one is None else one for one in info["scores"]])
    return info


def compare(first, second):
    *values, info = first
    *their_values, their_info = second
    for value, theirs in zip(values, their_values, strict=True):
        same(value, theirs)
    same(scores_as_rows(info), scores_as_rows(their_info))


@pytest.mark.parametrize("game", GAMES, ids=["torres", "market"])
@pytest.mark.parametrize("limit", [None, 17])
@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
def test_as_a_sync_vector_env(game, mode, limit):
    native, theirs = pair(game, mode, limit)
    assert native.metadata["autoreset_mode"] == mode
    assert native.observation_space == theirs.observation_space
    compare(native.reset(seed=[3, 8, 1, 9, 4]), theirs.reset(seed=[3, 8, 1, 9, 4]))
    chance = np.random.default_rng(1)
    ends = np.zeros(N, int)
    for _ in range(150):
        actions = chance.integers(0, native.single_action_space.n, N)
        first, second = native.step(actions), theirs.step(actions)
        compare(first, second)
        over = first[2] | first[3]
        ends += over
        if over.any() and mode == AutoresetMode.DISABLED:
            with pytest.raises(gymnasium.error.ResetNeeded, match="are over: reset them first"):
                native.step(actions)
            options = [{"reset_mask": over.copy()} for _ in range(2)]
            compare(native.reset(options=options[0]), theirs.reset(options=options[1]))
    assert ends.min() > 0


@pytest.mark.parametrize("game", GAMES, ids=["torres", "market"])
def test_resetting_some_games(game):
    native, theirs = pair(game, AutoresetMode.NEXT_STEP)
    for env in (native, theirs):
        env.reset(seed=2)
    mask = np.array([True, False, True, False, False])
    seeds = [11, None, 12, None, None]
    compare(
        native.reset(seed=seeds, options={"reset_mask": mask.copy()}),
        theirs.reset(seed=seeds, options={"reset_mask": mask.copy()}),
    )
    actions = np.arange(N)
    compare(native.step(actions), theirs.step(actions))


@pytest.mark.parametrize(
    ("mask", "kind", "message"),
    [
        ([True] * N, TypeError, "must be a boolean NumPy array"),
        (np.ones(N), TypeError, "must be a boolean NumPy array"),
        (np.ones(N + 1, bool), ValueError, "must have shape"),
        (np.zeros(N, bool), ValueError, "at least one True"),
    ],
)
def test_masks_that_cannot_be(mask, kind, message):
    native, _ = pair(GAMES[0], AutoresetMode.NEXT_STEP)
    native.reset(seed=1)
    with pytest.raises(kind, match=message):
        native.reset(options={"reset_mask": mask})


def test_a_step_before_the_reset():
    native, _ = pair(GAMES[0], AutoresetMode.NEXT_STEP)
    with pytest.raises(gymnasium.error.ResetNeeded, match="no game has started"):
        native.step(np.zeros(N, int))
    with pytest.raises(gymnasium.error.ResetNeeded, match="the first reset"):
        native.reset(options={"reset_mask": np.array([True, *[False] * (N - 1)])})


def test_modes_that_there_are_not():
    with pytest.raises(
        ValueError, match="autoreset_mode must be one of 'NextStep', 'SameStep', 'Disabled', not 'never'"
    ):
        pair(GAMES[0], "never")


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP], ids=lambda mode: mode.value)
def test_gymnasiums_vector_wrappers(mode):
    native, theirs = pair(GAMES[0], mode)
    ours, reference = RecordEpisodeStatistics(native), RecordEpisodeStatistics(theirs)
    if mode == AutoresetMode.NEXT_STEP:  # Gymnasium's observation wrappers take no other mode
        ours, reference = FlattenObservation(ours), FlattenObservation(reference)
    same(ours.reset(seed=1)[0], reference.reset(seed=1)[0])
    chance, episodes = np.random.default_rng(2), 0
    for _ in range(150):
        actions = chance.integers(0, 662, N)
        first, second = ours.step(actions), reference.step(actions)
        same(first[0], second[0])
        same(first[4].get("episode", {}), second[4].get("episode", {}), ignored=("t", "_t"))
        episodes += int(first[4].get("_episode", np.zeros(1)).sum())
    assert episodes >= N


def test_starting_from_a_position():
    native, _ = pair(GAMES[0], AutoresetMode.NEXT_STEP, seat=1)
    single = gymnasium.make(GAMES[0][0], opponents="random", seat=1, rules="digest")
    single.reset(seed=3)
    for _ in range(12):
        single.step(int(np.flatnonzero(single.unwrapped.action_masks())[-1]))
    position = single.unwrapped.game_state.position()
    seen, _ = single.reset(seed=3, options={"position": position})
    assert single.unwrapped.game_state.position() == position
    rows, _ = native.reset(seed=3, options={"position": position})
    for part, array in seen.items():
        np.testing.assert_array_equal(rows[part][0], array)
        np.testing.assert_array_equal(rows[part][N - 1], array)


ONE, MANY, TURNS = (
    gymnasium.make,
    lambda *a, **k: gymnasium.make_vec(*a, num_envs=2, **k),
    lambda _, **k: torres_v0.env(**k),
)


@pytest.mark.parametrize(
    ("face", "options", "reset", "message"),
    [
        (ONE, {"flatten": "no"}, {}, "flatten must be True or False, not 'no'"),
        (MANY, {}, {"seed": 1.5}, "seed must be an integer or 2 integers, not 1.5"),
        (MANY, {}, {"seed": True}, "a seed must be an integer, not True"),
        (MANY, {}, {"seed": [1]}, "seed must be an integer or 2 integers, not [1]"),
        *((face, {}, {"options": "x"}, "options must be a dict, not 'x'") for face in (ONE, MANY, TURNS)),
        *(
            (face, {}, {"options": {"position": 5}}, "options['position'] must be a dict")
            for face in (ONE, MANY, TURNS)
        ),
    ],
)
def test_wrong_types_in_one_line(face, options, reset, message):
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        face(GAMES[0][0], **options).reset(**reset)


def test_whole_numbers_of_numpy_as_number_of_players():
    assert MANY(GAMES[0][0], num_players=np.int64(3)).reset(seed=1)[1]["seat"].max() <= 2


def test_an_action_out_of_range_is_named_as_it_was_given():
    env = gymnasium.make(GAMES[0][0], illegal="raise")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="^action -1 is out of range"):
        env.step(-1)
