"""Every face of Torres played by one function: ``trace(face, steps, seed)`` tells all that it shows on the way."""

from __future__ import annotations

import hashlib
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv
from pettingzoo import AECEnv

from torres_env import TorresBatch, TorresState, torres_v0
from tower_core.state import State

ID = "torres_env/Torres-v0"
OPPONENTS = "random:1,greedy:1,passive:1"


def make_face(kind: str) -> Any:
    """A face some moves into its second game, so that copies have something to lose."""
    if kind == "state":
        face: Any = TorresState(3, "classic", seed=5)
    elif kind == "raw_env":
        face = torres_v0.raw_env(3, "classic", "progress")
        face.reset(seed=5)
    elif kind == "env":
        face = torres_v0.env(3, "digest", "score", illegal="random")
        face.reset(seed=5)
    elif kind == "gym":
        face = gymnasium.make(ID, num_players=3, opponents=OPPONENTS, reward="progress", flatten=True)
        face.reset(seed=5)
    elif kind == "vector":
        face = gymnasium.make_vec(ID, num_envs=3, num_players=3, opponents=OPPONENTS, reward="margin")
        face.reset(seed=5)
    else:
        face = TorresBatch(3, 3, "master", 5, OPPONENTS if kind == "batch with opponents" else None, reward="progress")
    trace(face, 60 if kind == "state" else 260, 1)
    return face


KINDS = ("state", "raw_env", "env", "gym", "vector", "batch", "batch with opponents")


def trace(face: Any, steps: int, seed: int) -> list[str]:
    """Play on at random and return a digest of everything that is seen after every step."""
    rng = np.random.default_rng(seed)
    play = next(play for kind, play in _PLAYS if isinstance(face, kind))
    return [digest(play(face, rng)) for _ in range(steps)]


def digest(seen: Any) -> str:
    found = hashlib.blake2b(digest_size=12)
    _feed(found, seen)
    return found.hexdigest()


def _feed(found: Any, seen: Any) -> None:
    if isinstance(seen, dict):
        for name in sorted(seen):
            _feed(found, (name, seen[name]))
    elif isinstance(seen, (tuple, list)):
        for part in seen:
            _feed(found, part)
    elif isinstance(seen, np.ndarray) and seen.dtype != object:
        found.update(f"{seen.dtype}{seen.shape}".encode() + seen.tobytes())
    elif isinstance(seen, np.ndarray):
        _feed(found, seen.tolist())
    else:
        found.update(f"{seen!r};".encode())


def _choice(rng: np.random.Generator, mask: Any) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def _play_state(state: TorresState, rng: np.random.Generator) -> Any:
    if state.is_terminal():
        return "over", state.position(), state.history(), state.returns()
    state.apply_action(_choice(rng, state.legal_actions_mask()))
    return state.position(), state.history()[-1], state.observation(0)


def _play_aec(env: Any, rng: np.random.Generator) -> Any:
    if not env.agents:
        env.reset()
    observation, reward, terminated, truncated, info = env.last()
    over = terminated or truncated
    env.step(None if over else _choice(rng, observation["action_mask"]))
    return env.agents, observation, reward, over, info, env.rewards, env.infos, env.unwrapped.state.position()


def _play_gym(env: Any, rng: np.random.Generator) -> Any:
    seen = env.step(_choice(rng, env.unwrapped.action_masks()))
    return seen, env.reset() if seen[2] else None, env.unwrapped.state.position()


def _play_vector(env: Any, rng: np.random.Generator) -> Any:
    return env.step(np.array([_choice(rng, mask) for mask in env.unwrapped.action_masks()]))


def _play_batch(batch: TorresBatch, rng: np.random.Generator) -> Any:
    actions = batch.sample_actions().copy()
    actions[0] = _choice(rng, batch.action_mask[0])
    batch.step(actions)
    positions = [batch.state(i).position() for i in range(len(batch))]
    return batch.observation, batch.action_mask, batch.to_move, batch.reward, batch.done, batch.learner, positions


_PLAYS = (
    (State, _play_state),
    (AECEnv, _play_aec),
    (VectorEnv, _play_vector),
    (gymnasium.Env, _play_gym),
    (TorresBatch, _play_batch),
)
