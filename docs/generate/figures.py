"""How do the built-in players fare against each other?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import agents
from docs.generate.markdown import percent, table
from tower_core.registry import get_game

SEED, GAMES = 20_000, 1000


@dataclass(frozen=True)
class Duel:
    """Means over games of two: points of the first player and of the other, its share of games won, rounds."""

    points: float
    their_points: float
    won: float
    rounds: float


def duel(game: str, player: str, opponent: str) -> Duel:
    """The same seeds from both seats."""
    results: list[Any] = []
    for seat in range(2):
        batch = get_game(game).batch_class()(GAMES // 2, 2, seed=SEED, opponents=opponent, seat=seat, autoreset=False)
        learner: Any = agents.make(player, game=game, seed=1)
        while (batch.to_move >= 0).any():
            batch.step(learner.act_on_batch(batch))
        points, won = batch.final_score, batch.final_utility[:, seat] == 1
        results.append(np.stack([points[:, seat], points[:, 1 - seat], won, batch.games["round"]]))
    return Duel(*np.concatenate(results, axis=1).mean(axis=1).tolist())


def torres() -> str:
    pairs = (
        ("random", "random"), ("passive", "random"), ("passive", "passive"), ("greedy", "passive"), ("greedy", "greedy"),
    )  # fmt: skip
    return _table(
        "torres",
        pairs,
        ["its points", "the other's", "games won"],
        lambda it: [f"{it.points:.0f}", f"{it.their_points:.0f}", percent(it.won)],
    )


def market() -> str:
    pairs = (("random", "passive"), ("greedy", "passive"), ("greedy", "random"), ("greedy", "greedy"))
    return _table("market", pairs, ["games won", "rounds"], lambda it: [percent(it.won), f"{it.rounds:.1f}"])


def _table(game: str, pairs: Iterable[tuple[str, str]], head: Iterable[str], told: Callable[[Duel], list[str]]) -> str:
    rows = [[f"`{player}`", f"`{opponent}`", *told(duel(game, player, opponent))] for player, opponent in pairs]
    return table(["player", "against", *head], rows)
