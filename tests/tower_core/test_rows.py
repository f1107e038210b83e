"""Observations of an environment are fresh: whatever somebody holds of one, be it a view, is never written again."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from market_env import market_v0
from torres_env import torres_v0

KEEP = {
    "all": lambda seen: seen,
    "dict": lambda seen: seen["observation"],
    "array": lambda seen: next(iter(seen["observation"].values())),
    "last array": lambda seen: list(seen["observation"].values())[-1],
    "mask": lambda seen: seen["action_mask"],
    "view": lambda seen: next(iter(seen["observation"].values()))[1:],
    "view of the mask": lambda seen: seen["action_mask"][::2],
    "memoryview": lambda seen: memoryview(seen["action_mask"]),
    "iterator": lambda seen: np.nditer(seen["action_mask"]).operands[0],
}


def copied(kept):
    return np.array(kept) if isinstance(kept, memoryview) else copy.deepcopy(kept)


def same(one, two) -> bool:
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    return np.array_equal(np.asarray(one), np.asarray(two))


@pytest.mark.parametrize("keep", KEEP.values(), ids=KEEP)
@pytest.mark.parametrize("make", [torres_v0.raw_env, market_v0.raw_env], ids=["torres", "market"])
def test_what_is_held_is_never_written_again(make, keep):
    env = make()
    rng = np.random.default_rng(0)
    kept = []
    for seed in range(2):
        env.reset(seed=seed)
        for step in range(40):
            seen, _, over, truncated, _ = env.last()
            if over or truncated:
                break
            action = int(rng.choice(np.flatnonzero(seen["action_mask"])))
            if step % 3 != 1:  # some are let go, so that rows are used again
                held = keep(seen)
                kept.append((held, copied(held)))
                del held
            del seen
            env.step(action)
    assert len(kept) > 40
    assert all(same(held, as_it_was) for held, as_it_was in kept)


@pytest.mark.parametrize(
    "options", [{}, {"flatten": True}, {"dtype": "float32"}, {"flatten": True, "dtype": "float32"}]
)
@pytest.mark.parametrize("make", [torres_v0.raw_env, market_v0.raw_env], ids=["torres", "market"])
def test_a_change_by_the_caller_reaches_nobody(make, options):
    env = make(**options)
    env.reset(seed=3)
    agent = env.agent_selection
    first = env.observe(agent)
    want = copy.deepcopy(first)
    first["action_mask"][:] = 7
    observation = first["observation"]
    for array in observation.values() if isinstance(observation, dict) else [observation]:
        array[:] = 9
    first.clear()
    for again in (env.observe(agent), env.last()[0], env.last()[0]):
        assert same(again, want)
        assert env.observation_space(agent).contains(again)


def test_rows_are_used_again():
    env = torres_v0.raw_env()
    env.reset(seed=0)
    places = set()
    for _ in range(20):
        seen = env.last()[0]
        places.add(seen["observation"]["board"].ctypes.data)
        env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert len(places) == 3
