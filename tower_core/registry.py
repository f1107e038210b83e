"""Finds games through the entry points of the group ``towers.games``, the suite's own and those of other packages.

A plug-in that fails to load raises an error only where it is used.
"""

from __future__ import annotations

import copyreg
import os
import sys
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points

from tower_core import SUITE
from tower_core.game import Game
from tower_core.imported import one_line

GAMES_GROUP = "towers.games"


class PluginError(ValueError):
    """A plug-in can't be used; the message names it, its distribution and the reason."""


def load(point: EntryPoint, what: str) -> object:
    """Load an entry point. PluginError for any exception in its package."""
    try:
        return point.load()
    except ModuleNotFoundError as error:
        raise PluginError(f"{what} {point.name!r} requires {error.name}, which is not installed") from error
    except Exception as error:
        raise PluginError(f"{what} {point.name!r} of {_owner(point)} can't be loaded: {one_line(error)}") from error


def _points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, read anew when a folder on the path has changed: reading takes some 20 ms."""
    return _read(group, tuple((folder, _changed(folder)) for folder in sys.path))


@lru_cache(maxsize=64)
def _read(group: str, path: tuple[tuple[str, tuple[int, int] | None], ...]) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def _changed(folder: str) -> tuple[int, int] | None:
    try:
        found = os.stat(folder or os.curdir)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def find(group: str, name: str, what: str) -> EntryPoint | None:
    """The entry point of a name; the suite's own comes first. PluginError if two packages claim the name."""
    points = [point for point in _points(group) if point.name == name]
    own = [point for point in points if is_own(point)]
    if own:
        return own[0]
    if len({point.value for point in points}) > 1:
        owners = " and ".join(sorted({_owner(point) for point in points}))
        raise PluginError(f"{what} {name!r} is claimed by {owners}: uninstall one of them")
    return points[0] if points else None


def is_own(point: EntryPoint) -> bool:
    """Whether an entry point belongs to the suite."""
    return _owner(point) == SUITE


def names(group: str) -> list[str]:
    """Names of the entry points of a group."""
    return sorted({point.name for point in _points(group)})


def taken(group: str) -> list[str]:
    """One line for each entry point that is ignored because its name belongs to the suite."""
    points = _points(group)
    own = {point.name: point.value for point in points if is_own(point)}
    return [
        f"{point.name!r} of {_owner(point)} is ignored: {SUITE} already uses the name"
        for point in points
        if point.value != own.get(point.name, point.value)
    ]


def _owner(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value


def game_names() -> list[str]:
    """Names of the installed games, including those that fail to load."""
    return names(GAMES_GROUP)


@cache
def get_game(name: str) -> Game:
    """The installed game *name*. ValueError lists the installed games, or says why this one can't be used."""
    point = find(GAMES_GROUP, name, "game")
    if point is None:
        raise ValueError(f"unknown game {name!r}: choose one of {', '.join(game_names()) or '(none is installed)'}")
    game = load(point, "game")
    if not isinstance(game, Game):
        raise PluginError(
            f"game {name!r} of {_owner(point)} must be a tower_core.game.Game, not a {type(game).__name__}"
        )
    if game.name != name:
        raise PluginError(f"game {name!r} of {_owner(point)} has the name {game.name!r}: both names must be the same")
    return game


def usable_games() -> tuple[list[Game], list[str]]:
    """The installed games that load, and an error line for each that doesn't."""
    games, faults = [], list(taken(GAMES_GROUP))
    for name in game_names():
        try:
            games.append(get_game(name))
        except ValueError as error:
            faults.append(str(error))
    return games, faults


copyreg.pickle(Game, lambda game: (get_game, (game.name,)))
