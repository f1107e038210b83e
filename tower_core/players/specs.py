"""Players as the games see them: how one is asked, how one sits inside the compiled loops, where one is found by name.

The ground floor knows no player. Packages register factories under the entry-point group ``towers.players``; a factory
is called as ``factory(game, seed, **options)`` and returns a :class:`Player`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tower_core.game import Game
    from tower_core.state import State

PLAYERS_GROUP = "towers.players"


@dataclass(frozen=True)
class Native:
    """A compiled ``int64 choose(record address, stream address, options)``; *keep* is whatever must outlive it."""

    address: int
    options: int = 0
    keep: Any = None


@runtime_checkable
class Player(Protocol):
    """Somebody who plays a seat."""

    name: str
    native: Native | None
    """Where it can sit inside the compiled loops; None if it must be asked from Python."""

    def act(self, state: State) -> int:
        """A legal action for ``state.current_player()``. Whoever asks shows it a :func:`mover_view`."""


@runtime_checkable
class RowsPlayer(Player, Protocol):
    """A player that is asked about many games at once, by nothing but what the seats to move see of them."""

    def must_play(self, num_players: int, rules: Any) -> None:
        """ValueError where it can't play games of so many players under these rules."""

    def act_on_rows(self, rows: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """A legal action for each game (int64 [B]) from observations [B, size] and legal actions [B, num_actions]."""


def mover_view(state: State, seed: int) -> State:
    """What whoever is to move in *state* may be shown: a copy for :meth:`Player.act`.

    Everything that the seat can't know, the random stream and the game's seed included, is drawn anew from *seed*. If
    *seed* doesn't depend on what is hidden, neither does anything in the copy.
    """
    return state.resample_hidden(state.current_player(), seed)


@runtime_checkable
class Judge(Protocol):
    """A player that can say what it thinks of a position, for people who look into it."""

    def judge(self, state: State) -> tuple[float, dict[int, float]]:
        """What the seat to move can expect, in the reward that the player learned from, and how likely it plays what."""


def player_names() -> list[str]:
    """Names of the installed players."""
    return sorted(point.name for point in entry_points(group=PLAYERS_GROUP))


def make_player(spec: str | Player, game: Game, seed: int = 0) -> Player:
    """A player for *game* from a spec such as ``"greedy"`` or ``"name:option=value,option=value"``, or a player itself.

    ``checkpoint:PATH`` style specs pass the text after the colon as option ``path``. ValueError says what is wrong.
    """
    if not isinstance(spec, str):
        if isinstance(spec, Player):
            return spec
        raise ValueError(f"a player is named by a text such as 'greedy', not {spec!r}")
    return player_maker(spec, game)(seed)


def player_maker(spec: str, game: Game) -> Callable[[int], Player]:
    """A function from seeds to players of a spec, for whoever makes many: the spec is read and looked up once."""
    name, _, rest = spec.partition(":")
    for point in entry_points(group=PLAYERS_GROUP):
        if point.name == name:
            break
    else:
        raise ValueError(f"unknown player {name!r}: choose one of {', '.join(player_names()) or '(none is installed)'}")
    try:
        factory = point.load()
    except ModuleNotFoundError as error:
        raise ValueError(f"player {name!r} needs {error.name}, which is not installed") from error
    options = _options(rest)
    _check_options(spec, factory, options)
    return lambda seed: factory(game, seed, **options)  # type: ignore[no-any-return]


def _check_options(spec: str, factory: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """ValueError where a factory takes no such options: asked of its signature, so that its own errors stay its own."""
    known = option_names(factory)
    if known is not None:
        refuse_unknown(f"player {spec!r}", options, known)


def option_names(factory: Callable[..., Any], given: int = 2) -> list[str] | None:
    """The options that a factory takes after the first *given* arguments; None where it takes any, and checks them itself."""
    parameters = list(inspect.signature(factory).parameters.values())[given:]
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return [parameter.name for parameter in parameters]


def refuse_unknown(who: str, options: Mapping[str, Any], known: Collection[str]) -> None:
    """ValueError for an option that isn't known."""
    for option in options:
        if option not in known:
            raise ValueError(f"{who} has no option {option!r}; it has: {', '.join(known) or 'none'}")


def _options(text: str) -> dict[str, Any]:
    if not text:
        return {}
    if "=" not in text.split(",")[0]:
        return {"path": text}
    options: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ValueError(f"player options are written key=value, not {part!r}")
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


def split_specs(text: str) -> list[str]:
    """Commas part opponents, but also the options of one: a part with "=" and no name of its own goes on with the last."""
    parts: list[str] = []
    for part in text.split(","):
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
        raise ValueError(f"opponents: the weight of {spec!r} must be a number from 0 on, not {weight!r}")
    return float(weight)
