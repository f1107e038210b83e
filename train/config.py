"""Settings of a training run, with their defaults: shown by ``towers train --help``, saved with the run."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from tower_core.imported import split_named
from tower_core.schema import read

MOST_WIDTH, MOST_BLOCKS = 1024, 64  # of a network
MOST_MEMBERS = 256  # of a league
ENGINES = ("sb3", "rllib")
DEFAULT_WORKERS = 2
AUTO = "auto"
Natural = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
AtLeastTwo = Annotated[int, Meta(ge=2)]
Share = Annotated[float, Meta(ge=0, le=1)]
_MINUTES = 10.0  # of a run without a limit


@dataclass(kw_only=True)
class TrainArgs:
    """Settings of a training run. Empty and zero values become the game's defaults: train.game_defaults."""

    players: int = 0
    """number of players (0: the default of the rules, usually 2)"""
    rules: str = ""
    """rules preset, optionally with fields: "solo:solo_npc_towers=1" (default: the game's default preset)"""
    opponents: str = ""
    """players of the other seats with weights, such as "greedy:3,random:1", sampled for every seat and game; "self" is the
    learner, "league" a past copy of it; "league:0..2" changes the weight from 0 to 2 over the run (default: the game's,
    see its page)"""
    league_size: Annotated[int, Meta(ge=1, le=MOST_MEMBERS)] = 8
    """most past copies of the learner in the league; a new one replaces the oldest"""
    league_every: Natural = 100_000
    """decisions between two admissions to the league (0: off)"""
    league_rate: Share = 0.0
    """win rate over the last 200 games against past copies above which a copy joins the league (0: off)"""
    league_choice: str = "even"
    """sampling of past copies: "even" (uniform), or "hard" (more often those that beat the learner)"""
    seat: str = "random"
    """seat of the learner: "random" or a number"""
    reward: str = ""
    """reward scheme, see the game's page (default: the game's), or a function of your own: FILE.py:FUNCTION,
    package.module:FUNCTION"""
    decisions: Natural = 0
    """limit of the run in decisions of the learner, rounded up to whole rollouts (0: none)"""
    minutes: float | None = None
    """limit of the run in minutes, evaluations included (0: none; default: 10 without --decisions, otherwise none)"""
    imitate: str = AUTO
    """player to imitate before PPO; "auto": the game's default ("greedy" where the game has one), "": none"""
    imitate_share: Share = 0.3
    """share of the run spent on imitation"""
    imitate_passes: Positive = 1
    """passes over each batch of imitated decisions; use more if the imitated player is slow"""
    imitate_learning_rate: float = 2e-3
    """initial learning rate of imitation; decays to 10 %"""
    start: str = ""
    """checkpoint or run directory with initial weights, instead of imitation"""
    envs: Positive = 256
    """number of parallel games"""
    rollout: Positive = 32
    """decisions per game between two updates"""
    batch_size: AtLeastTwo = 1024
    """samples per gradient step"""
    epochs: Positive = 3
    """passes over the samples of an update"""
    learning_rate: float = 0.0
    """peak learning rate of PPO: linear warm-up, then linear decay to 5 % (0: the game's default)"""
    gamma: Share = 0.995
    """discount factor per decision"""
    gae_lambda: Share = 0.95
    """lambda of generalised advantage estimation"""
    entropy: float = 0.003
    """coefficient of the entropy bonus"""
    network: str = ""
    """name of the network: "mlp" for every game, or one of the game's own (default: the game's, see its page), or a class of
    your own: FILE.py:CLASS, package.module:CLASS, with options FILE.py:CLASS:key=value,key=value"""
    width: Annotated[int, Meta(ge=1, le=MOST_WIDTH)] = 32
    """width of the network"""
    blocks: Annotated[int, Meta(ge=0, le=MOST_BLOCKS)] = 2
    """number of residual blocks, or of hidden layers after the first (mlp)"""
    threads: Natural = 0
    """number of PyTorch threads (0: one per core)"""
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1)] = 1
    """seed of every random stream of the run"""
    evaluate_every: float = 2.0
    """minutes between evaluations (0: only at the end)"""
    evaluate_games: AtLeastTwo = 100
    """games per opponent in an evaluation during the run"""
    final_games: AtLeastTwo = 200
    """games per opponent in the final evaluation"""
    against: str = ""
    """opponents of the evaluations (default: those of random, passive and greedy that the game has)"""
    engine: str = "sb3"
    """training backend: "sb3" (this process), or "rllib" (games in other processes and on other machines; needs Ray)"""
    num_workers: Positive = DEFAULT_WORKERS
    """worker processes with --engine rllib; --envs are divided among them"""
    address: str = ""
    """address of a Ray cluster with --engine rllib: "auto" or HOST:PORT (default: a local cluster for this run)"""
    run: str = ""
    """run directory (default: runs/GAME-DATE-TIME)"""
    resume: str = ""
    """run directory to resume with its own settings; only --decisions, --minutes, --num-workers and --address can change"""

    @property
    def limit_minutes(self) -> float:
        """The limit in minutes, 0 for none."""
        if self.minutes is not None:
            return self.minutes
        return 0.0 if self.decisions else _MINUTES

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TrainArgs:
        """Settings of a saved run. ValueError names an entry that is unknown or of the wrong type."""
        return read(cls, values, "the settings")

    def check(self) -> None:
        """ValueError names a setting with an impossible value."""
        read(TrainArgs, asdict(self), "the settings", lambda path: f"--{str(path[0]).replace('_', '-')}")
        for name in ("learning_rate", "imitate_learning_rate"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"--{name.replace('_', '-')} must be above 0, not {getattr(self, name)}")
        for name in ("entropy", "minutes", "evaluate_every"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise ValueError(f"--{name.replace('_', '-')} must be a finite number >= 0, not {value}")
        if self.league_choice not in ("even", "hard"):
            raise ValueError(f"--league-choice must be 'even' or 'hard', not {self.league_choice!r}")
        if self.engine not in ENGINES:
            raise ValueError(f"--engine must be {' or '.join(map(repr, ENGINES))}, not {self.engine!r}")
        if self.engine != "rllib" and self.address:
            raise ValueError("--address needs --engine rllib")
        if self.engine != "rllib" and self.num_workers != DEFAULT_WORKERS:
            raise ValueError("--num-workers needs --engine rllib")
        if not self.decisions and self.minutes == 0:
            raise ValueError("give --decisions or --minutes: without a limit the run never ends")
        for name in ("network", "reward"):
            if self.engine == "rllib" and split_named(getattr(self, name)):
                raise ValueError(f"--{name} {getattr(self, name)} needs --engine sb3")
        if self.seat != "random" and not self.seat.isdecimal():
            raise ValueError(f"--seat must be 'random' or a number, not {self.seat!r}")


def read_config(path: str | Path) -> TrainArgs:
    """Settings from a TOML or JSON file, such as the ``args.json`` of a run; its ``run`` and ``resume`` are ignored.

    ValueError names the file and what is wrong in it; OSError if it can't be read.
    """
    path = Path(path)
    kind, parse = ("TOML", tomllib.loads) if path.suffix == ".toml" else ("JSON", json.loads)
    try:
        content = parse(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} can't be read as {kind}: {error}") from error
    try:
        return replace(TrainArgs.from_dict(content), run="", resume="")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def run_directory(game: str, args: TrainArgs, now: str) -> Path:
    return Path(args.run or f"runs/{game}-{now}")
