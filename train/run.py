"""A training run: imitation, MaskablePPO, evaluations, checkpoints, final table and learning curve."""

from __future__ import annotations

import json
import math
import os
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger, make_output_format

from tower_core.envs.batch import Batch
from tower_core.game import Game
from tower_core.players.protocol import must_play
from tower_core.players.specs import make_player, split_specs
from tower_core.registry import get_game
from train import checkpoint, progress
from train.behaviour_cloning import Imitation, forget_moments
from train.callbacks import Bar, Clock, Curve, RunCallback
from train.config import TrainArgs, run_directory
from train.evaluate import EVALUATION_SEED, Result, evaluate_all, policy_chooser, results_table
from train.game_defaults import with_game_defaults
from train.league import LEAGUE, SELF, League, needs_league, read_shares
from train.league.admission import Admission
from train.named_code import is_named
from train.networks import TowersPolicy, network_name, policy_kwargs
from train.own_code import find_code, name_player
from train.plots import curve_picture
from train.ppo import RowsBuffer, learn, ppo_settings, take_up
from train.provenance import describe, keep_memory, versions
from train.resume import find_earlier
from train.statistics import percent
from train.vec_env import TowersVecEnv

_LAST_RATE = 0.05  # final learning rate, as a share of its peak
_WARM_UP = 0.03  # share of the run
_LABELLED = 16  # most decisions per game in a round of imitation


class Run:
    """One run in its directory. ``Run(game, args, console).fit()`` does everything and returns the final results.

    ValueError names a setting that can't be used, before anything is written.
    """

    league_class = League
    always_league = False
    """whether there is a league even if only scripted players play"""

    def __init__(self, game: str, args: TrainArgs, console: Console) -> None:
        self.game: Game = get_game(game)
        self.console = console
        self.earlier = find_earlier(self.game, args) if args.resume else None
        self.args = with_game_defaults(self.earlier.args if self.earlier else args, self.game)
        self.args.check()
        before = self.earlier.meta if self.earlier else {}
        self.imitated = bool(before.get("imitated") or self.args.start)
        self.rules = self.game.resolve_rules(self.args.rules or None)
        # These calls check the settings.
        self.game.make_record(self.args.players, self.rules)
        self.code = find_code(self.game, self.args, args, self.earlier)
        self.network, self.digests = self.code.network, self.code.digests()
        if self.args.start and not self.earlier:
            self._must_start()
        if self.args.seat != "random" and int(self.args.seat) >= self.args.players:
            raise ValueError(f"--seat must be 'random' or a number below {self.args.players}, not {self.args.seat}")
        self.against = [spec for spec in split_specs(self.args.against) if spec]
        self.shares = read_shares(self.args.opponents)
        teachers = [self.args.imitate] if self.args.imitate else []
        others = [share.spec for share in self.shares if share.spec not in (SELF, LEAGUE)]
        for option, specs in {"opponents": others, "against": self.against, "imitate": teachers}.items():
            for spec in specs:
                name_player(spec, f"--{option}", self.earlier, getattr(args, option))
        for spec in (*self.against, *teachers, *others):
            must_play(make_player(spec, self.game), self.args.players, self.rules)
        self.directory = (
            Path(args.resume) if args.resume else run_directory(game, self.args, time.strftime("%Y%m%d-%H%M%S"))
        )
        self.curve = Curve(self.directory / "curve.jsonl")
        self.batch_class = self.game.batch_class()

    # ------------------------------------------------------------------------------------------ the run
    def fit(self) -> list[Result]:
        self._prepare()
        before = self.earlier.meta if self.earlier else {}
        # The limit in decisions counts from the start of the run; a time limit beside it counts from now.
        self.clock = clock = Clock(
            self.args.decisions,
            self.args.limit_minutes,
            steps_before=before.get("steps", 0),
            seconds_before=before.get("seconds", 0.0),
            seconds_free=before.get("seconds", 0.0) if self.args.decisions else 0.0,
        )
        self._make()
        if self.earlier:
            self.curve.cut(self.earlier.meta["steps"])
        clock.catch_interrupts()
        try:
            with Bar(self.console, clock) as bar:
                if self.args.imitate and not self.imitated:
                    self._imitate(bar)
                if not clock.over:
                    self._learn(bar)
            self._save("latest.zip")
            if clock.interrupted:
                self.console.print(
                    f"stopped: saved as {self.directory / 'latest.zip'}; resume with "
                    f"towers train {self.game.name} --resume {self.directory}"
                )
                return []
            return self._finish()
        finally:
            clock.release_interrupts()
            self.env.close()

    def _prepare(self) -> None:
        """Create the directory, write the settings, seed everything."""
        torch.set_num_threads(self.args.threads or os.cpu_count() or 1)
        keep_memory()
        self.directory.mkdir(parents=True, exist_ok=True)
        if not self.earlier:
            if (self.directory / "args.json").exists():
                raise FileExistsError(f"{self.directory} already holds a run: choose another --run, or --resume it")
            (self.directory / "args.json").write_text(self.args.to_json())
            about = describe(self.game.name, self.args.seed)
            (self.directory / "machine.json").write_text(json.dumps(about, indent=1))
            self.code.copy_to(self.directory / "code")
        random.seed(self.args.seed)
        np.random.seed(self.args.seed % 2**32)
        torch.manual_seed(self.args.seed)
        self.console.print(f"run directory: {self.directory}")
        if self.args.decisions and not self.args.limit_minutes and self._whole_rollouts() != self.args.decisions:
            rollout = self.args.envs * self.args.rollout
            self.console.print(
                f"{self.args.decisions:,} decisions are rounded up to {self._whole_rollouts():,}: rollouts have {rollout:,}"
            )

    def _whole_rollouts(self) -> int:
        """The decisions after which a run that starts now and is limited by decisions alone ends."""
        args, done = self.args, self.earlier.meta["steps"] if self.earlier else 0
        if args.imitate and not self.imitated:
            labelled = args.envs * min(args.rollout, _LABELLED)
            done = max(done, labelled * math.ceil(args.imitate_share * args.decisions / labelled))
        return done + args.envs * args.rollout * max(0, math.ceil((args.decisions - done) / (args.envs * args.rollout)))

    def _make(self) -> None:
        """Make environment, model and league, new or as the earlier session left them."""
        args = self.args
        self.league = self._make_league() if self.always_league or needs_league(self.shares) else None
        opponents = self.league.table(self.clock.share) if self.league else args.opponents
        seat = args.seat if args.seat == "random" else int(args.seat)
        own = self.code.reward
        batch: Batch = self.batch_class(
            args.envs,
            args.players,
            self.rules,
            args.seed,
            opponents,
            seat=seat,
            reward=args.reward if own is None else "outcome",
        )
        self.env = TowersVecEnv(batch, own, args.gamma)
        self.model = MaskablePPO(
            TowersPolicy,
            self.env,
            policy_kwargs=policy_kwargs(self.game, args.width, args.blocks, self.network),
            rollout_buffer_class=RowsBuffer,
            n_steps=args.rollout,
            learning_rate=lambda _: self._learning_rate(),
            **ppo_settings(args),
        )
        self.model.set_logger(self._logger())
        if self.league:
            self.league.sit_down(self.model.policy, self.env)
        self._stream: np.random.Generator | None = None  # of a resumed imitation
        if self.earlier:
            self._go_on()
        else:
            if args.start:
                checkpoint.restore(checkpoint.find(args.start), self.model.policy, optimizer=False)
            self._hold()

    def _must_start(self) -> None:
        """CheckpointError unless the checkpoint to start from fits the game and the network."""
        args, file = self.args, checkpoint.find(self.args.start)
        meta = checkpoint.read_meta(file)
        checkpoint.must_fit(file, meta, self.game, args.players, self.rules)
        theirs = (network_name(self.game, meta.get("network", "")), meta["width"], meta["blocks"])
        # Weights that don't fit a network of the user's own are refused when they are loaded.
        known = self.network if not is_named(self.network) or not is_named(theirs[0]) else theirs[0]
        if theirs != (known, args.width, args.blocks):
            name, width, blocks = theirs
            raise checkpoint.CheckpointError(
                f"{file} holds another network: use --network {name} --width {width} --blocks {blocks} to start from it"
            )

    def _make_league(self) -> League:
        args = self.args
        admission = Admission(args.league_every, args.league_rate)
        league = self.league_class(
            self.shares, args.league_size, admission, args.league_choice, args.seed, args.imitate
        )
        league.imitating = bool(args.imitate) and not self.imitated
        return league

    def _go_on(self) -> None:
        """Restore the state in which the earlier session ended."""
        assert self.earlier is not None
        file, meta = self.earlier.file, self.earlier.meta
        checkpoint.must_fit(file, meta, self.game, self.args.players, self.rules)
        checkpoint.restore(file, self.model.policy, optimizer=True)
        self.model.num_timesteps = int(meta["steps"])
        saved = checkpoint.read_progress(file)
        try:
            self._take_up(saved)
        except (ValueError, LookupError, TypeError) as error:
            raise checkpoint.CheckpointError(f"{file} is damaged: {error}") from error
        self._hold(saved.get("imitation") if saved else None)

    def _take_up(self, saved: dict[str, Any] | None) -> None:
        """Restore what :meth:`_hold` kept; None in a final checkpoint, after which new games are played."""
        if saved is None:
            self.env.seed(self.args.seed + self.model.num_timesteps)
            return
        if self.league:
            self.league.restore(saved["league"], self._load_member)
        take_up(self.model, *progress.restore(saved, self.env))
        if saved["imitation"] is not None:
            self._stream = np.random.default_rng()
            self._stream.bit_generator.state = saved["imitation"]

    def _hold(self, imitation: dict[str, Any] | None = None) -> None:
        """Keep the present state for the next checkpoint."""
        league = self.league.to_dict() if self.league else None
        extra = {"league": league, "imitation": imitation}
        starts = self.model._last_episode_starts
        self._moment = progress.Moment.now(self.clock.steps, self.env, starts, extra)

    def _load_member(self, name: str) -> TowersPolicy:
        path = self.directory / name
        policy, meta, game = checkpoint.load_policy(path, self.network if is_named(self.network) else "")
        checkpoint.must_fit(path, meta, game, self.args.players, self.rules)
        return policy

    def _logger(self) -> Logger:
        """TensorBoard and a CSV file, a new one for each session because opening one empties it."""
        folder, tables = str(self.directory), len(list(self.directory.glob("progress*.csv")))
        table = make_output_format("csv", folder, log_suffix=f"-{tables + 1}" if tables else "")
        return Logger(folder, [make_output_format("tensorboard", folder), table])

    def _learning_rate(self) -> float:
        """Linear warm-up, then linear decay."""
        done = self.clock.share
        start = self.args.imitate_share if self.args.imitate and not self.args.start else 0.0
        rising = min(1.0, 0.05 + max(0.0, done - start) / _WARM_UP)
        return float(self.args.learning_rate * rising * max(_LAST_RATE, 1 - done))

    # ------------------------------------------------------------------------------------------ imitation
    def _imitate(self, bar: Bar) -> None:
        args, clock, policy = self.args, self.clock, self.model.policy
        imitation = Imitation(
            self.env,
            policy,
            args.imitate,
            rollout=min(args.rollout, _LABELLED),
            batch_size=args.batch_size,
            gamma=args.gamma,
            seed=args.seed,
            passes=args.imitate_passes,
            random=self._stream,
            samples=clock.steps,
        )
        while clock.share < args.imitate_share and not clock.interrupted:
            done = clock.share / args.imitate_share
            result = imitation.round(args.imitate_learning_rate * max(0.1, 1 - done))
            clock.steps += result.samples
            bar.show(f"imitating {args.imitate}", f"agrees in {percent(result.agreement)}")
            logger = self.model.logger
            logger.record("imitation/loss", result.loss)
            logger.record("imitation/agreement", result.agreement)
            logger.record("imitation/value_error", result.value_error)
            logger.dump(clock.steps)
        self.model.num_timesteps = clock.steps
        if clock.interrupted:
            self._hold(dict(imitation.random.bit_generator.state))
            return
        forget_moments(policy, args.learning_rate)
        self.imitated = True
        self._begin_learning()
        self._save("latest.zip")
        self._report(self._evaluate(args.evaluate_games), f"after imitating {args.imitate}")

    def _begin_learning(self) -> None:
        """Start new games, in which networks of the league may play."""
        if self.league:
            self.league.begin(self.clock.steps, self.clock.share, self._save_member)
        take_up(self.model, self.env.reset(), np.ones(self.env.num_envs, np.bool_))
        self._hold()

    # ------------------------------------------------------------------------------------------ learning from reward
    def _learn(self, bar: Bar) -> None:
        if self.model._last_obs is None:
            self._begin_learning()
        self._next = self.clock.seconds + 60 * self.args.evaluate_every
        learn(self.model, RunCallback(self.clock, bar), self._between)
        # An incomplete rollout is discarded.
        self.clock.steps = self.model.num_timesteps = self._moment.steps

    def _between(self) -> bool:
        """Between two updates: update the league, evaluate, save. Returns whether the run continues."""
        clock, logger = self.clock, self.model.logger
        if self.league:
            self.league.update(clock.steps, clock.share, self._save_member)
            for name, value in self.league.figures().items():
                logger.record(name, value)
        self._hold()
        self._evaluate_when_due()
        return not clock.over

    def _evaluate_when_due(self) -> None:
        """Evaluate and save, if the last evaluation is long enough ago."""
        clock = self.clock
        if not self.args.evaluate_every or clock.seconds < self._next or clock.over:
            return
        results = self._evaluate(self.args.evaluate_games)
        for result in results:
            self.model.logger.record(f"evaluation/{result.against}", result.rate)
        self._report(results, "learning")
        self._save("latest.zip")
        self._next = clock.seconds + 60 * self.args.evaluate_every

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
            self.against,
            games,
            players=self.args.players,
            rules=self.rules,
            seed=EVALUATION_SEED,
        )

    def _report(self, results: list[Result], what: str) -> None:
        self.curve.add(self.clock.steps, self.clock.seconds, results, self.league.report() if self.league else None)
        if what:
            rates = ", ".join(f"{percent(r.rate)} against {r.against}" for r in results)
            self.console.print(
                f"{self.clock.seconds / 60:5.1f} min  {self.clock.steps:>10,} decisions  {what}: wins {rates}"
            )

    def _save(self, name: str) -> None:
        """Write a checkpoint of the state that :meth:`_hold` kept; only ``latest.zip`` can be resumed exactly."""
        saved = self._moment.to_dict() if name == "latest.zip" else None
        checkpoint.save(self.directory / name, self._meta(self._moment.steps), self.model.policy, progress=saved)

    def _save_member(self, name: str) -> None:
        checkpoint.save(self.directory / name, self._meta(self.clock.steps), self.model.policy, optimizer=False)

    def _meta(self, steps: int) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "players": self.args.players,
            "rules": self.rules.to_dict(),
            "network": self.args.network,
            "width": self.args.width,
            "blocks": self.args.blocks,
            "steps": steps,
            "seconds": self.clock.seconds,
            "imitated": self.imitated,
            "reward": self.args.reward,
            "code": self.digests,
            "versions": versions(),
        }
