"""A training run on RLlib: as :mod:`train.run`, but for learning from reward, whose games are played by workers."""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from rich.console import Console

from train import checkpoint
from train.callbacks import Bar
from train.config import TrainArgs
from train.evaluate import Result
from train.league import LEAGUE
from train.rllib.cluster import connect, disconnect, told_in_one_line
from train.rllib.league import DistantLeague
from train.rllib.workers import Report, Workers
from train.run import Run


class RllibRun(Run):
    """``RllibRun(game, args, console).fit()`` does everything and returns the final results.

    Imitation, evaluations and checkpoints are made by the process that is asked, as without RLlib.
    """

    league_class = DistantLeague
    always_league = True
    league: DistantLeague

    def __init__(self, game: str, args: TrainArgs, console: Console) -> None:
        super().__init__(game, args, console)
        self._ends: deque[tuple[float, bool]] = deque(maxlen=500)
        self._workers: Workers | None = None
        self._state: dict[str, Any] = {}
        self.begun = False
        connect(self.args.address, self.args.num_workers)

    def fit(self) -> list[Result]:
        try:
            with told_in_one_line():
                return super().fit()
        finally:
            if self._workers:
                self._workers.close()
            disconnect()

    # ------------------------------------------------------------------------------------------ learning from reward
    def _learn(self, bar: Bar) -> None:
        clock, args = self.clock, self.args
        bar.show("starting workers", "")
        if not self.begun:
            self._begin_learning()
        self._workers = workers = Workers(
            self.game,
            args,
            self.rules,
            self.network,
            self.league.places(clock.share),
            members=args.league_size if any(share.spec == LEAGUE for share in self.shares) else 0,
            seed=args.seed + clock.steps,  # a run that goes on plays other games than those that it has learned from
        )
        workers.set_learner(self.model.policy)
        for member, snapshot in enumerate(self.league.snapshots):
            if snapshot is not None:
                workers.set_member(member, self.league.network(member))
        self._tell_workers(workers.exchange(self.league.places(clock.share)))
        self._next = clock.seconds + 60 * args.evaluate_every
        while True:
            losses = workers.iterate(self._learning_rate())
            self._after(workers, losses, bar)
            if clock.over:
                break
        self._hold()

    def _after(self, workers: Workers, losses: dict[str, float], bar: Bar) -> None:
        """Between two updates: what was played, league, evaluation, checkpoint."""
        clock, logger = self.clock, self.model.logger
        workers.get_learner(self.model.policy)
        reports = workers.exchange(self.league.places(clock.share))
        for report in reports:
            clock.steps += report.decisions
            logger.record(f"workers/{report.worker}", report.decisions)
            self.league.count(report.games)
            self._ends.extend((game.score, game.won) for game in report.games)
        self.model.num_timesteps = clock.steps
        if self.league.update(clock.steps, clock.share, self._save_member):
            member = self.league.newest
            workers.set_member(member, self.league.network(member))
            workers.exchange(self.league.places(clock.share))  # they must know its name before it plays
        detail = ""
        if self._ends:
            score = sum(score for score, _ in self._ends) / len(self._ends)
            won = sum(won for _, won in self._ends) / len(self._ends)
            logger.record("games/score", score)
            logger.record("games/won", won)
            detail = f"{score:.0f} points, {100 * won:.0f} % won"
        bar.show("learning", detail)
        for name, value in (losses | self.league.figures()).items():
            logger.record(name if "/" in name else f"train/{name}", value)
        logger.record("workers/restarts", workers.restarts)
        self._hold()
        self._evaluate_when_due()
        logger.dump(clock.steps)

    def _tell_workers(self, reports: list[Report]) -> None:
        """Write the workers of this session into ``machine.json``."""
        file = self.directory / "machine.json"
        about = json.loads(file.read_text())
        about["workers"] = [{"worker": r.worker, "host": r.host, "node": r.node, "process": r.process} for r in reports]
        file.write_text(json.dumps(about, indent=1))

    # ------------------------------------------------------------------------------------------ moments
    def _begin_learning(self) -> None:
        self.league.begin(self.clock.steps, self.clock.share, self._save_member)
        self.begun = True
        self._hold()

    def _hold(self, imitation: dict[str, Any] | None = None) -> None:
        """The league, and whether it plays yet; games in progress are lost when a run stops."""
        self._steps, self._state = self.clock.steps, {"league": self.league.to_dict(), "begun": self.begun}

    def _go_on(self) -> None:
        assert self.earlier is not None
        file, meta = self.earlier.file, self.earlier.meta
        checkpoint.must_fit(file, meta, self.game, self.args.players, self.rules)
        checkpoint.restore(file, self.model.policy, optimizer=True)
        saved = checkpoint.read_progress(file)
        if saved is not None:  # a final checkpoint is for playing
            try:
                self.begun = bool(saved["begun"])
                self.league.restore(saved["league"], self._load_member)
            except (ValueError, LookupError, TypeError) as error:
                raise checkpoint.CheckpointError(f"{file} is damaged: {error}") from error
        self.model.num_timesteps = int(meta["steps"])
        self._hold()

    def _save(self, name: str) -> None:
        saved = self._state if name == "latest.zip" else None
        checkpoint.save(self.directory / name, self._meta(self._steps), self.model.policy, progress=saved)
