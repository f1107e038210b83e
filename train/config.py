"""Everything that a training run can be told, with its defaults: shown by ``towers train --help``, saved with the run."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tower_core.schema import read

MOST_WIDTH, MOST_BLOCKS = 1024, 64  # of a network
MOST_MEMBERS = 256  # of a league
ENGINES = ("sb3", "rllib")
DEFAULT_WORKERS = 2

# What suits a game, found by measuring: docs/training.md.
GAME_DEFAULTS: dict[str, dict[str, Any]] = {
    # Who doesn't meet `passive` may learn to pass.
    "torres": {"opponents": "greedy:3,passive:1,random:1", "ppo_learning_rate": 6e-4},
    # Games against weaker players than `greedy` are won, and teach nothing.
    "market": {"opponents": "greedy:9,random:1", "ppo_learning_rate": 1e-3},
}


@dataclass(kw_only=True)
class TrainArgs:
    """A training run."""

    players: int = 2
    """players of a game"""
    rules: str = ""
    """preset of the rules, also with fields: "solo:solo_npc_towers=1" (default: the game's own)"""
    opponents: str = ""
    """who plays the other seats, by weight, drawn anew for every seat and game; "self" is the learner, "league" a copy of
    it from earlier, and "league:0..2" a weight that goes from 0 to 2 over the run
    (default: greedy:3,passive:1,random:1 for Torres, greedy:9,random:1 for the market game)"""
    league_size: int = 8
    """copies of the learner in the league; the oldest makes room"""
    league_every: int = 100_000
    """a copy joins after so many decisions (0: not by that)"""
    league_rate: float = 0.0
    """a copy joins when the learner has won more than this share of 200 games against earlier ones (0: not by that)"""
    league_choice: str = "even"
    """which copies play: all alike ("even"), or those more that the learner loses to ("hard")"""
    seat: str = "random"
    """seat of the learner: "random" or a number"""
    reward: str = "progress"
    """what is paid: see the game's page for the kinds"""
    steps: int = 0
    """stop after so many decisions of the learner (0: no limit)"""
    minutes: float = 10.0
    """stop after so many minutes, evaluations included (0: no limit)"""
    imitate: str = "greedy"
    """player to imitate before learning from reward ("" for none)"""
    imitate_share: float = 0.3
    """share of the time spent on imitation"""
    imitate_passes: int = 1
    """passes over what was watched; more where the imitated player is slow"""
    start: str = ""
    """checkpoint, or run, whose weights the run begins with instead of imitating"""
    envs: int = 256
    """games played at once"""
    rollout: int = 32
    """decisions of each game between two updates"""
    batch_size: int = 1024
    """samples of a gradient step"""
    epochs: int = 3
    """passes over the samples of an update"""
    learning_rate: float = 2e-3
    """of imitation, at its beginning; it sinks to a tenth"""
    ppo_learning_rate: float = 0.0
    """of learning from reward, if it began with the run; it sinks to a twentieth at the end (0: 0.0006 for
    Torres, 0.001 for the market game)"""
    gamma: float = 0.995
    """discount of a decision"""
    gae_lambda: float = 0.95
    """mixture of advantages"""
    entropy: float = 0.003
    """weight of the entropy bonus"""
    network: str = ""
    """conv or mlp for Torres, circles or mlp for the market (default: the first)"""
    width: int = 32
    """width of the network"""
    blocks: int = 2
    """residual blocks of the network (conv), or hidden layers after the first (mlp)"""
    threads: int = 0
    """threads of the network (0: one per core)"""
    seed: int = 1
    """seed of everything"""
    evaluate_every: float = 2.0
    """minutes between evaluations (0: only at the end)"""
    evaluate_games: int = 100
    """games of such an evaluation, per opponent"""
    final_games: int = 200
    """games of the table at the end, per opponent"""
    against: str = "random,passive,greedy"
    """opponents of the evaluations"""
    engine: str = "sb3"
    """who trains: "sb3" in this process, or "rllib" with games on other processes and machines (needs Ray)"""
    num_workers: int = DEFAULT_WORKERS
    """processes that play, with --engine rllib; --envs are shared out among them"""
    address: str = ""
    """Ray cluster to play on, with --engine rllib: "auto" or HOST:PORT (default: a cluster of this machine's own)"""
    run: str = ""
    """directory of the run (default: runs/GAME-DATE-TIME)"""
    resume: str = ""
    """directory of a run to go on with; its settings hold, but for --steps and --minutes (and --num-workers, --address)"""

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TrainArgs:
        """Settings from a saved run. ValueError names what doesn't belong there."""
        return read(cls, values, "the settings")

    def game_defaults(self, game: str) -> TrainArgs:
        """These settings, with what suits the game where nothing else was said."""
        game_defaults = GAME_DEFAULTS.get(game, GAME_DEFAULTS["torres"])
        return replace(self, **{name: value for name, value in game_defaults.items() if not getattr(self, name)})

    def check(self) -> None:
        """ValueError names a setting that can't be."""
        whole = {"envs": 1, "rollout": 1, "batch_size": 2, "epochs": 1, "width": 1, "blocks": 0, "evaluate_games": 2}
        whole |= {"final_games": 2, "steps": 0, "threads": 0, "league_size": 1, "league_every": 0, "imitate_passes": 1}
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
        for name in ("learning_rate", "ppo_learning_rate"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"--{name.replace('_', '-')} must be above 0, not {getattr(self, name)}")
        for name in ("entropy", "minutes", "evaluate_every"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"--{name.replace('_', '-')} must be a number from 0 on, not {getattr(self, name)}")
        if self.league_size > MOST_MEMBERS:
            raise ValueError(f"--league-size must be at most {MOST_MEMBERS}, not {self.league_size}")
        if self.league_choice not in ("even", "hard"):
            raise ValueError(f"--league-choice must be 'even' or 'hard', not {self.league_choice!r}")
        if self.engine not in ENGINES:
            raise ValueError(f"--engine must be {' or '.join(map(repr, ENGINES))}, not {self.engine!r}")
        if self.engine != "rllib" and self.address:
            raise ValueError("--address is for --engine rllib: without it everything is done by this process")
        if self.engine != "rllib" and self.num_workers != DEFAULT_WORKERS:
            raise ValueError("--num-workers is for --engine rllib: without it everything is done by this process")
        if not 0 <= self.seed < 2**32:
            raise ValueError(f"--seed must be from 0 to {2**32 - 1}, not {self.seed}")
        if not self.steps and not self.minutes:
            raise ValueError("give --steps or --minutes: without either the run would never end")
        if self.seat != "random" and not self.seat.isdecimal():
            raise ValueError(f"--seat must be 'random' or a number, not {self.seat!r}")


def read_config(path: str | Path) -> TrainArgs:
    """Settings from a TOML or JSON file; the ``args.json`` of a run is one.

    A file's ``run`` and ``resume`` don't count. ValueError names what is wrong with the file; OSError if it can't be read.
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
