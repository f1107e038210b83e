"""Evaluation: games of a policy against fixed opponents, each seed from every seat, with 95 % intervals; as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from tower_core.envs.batch import Batch
from tower_core.game import Game
from tower_core.players.loading import PlayerSource
from tower_core.players.python_opponents import PythonOpponents
from tower_core.players.specs import Opponents, by_label, label_of
from train.statistics import Rated, percent, percents, win_shares

EVALUATION_SEED = 10_000_000
"""First seed of evaluations, far from the seeds of training."""
Chooser = Callable[[Batch], NDArray[np.int64]]
"""Actions [N] for the seats to move of a batch."""


@dataclass
class Result(Rated):
    """Results of a policy against one opponent. First place is a win; k players who share it get 1/k each."""

    against: str
    games: int
    wins: float
    utility: float
    score: float
    their_score: float
    by_seat: list[float]

    def counted(self) -> tuple[float, int]:
        return self.wins, self.games


def policy_chooser(policy: Any, deterministic: bool = True) -> Chooser:
    """A chooser from a Stable-Baselines3 policy with action masks; *deterministic*: the most probable action, not a sample."""

    def choose(batch: Batch) -> NDArray[np.int64]:
        actions, _ = policy.predict(batch.observation, action_masks=batch.action_mask, deterministic=deterministic)
        return np.asarray(actions, np.int64)

    return choose


def evaluate_all(
    choose: Chooser,
    game: Game,
    opponents: Sequence[str | PlayerSource],
    games: int,
    *,
    players: int,
    rules: Any,
    seed: int,
) -> list[Result]:
    """One result per opponent; in one-player games, one per level of difficulty (``alone`` if there are none).

    ValueError if two opponents have the same name in the results.
    """
    by_label(opponents)
    options: dict[str, Any] = {"players": players, "seed": seed}
    if players == 1:
        levels = game.levels(rules) or {"alone": rules}
        results = [evaluate(choose, game, opponents[0], games, rules=level, **options) for level in levels.values()]
        return [replace(result, against=name) for name, result in zip(levels, results, strict=True)]
    return [evaluate(choose, game, name, games, rules=rules, **options) for name in opponents]


def evaluate(
    choose: Chooser,
    game: Game,
    against: Opponents,
    games: int,
    *,
    players: int,
    rules: Any,
    seed: int = EVALUATION_SEED,
) -> Result:
    """Play *games* games against copies of the player *against*, rounded up so that each seed is played from every seat.

    *choose* returns the actions of the learners in a batch (int64 [N]); *seed* is the first seed. ValueError for an unknown
    player or one that can't play these games.
    """
    each = -(-games // players)
    utility, score, theirs = np.zeros((players, each)), np.zeros((players, each)), np.zeros((players, each))
    won = np.zeros((players, each))
    for seat in range(players):
        batch = game.batch_class()(each, players, rules, seed, against, seat=seat, autoreset=False)
        others = PythonOpponents(batch)
        others.settle(np.ones(batch.num_envs, np.bool_))
        while (batch.to_move >= 0).any():
            actions = choose(batch)
            actions[batch.to_move < 0] = -1
            batch.step(actions)
            others.settle()
            done = others.done
            utility[seat, done] = batch.final_utility[done, seat]
            won[seat, done] = win_shares(batch.final_utility[done])[:, seat]
            score[seat, done] = batch.final_score[done, seat]
            if players > 1:
                theirs[seat, done] = np.delete(batch.final_score[done], seat, axis=1).mean(axis=1)
        batch.close()
    return Result(
        against=label_of(against),  # type: ignore[arg-type]
        games=each * players,
        wins=float(won.sum()),
        utility=float(utility.mean()),
        score=float(score.mean()),
        their_score=float(theirs.mean()),
        by_seat=[float(rate) for rate in won.mean(axis=1)],
        blocks={seed + k: (float(wins), players) for k, wins in enumerate(won.sum(axis=0))},
    )


def results_table(results: list[Result], title: str) -> Table:
    """Win rates with 95 % intervals, per opponent."""
    table = Table(title=title, title_justify="left")
    table.add_column("against", overflow="fold")
    for column in ("games", "win rate", "95 % interval", "points", "theirs", "by seat"):
        table.add_column(column, justify="right")
    for r in results:
        table.add_row(
            r.against,
            str(r.games),
            percent(r.rate, 1),
            percents(*r.interval),
            f"{r.score:.0f}",
            f"{r.their_score:.0f}",
            " / ".join(map(percent, r.by_seat)),
        )
    return table
