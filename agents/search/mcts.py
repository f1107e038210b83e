"""``mcts``: tree search for any game, over whole turns if the game proposes them, otherwise over single actions.

A game with turns and an evaluation registers a factory under ``towers.players.<game>`` that calls :func:`make_search` with its
plug. Other games are searched action by action, with random playouts as values.
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

# Utilities are between -1 and 1. Worlds matter only with hidden information or chance.
SETTINGS: dict[str, Any] = {"sims": 1000, "worlds": 16, "explore": 4.0, "scale": 1.0}


def make_mcts(game: Game, seed: int = 0, cpu: float | None = None, **options: Any) -> SearchPlayer:
    """Tree search over single actions with random playouts: ``mcts:sims=1000`` simulations per action.

    *cpu*: seconds of CPU time per action; *playouts*: random games to value a position (1 to 1,000,000); other options as for
    :func:`make_search`.
    """
    return make_search(make_mcts, game, seed, {"cpu": cpu, **options}, make_plug, SETTINGS)


def make_search(
    factory: Callable[..., SearchPlayer],
    game: Game,
    seed: int,
    options: Mapping[str, Any],
    make_plug: Callable[..., Plug],
    settings: Mapping[str, Any],
    evaluated: Mapping[str, Any] | None = None,
) -> SearchPlayer:
    """Make a tree search; *factory*: the module-level function that was called with *game*, *seed* and *options*.

    Options are those of agents.search.player.Settings (*seconds* or *cpu* alone replaces the default *sims*), those of
    ``make_plug(game, **options)``, and the name of an evaluator (agents.search.evaluated) with its own options, such as
    ``mcts:network=runs/x,weight=0.5``. *settings*: the game's default Settings; *evaluated*: changes of these with an
    evaluator. ValueError names a wrong option.
    """
    evaluators = registry.names(EVALUATORS_GROUP)
    asked = [name for name in evaluators if name in options]
    if len(asked) > 1:
        raise ValueError(f"mcts: give one evaluator, not {' and '.join(asked)}")
    make_evaluator = _load(asked[0]) if asked else None
    general = [field.name for field in fields(Settings)]
    own = option_names(make_plug, given=1) or []
    theirs = (option_names(make_evaluator) or []) if make_evaluator else []
    refuse_unknown("mcts", options, [*general, *own, *evaluators, *theirs])

    def given(names: list[str]) -> dict[str, Any]:
        return {name: options[name] for name in names if name in options}

    budget = given(general)
    if "sims" not in budget and (budget.get("seconds") or budget.get("cpu")) is not None:
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
