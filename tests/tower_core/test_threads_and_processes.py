"""Many environments in many threads and in other processes play the games that they play alone."""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import ThreadPoolExecutor

import gymnasium
import numpy as np
import pytest
from any_state import GAMES, game_digest

from market_env import MarketBatch
from torres_env import TorresBatch

IDS = {"torres": "torres_env/Torres-v0", "market": "market_env/Market-v0"}


def played(env: gymnasium.Env, seed: int, steps: int = 60) -> list[bytes]:
    """What an environment shows in so many steps of random play."""
    rng, seen = np.random.default_rng(seed), []
    observation, info = env.reset(seed=seed)
    for _ in range(steps):
        seen.append(b"".join(part.tobytes() for part in observation.values()))
        observation, reward, terminated, truncated, info = env.step(
            int(rng.choice(np.flatnonzero(info["action_mask"])))
        )
        seen.append(np.float64(reward).tobytes())
        if terminated or truncated:
            observation, info = env.reset()
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_many_environments_in_eight_threads(game):
    envs = [gymnasium.make(IDS[game], opponents="random:1,greedy:1") for _ in range(32)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(played, envs, range(32)))
    alone = [played(envs[0], seed) for seed in range(32)]
    assert together == alone
    assert len({b"".join(seen) for seen in alone}) == 32


# ---------------------------------------------------------------------------------------------- processes
def batch_bytes(batch) -> bytes:
    batch.random_play(50)
    return batch.games.tobytes()


def answer(queue, batch) -> None:
    queue.put((game_digest("torres", 1), game_digest("market", 1), batch_bytes(batch)))


@pytest.mark.parametrize("make", [TorresBatch, MarketBatch])
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_that_are_forked_or_spawned(method, make, monkeypatch):
    """The batch has threads already: a fork takes none of them along."""
    monkeypatch.setenv("PYTHONPATH", ":".join(path for path in sys.path if path))
    context = multiprocessing.get_context(method)
    batch = make(8, 2, seed=3, num_threads=2)
    batch.random_play(10)
    queue = context.Queue()
    process = context.Process(target=answer, args=(queue, batch))
    process.start()
    try:
        found = queue.get(timeout=200)
    finally:
        process.kill()
        process.join()
    assert found == (game_digest("torres", 1), game_digest("market", 1), batch_bytes(batch))
    batch.close()


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_vector_environments(game):
    """Gymnasium's own vector environments, one of them with a process for each game, play what ours does."""
    make = [lambda: gymnasium.make(IDS[game], opponents="random") for _ in range(2)]
    modes = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
    ours = gymnasium.make_vec(IDS[game], num_envs=2, opponents="random", **modes)
    others = [
        gymnasium.vector.SyncVectorEnv(make, **modes),
        gymnasium.vector.AsyncVectorEnv(make, context="fork", **modes),
    ]
    seen, info = ours.reset(seed=5)
    starts = [env.reset(seed=5) for env in others]
    rng = np.random.default_rng(0)
    for _ in range(120):
        for observation, told in starts:
            for name, part in seen.items():
                np.testing.assert_array_equal(observation[name], part, err_msg=name)
            np.testing.assert_array_equal(told["action_mask"], info["action_mask"])
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        seen, reward, terminated, truncated, info = ours.step(actions)
        starts = []
        for env in others:
            observation, paid, over, cut, told = env.step(actions)
            np.testing.assert_allclose(paid, reward, atol=1e-6)
            assert over.tolist() == terminated.tolist()
            assert cut.tolist() == truncated.tolist()
            starts.append((observation, told))
    for env in (ours, *others):
        env.close()
