"""``mcts``: tree search for any game, by whole turns where the game proposes them, else by single actions.

A game with turns and an evaluation of its own registers a factory under ``towers.players.<game>`` that calls
:func:`make_search` with its plug. Every other game is searched action by action, and positions are valued by random playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from agents.search.evaluated import EVALUATORS_GROUP, EvaluatedPlayer, Evaluator
from agents.search.player import Plug, SearchPlayer, Settings
from agents.search.playouts import make_plug
from tower_core import registry
from tower_core.game import Game
from tower_core.players.specs import option_names, refuse_unknown

# Utilities lie between -1 and 1. Worlds matter only where something is hidden or left to chance.
SETTINGS: dict[str, Any] = {"sims": 1000, "worlds": 16, "explore": 4.0, "scale": 1.0}


def make_mcts(game: Game, seed: int = 0, **options: Any) -> SearchPlayer:
    """Tree search over single actions with random playouts: ``mcts:sims=1000`` simulations per action.

    *playouts*: random games to value a position (1 to 1,000,000); other options as for :func:`make_search`.
    """
    return make_search(make_mcts, game, seed, options, make_plug, SETTINGS)


def make_search(
    factory: Callable[..., SearchPlayer],
    game: Game,
    seed: int,
    options: Mapping[str, Any],
    make_plug: Callable[..., Plug],
    settings: Mapping[str, Any],
    evaluated: Mapping[str, Any] | None = None,
) -> SearchPlayer:
    """A tree search; *factory*: the function of a module that was called with *game*, *seed* and *options*.

    Options are those of agents.search.player.Settings (with one of the budgets *sims* and *seconds* given, only that),
    those of ``make_plug(game, **options)``, and the name of an evaluator (agents.search.evaluated) with that one's own
    options, such as ``mcts:network=runs/x,weight=0.5``. *settings*: the game's defaults of Settings; *evaluated*: those
    that change where an evaluator values positions. ValueError says what is wrong with an option.
    """
    evaluators = registry.names(EVALUATORS_GROUP)
    asked = [name for name in evaluators if name in options]
    if len(asked) > 1:
        raise ValueError(f"mcts: one evaluator at a time, not {' and '.join(asked)}")
    make_evaluator = _load(asked[0]) if asked else None
    general = [field.name for field in fields(Settings)]
    own = option_names(make_plug, given=1) or []
    theirs = (option_names(make_evaluator) or []) if make_evaluator else []
    refuse_unknown("mcts", options, [*general, *own, *evaluators, *theirs])

    def given(names: list[str]) -> dict[str, Any]:
        return {name: options[name] for name in names if name in options}

    budget = given(general)
    if "seconds" in budget and "sims" not in budget:
        budget["sims"] = None
    plug, made_by = make_plug(game, **given(own)), (factory, dict(options))
    if make_evaluator is None:
        return SearchPlayer(game, seed, plug, Settings(**{**settings, **budget}), made_by)
    evaluator = make_evaluator(game, options[asked[0]], **given(theirs))
    defaults = {**settings, **(evaluated or {})} if evaluator.batch else settings
    return EvaluatedPlayer(game, seed, plug, Settings(**{**defaults, **budget}), made_by, evaluator)


def _load(name: str) -> Callable[..., Evaluator]:
    point = registry.find(EVALUATORS_GROUP, name, "evaluator")
    assert point is not None  # it was among the names
    return registry.load(point, "evaluator")  # type: ignore[return-value]
