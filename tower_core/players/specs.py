"""Players by name: specs such as ``"greedy"`` or ``"mcts:sims=200"``, and mixtures of opponents.

This package provides only the players of tower_core.players.generic. Packages register factories under the entry-point
group ``towers.players``, or ``towers.players.<game>`` for one game, which takes precedence. A factory is called as
``factory(game, seed, **options)`` and returns a :class:`~tower_core.players.protocol.Player`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from tower_core import registry
from tower_core.game import Game
from tower_core.players.protocol import Player

PLAYERS_GROUP = "towers.players"
_QUOTES = "\"'"


def player_names(game: Game | None = None) -> list[str]:
    """Names of the installed players: of one game, or of all games."""
    groups = [PLAYERS_GROUP, *([f"{PLAYERS_GROUP}.{game.name}"] if game else _groups_of_games())]
    return sorted({name for group in groups for name in registry.names(group)})


def _groups_of_games() -> list[str]:
    return [f"{PLAYERS_GROUP}.{name}" for name in registry.game_names()]


def make_player(spec: str | Player, game: Game, seed: int = 0) -> Player:
    """A player for *game* from a spec such as ``"greedy"`` or ``"name:option=value,option=value"``; players pass through.

    In specs such as ``checkpoint:PATH``, the text after the colon is the option ``path``. ValueError for invalid specs.
    """
    if not isinstance(spec, str):
        if isinstance(spec, Player):
            return spec
        raise ValueError(f"a player spec must be a string such as 'greedy', not {spec!r}")
    return player_maker(spec, game)(seed)


def player_maker(spec: str, game: Game) -> Callable[[int], Player]:
    """A function from seeds to players of a spec, which is parsed only once."""
    name, _, rest = spec.partition(":")
    factory: Any = player_factory(name, game)
    options = _options(rest, option_names(factory))
    _check_options(spec, factory, options)
    return lambda seed: factory(game, seed, **options)  # type: ignore[no-any-return]


def player_factory(name: str, game: Game) -> Callable[..., Player]:
    """The factory of a player: the game's own, otherwise the generic one. ValueError if there is none."""
    for group in (f"{PLAYERS_GROUP}.{game.name}", PLAYERS_GROUP):
        point = registry.find(group, name, "player")
        if point is not None:
            return registry.load(point, "player")  # type: ignore[return-value]
    if name in player_names():
        raise ValueError(f"player {name!r} doesn't play {game.name}: choose one of {', '.join(player_names(game))}")
    raise ValueError(f"unknown player {name!r}: choose one of {', '.join(player_names(game)) or '(none is installed)'}")


def _check_options(spec: str, factory: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """ValueError for options missing from the factory's signature; a TypeError inside the factory is not masked."""
    known = option_names(factory)
    if known is not None:
        refuse_unknown(f"player {spec!r}", options, known)


def option_names(factory: Callable[..., Any], given: int = 2) -> list[str] | None:
    """The options a factory takes after the first *given* arguments; None if it accepts and checks any."""
    parameters = list(inspect.signature(factory).parameters.values())[given:]
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return [parameter.name for parameter in parameters]


def refuse_unknown(who: str, options: Mapping[str, Any], known: Collection[str]) -> None:
    """ValueError for an unknown option."""
    for option in options:
        if option not in known:
            raise ValueError(f"{who} has no option {option!r}; it has: {', '.join(known) or 'none'}")


def _options(text: str, known: Collection[str] | None) -> dict[str, Any]:
    """Options from ``key=value,…``, or a path: in quotes, or if the text doesn't start with a known option."""
    if not text:
        return {}
    first = text.partition("=")[0].strip()
    if text[0] in _QUOTES and text[-1] == text[0] and len(text) > 1:
        return {"path": text[1:-1]}
    if "=" not in text.split(",")[0] or (known and "path" in known and first not in known):
        return {"path": text}
    options: dict[str, Any] = {}
    for part in _split(text):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ValueError(f"player options must be written key=value, not {part!r}")
        if key in options:
            raise ValueError(f"player option {key!r} is given twice")
        options[key] = _number(value.strip())
    return options


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


Opponents = str | Player | Sequence[Any] | Mapping[Any, float]


def weighted(opponents: Opponents) -> list[tuple[str | Player, float]]:
    """Opponents and their weights from ``"greedy"``, ``"random:1,greedy:2"``, a mapping, or a sequence of either."""
    if isinstance(opponents, Mapping):
        pairs = [(spec, _weight(spec, weight)) for spec, weight in opponents.items()]
    elif isinstance(opponents, str):
        pairs = [_split_weight(part) for part in split_specs(opponents)]
    elif isinstance(opponents, Sequence):
        pairs = [
            (entry[0], _weight(*entry)) if isinstance(entry, tuple) and len(entry) == 2 else (entry, 1.0)
            for entry in opponents
        ]
    else:
        pairs = [(opponents, 1.0)]
    if not pairs or sum(weight for _, weight in pairs) <= 0:
        raise ValueError("opponents: at least one needs a weight above 0")
    return pairs


def _split(text: str) -> list[str]:
    """Split a text at commas outside quotes."""
    return re.findall(r"""(?:[^,"']|"[^"]*"|'[^']*'|["'])+|(?<=,)(?=,|$)|^(?=,|$)""", text)


def split_specs(text: str) -> list[str]:
    """Split a text into specs. Commas separate specs as well as the options of one: a part with "=" but no name belongs to
    the spec before it. Quote paths that contain commas (``checkpoint:"runs/a,b"``)."""
    parts: list[str] = []
    for part in _split(text):
        if parts and "=" in part.split(":")[0]:
            parts[-1] += "," + part
        else:
            parts.append(part.strip())
    return parts


def _split_weight(part: str) -> tuple[str, float]:
    head, colon, tail = part.rpartition(":")
    try:
        return (head, _weight(head, float(tail))) if colon else (part, 1.0)
    except ValueError:
        if colon and not any(c.isalpha() or c == "=" for c in tail):
            raise
        return part, 1.0


def _weight(spec: Any, weight: Any) -> float:
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
        raise ValueError(f"opponents: the weight of {spec!r} must be a non-negative number, not {weight!r}")
    return float(weight)
