"""Settings of a training run, with their defaults: shown by ``towers train --help``, saved with the run."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tower_core.imported import split_named
from tower_core.schema import read

MOST_WIDTH, MOST_BLOCKS = 1024, 64  # of a network
MOST_MEMBERS = 256  # of a league
ENGINES = ("sb3", "rllib")
DEFAULT_WORKERS = 2
AUTO = "auto"
# Settings that have been renamed. The first one marks the files of earlier versions.
_EARLIER = {"ppo_learning_rate": "learning_rate", "learning_rate": "imitate_learning_rate"}
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
    league_size: int = 8
    """most past copies of the learner in the league; a new one replaces the oldest"""
    league_every: int = 100_000
    """decisions between two admissions to the league (0: off)"""
    league_rate: float = 0.0
    """win rate over the last 200 games against past copies above which a copy joins the league (0: off)"""
    league_choice: str = "even"
    """sampling of past copies: "even" (uniform), or "hard" (more often those that beat the learner)"""
    seat: str = "random"
    """seat of the learner: "random" or a number"""
    reward: str = ""
    """reward scheme, see the game's page (default: the game's), or a function of your own: FILE.py:FUNCTION,
    package.module:FUNCTION"""
    decisions: int = 0
    """limit of the run in decisions of the learner, rounded up to whole rollouts (0: none); earlier name: --steps"""
    minutes: float | None = None
    """limit of the run in minutes, evaluations included (0: none; default: 10 without --decisions, otherwise none)"""
    imitate: str = AUTO
    """player to imitate before PPO; "auto": the game's default ("greedy" where the game has one), "": none"""
    imitate_share: float = 0.3
    """share of the run spent on imitation"""
    imitate_passes: int = 1
    """passes over each batch of imitated decisions; use more if the imitated player is slow"""
    imitate_learning_rate: float = 2e-3
    """initial learning rate of imitation; decays to 10 %"""
    start: str = ""
    """checkpoint or run directory with initial weights, instead of imitation"""
    envs: int = 256
    """number of parallel games"""
    rollout: int = 32
    """decisions per game between two updates"""
    batch_size: int = 1024
    """samples per gradient step"""
    epochs: int = 3
    """passes over the samples of an update"""
    learning_rate: float = 0.0
    """peak learning rate of PPO: linear warm-up, then linear decay to 5 % (0: the game's default)"""
    gamma: float = 0.995
    """discount factor per decision"""
    gae_lambda: float = 0.95
    """lambda of generalised advantage estimation"""
    entropy: float = 0.003
    """coefficient of the entropy bonus"""
    network: str = ""
    """name of the network: "mlp" for every game, or one of the game's own (default: the game's, see its page), or a class of
    your own: FILE.py:CLASS, package.module:CLASS, with options FILE.py:CLASS:key=value,key=value"""
    width: int = 32
    """width of the network"""
    blocks: int = 2
    """number of residual blocks, or of hidden layers after the first (mlp)"""
    threads: int = 0
    """number of PyTorch threads (0: one per core)"""
    seed: int = 1
    """seed of every random stream of the run"""
    evaluate_every: float = 2.0
    """minutes between evaluations (0: only at the end)"""
    evaluate_games: int = 100
    """games per opponent in an evaluation during the run"""
    final_games: int = 200
    """games per opponent in the final evaluation"""
    against: str = ""
    """opponents of the evaluations (default: those of random, passive and greedy that the game has)"""
    engine: str = "sb3"
    """training backend: "sb3" (this process), or "rllib" (games in other processes and on other machines; needs Ray)"""
    num_workers: int = DEFAULT_WORKERS
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
        """Settings of a saved run, also of earlier versions. ValueError names an entry that is unknown or of the wrong type."""
        return read(cls, _renamed(values) if isinstance(values, Mapping) else values, "the settings")

    def check(self) -> None:
        """ValueError names a setting with an impossible value."""
        whole = {"envs": 1, "rollout": 1, "batch_size": 2, "epochs": 1, "width": 1, "blocks": 0, "evaluate_games": 2}
        whole |= {
            "final_games": 2,
            "decisions": 0,
            "threads": 0,
            "league_size": 1,
            "league_every": 0,
            "imitate_passes": 1,
        }
        whole |= {"num_workers": 1}
        for name, low in whole.items():
            if getattr(self, name) < low:
                raise ValueError(f"--{name.replace('_', '-')} must be at least {low}, not {getattr(self, name)}")
        for name, high in {"width": MOST_WIDTH, "blocks": MOST_BLOCKS}.items():
            if getattr(self, name) > high:
                raise ValueError(f"--{name} must be at most {high}, not {getattr(self, name)}")
        for name in ("gamma", "gae_lambda", "imitate_share", "league_rate"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"--{name.replace('_', '-')} must be from 0 to 1, not {getattr(self, name)}")
        for name in ("learning_rate", "imitate_learning_rate"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"--{name.replace('_', '-')} must be above 0, not {getattr(self, name)}")
        for name in ("entropy", "minutes", "evaluate_every"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise ValueError(f"--{name.replace('_', '-')} must be a finite number >= 0, not {value}")
        if self.league_size > MOST_MEMBERS:
            raise ValueError(f"--league-size must be at most {MOST_MEMBERS}, not {self.league_size}")
        if self.league_choice not in ("even", "hard"):
            raise ValueError(f"--league-choice must be 'even' or 'hard', not {self.league_choice!r}")
        if self.engine not in ENGINES:
            raise ValueError(f"--engine must be {' or '.join(map(repr, ENGINES))}, not {self.engine!r}")
        if self.engine != "rllib" and self.address:
            raise ValueError("--address needs --engine rllib")
        if self.engine != "rllib" and self.num_workers != DEFAULT_WORKERS:
            raise ValueError("--num-workers needs --engine rllib")
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"--seed must be from 0 to {2**32 - 1}, not {self.seed}")
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


def _renamed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Settings under their present names."""
    renamed = dict(values)
    if "ppo_learning_rate" in renamed:
        if "imitate_learning_rate" in renamed:
            raise ValueError("the settings have ppo_learning_rate, now learning_rate, beside imitate_learning_rate")
        renamed = {_EARLIER.get(name, name): value for name, value in renamed.items()}
    if "steps" in renamed:
        if "decisions" in renamed:
            raise ValueError("the settings have steps, now decisions, beside decisions")
        renamed["decisions"] = renamed.pop("steps")
    return renamed


def run_directory(game: str, args: TrainArgs, now: str) -> Path:
    return Path(args.run or f"runs/{game}-{now}")
