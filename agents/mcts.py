"""``mcts``: tree search over whole turns, the hidden cards drawn anew in several worlds.

A game has it by its module ``agents.<game>.mcts``: ``SETTINGS`` (its defaults of agents.search.player.Settings),
``EVALUATED`` (those that are others where an evaluator values positions: agents.search.evaluated) and
``make_plug(game, **options)``, which gives an agents.search.player.Plug.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from agents.planner import module_of
from agents.search.evaluated import EVALUATORS_GROUP, EvaluatedPlayer, Evaluator
from agents.search.player import SearchPlayer, Settings
from tower_core.game import Game
from tower_core.players.specs import option_names, refuse_unknown


def make_mcts(game: Game, seed: int = 0, **options: Any) -> SearchPlayer:
    """The tree search of a game: ``mcts:sims=2000,seconds=1`` (budgets of a turn; with one of them given, only that).

    Other options: *worlds*, *playout*, *explore*, *scale* (agents.search.player.Settings), those of the game's module
    ``agents.<game>.mcts``, and the name of an evaluator (agents.search.evaluated) with that one's own options, such as
    ``mcts:network=runs/x,weight=0.5``. ValueError says what is wrong with one.
    """
    module = module_of(game, "mcts")
    points = {point.name: point for point in entry_points(group=EVALUATORS_GROUP)}
    asked = [name for name in points if name in options]
    if len(asked) > 1:
        raise ValueError(f"mcts: one evaluator at a time, not {' and '.join(asked)}")
    factory = _load(points[asked[0]]) if asked else None
    names = [field.name for field in fields(Settings)]
    theirs = list(option_names(factory) or ()) if factory else []
    refuse_unknown("mcts", options, [*names, *(option_names(module.make_plug, given=1) or ()), *points, *theirs])
    given = dict(options)
    general = {name: given.pop(name) for name in names if name in given}
    if "seconds" in general and "sims" not in general:
        general["sims"] = None
    spec = (game.name, seed, options)
    if factory is None:
        settings = Settings(**{**module.SETTINGS, **general})
        return SearchPlayer("mcts", game, seed, module.make_plug(game, **given), settings, spec)
    value = given.pop(asked[0])
    evaluator = factory(game, value, **{name: given.pop(name) for name in theirs if name in given})
    game_defaults = {**module.SETTINGS, **module.EVALUATED} if evaluator.batch else module.SETTINGS
    settings = Settings(**{**game_defaults, **general})
    return EvaluatedPlayer("mcts", game, seed, module.make_plug(game, **given), settings, spec, evaluator)


def _load(point: EntryPoint) -> Callable[..., Evaluator]:
    try:
        return point.load()  # type: ignore[no-any-return]
    except ModuleNotFoundError as error:
        raise ValueError(f"mcts: {point.name} needs {error.name}, which is not installed") from error
