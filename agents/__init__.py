"""Players: ``agents.make("greedy", game=…)`` and their protocol. Part of towers."""

from __future__ import annotations

from typing import Any

from tower_core.players.protocol import Native, Player
from tower_core.players.specs import make_player, player_names
from tower_core.registry import get_game

__all__ = ["Native", "Player", "make", "names"]


def make(spec: str, game: str, seed: int = 0) -> Player:
    """Make a player of a game from a spec: a name from :func:`names`, optionally with options (``"name:option=value,…"``).

    ``player.act(state)`` returns an action for the seat to move. Players with the same spec and seed play the same
    actions. ValueError says what is wrong with the spec.
    """
    return make_player(spec, get_game(game), seed)


def names(game: str | None = None) -> list[str]:
    """Names of the installed players of a game, or of all games."""
    return player_names(get_game(game) if game else None)


def __dir__() -> list[Any]:
    return sorted(__all__)
