"""Fit the weights of the market game's evaluation to game results: ``python -m benchmarks.fit_market --rules full``.

A player plays itself, with some actions replaced by random ones for variety. At the start of every turn, features of each
player are recorded (agents/market/evaluation.py); a conditional logit model of the winner is fitted to them, with a ridge
penalty (--ridge) towards the current weights, in standard deviations. One game in five is held out. Prints both losses
and the weights, before and after; changes no files.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agents
from agents.market import planner
from agents.market.evaluation import FEATURES, NUM_FEATURES, describe, stock_markets, unit_of
from agents.market.weights import GUARD, PLAIN, WEIGHTS
from market_env import MarketRules, MarketState
from market_env.record import RECORD
from market_env.rules import resolve
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.engine.compiling import Entry
from tower_core.engine.intrinsics import carray, pointer

FIRST_SEED = 50_000_000
RANDOM_SHARES = (0.0, 0.0, 0.03, 0.1)  # share of random actions; drawn per game
KEPT_OUT = 5
STEPS = 50  # maximum steps of Newton's method


def describe_players(record: int, given_at: int, features_at: int) -> int:
    """Write the features, float64 [MAX_SEATS, NUM_FEATURES], of a record as if its mover were next; all are addresses."""
    s = carray(pointer(record), (1,), RECORD)[0]
    players = np.int64(s.num_players)
    given = carray(pointer(given_at), (planner.ENTRY_AT,), np.float64)
    features = carray(pointer(features_at), (MAX_SEATS, NUM_FEATURES), np.float64)
    brain = planner.make_brain(s, given)
    stock_markets(s, brain[4])
    unit = unit_of(s)
    for q in range(players):
        describe(s, q, np.int64(s.to_move), unit, brain, features[q])
    return 0


def compile_description() -> Callable[..., int]:
    """The compiled :func:`describe_players`."""
    packages = ("market_env", "agents.market", "benchmarks.fit_market")
    return Entry(describe_players, packages, "the description of players")()[0]


@dataclass(frozen=True)
class Turns:
    """*features* [n, players, NUM_FEATURES] at the start of turns, the *share* [n, players] of the win that each player got,
    and whether the game is *kept_out* [n] of the fit.
    """

    features: NDArray[np.float64]
    share: NDArray[np.float64]
    kept_out: NDArray[np.bool_]


def play(rules: MarketRules, players: int, games: int, spec: str, seed: int) -> Turns:
    """Play games of a player against itself."""
    chance = np.random.default_rng(seed)
    table = [agents.make(spec, game="market", seed=seed + p) for p in range(players)]
    weights = planner.all_weights()
    given, description = np.zeros(planner.ENTRY_AT), compile_description()
    given[planner.GREEDY_AT : planner.GREEDY_AT + len(weights)] = weights
    features: list[NDArray[np.float64]] = []
    shares: list[NDArray[np.float64]] = []
    kept_out: list[bool] = []
    for game in range(games):
        state, turn, met = MarketState(players, rules, seed + game), None, 0
        random_share = chance.choice(RANDOM_SHARES)
        while not state.is_terminal():
            now = int(state._record["round"][0]), state.current_player()
            if now != turn:
                turn, met = now, met + 1
                found = np.zeros((MAX_SEATS, NUM_FEATURES))
                description(state._address, given.ctypes.data, found.ctypes.data)
                features.append(found[:players])
            legal = state.legal_actions()
            if chance.random() < random_share:
                state.apply_action(int(chance.choice(legal)))
            else:
                state.apply_action(table[state.current_player()].act(state))
        won = np.array(state.returns()) == max(state.returns())
        shares += [won / won.sum()] * met
        kept_out += [game % KEPT_OUT == 0] * met
    return Turns(np.array(features), np.array(shares), np.array(kept_out))


def loss(weights: NDArray[np.float64], turns: Turns, chosen: NDArray[np.bool_]) -> float:
    """Mean negative log-likelihood of the winners."""
    z = turns.features[chosen] @ weights
    z -= z.max(1, keepdims=True)
    log_probs = z - np.log(np.exp(z).sum(1, keepdims=True))
    return float(-(turns.share[chosen] * log_probs).sum(1).mean())


def fit(start: NDArray[np.float64], turns: Turns, ridge: float) -> NDArray[np.float64]:
    """The weights fitted to the games that are not held out, by Newton's method."""
    x, share = turns.features[~turns.kept_out], turns.share[~turns.kept_out]
    spread = np.maximum(x.std((0, 1)), 1e-3)
    penalty = ridge * spread**2
    weights = start.copy()
    for _ in range(STEPS):
        z = x @ weights
        probs = np.exp(z - z.max(1, keepdims=True))
        probs /= probs.sum(1, keepdims=True)
        gradient = np.einsum("np,npf->f", probs - share, x) / len(x) + penalty * (weights - start)
        centred = x - np.einsum("np,npf->nf", probs, x)[:, None]
        hessian = np.einsum("np,npf,npg->fg", probs, centred, centred, optimize=True) / len(x)
        step = np.linalg.solve(hessian + np.diag(penalty + 1e-9), gradient)
        weights -= step
        if np.abs(step * spread).max() < 1e-6:
            break
    return weights


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="full", help="preset (not solo)")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--player", default="planner:samples=48", help="who plays")
    parser.add_argument("--ridge", type=float, default=1e-5, help="weight of the penalty")
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    options = parser.parse_args(arguments)
    rules = resolve(options.rules)
    if rules.solo or options.players < 2:
        parser.error("--rules: solo games have their own weights: choose rules for two or more players")
    which = GUARD if rules.guard else PLAIN
    start = np.array([WEIGHTS[name][which] for name in FEATURES])
    turns = play(rules, options.players, options.games, options.player, options.seed)
    fitted = fit(start, turns, options.ridge)
    report(start, fitted, turns)
    return 0


def report(start: NDArray[np.float64], fitted: NDArray[np.float64], turns: Turns) -> None:
    print(f"{len(turns.share):,} turns")
    for what, chosen in (("fitted to", ~turns.kept_out), ("kept out", turns.kept_out)):
        print(f"loss, games {what}: {loss(start, turns, chosen):.4f} before, {loss(fitted, turns, chosen):.4f} after")
    rows: list[tuple[str, Any, Any]] = list(zip(FEATURES, start, fitted, strict=True))
    for name, before, after in rows:
        print(f"{name:14s} {before:7.3f} {after:7.3f}")


if __name__ == "__main__":
    raise SystemExit(main())
