"""``mcts``: tree search over whole turns, the hidden cards drawn anew in several worlds.

A game has it by its module ``agents.<game>.mcts``: ``SETTINGS`` (its defaults of agents.search.player.Settings) and
``make_plug(game, **options)``, which gives an agents.search.player.Plug.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from agents.planner import module_of
from agents.search.player import SearchPlayer, Settings
from tower_core.game import Game
from tower_core.players import option_names, refuse_unknown


def make_mcts(game: Game, seed: int = 0, **options: Any) -> SearchPlayer:
    """The tree search of a game: ``mcts:sims=2000,seconds=1`` (budgets of a turn; with one of them given, only that).

    Other options: *worlds*, *playout*, *explore*, *scale* (agents.search.player.Settings), and those of the game's module
    ``agents.<game>.mcts``. ValueError says what is wrong with one.
    """
    module = module_of(game, "mcts")
    names = [field.name for field in fields(Settings)]
    refuse_unknown("mcts", options, [*names, *(option_names(module.make_plug, given=1) or ())])
    given = dict(options)
    general = {name: given.pop(name) for name in names if name in given}
    if "seconds" in general and "sims" not in general:
        general["sims"] = None
    settings = Settings(**{**module.SETTINGS, **general})
    return SearchPlayer("mcts", game, seed, module.make_plug(game, **given), settings, (game.name, seed, options))
