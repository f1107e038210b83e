"""A training run from beginning to end: imitation, MaskablePPO, evaluations, checkpoints, the table and the curve."""

from __future__ import annotations

import json
import os
import platform
import random
import time
from dataclasses import fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger, make_output_format

from tower_core.batch import Batch
from tower_core.game import Game, get_game
from tower_core.players import make_player, weighted
from train import checkpoint
from train.callbacks import Bar, Clock, Curve, RunCallback
from train.config import TrainArgs, run_directory
from train.evaluate import EVALUATION_SEED, Result, evaluate_all, policy_chooser
from train.imitate import Imitation
from train.networks import TowersPolicy, policy_kwargs
from train.plots import curve_picture
from train.report import results_table
from train.vec_env import TowersVecEnv

_LAST_RATE = 0.05  # of the learning rate, at the end
_WARM_UP = 0.03  # share of the run in which it rises


class Run:
    """One run in its directory. ``Run(game, args, console).fit()`` does everything and returns the final results."""

    def __init__(self, game: str, args: TrainArgs, console: Console) -> None:
        self.game: Game = get_game(game)
        self.console = console
        self.before: dict[str, Any] | None = None
        self.args = self._resumed(args) if args.resume else args.suited(game)
        self.args.check()
        self.imitated = bool(self.before and self.before.get("imitated"))
        self.rules = self.game.resolve_rules(self.args.rules or self.game.default_rules)
        # Complaints come here, before anything is written.
        self.game.make_record(self.args.players, self.rules)
        self.game.reward_kind(self.args.reward)
        if self.args.seat != "random" and int(self.args.seat) >= self.args.players:
            raise ValueError(f"--seat must be 'random' or a number below {self.args.players}, not {self.args.seat}")
        self.opponents = [name.strip() for name in self.args.against.split(",") if name.strip()]
        teachers = [self.args.imitate] if self.args.imitate else []
        for spec in (*self.opponents, *teachers, *(player for player, _ in weighted(self.args.opponents))):
            make_player(spec, self.game)
        self.directory = (
            Path(args.resume) if args.resume else run_directory(game, self.args, time.strftime("%Y%m%d-%H%M%S"))
        )
        self.curve = Curve(self.directory / "curve.jsonl")
        self.batch_class = self.game.batch_class()

    def _resumed(self, args: TrainArgs) -> TrainArgs:
        """The settings of the run that goes on, with the limits given now."""
        folder = Path(args.resume)
        latest = folder / "latest.zip"
        self.resumed_file = checkpoint.find(latest if latest.exists() else folder)
        self.before = checkpoint.read_meta(self.resumed_file)
        settings = folder / "args.json"
        try:
            saved = TrainArgs.from_dict(json.loads(settings.read_text()))
        except (OSError, ValueError) as error:
            raise checkpoint.CheckpointError(f"{settings} can't be read: {error}") from error
        if self.before["game"] != self.game.name:
            raise checkpoint.CheckpointError(f"{folder} is a run of {self.before['game']}, not of {self.game.name}")
        self._refuse_changes(folder, saved, args)
        return replace(saved, steps=args.steps, minutes=args.minutes, resume=args.resume)

    def _refuse_changes(self, folder: Path, saved: TrainArgs, args: TrainArgs) -> None:
        """CheckpointError for a setting that is given anew and would be another than the run's."""
        for field in fields(TrainArgs):
            given, kept = getattr(args, field.name), getattr(saved, field.name)
            if field.name in ("steps", "minutes", "resume") or given == field.default:
                continue
            if field.name == "rules":
                given, kept = (self.game.resolve_rules(name or self.game.default_rules) for name in (given, kept))
            if given != kept:
                raise checkpoint.CheckpointError(
                    f"{folder} was begun with another --{field.name.replace('_', '-')}, and a run that goes on keeps its own"
                )

    # ------------------------------------------------------------------------------------------ the run
    def fit(self) -> list[Result]:
        self._prepare()
        env, model = self._make()
        if self.before:
            self.curve.cut(self.before["steps"])
        # A resumed run's limits count from its beginning on; what it did before is done.
        before = self.before or {}
        clock = Clock(
            self.args.steps,
            self.args.minutes,
            steps_before=before.get("steps", 0),
            seconds_before=before.get("seconds", 0.0),
            seconds_free=before.get("seconds", 0.0) if self.args.steps else 0.0,
        )
        clock.catch_interrupts()
        self.clock, self.model = clock, model
        try:
            with Bar(self.console, clock) as bar:
                if self.args.imitate and not self.imitated:
                    self._imitate(env, model.policy, bar)
                if not clock.over:
                    self._learn(model, bar)
            self._save("latest.zip")
            if clock.interrupted:
                self.console.print(
                    f"stopped: saved as {self.directory / 'latest.zip'}; go on with "
                    f"towers train {self.game.name} --resume {self.directory}"
                )
                return []
            return self._finish()
        finally:
            clock.release_interrupts()
            env.close()

    def _prepare(self) -> None:
        """Directory, settings, and seeds of everything."""
        self.directory.mkdir(parents=True, exist_ok=True)
        if not self.before:
            if (self.directory / "args.json").exists():
                raise FileExistsError(f"{self.directory} already holds a run: choose another --run, or --resume it")
            (self.directory / "args.json").write_text(self.args.to_json())
            (self.directory / "machine.json").write_text(json.dumps(_machine(), indent=1))
        torch.set_num_threads(self.args.threads or os.cpu_count() or 1)
        random.seed(self.args.seed)
        np.random.seed(self.args.seed % 2**32)
        torch.manual_seed(self.args.seed)
        # Checking every distribution's arguments costs a tenth of the time, and the masks are right.
        torch.distributions.Distribution.set_default_validate_args(False)
        self.console.print(f"run directory: {self.directory}")

    def _make(self) -> tuple[TowersVecEnv, MaskablePPO]:
        args = self.args
        seat = args.seat if args.seat == "random" else int(args.seat)
        # A resumed run must not play the games again that it has learned from.
        seed = args.seed + (self.before["steps"] if self.before else 0)
        batch: Batch = self.batch_class(
            args.envs, args.players, self.rules, seed, args.opponents, seat=seat, reward=args.reward
        )
        env = TowersVecEnv(batch)
        model = MaskablePPO(
            TowersPolicy,
            env,
            policy_kwargs=policy_kwargs(self.game.name, args.width, args.blocks),
            n_steps=args.rollout,
            batch_size=args.batch_size,
            n_epochs=args.epochs,
            learning_rate=lambda _: self._learning_rate(),
            gamma=args.gamma,
            gae_lambda=args.gae_lambda,
            ent_coef=args.entropy,
            seed=args.seed,
            device="cpu",
        )
        model.set_logger(self._logger())
        if self.before:
            checkpoint.must_fit(self.resumed_file, self.before, self.game, args.players, self.rules)
            checkpoint.restore(self.resumed_file, model.policy, optimizer=True)
            model.num_timesteps = int(self.before["steps"])
        return env, model

    def _logger(self) -> Logger:
        """TensorBoard and a table; each session has a table of its own, for opening one empties it."""
        folder, tables = str(self.directory), len(list(self.directory.glob("progress*.csv")))
        table = make_output_format("csv", folder, log_suffix=f"-{tables + 1}" if tables else "")
        return Logger(folder, [make_output_format("tensorboard", folder), table])

    def _learning_rate(self) -> float:
        """Rises from nearly nothing while the optimiser gets to know the new loss, then sinks with the time left."""
        done = self.clock.share if hasattr(self, "clock") else 0.0
        begun = self.args.imitate_share if self.args.imitate else 0.0
        rising = min(1.0, 0.05 + max(0.0, done - begun) / _WARM_UP)
        return float(self.args.ppo_learning_rate * rising * max(_LAST_RATE, 1 - done))

    def _imitate(self, env: TowersVecEnv, policy: TowersPolicy, bar: Bar) -> None:
        args, clock = self.args, self.clock
        imitation = Imitation(
            env,
            policy,
            args.imitate,
            rollout=min(args.rollout, 16),
            batch_size=args.batch_size,
            gamma=args.gamma,
            seed=args.seed,
        )
        while clock.share < args.imitate_share and not clock.interrupted:
            done = clock.share / args.imitate_share
            result = imitation.round(args.learning_rate * max(0.1, 1 - done))
            clock.steps += result.samples
            bar.show(f"imitating {args.imitate}", f"agrees in {100 * result.agreement:.0f} %")
            logger = self.model.logger
            logger.record("imitation/loss", result.loss)
            logger.record("imitation/agreement", result.agreement)
            logger.record("imitation/value_error", result.value_error)
            logger.dump(clock.steps)
        self.model.num_timesteps = clock.steps
        # Adam's memory of another loss would only mislead.
        policy.optimizer = policy.optimizer_class(
            policy.parameters(), lr=args.ppo_learning_rate, **policy.optimizer_kwargs
        )
        if not clock.interrupted:
            self.imitated = True
            self._save("latest.zip")
            self._report(self._evaluate(args.evaluate_games), f"after imitating {args.imitate}")

    def _learn(self, model: MaskablePPO, bar: Bar) -> None:
        callback = RunCallback(
            self.clock,
            bar,
            evaluate=lambda: self._evaluate(self.args.evaluate_games),
            save=lambda: self._save("latest.zip"),
            report=lambda results: self._report(results, "learning"),
            every_seconds=60 * self.args.evaluate_every,
        )
        model.learn(2**62, callback=callback, log_interval=1, reset_num_timesteps=False)

    def _finish(self) -> list[Result]:
        self._save("final.zip")
        results = self._evaluate(self.args.final_games)
        self._report(results, "")
        self.console.print(results_table(results, f"{self.game.title}: {self.directory / 'final.zip'}"))
        picture = curve_picture(self.curve.rows(), self.directory / "curve.png", self.game.title)
        self.console.print(f"learning curve: {picture}\nmore curves:    tensorboard --logdir {self.directory.parent}")
        return results

    # ------------------------------------------------------------------------------------------ parts
    def _evaluate(self, games: int) -> list[Result]:
        return evaluate_all(
            policy_chooser(self.model.policy),
            self.game,
            self.opponents,
            games,
            players=self.args.players,
            rules=self.rules,
            seed=EVALUATION_SEED,
        )

    def _report(self, results: list[Result], what: str) -> None:
        self.curve.add(self.clock.steps, self.clock.seconds, results)
        if what:
            told = ", ".join(f"{100 * r.rate:.0f} % against {r.against}" for r in results)
            self.console.print(
                f"{self.clock.seconds / 60:5.1f} min  {self.clock.steps:>10,} decisions  {what}: wins {told}"
            )

    def _save(self, name: str) -> None:
        meta = {
            "game": self.game.name,
            "players": self.args.players,
            "rules": self.rules.to_dict(),
            "width": self.args.width,
            "blocks": self.args.blocks,
            "steps": self.clock.steps,
            "seconds": self.clock.seconds,
            "imitated": self.imitated,
            "versions": _versions(),
        }
        checkpoint.save(self.directory / name, meta, self.model.policy)


def _versions() -> dict[str, str]:
    return {
        name: version(name) for name in ("towers", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "numpy")
    }


def _machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": _versions(),
    }
