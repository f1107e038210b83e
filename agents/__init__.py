"""Players: ``agents.make("greedy", game=…)`` and their protocol. Part of towers."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tower_core.players.loading import PlayerSource
    from tower_core.players.protocol import Choice, Native, Player

__all__ = ["Choice", "Native", "Player", "make", "names", "register"]


def make(spec: str | PlayerSource, game: str, seed: int = 0) -> Player:
    """Make a player of a game from a spec: a name from :func:`names`, optionally with options (``"name:option=value,…"``),
    or ``"FILE.py:CLASS"``; or from a class, a function or a player.

    ``player.act(state)`` returns an action for the seat to move. Players with the same spec and seed play the same
    actions. ValueError says what is wrong with the spec.
    """
    from tower_core.players.specs import make_player
    from tower_core.registry import get_game

    return make_player(spec, get_game(game), seed)


def names(game: str | None = None) -> list[str]:
    """Names of the installed players of a game, or of all games."""
    from tower_core.players.specs import player_names
    from tower_core.registry import get_game

    return player_names(get_game(game) if game else None)


def register(name: str, source: PlayerSource, game: str | None = None) -> None:
    """Give a player a name in this program: *source* is its class, a function that makes it (both take those of ``game``
    and ``seed`` that they name), a function from states to actions, or a player. Arenas pass the name on to their processes.

    ValueError for a name that is installed already.
    """
    from tower_core.players import specs

    specs.register(name, source, game)


def __getattr__(name: str) -> Any:
    if name in ("Choice", "Native", "Player"):
        return getattr(import_module("tower_core.players.protocol"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[Any]:
    return sorted(__all__)
