"""Soak test: play a million games in one process and watch its memory: ``python -m benchmarks.soak``.

Nearly all games are played in batches; one in a hundred uses the objects: a state with clones, bytes, positions and
resampling, PettingZoo, and Gymnasium against a built-in player. Memory is the resident set size.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from market_env import MarketBatch, MarketState, market_v0
from torres_env import TorresBatch, TorresState, torres_v0

KINDS: tuple[tuple[Any, int, str], ...] = (
    (TorresBatch, 2, "standard"),
    (TorresBatch, 4, "master"),
    (MarketBatch, 2, "full"),
    (MarketBatch, 3, "base"),
)
SLOTS = 256
OBJECT_SHARE = 100  # one game in this many uses the objects
ALLOWED_MIB = 16.0


def resident_mib() -> float:
    """Resident memory of this process in MiB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def soak(games: int, rows: int = 10) -> Iterator[tuple[int, float, int]]:
    """Play *games* games; yields *rows* times, evenly: games so far, resident MiB, objects tracked by Python's collector."""
    batches = [make(SLOTS, players, rules, seed=1, opponents=None) for make, players, rules in KINDS]
    by_objects = done = row = 0
    while row < rows:
        for batch in batches:
            batch.random_play(200)
        by_batches = int(sum(batch.slots["episode"].sum() for batch in batches))
        while by_objects * OBJECT_SHARE < by_batches:
            play_objects(by_objects)
            by_objects += len(_PLAYS)
        done = by_batches + by_objects
        if done >= games * (row + 1) / rows:
            row += 1
            gc.collect()
            yield done, resident_mib(), len(gc.get_objects())


def play_objects(seed: int) -> None:
    """Play one game with each kind of object."""
    rng = np.random.default_rng(seed)
    for play in _PLAYS:
        play(seed, rng)


def _play_state(state: Any, rng: np.random.Generator) -> None:
    moves = 0
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
        moves += 1
        if moves % 40 == 0:
            state = type(state).from_bytes(state.clone().to_bytes())
            state = type(state).from_position(state.position())
            seat = max(state.current_player(), 0)
            state.resample_hidden(seat, moves).observation(seat)


def _play_aec(env: Any, seed: int) -> None:
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(mask=observation["action_mask"]))
    env.close()


def _play_gym(name: str, seed: int, rng: np.random.Generator) -> None:
    env = gymnasium.make(name, opponents="greedy")
    _, info = env.reset(seed=seed)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        over = terminated or truncated
    env.close()


_PLAYS: tuple[Any, ...] = (
    lambda seed, rng: _play_state(TorresState(3, "standard", seed), rng),
    lambda seed, rng: _play_state(MarketState(2, "full", seed), rng),
    lambda seed, rng: _play_aec(torres_v0.env(), seed),
    lambda seed, rng: _play_aec(market_v0.env(), seed),
    lambda seed, rng: _play_gym("torres_env/Torres-v0", seed, rng),
    lambda seed, rng: _play_gym("market_env/Market-v0", seed, rng),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1_000_000, help="how many (default: a million)")
    args = parser.parse_args()
    start, found = time.perf_counter(), []
    print(f"{'games':>12} {'MiB':>9} {'objects':>9} {'seconds':>8}")
    for done, mib, objects in soak(args.games):
        found.append(mib)
        print(f"{done:>12,} {mib:>9.1f} {objects:>9,} {time.perf_counter() - start:>8.0f}", flush=True)
    growth = found[-1] - found[0]
    print(f"from the first row to the last: {growth:+.1f} MiB (allowed: {ALLOWED_MIB:.0f})")
    return 1 if growth > ALLOWED_MIB else 0


if __name__ == "__main__":
    sys.exit(main())
