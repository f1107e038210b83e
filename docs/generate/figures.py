"""Results of the built-in players against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tower_core.players.specs import make_player
from tower_core.registry import get_game
from towers.game_facts import markdown_table
from train.statistics import percent

SEED, GAMES = 20_000, 1000


@dataclass(frozen=True)
class Duel:
    """Means over two-player games: points of the player and its opponent, share of games won, rounds."""

    points: float
    their_points: float
    won: float
    rounds: float


def duel(game: str, player: str, opponent: str) -> Duel:
    """Play the same seeds from both seats."""
    results: list[Any] = []
    for seat in range(2):
        batch = get_game(game).batch_class()(GAMES // 2, 2, seed=SEED, opponents=opponent, seat=seat, autoreset=False)
        learner: Any = make_player(player, get_game(game), seed=1)
        while (batch.to_move >= 0).any():
            batch.step(learner.act_on_batch(batch))
        points, won = batch.final_score, batch.final_utility[:, seat] == 1
        results.append(np.stack([points[:, seat], points[:, 1 - seat], won, batch.games["round"]]))
    return Duel(*np.concatenate(results, axis=1).mean(axis=1).tolist())


def won(it: Duel) -> str:
    return percent(it.won)


@dataclass(frozen=True)
class Figures:
    """A table of duels: pairs of players, and columns by title."""

    pairs: tuple[tuple[str, str], ...]
    columns: Mapping[str, Callable[[Duel], str]]

    def table(self, game: str) -> str:
        """The duels as a Markdown table. Takes some seconds."""
        rows = []
        for player, opponent in self.pairs:
            it = duel(game, player, opponent)
            rows.append([f"`{player}`", f"`{opponent}`", *(column(it) for column in self.columns.values())])
        return markdown_table(["player", "against", *self.columns], rows)
