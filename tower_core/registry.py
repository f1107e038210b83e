"""Where games are found: the entry points of the group ``towers.games``, the suite's own and those of other packages.

A plug-in that can't be loaded is named where it is used, and stops nothing else.
"""

from __future__ import annotations

import copyreg
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from tower_core.game import Game

GAMES_GROUP = "towers.games"
SUITE = "towers"
"""The distribution whose own names nobody else can take."""


class PluginError(ValueError):
    """A plug-in that can't be used; the message names it, its distribution and the reason."""


def load(point: EntryPoint, what: str) -> object:
    """What an entry point names. PluginError for whatever goes wrong in its package."""
    try:
        return point.load()
    except ModuleNotFoundError as error:
        raise PluginError(f"{what} {point.name!r} needs {error.name}, which is not installed") from error
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else ""
        raise PluginError(
            f"{what} {point.name!r} of {_owner(point)} can't be loaded: {type(error).__name__}: {reason}"
        ) from error


def find(group: str, name: str, what: str) -> EntryPoint | None:
    """The entry point of a name; the suite's own before any other. PluginError where two packages claim a name."""
    points = [point for point in entry_points(group=group) if point.name == name]
    own = [point for point in points if _owner(point) == SUITE]
    if own:
        return own[0]
    if len({point.value for point in points}) > 1:
        owners = " and ".join(sorted({_owner(point) for point in points}))
        raise PluginError(f"{what} {name!r} is claimed by {owners}: uninstall one of them")
    return points[0] if points else None


def names(group: str) -> list[str]:
    """Names of the entry points of a group."""
    return sorted({point.name for point in entry_points(group=group)})


def taken(group: str) -> list[str]:
    """A line for each entry point that claims a name of the suite's own, and is ignored for it."""
    points = list(entry_points(group=group))
    own = {point.name for point in points if _owner(point) == SUITE}
    return [
        f"{point.name!r} of {_owner(point)} is ignored: the name is taken by {SUITE}"
        for point in points
        if point.name in own and _owner(point) != SUITE
    ]


def _owner(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value


def game_names() -> list[str]:
    """Names of the installed games, also of those that can't be loaded."""
    return names(GAMES_GROUP)


@cache
def get_game(name: str) -> Game:
    """The installed game of that name. ValueError lists the names there are, or says why this one can't be used."""
    point = find(GAMES_GROUP, name, "game")
    if point is None:
        raise ValueError(f"unknown game {name!r}: choose one of {', '.join(game_names()) or '(none is installed)'}")
    game = load(point, "game")
    if not isinstance(game, Game):
        raise PluginError(f"game {name!r} of {_owner(point)} is a {type(game).__name__}, not a tower_core.game.Game")
    if game.name != name:
        raise PluginError(f"game {name!r} of {_owner(point)} calls itself {game.name!r}: both must be one name")
    return game


def usable_games() -> tuple[list[Game], list[str]]:
    """The installed games that can be used, and a line for each that can't."""
    games, faults = [], list(taken(GAMES_GROUP))
    for name in game_names():
        try:
            games.append(get_game(name))
        except ValueError as error:
            faults.append(str(error))
    return games, faults


copyreg.pickle(Game, lambda game: (get_game, (game.name,)))
