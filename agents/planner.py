"""``planner``: looks for the best whole turn."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from tower_core.game import Game
from tower_core.players.specs import option_names, refuse_unknown


def module_of(game: Game, name: str) -> ModuleType:
    """The module ``agents.<game>.<name>``. ValueError where the game has no such player."""
    path = f"agents.{game.name}.{name}"
    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if error.name is None or not path.startswith(error.name):
            raise
        raise ValueError(f"there is no {name} for {game.name}") from error


def make_planner(game: Game, seed: int = 0, **options: Any) -> Any:
    """The planner of a game; its options are those of ``agents.<game>.planner``. ValueError says what is wrong with one."""
    make = module_of(game, "planner").make_planner
    refuse_unknown("planner", options, option_names(make) or ())
    return make(game, seed, **options)
