"""Players without packaging: from files and modules, and from classes, instances and functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from tower_core.engine.compiling import CompilingDisabledError
from tower_core.game import Game
from tower_core.imported import is_absent, load_module, one_line
from tower_core.players.protocol import FunctionPlayer, OneRowPlayer, Player, RowsPlayer, player_name

PlayerSource = Player | RowsPlayer | Callable[..., Any]
"""A player; or a class or function that makes one from those of ``game`` and ``seed`` that it takes, and its options; or a
function from states to actions."""
_GIVEN = ("game", "seed")


class NoModuleError(ValueError):
    """There is no such module."""


def load_source(place: str, attribute: str) -> Any:
    """What *attribute* is in *place*, a file ``….py`` or a module. ValueError if there is no such thing, in one line."""
    module = _module_of(place)
    if not hasattr(module, attribute):
        there = [name for name, value in vars(module).items() if _defined_in(value, module)]
        raise ValueError(f"{place} has no {attribute!r}; it has: {', '.join(there) or 'no class or function'}")
    return getattr(module, attribute)


def _defined_in(value: Any, module: ModuleType) -> bool:
    return getattr(value, "__module__", "") == module.__name__ and (inspect.isclass(value) or inspect.isfunction(value))


def _module_of(place: str) -> ModuleType:
    path = Path(place).expanduser().resolve() if place.endswith(".py") else None
    if path is not None and not path.exists():
        raise ValueError(f"there is no file {place}")
    try:
        return load_module(place)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and is_absent(place, error):
            raise NoModuleError(f"there is no module {place}") from None
        raise ValueError(f"{path or place} can't be imported: {one_line(error)}") from error


# ---------------------------------------------------------------------------------------------- from sources to players
def is_player(thing: Any) -> bool:
    """Whether a thing is a player as it is, not a class of players."""
    return not isinstance(thing, type) and isinstance(thing, (Player, RowsPlayer))


def must_be_source(source: Any, what: str) -> None:
    """ValueError unless *source* is a :data:`PlayerSource`."""
    if isinstance(source, type):
        if not any(hasattr(source, name) for name in ("act", "act_on_rows")):
            raise ValueError(f"{what} is not a player: the class has no act(state)")
    elif not is_player(source) and not callable(source):
        raise ValueError(f"{what} is not a player, a class or a function, but {source!r}")


def is_choosing(source: Any) -> bool:
    """Whether a source is a function from states to actions: it takes one argument, which is neither game nor seed."""
    if isinstance(source, type) or is_player(source):
        return False
    needed = [p.name for p in _parameters(source) if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD]
    return len(needed) == 1 and not any(p.name in _GIVEN for p in _parameters(source))


def _parameters(source: Any) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(source).parameters.values())
    except (TypeError, ValueError):  # some built-in types have no signature
        return []


def has_parameter(source: Any, name: str) -> bool:
    """Whether a class or function names a parameter."""
    return not is_player(source) and any(p.name == name for p in _parameters(source))


def _by_position(source: Any) -> bool:
    """Whether a factory takes game and seed under other names, as its first two arguments."""
    parameters = _parameters(source)
    if any(p.name in _GIVEN for p in parameters):
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD]
    return len(needed) >= 2 or any(p.kind is p.VAR_POSITIONAL for p in parameters)


def source_options(source: Any) -> list[str] | None:
    """The options of a source; None if it accepts and checks any."""
    if is_player(source) or is_choosing(source):
        return []
    parameters = _parameters(source)[2 if _by_position(source) else 0 :]
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return [p.name for p in parameters if p.name not in _GIVEN]


def build(source: Any, game: Game, seed: int, options: Mapping[str, Any], what: str) -> Player:
    """The player of a source. ValueError if making it fails, or if it is not a player; *what* names it in messages."""
    if is_player(source):
        return _with_act(source)
    if is_choosing(source):
        return FunctionPlayer(source)
    try:
        if _by_position(source):
            made = source(game, seed, **options)
        else:
            names = [p.name for p in _parameters(source)]
            given = {"game": game, "seed": seed}
            made = source(**{name: value for name, value in given.items() if name in names}, **options)
    except (ValueError, CompilingDisabledError):
        raise
    except (Exception, SystemExit) as error:
        raise ValueError(f"player {what!r} can't be made: {one_line(error)}") from error
    if isinstance(made, type) or not (is_player(made) or callable(made)):
        raise ValueError(
            f"player {what!r} is not a player: {player_name(source)} made {made!r}, which has no act(state)"
        )
    return _with_act(made)


def _with_act(player: Any) -> Player:
    if isinstance(player, Player):
        return player
    return OneRowPlayer(player) if isinstance(player, RowsPlayer) else FunctionPlayer(player)
