"""Players by name: specs such as ``"greedy"`` or ``"mcts:sims=200"``, and mixtures of opponents.

A spec is ``NAME``, ``NAME:OPTIONS`` or, for a player that isn't installed, ``FILE.py:CLASS`` or ``package.module:CLASS``, also
followed by ``:OPTIONS``. ``LABEL=SPEC`` names the player LABEL in tables and messages. Wherever a spec is accepted, so are
players, their classes, and functions (:data:`tower_core.players.loading.PlayerSource`).

This package provides only the players of tower_core.players.generic. Packages register factories under the entry-point
group ``towers.players``, or ``towers.players.<game>`` for one game, which takes precedence; programs call :func:`register`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from tower_core import registry
from tower_core.game import Game
from tower_core.imported import split_named
from tower_core.players.loading import (
    NoModuleError,
    PlayerSource,
    build,
    has_parameter,
    is_player,
    load_source,
    must_be_source,
    source_options,
)
from tower_core.players.protocol import Player, player_name

PLAYERS_GROUP = "towers.players"
_QUOTES = "\"'"
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_LABELLED = re.compile(r"\s*(?P<label>[\w.+-]+)\s*=\s*(?P<spec>.*)", re.DOTALL)
_registered: dict[tuple[str, str], Any] = {}
"""Sources by game ("" for all games) and name."""


def register(name: str, source: PlayerSource, game: str | None = None) -> None:
    """Give a player a name in this program, for one game or for all. Registering a name again replaces its player.

    ValueError for a name that an installed player has, or that can't be written in a spec.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"a player's name consists of letters, digits, _ and -, not {name!r}")
    must_be_source(source, f"player {name!r}")
    if game is not None:
        registry.get_game(game)
    if any(registry.find(group, name, "player") for group in (PLAYERS_GROUP, *_groups_of_games())):
        raise ValueError(f"player {name!r} is installed already: choose another name")
    _registered[game or "", name] = source


def registered(specs: Collection[Any]) -> dict[tuple[str, str], Any]:
    """The registered players that *specs* name, as :func:`register_all` takes them in another process."""
    named = {split_label(spec)[1].partition(":")[0] for spec in specs if isinstance(spec, str)}
    return {key: source for key, source in _registered.items() if key[1] in named}


def register_all(sources: Mapping[tuple[str, str], Any]) -> None:
    _registered.update(sources)


def player_names(game: Game | None = None) -> list[str]:
    """Names of the installed and registered players: of one game, or of all games."""
    groups = [PLAYERS_GROUP, *([f"{PLAYERS_GROUP}.{game.name}"] if game else _groups_of_games())]
    here = {name for of, name in _registered if game is None or of in ("", game.name)}
    return sorted({name for group in groups for name in registry.names(group)} | here)


def _groups_of_games() -> list[str]:
    return [f"{PLAYERS_GROUP}.{name}" for name in registry.game_names()]


# ---------------------------------------------------------------------------------------------- one player
def make_player(spec: str | PlayerSource, game: Game, seed: int = 0) -> Player:
    """A player for *game* from a spec, a class or a function; players pass through. ValueError says what is wrong."""
    return player_maker(spec, game)(seed)


def player_maker(spec: str | PlayerSource, game: Game) -> Callable[[int], Player]:
    """A function from seeds to players of a spec, which is parsed only once."""
    if not isinstance(spec, str):
        if not is_player(spec) and not callable(spec):
            raise ValueError(
                f"a player spec must be a string such as 'greedy', or a player, a class or a function, not {spec!r}"
            )
        source, what = spec, player_name(spec)
        must_be_source(source, what)
        return lambda seed: build(source, game, seed, {}, what)
    label, text = split_label(spec)
    source, rest = _source(text, game)
    must_be_source(source, text)
    known = source_options(source)
    options = _options(rest, known)
    if known is not None:
        refuse_unknown(f"player {text!r}", options, known)

    def make(seed: int) -> Player:
        player = build(source, game, seed, options, text)
        if label and player is not source:
            with suppress(AttributeError):
                player.name = label  # type: ignore[attr-defined]
        return player

    return make


def _source(text: str, game: Game) -> tuple[Any, str]:
    """What a spec without label names, and the text of its options."""
    name, _, rest = text.partition(":")
    for key in ((game.name, name), ("", name)):
        if key in _registered:
            return _registered[key], rest
    for group in (f"{PLAYERS_GROUP}.{game.name}", PLAYERS_GROUP):
        point = registry.find(group, name, "player")
        if point is not None:
            return registry.load(point, "player"), rest
    if name in player_names():
        raise ValueError(f"player {name!r} doesn't play {game.name}: choose one of {', '.join(player_names(game))}")
    split = split_named(text)
    if split is not None:
        place, attribute, options = split
        try:
            return load_source(place, attribute), options
        except NoModuleError:
            if "." in place:
                raise
    if text.endswith(".py"):
        raise ValueError(f"player {text!r}: name the class too, such as {text}:First")
    raise ValueError(
        f"unknown player {name!r}: choose one of {', '.join(player_names(game)) or '(none is installed)'}, or write"
        " FILE.py:CLASS for your own"
    )


def own_name(spec: str, game: Game) -> str | None:
    """The name of the player in a spec if the suite itself provides it."""
    name = split_label(spec)[1].partition(":")[0]
    for group in (f"{PLAYERS_GROUP}.{game.name}", PLAYERS_GROUP):
        point = registry.find(group, name, "player")
        if point is not None:
            return name if registry.is_own(point) else None
    return None


def code_of(spec: str) -> str | None:
    """``FILE.py:CLASS`` or ``package.module:CLASS`` where a spec names code; None for installed and registered players."""
    text = split_label(spec)[1]
    split = split_named(text)
    if split is None or text.partition(":")[0] in player_names():
        return None
    return f"{split[0]}:{split[1]}"


def with_cpu(spec: str | PlayerSource, game: Game, seconds: float) -> str | None:
    """*spec* with the option ``cpu=seconds``; None for a player that does not take it, or has it already.

    A label gets the milliseconds at its end, because another budget makes another player.
    """
    if not isinstance(spec, str):
        return None
    label, text = split_label(spec)
    source, rest = _source(text, game)
    if not has_parameter(source, "cpu") or "cpu" in _options(rest, None):
        return None
    given = text.rstrip(":") + ("," if rest else ":") + f"cpu={seconds:g}"
    return f"{label}-{1000 * seconds:g}ms={given}" if label else given


# ---------------------------------------------------------------------------------------------- labels
def split_label(spec: str) -> tuple[str, str]:
    """Label and spec of ``LABEL=SPEC``; the label is "" if there is none."""
    labelled = _LABELLED.fullmatch(spec)
    return (labelled["label"], labelled["spec"]) if labelled else ("", spec)


def label_of(spec: str | PlayerSource) -> str:
    """The name of a player in tables: the label of its spec, or the spec; of an object its name."""
    if not isinstance(spec, str):
        return player_name(spec)
    label, text = split_label(spec)
    return label or text


def meaning_of(spec: str | PlayerSource) -> str:
    """The player of a spec, without its label, as text."""
    if isinstance(spec, str):
        return split_label(spec)[1]
    kind = spec if hasattr(spec, "__qualname__") else type(spec)
    return f"{kind.__module__}:{kind.__qualname__}"


def by_label(specs: Sequence[str | PlayerSource]) -> dict[str, str | PlayerSource]:
    """Specs by label, with a number where one is repeated. ValueError if a label means two players."""
    found: dict[str, str | PlayerSource] = {}
    for spec in specs:
        label = label_of(spec)
        if label not in found:
            found[label] = spec
            continue
        if found[label] != spec:
            raise ValueError(f"two players have the name {label!r}: name them apart, such as other={meaning_of(spec)}")
        again = sum(known == spec for known in found.values())
        found[f"{label} ({again + 1})"] = spec
    return found


# ---------------------------------------------------------------------------------------------- options
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


Opponents = str | PlayerSource | Sequence[Any] | Mapping[Any, float]


def weighted(opponents: Opponents) -> list[tuple[str | PlayerSource, float]]:
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
        if parts and _goes_on(parts[-1], part):
            parts[-1] += "," + part
        else:
            parts.append(part.strip())
    return parts


def _goes_on(spec: str, part: str) -> bool:
    """Whether the *part* after a comma is an option of the *spec* before it, and not ``LABEL=SPEC``."""
    before, equals, after = part.partition("=")
    if not equals or ":" in before:
        return False
    if "=" not in split_label(spec)[1]:  # it has no options
        return False
    name, colon, rest = after.strip().partition(":")
    named = bool(colon) and (name in player_names() or split_named(after.strip()) is not None)
    return not named or not isinstance(
        _number(rest), str
    )  # network=learned:2 is an option, and the weight of its player


def _split_weight(part: str) -> tuple[str, float]:
    head, colon, tail = part.rpartition(":")
    try:
        return (head, _weight(head, float(tail))) if colon else (part, 1.0)
    except ValueError:
        if colon and not any(c.isalpha() or c in "=\"'" for c in tail):
            raise
        return part, 1.0


def _weight(spec: Any, weight: Any) -> float:
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
        raise ValueError(f"opponents: the weight of {spec!r} must be a non-negative number, not {weight!r}")
    return float(weight)
