"""PettingZoo's and Gymnasium's own checkers, and checks of our own."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from tower_core.testing.setups import Setup, equal, require

FORMATS: tuple[dict[str, Any], ...] = (
    {},
    {"flatten": True},
    {"dtype": "float32"},
    {"flatten": True, "dtype": "float32"},
)
PIXELS = True
"""Whether to check pixel rendering, which requires the extra ``render``."""
try:
    import PIL  # noqa: F401
    import resvg_py  # noqa: F401
except ImportError:
    PIXELS = False


@contextlib.contextmanager
def _strictly() -> Iterator[io.StringIO]:
    """Turn warnings into errors and capture the output."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()) as printed:
        warnings.simplefilter("error")
        # PettingZoo warns about every environment with action masks, whose observations are dicts, and about empty boards.
        known = "Observation (is not a NumPy array|space for each agent probably|numpy array is all zeros)"
        warnings.filterwarnings("ignore", message=known)
        yield printed


def gym_name(setup: Setup) -> str:
    """The id with the package that registers it."""
    return f"{setup.game.gym_id.partition('/')[0]}:{setup.game.gym_id}"


def make_gym(setup: Setup, **options: Any) -> Any:
    return gymnasium.make(gym_name(setup), num_players=setup.players, rules=setup.rules, **options)


def make_vector(setup: Setup, num_envs: int, **options: Any) -> Any:
    return gymnasium.make_vec(gym_name(setup), num_envs, num_players=setup.players, rules=setup.rules, **options)


def legal_of(rng: np.random.Generator, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def check_pettingzoo(setup: Setup) -> None:
    """PettingZoo's own checks, spaces and masks; arrays handed out before stay unchanged."""
    from pettingzoo.test import api_test, render_test, seed_test

    game, arguments = setup.game, (setup.players, setup.rules)
    env, raw_env = game.face("env"), game.face("raw_env")
    with _strictly():
        for options in ({}, {"illegal": "random"}, {"illegal": "raise"}, *FORMATS[1:]):
            api_test(env(*arguments, **options), num_cycles=60)
        for reward in game.rewards:
            api_test(raw_env(*arguments, reward), num_cycles=60)
        seed_test(lambda: env(*arguments), num_cycles=60)
        if PIXELS:
            render_test(lambda render_mode=None: env(*arguments, render_mode=render_mode))
    aec = pettingzoo.make("aec", game.gym_id, num_players=setup.players, rules=setup.rules)
    require(aec.metadata["name"] == f"{game.name}_{game.version}", f"metadata: wrong name {aec.metadata['name']!r}")
    agents = [f"player_{seat}" for seat in range(setup.players)]
    require(aec.possible_agents == agents, f"possible_agents are {aec.possible_agents}")
    rng = np.random.default_rng(0)
    aec.reset(seed=2)
    kept: list[tuple[Any, Any]] = []
    for _ in range(40):
        if not aec.agents or aec.last()[2] or aec.last()[3]:
            break
        for agent in aec.agents:
            seen, mover = aec.observe(agent), agent == aec.agent_selection
            require(aec.observation_space(agent).contains(seen), "an observation is not in its observation space")
            require(seen["action_mask"].any() == mover, "the mask of a seat that is not to move isn't all zero")
            require(
                equal(aec.infos[agent]["action_mask"], seen["action_mask"]), "info and observation: action masks differ"
            )
            kept.append((seen, {"action_mask": seen["action_mask"].copy(), **_copied(seen["observation"])}))
        observation, _, _, _, info = aec.last()
        mask = info["action_mask"].copy()
        aec.step(legal_of(rng, observation["action_mask"]))
        require(equal(info["action_mask"], mask), "an info that was handed out is overwritten")
    for seen, was in kept:
        now = {"action_mask": seen["action_mask"], **_copied(seen["observation"])}
        require(equal(now, was), "an observation that was handed out is overwritten")
    _check_illegal(raw_env(*arguments))
    text = env(*arguments, render_mode="ansi")
    text.reset(seed=1)
    require(text.render() == str(text.unwrapped.game_state), "render() of 'ansi' is not the state's text")


def _copied(observation: dict[str, Any]) -> dict[str, Any]:
    return {name: part.copy() for name, part in observation.items()}


def _check_illegal(env: Any) -> None:
    """The raw environment rejects illegal actions and stays unchanged."""
    env.reset(seed=1)
    before, mask = env.game_state.to_bytes(), env.observe(env.agent_selection)["action_mask"]
    for wrong in (*np.flatnonzero(mask == 0)[:3].tolist(), -1, len(mask), 10**30, 1.5, None, "0", True):
        try:
            env.step(wrong)
        except ValueError:
            require(env.game_state.to_bytes() == before, f"step({wrong!r}) is rejected but changes the game")
        else:
            require(False, f"raw_env: step({wrong!r}) is not rejected")


def check_gymnasium(setup: Setup) -> None:
    """Gymnasium's own check, whole games of one learner, and the vector environment's spaces and metadata."""
    with _strictly():
        for options in FORMATS:
            for mode in ("ansi", "rgb_array") if PIXELS else ("ansi",):
                env = make_gym(setup, opponents="random", render_mode=mode, **options)
                check_env(env.unwrapped, skip_render_check=not PIXELS)
    env = make_gym(setup, opponents="random:1,passive:2")
    try:
        make_gym(setup).step(0)
    except gymnasium.error.ResetNeeded:
        pass
    else:
        require(False, "step() before reset() is not rejected")
    rng = np.random.default_rng(0)
    for episode in range(3):
        observation, info = env.reset(seed=episode)
        over = False
        while not over:
            require(env.observation_space.contains(observation), "an observation is not in its observation space")
            require(info["action_mask"].dtype == np.int8, "info['action_mask'] is not int8")
            require(0 <= info["seat"] < setup.players, f"info['seat'] is {info['seat']}")
            require(
                equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool)), "action_masks() and info differ"
            )
            observation, reward, terminated, truncated, info = env.step(legal_of(rng, info["action_mask"]))
            over = terminated or truncated
            require(reward == 0 or over, "the reward 'outcome' is paid before the end")
        require(env.observation_space.contains(observation), "the last observation is not in its observation space")
        require(not info["action_mask"].any(), "actions are legal after the end")
        require(len(info["scores"]) == setup.players and -1 <= reward <= 1, "scores or reward are wrong at the end")
    vector = make_vector(setup, 3, opponents="random")
    require(vector.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP, "autoreset_mode is not NEXT_STEP")
    vector = make_vector(setup, 3, opponents="random", autoreset_mode=AutoresetMode.SAME_STEP)
    require(vector.single_observation_space == env.observation_space, "vector and single: observation spaces differ")
    require(vector.single_action_space == env.action_space, "vector and single: action spaces differ")
    observation, info = vector.reset(seed=4)
    for _ in range(60):
        require(vector.observation_space.contains(observation), "an observation is not in the vector's space")
        actions = np.array([legal_of(rng, mask) for mask in info["action_mask"]])
        observation, reward, terminated, truncated, info = vector.step(actions)
        done = terminated | truncated
        kinds = (reward.dtype, terminated.dtype, truncated.dtype)
        require(kinds == (np.float64, np.bool_, np.bool_), f"the vector's step gives arrays of {kinds}")
        require(not reward[~done].any(), "the vector pays the reward 'outcome' before the end")
        require(info["action_mask"].any(axis=1).all(), "vector: no next game has started after an end")
        require(
            ("final_obs" in info) == done.any(), "vector: final_obs is missing after an end, or present without one"
        )
        for i in range(3) if done.any() else ():
            final = info["final_obs"][i]
            there = vector.single_observation_space.contains(final) if done[i] else final is None
            require(there, "final_obs lacks a finished game, or contains one in progress")
            require(not done[i] or not info["final_info"]["action_mask"][i].any(), "final_info has legal actions")
    vector.close()
