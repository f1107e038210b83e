"""What the shared classes need to know of a game, and where games are found."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tower_core.action_help import Words
    from tower_core.chance import Chance
    from tower_core.envs.batch import Batch
    from tower_core.state import State

GAMES_GROUP = "towers.games"
_compiling = threading.Lock()


@dataclass(frozen=True)
class Game:
    """A game as the faces see it. *record* is the dtype of one game; *parts* name the arrays of an observation.

    *package* has the files that every game has (docs/design.md): ``state`` and ``batch`` with the classes named here,
    ``kernels`` with ``compile_rules()``, ``chance``. They are imported when they are asked for.
    """

    name: str
    title: str
    package: str
    record: np.dtype[Any]
    num_actions: int
    observation_shapes: tuple[tuple[str, tuple[int, ...]], ...]
    rewards: Mapping[str, int]
    dense_rewards: frozenset[str]
    seats: range
    default_rules: str
    presets: tuple[str, ...]
    make_record: Callable[[int, Any], NDArray[Any]]
    """A record with the rules filled in, from a number of players and rules; ValueError names what is wrong."""
    to_position: Callable[[NDArray[Any], Any, int | None], dict[str, Any]]
    """A record under its rules as a JSON-able dict: all of it, or what one seat may know (the gate of the game)."""
    resolve_rules: Callable[[Any], Any]
    state_name: str
    batch_name: str
    gym_id: str
    measured: tuple[int, str]
    """Number of players and preset that speed is measured with."""
    has_truncation: bool = False
    levels: Callable[[Any], Mapping[str, Any]] = lambda _: {}
    """Games of one player: from rules, those of every level of difficulty, by name."""
    _cells: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def module(self, name: str) -> Any:
        """The file of that name of this game."""
        return import_module(f"{self.package}.{name}")

    def state_class(self) -> type[State]:
        return self.module("state").__dict__[self.state_name]  # type: ignore[no-any-return]

    def batch_class(self) -> type[Batch]:
        return self.module("batch").__dict__[self.batch_name]  # type: ignore[no-any-return]

    def chance(self) -> Chance:
        """How the game tells what chance did, for records."""
        return self.module("chance")  # type: ignore[no-any-return]

    def words(self) -> Words:
        """How the game tells people what actions and cards do."""
        return self.module("words")  # type: ignore[no-any-return]

    @cached_property
    def observation_size(self) -> int:
        return sum(int(np.prod(shape)) for _, shape in self.observation_shapes)

    @cached_property
    def slices(self) -> tuple[tuple[str, slice, tuple[int, ...]], ...]:
        """Per part its name, its place in an observation row, and its shape."""
        places, start = [], 0
        for name, shape in self.observation_shapes:
            size = int(np.prod(shape))
            places.append((name, slice(start, start + size), shape))
            start += size
        return tuple(places)

    @property
    def version(self) -> str:
        """Version of the rules, such as ``v0``: the same options have the same behaviour."""
        return self.gym_id.rsplit("-", 1)[1]

    @property
    def entry(self) -> Callable[..., int]:
        """The compiled entry (operations: tower_core.engine.loops); compiled at first use, once per process."""
        if "entry" not in self._cells:
            with _compiling:
                if "entry" not in self._cells:
                    function, address = self.module("kernels").compile_rules()
                    self._cells.update(address=address, entry=function)
        return self._cells["entry"]  # type: ignore[no-any-return]

    @property
    def address(self) -> int:
        """The compiled entry's address, as other compiled code calls it."""
        self.entry  # noqa: B018 (compiles it)
        return int(self._cells["address"])

    def players_of(self, num_players: int | None, rules: Any) -> int:
        """The number of players: what is asked for, or what the rules or the game play with where nobody says."""
        if num_players is not None:
            return num_players
        return int(getattr(rules, "default_players", self.seats[0]))

    def reward_kind(self, reward: str) -> int:
        if reward not in self.rewards:
            raise ValueError(f"unknown reward {reward!r}: choose one of {', '.join(self.rewards)}")
        return self.rewards[reward]

    def split(self, row: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The parts of one observation row (views)."""
        return {name: row[place].reshape(shape) for name, place, shape in self.slices}


def game_names() -> list[str]:
    """Names of the installed games."""
    return sorted(point.name for point in entry_points(group=GAMES_GROUP))


def get_game(name: str) -> Game:
    """The installed game of that name; ValueError tells the names there are."""
    for point in entry_points(group=GAMES_GROUP):
        if point.name == name:
            return point.load()  # type: ignore[no-any-return]
    raise ValueError(f"unknown game {name!r}: choose one of {', '.join(game_names()) or '(none is installed)'}")
