"""A seed gives the same game in every environment; copies of an environment continue exactly as the original."""

from __future__ import annotations

import copy
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv
from pettingzoo import AECEnv

from tower_core.engine.random import episode_seed_of
from tower_core.envs.batch import Batch
from tower_core.state import State
from tower_core.testing.environments import legal_of, make_gym, make_vector
from tower_core.testing.setups import Setup, digest, equal, everything, play, require

OPPONENTS = "random:1,passive:1"
MOST_STEPS = 3000


def check_same_games(setup: Setup) -> None:
    """Batch, PettingZoo environment and state play identical games step by step, several in a row.

    On two threads; :func:`check_seeds` shows that their number changes nothing.
    """
    game, arguments = setup.game, (setup.players, setup.rules)
    batch = game.batch_class()(3, *arguments, seed=100, num_threads=2)
    env = game.face("raw_env")(*arguments)
    env.reset(seed=100)
    states, episodes = [setup.state(100 + i) for i in range(3)], [0, 0, 0]
    for _ in range(MOST_STEPS):
        if min(episodes) >= 1 and max(episodes) >= 2:
            break
        for i, state in enumerate(states):
            mover = state.current_player()
            require(batch.to_move[i] == mover, "batch and state: another seat is to move")
            require(
                equal(game.split(batch.observation[i]), state.observation(mover)),
                "batch and state: observations differ",
            )
            require(equal(batch.action_mask[i] > 0, state.legal_actions_mask()), "batch and state: action masks differ")
        _check_aec(env, states[0])
        actions = batch.sample_actions().copy()
        batch.step(actions)
        env.step(int(actions[0]))
        for i, state in enumerate(states):
            state.apply_action(int(actions[i]))
            over = state.is_terminal()
            require(batch.done[i] == over, "batch and state disagree on whether the game is over")
            paid = state.returns()
            require(np.allclose(batch.reward[i], paid, atol=1e-6), "batch: reward differs from returns()")
            if not over:
                require(batch.state(i).position() == state.position(), "batch and state: positions differ")
                continue
            require(batch.final_score[i].tolist() == state.scores(), "batch: final_score differs from scores()")
            require(batch.truncated[i] == state.is_truncated(), "batch: truncated differs from is_truncated()")
            seen = game.split(batch.final_observation[i])
            require(equal(seen, state.observation(0)), "batch: final_observation is not that of the end")
            require(np.allclose(batch.final_utility[i], paid, atol=1e-6), "batch: final_utility differs from returns()")
            if i == 0:
                _check_aec(env, state)
                env.reset()
            episodes[i] += 1
            states[i] = setup.state(episode_seed_of(100 + i, episodes[i]))
    require(max(episodes) > 0, f"none of three games ends within {MOST_STEPS} actions")
    batch.close()


def _check_aec(env: Any, state: State) -> None:
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        require(equal(seen["observation"], state.observation(seat)), "PettingZoo and state: observations differ")
        if seat == state.current_player():
            require(
                equal(seen["action_mask"] > 0, state.legal_actions_mask()), "PettingZoo and state: action masks differ"
            )
    require(env.game_state.position() == state.position(), "PettingZoo and state: positions differ")
    if state.is_terminal():
        require(env.game_state.history() == state.history(), "PettingZoo and state: histories differ")
        rewards = [env.rewards[agent] for agent in env.possible_agents]
        require(np.allclose(rewards, state.returns(), atol=1e-5), "PettingZoo: the rewards differ from returns()")
        ended = env.truncations if state.is_truncated() else env.terminations
        require(all(ended.values()), "PettingZoo: terminations and truncations are all False at the end")


def check_seeds(setup: Setup) -> None:
    """Games depend only on seed, slot and episode number."""
    make = setup.game.batch_class()
    for opponents in (None, OPPONENTS) if setup.players > 1 else (None,):
        arguments = (setup.players, setup.rules)
        many = make(8, *arguments, 50, opponents)
        threads = make(8, *arguments, 50, opponents, num_threads=2)
        few = make(3, *arguments, 53, opponents)
        steps = make(8, *arguments, 50, opponents)
        for batch in (many, threads, few):
            batch.random_play(200)
        for _ in range(200):
            steps.step(steps.sample_actions())
        for name in (
            "games",
            "observation",
            "action_mask",
            "to_move",
            "reward",
            "done",
            "final_score",
            "final_observation",
        ):
            rows = getattr(many, name)
            require(
                rows.tobytes() == getattr(threads, name).tobytes(), f"batch: {name} depends on the number of threads"
            )
            require(
                rows.tobytes() == getattr(steps, name).tobytes(), f"batch: {name} differs between random_play and steps"
            )
            require(
                rows[3:6].tobytes() == getattr(few, name).tobytes(), f"batch: {name} depends on the size of the batch"
            )
        threads.close()
    batch = make(2, setup.players, setup.rules, seed=8)
    batch.reset()
    for i, seed in ((0, episode_seed_of(8, 1)), (1, episode_seed_of(9, 1))):
        require(
            batch.state(i).position() == setup.state(seed).position(), "reset() doesn't continue with the next game"
        )
    batch.reset_slot(1, 77)
    require(batch.state(1).position() == setup.state(77).position(), "reset_slot() doesn't start the game of the seed")
    env = make_gym(setup, seat=0)
    env.reset(seed=3)
    env.reset()
    at = env.unwrapped.batch.slots
    require(
        int(at["seed"][0]) == 3 and int(at["episode"][0]) >= 1, "Gymnasium: reset() doesn't continue with the next game"
    )


def check_rewards(setup: Setup) -> None:
    """Every reward is the same in batch and PettingZoo; the reward "outcome" sums to returns()."""
    game, arguments = setup.game, (setup.players, setup.rules)
    for reward in game.rewards:
        batch = game.batch_class()(1, *arguments, seed=21, reward=reward, autoreset=False)
        env = game.face("raw_env")(*arguments, reward)
        env.reset(seed=21)
        total = np.zeros(setup.players)
        while batch.to_move[0] >= 0:
            action = int(batch.sample_actions()[0])
            batch.step(batch.actions)
            env.step(action)
            paid = [env.rewards[agent] for agent in env.possible_agents]
            require(np.allclose(batch.reward[0], paid, atol=1e-5), f"reward {reward!r}: batch and PettingZoo differ")
            over = batch.to_move[0] < 0
            require(over or reward in game.dense_rewards or not any(paid), f"reward {reward!r} is paid before the end")
            total += paid
        require(np.isfinite(total).all(), f"reward {reward!r} is not finite")
        if reward == "outcome":
            require(
                np.allclose(total, env.game_state.returns(), atol=1e-4), "reward 'outcome' doesn't sum to returns()"
            )


class Picks:
    """A Python player that always chooses the same index of the legal actions."""

    name = "picks"
    native = None

    def __init__(self, place: int) -> None:
        self.place = place

    def act(self, state: State) -> int:
        legal = state.legal_actions()
        return legal[self.place % len(legal)]


def check_vector(setup: Setup) -> None:
    """The vector environment equals as many single environments, and opponents play the state's game."""
    options: dict[str, Any] = {"opponents": OPPONENTS}
    if setup.game.dense_rewards:
        options["reward"] = sorted(setup.game.dense_rewards)[0]
    vector = make_vector(setup, 3, num_threads=2, autoreset_mode="SameStep", **options)
    singles = [make_gym(setup, **options) for _ in range(3)]
    seen, info = vector.reset(seed=5)
    alone = [env.reset(seed=5 + k) for k, env in enumerate(singles)]
    rng = np.random.default_rng(0)
    for _ in range(150):
        for k in range(3):
            here = {name: part[k] for name, part in seen.items()}
            require(equal(here, alone[k][0]), "vector and single environment: observations differ")
            require(equal(info["action_mask"][k], alone[k][1]["action_mask"]), "vector and single: action masks differ")
            require(info["seat"][k] == alone[k][1]["seat"], "vector and single: the learner's seats differ")
        actions = np.array([legal_of(rng, mask) for mask in info["action_mask"]])
        seen, rewards, terminated, truncated, info = vector.step(actions)
        for k, env in enumerate(singles):
            observation, paid, over, cut, end = env.step(int(actions[k]))
            require(abs(rewards[k] - paid) < 1e-6, "vector and single: rewards differ")
            require((terminated[k], truncated[k]) == (over, cut), "vector and single: they end at different steps")
            if over or cut:
                require(
                    equal(info["final_obs"][k], observation), "vector: final_obs differs from the single environment's"
                )
                require(info["final_info"]["scores"][k].tolist() == end["scores"], "vector and single: scores differ")
            alone[k] = env.reset() if over or cut else (observation, end)
    vector.close()
    _check_python_opponents(setup)


def _check_python_opponents(setup: Setup) -> None:
    seat = setup.players - 1
    env = make_gym(setup, opponents=Picks(3), seat=seat)
    seen, info = env.reset(seed=9)
    state, learner, other = setup.state(9), Picks(-2), Picks(3)
    over, moves = False, 0
    while not over and moves < MOST_STEPS:
        while not state.is_terminal() and state.current_player() != seat:
            state.apply_action(other.act(state))
        if state.is_terminal() and not moves:
            return  # the environment has started another game, in which the learner gets a turn
        require(
            equal(seen, state.observation(seat)), "with Python opponents, environment and state: observations differ"
        )
        require(
            equal(info["action_mask"] > 0, state.legal_actions_mask()), "with Python opponents, the action mask differs"
        )
        action = learner.act(state)
        state.apply_action(action)
        seen, _, terminated, truncated, info = env.step(action)
        over, moves = terminated or truncated, moves + 1
    while not state.is_terminal() and state.current_player() != seat:
        state.apply_action(other.act(state))
    require(not over or state.is_terminal(), "with Python opponents, the game ends too early")


def trace(face: Any, steps: int, seed: int) -> list[str]:
    """Continue at random and return a digest of everything observable after every step."""
    rng = np.random.default_rng(seed)
    play_one = next(play_one for kind, play_one in _PLAYS if isinstance(face, kind))
    return [digest(play_one(face, rng)) for _ in range(steps)]


def _play_state(state: State, rng: np.random.Generator) -> Any:
    if state.is_terminal():
        return "over", state.position(), state.history(), state.returns()
    state.apply_action(legal_of(rng, state.legal_actions_mask()))
    return state.position(), state.history()[-1], state.observation(0)


def _play_aec(env: Any, rng: np.random.Generator) -> Any:
    if not env.agents:
        env.reset()
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else legal_of(rng, observation["action_mask"]))
    return env.agents, observation, reward, over, info, env.rewards, env.infos, env.unwrapped.game_state.position()


def _play_gym(env: Any, rng: np.random.Generator) -> Any:
    seen = env.step(legal_of(rng, env.unwrapped.action_masks()))
    return seen, env.reset() if seen[2] or seen[3] else None, env.unwrapped.game_state.position()


def _play_vector(env: Any, rng: np.random.Generator) -> Any:
    return env.step(np.array([legal_of(rng, mask) for mask in env.unwrapped.action_masks()]))


def _play_batch(batch: Batch, rng: np.random.Generator) -> Any:
    actions = batch.sample_actions().copy()
    actions[0] = legal_of(rng, batch.action_mask[0])
    batch.step(actions)
    positions = [batch.state(i).position() for i in range(len(batch))]
    return batch.observation, batch.action_mask, batch.to_move, batch.reward, batch.done, batch.learner, positions


_PLAYS: tuple[tuple[Any, Any], ...] = (
    (State, _play_state), (AECEnv, _play_aec), (VectorEnv, _play_vector), (gymnasium.Env, _play_gym), (Batch, _play_batch)
)  # fmt: skip


def faces_of(setup: Setup) -> dict[str, Any]:
    """Every environment of a game, some moves into it, so that copies have state to lose."""
    game, arguments = setup.game, (setup.players, setup.rules)
    dense = sorted(game.dense_rewards or game.rewards)[0]
    faces = {
        "State": setup.state(5),
        "raw_env": game.face("raw_env")(*arguments, dense),
        "env": game.face("env")(*arguments, illegal="random"),
        "Env": make_gym(setup, opponents=OPPONENTS, reward=dense, flatten=True),
        "VectorEnv": make_vector(setup, 3, opponents=OPPONENTS),
        "Batch": game.batch_class()(3, *arguments, 5, reward=dense),
        "Batch with opponents": game.batch_class()(3, *arguments, 5, OPPONENTS),
    }
    for name, face in faces.items():
        if not isinstance(face, (State, Batch)):
            face.reset(seed=5)
        trace(face, 5 if name == "State" else 60, 1)
    return faces


def check_copies_of_faces(setup: Setup) -> None:
    """Deep copies and pickles continue exactly as the original, and don't change while it plays."""
    for name, face in faces_of(setup).items():
        copies = {"deepcopy": copy.deepcopy(face), "pickle": pickle.loads(pickle.dumps(face))}
        expected = trace(face, 30, 2)
        for how, other in copies.items():
            require(trace(other, 30, 2) == expected, f"{how} of {name} continues differently")


def check_threads(setup: Setup) -> None:
    """Games played in eight threads equal games played alone."""

    def ended(seed: int) -> str:
        state = setup.state(seed)
        play(state, random.Random(seed), 200)
        return digest(everything(state))

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(ended, range(8)))
    require(together == [ended(seed) for seed in range(8)], "games in several threads differ from games played alone")
