"""Training defaults of a game: its entry point in the group ``towers.training``, or generic ones.

The entry point has the name of the game and leads to a :class:`TrainingDefaults`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tower_core import registry
from tower_core.game import Game
from tower_core.players.specs import PLAYERS_GROUP
from train.config import AUTO, TrainArgs

TRAINING_GROUP = "towers.training"


@dataclass(frozen=True, kw_only=True)
class TrainingDefaults:
    """Default settings of one game. The values here suit a game without a player to imitate."""

    network: str = "mlp"
    """name of a network in the entry-point groups ``towers.networks.<game>`` or ``towers.networks``"""
    opponents: str = "random"
    """players of the other seats, with weights"""
    imitate: str = ""
    """player to imitate before PPO ("" for none)"""
    reward: str = ""
    """reward scheme ("": the first of the game)"""
    against: str = "random"
    """opponents of evaluations"""
    learning_rate: float = 1e-3
    """peak learning rate of PPO"""
    evaluator_weight: float = 1.0
    """share of the network in position values of ``mcts:network=PATH``; the rest is the game's own evaluation"""
    evaluator_unit: float = 1.0
    """a reward of 1, in the unit of the game's own evaluation"""


def training_defaults(game: Game) -> TrainingDefaults:
    """The defaults of a game. PluginError where its entry point can't be used."""
    point = registry.find(TRAINING_GROUP, game.name, "training defaults")
    if point is None:
        return _generic(game)
    found = registry.load(point, "training defaults")
    if not isinstance(found, TrainingDefaults):
        raise registry.PluginError(
            f"training defaults {point.name!r}: {point.value} must be a {TrainingDefaults.__module__}.TrainingDefaults,"
            f" not a {type(found).__name__}"
        )
    return found


def _generic(game: Game) -> TrainingDefaults:
    """Defaults of a game without an entry point; it imitates ``greedy`` if the game has its own."""
    against = ["random"] if game.actions.passing is None else ["random", "passive"]
    if registry.find(f"{PLAYERS_GROUP}.{game.name}", "greedy", "player") is None:
        return TrainingDefaults(against=",".join(against))
    return TrainingDefaults(opponents="greedy:3,random:1", imitate="greedy", against=",".join([*against, "greedy"]))


def with_game_defaults(args: TrainArgs, game: Game) -> TrainArgs:
    """*args* with the game's defaults for empty and zero values. ValueError for impossible rules."""
    defaults = training_defaults(game)
    return replace(
        args,
        players=game.players_of(args.players or None, game.resolve_rules(args.rules or None)),
        opponents=args.opponents or defaults.opponents,
        imitate=defaults.imitate if args.imitate == AUTO else args.imitate,
        against=args.against or defaults.against,
        reward=args.reward or defaults.reward or next(iter(game.rewards)),
        learning_rate=args.learning_rate or defaults.learning_rate,
        network=args.network or defaults.network,
    )
