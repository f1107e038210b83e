"""A training run on RLlib: as :mod:`train.run`, with PPO's games played by workers."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console

from train import checkpoint
from train.callbacks import Bar, RecentGames
from train.config import TrainArgs
from train.evaluate import Result
from train.league import LEAGUE
from train.rllib.cluster import connect, disconnect, one_line_errors
from train.rllib.league import DistantLeague
from train.rllib.workers import Report, Workers
from train.run import Run


class RllibRun(Run):
    """``RllibRun(game, args, console).fit()`` does everything and returns the final results.

    This process imitates, evaluates and saves, as without RLlib.
    """

    league_class = DistantLeague
    always_league = True
    league: DistantLeague

    def __init__(self, game: str, args: TrainArgs, console: Console) -> None:
        super().__init__(game, args, console)
        self._games = RecentGames()
        self._workers: Workers | None = None
        self._state: dict[str, Any] = {}
        self.learning = False
        """whether PPO has started"""
        connect(self.args.address, self.args.num_workers)

    def fit(self) -> list[Result]:
        try:
            with one_line_errors():
                return super().fit()
        finally:
            if self._workers:
                self._workers.close()
            disconnect()

    # ------------------------------------------------------------------------------------------ learning from reward
    def _learn(self, bar: Bar) -> None:
        clock, args = self.clock, self.args
        bar.show("starting workers", "")
        if not self.learning:
            self._begin_learning()
        self._workers = workers = Workers(
            self.game,
            args,
            self.rules,
            self.network,
            self.league.places(clock.share),
            members=args.league_size if any(share.spec == LEAGUE for share in self.shares) else 0,
            seed=args.seed + clock.steps,  # a resumed run plays new games
        )
        workers.set_learner(self.model.policy)
        for member, snapshot in enumerate(self.league.snapshots):
            if snapshot is not None:
                workers.set_member(member, self.league.network(member))
        self._write_workers(workers.exchange(self.league.places(clock.share)))
        self._next = clock.seconds + 60 * args.evaluate_every
        while True:
            losses = workers.iterate(self._learning_rate())
            self._after(workers, losses, bar)
            if clock.over:
                break
        self._hold()

    def _after(self, workers: Workers, losses: dict[str, float], bar: Bar) -> None:
        """Between two updates: count the games, update the league, evaluate, save."""
        clock, logger = self.clock, self.model.logger
        workers.get_learner(self.model.policy)
        reports = workers.exchange(self.league.places(clock.share))
        for report in reports:
            clock.steps += report.decisions
            logger.record(f"workers/{report.worker}", report.decisions)
            self.league.count(report.games)
            for game in report.games:
                self._games.add(game.score, game.won)
        self.model.num_timesteps = clock.steps
        if self.league.update(clock.steps, clock.share, self._save_member):
            member = self.league.newest
            workers.set_member(member, self.league.network(member))
            workers.exchange(self.league.places(clock.share))  # they must know its name before it plays
        bar.show("learning", self._games.log(logger))
        for name, value in (losses | self.league.figures()).items():
            logger.record(name if "/" in name else f"train/{name}", value)
        logger.record("workers/restarts", workers.restarts)
        self._hold()
        self._evaluate_when_due()
        logger.dump(clock.steps)

    def _write_workers(self, reports: list[Report]) -> None:
        """Write the workers of this session into ``machine.json``."""
        file = self.directory / "machine.json"
        about = json.loads(file.read_text())
        about["workers"] = [{"worker": r.worker, "host": r.host, "node": r.node, "process": r.process} for r in reports]
        file.write_text(json.dumps(about, indent=1))

    # ------------------------------------------------------------------------------------------ saved state
    def _begin_learning(self) -> None:
        self.league.begin(self.clock.steps, self.clock.share, self._save_member)
        self.learning = True
        self._hold()

    def _hold(self, imitation: dict[str, Any] | None = None) -> None:
        """Keep the league, and whether it plays yet; games in progress are lost when a run stops."""
        self._steps, self._state = self.clock.steps, {"league": self.league.to_dict(), "begun": self.learning}

    def _take_up(self, saved: dict[str, Any] | None) -> None:
        if saved is not None:
            self.learning = bool(saved["begun"])
            self.league.restore(saved["league"], self._load_member)

    def _save(self, name: str) -> None:
        saved = self._state if name == "latest.zip" else None
        checkpoint.save(self.directory / name, self._meta(self._steps), self.model.policy, progress=saved)
