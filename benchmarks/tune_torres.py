"""Tunes the weights of the Torres planner by self-play; produced the built-in weights (agents/torres/weights.py).

    python -m benchmarks.tune_torres --seconds 3600 --out weights.npy

Each step draws a random perturbation, plays the planner with it against the planner with its negative, and moves the
weights along it in proportion to the lead (SPSA). Steps with and without action cards alternate. Writes the average of
the last steps, float64 [3 phases, features, 2].
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.torres.evaluation import NUM_FEATURES
from agents.torres.planner import make_planner
from agents.torres.weights import WEIGHTS
from torres_env import TorresBatch, TorresRules
from torres_env.game import GAME
from tower_core.players.native_player import NativePlayer

# Size of the perturbation per feature.
STEP = np.array([0, 0.15, 0.1, 0.2, 0.2, 0.2, 0.8, 1, 1, 0.15, 0.1, 0.15, 0.05, 0.15, 0.05])
SPREAD = 40.0  # standard deviation of the point difference in one game


def difference(first: NativePlayer, second: NativePlayer, games: int, rules: TorresRules, seed: int) -> float:
    """Mean point difference of *first* over *second* in *games* games (even), half of them from each seat."""
    total = 0.0
    for seat in range(2):
        batch = TorresBatch(games // 2, 2, rules, seed, second, seat=seat, autoreset=False)
        while (batch.to_move >= 0).any():
            batch.step(first.act_on_batch(batch))
        total += float((batch.final_score[:, seat] - batch.final_score[:, 1 - seat]).sum())
    return total / games


def tune(weights: NDArray[np.float64], seconds: float, out: Path, seed: int, rival: float, rate: float = 0.4) -> None:
    rng = np.random.default_rng(seed)
    scale = np.stack([STEP, STEP / 3], axis=1)
    average = weights.copy()
    kinds = ((24, 24, TorresRules(card_list=())), (24, 24, TorresRules(card_list=())), (16, 12, TorresRules()))
    end, step = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        width, games, rules = kinds[step % 3]
        change = rng.standard_normal(weights.shape) * scale
        pair = [
            make_planner(GAME, seed=i, width=width, rival=rival, weights=(weights + sign * change).reshape(-1))
            for i, sign in ((1, 1), (2, -1))
        ]
        led = difference(*pair, games, rules, int(rng.integers(1 << 30)))
        led = float(np.clip(led * np.sqrt(games) / SPREAD, -2.5, 2.5)) / 2.5
        weights = weights + rate * led * change
        average = 0.97 * average + 0.03 * weights
        step += 1
        if step % 5 == 0:
            with out.open("wb") as file:
                np.save(file, average)
            print(f"{step} steps, {(rules.card_list and 'cards') or 'no cards'}, {led:+.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--out", type=Path, default=Path("weights.npy"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rival", type=float, default=0.5)
    options = parser.parse_args()
    tune(WEIGHTS.reshape(3, NUM_FEATURES, 2), options.seconds, options.out, options.seed, options.rival)


if __name__ == "__main__":
    main()
