"""What the shared classes need to know of a game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tower_core import options, position
from tower_core.actions import ActionTable
from tower_core.chance import Chance, Seeded
from tower_core.engine.batch_structs import aligned
from tower_core.engine.compiling import CompilingDisabledError
from tower_core.engine.entry import compile_rules
from tower_core.game_checks import GameError, check_description
from tower_core.observation import Part

_compiling = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game as the faces see it; checked when it is made: ValueError names the game and the field that is wrong.

    Files of *package* are imported when they are needed: the kernels at the first game, the faces when one is asked for.
    """

    name: str
    """Lower-case name, such as ``connect_four``: that of its entry point."""
    title: str
    """Name for people."""
    package: str
    """Package of the game's source: its kernels are compiled anew when a file in it changes."""
    record: np.dtype[Any]
    """One game in progress (tower_core.engine.batch_structs says which fields every game has)."""
    actions: ActionTable
    observation: tuple[Part, ...]
    """The arrays that a seat sees, one or two, in the order in which ``observe`` writes them."""
    rules: type[options.Rules]
    """The game's options: a frozen dataclass."""
    seats: range
    """Numbers of players."""
    prefix: str
    """Of the names of its classes, such as ``ConnectFour`` in ``ConnectFourState``, and of its Gymnasium id."""
    kernels: str = ""
    """Module that implements the hooks (tower_core.engine.hooks); by default ``kernels`` of the package."""
    faces: str = ""
    """Module with the game's classes (tower_core.envs.faces); by default ``faces`` of the package."""
    chance_module: str = ""
    """Module that writes down what chance did (tower_core.chance.Chance); by default nothing is written but the seed."""
    drawing: str = ""
    """Module that shows positions: ``text(position)`` and ``draw(position, theme, view, narrow, last)``, which gives SVG
    (tower_core.drawing); by default the fields of the position are listed."""
    default_rules: str = "standard"
    version: str = "v0"
    """Of the rules: the same options have the same behaviour."""
    rewards: Mapping[str, int] = field(default_factory=lambda: {"outcome": 0})
    """Names of the rewards, and the number by which the hooks know each; 0 is the utility of the final ranking."""
    dense_rewards: frozenset[str] = frozenset()
    """Those that are also paid before the end."""
    has_truncation: bool = False
    """Whether its rules have a limit of turns."""
    hidden: bool = False
    """Whether seats know different things."""
    derived: frozenset[str] = frozenset()
    """Fields of the record that ``refresh`` computes from the others: they are not part of a position."""
    measured: tuple[int, str] = (0, "")
    """Number of players and preset that speed is measured with; by default two players under the default rules."""
    write_rules: Callable[[NDArray[Any], int, Any], None] = options.write_rules
    """Writes rules into the record [1] of a game of so many players; ValueError where they don't go together."""
    to_position: Callable[[Game, NDArray[Any], Any, int | None], dict[str, Any]] = position.to_position
    """A record under its rules as a JSON-able dict: all of it, or what one seat may know (the gate of the game)."""
    from_position: Callable[[Game, Mapping[str, Any]], tuple[NDArray[Any], Any]] = position.from_position
    """The inverse: a record without its derived fields, and its rules. ValueError names the field that is wrong."""
    fill_hidden: Callable[[Game, Mapping[str, Any], int], Mapping[str, Any]] = lambda _game, position, _seed: position
    """A position with something that fits in place of every hidden entry ("?"), drawn by a seed: needed where *hidden*."""
    levels: Callable[[Any], Mapping[str, Any]] = lambda _: {}
    """Games of one player: from rules, those of every level of difficulty, by name."""
    card_help: Mapping[str, str] = field(default_factory=dict)
    """What each card does, in one short sentence without a full stop."""
    _compiled: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.measured[0] and self.seats:
            object.__setattr__(self, "measured", (2 if 2 in self.seats else self.seats[0], self.default_rules))
        check_description(self)

    # ------------------------------------------------------------------------------------------ modules and classes
    def face(self, name: str) -> Any:
        """A class or function of the game's faces: ``State``, ``Batch``, ``Env``, ``VectorEnv``, ``raw_env``, ``env``.

        GameError where its module fails.
        """
        module = self.faces or f"{self.package}.faces"
        with self._naming(module):
            return getattr(import_module(module), name if name.endswith("env") else self.prefix + name)

    @contextmanager
    def _naming(self, what: str) -> Iterator[None]:
        """Whatever goes wrong in the code of the game becomes a GameError that names the game and *what* was used."""
        try:
            yield
        except (CompilingDisabledError, GameError):
            raise
        except Exception as error:
            reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
            raise GameError(f"game {self.name!r}: {what} fails: {type(error).__name__}: {reason}") from error

    def state_class(self) -> Any:
        """The subclass of tower_core.state.State."""
        return self.face("State")

    def chance(self) -> Chance:
        """How the outcomes of chance are written down in records of games, and repeated."""
        return import_module(self.chance_module) if self.chance_module else Seeded(self.state_class())  # type: ignore[return-value]

    def drawing_module(self) -> Any:
        """The module that shows positions; None where the game has none."""
        return import_module(self.drawing) if self.drawing else None

    def batch_class(self) -> Any:
        """The subclass of tower_core.envs.batch.Batch."""
        return self.face("Batch")

    @property
    def gym_id(self) -> str:
        """Its id in the registries of Gymnasium and PettingZoo."""
        return f"{self.package.partition('.')[0]}/{self.prefix}-{self.version}"

    # ------------------------------------------------------------------------------------------ actions, observations
    @cached_property
    def num_actions(self) -> int:
        return len(self.actions)

    @cached_property
    def observation_shapes(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        return tuple((part.name, part.shape) for part in self.observation)

    @cached_property
    def observation_size(self) -> int:
        """Bytes of an observation row."""
        return sum(part.size for part in self.observation)

    @cached_property
    def slices(self) -> tuple[tuple[str, slice, tuple[int, ...]], ...]:
        """Per part its name, its place in an observation row, and its shape."""
        places, start = [], 0
        for part in self.observation:
            places.append((part.name, slice(start, start + part.size), part.shape))
            start += part.size
        return tuple(places)

    def split(self, row: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The parts of observation rows [..., size] (views [..., *shape])."""
        return {name: row[..., place].reshape(*row.shape[:-1], *shape) for name, place, shape in self.slices}

    def row_scales(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """float32 [size] twice: what a network subtracts from each entry of a row, and what it divides the rest by."""
        shifts, scales = zip(*(part.scales() for part in self.observation), strict=True)
        return np.concatenate(shifts), np.concatenate(scales)

    # ------------------------------------------------------------------------------------------ rules and records
    @cached_property
    def presets(self) -> tuple[str, ...]:
        return tuple(self.rules.presets())

    def resolve_rules(self, rules: Any = None) -> Any:
        """Rules from a preset's name, also with fields, a mapping of fields, or rules; without any the game's default."""
        return options.resolve(self.rules, self.default_rules if rules is None else rules)

    def players_of(self, num_players: int | None, rules: Any) -> int:
        """The number of players: as given, or else the default of the rules or of the game."""
        if num_players is not None:
            return num_players
        return int(getattr(rules, "default_players", self.seats[0]))

    def make_record(self, num_players: int, rules: Any) -> NDArray[Any]:
        """A record [1] with the rules filled in and nothing else. ValueError where they don't go together."""
        rules.for_players(num_players)
        options.check_players(num_players, self.seats)
        record = aligned(1, self.record)
        self.write_rules(record, num_players, rules)
        record["num_players"] = num_players
        record["first_word"] = self.num_actions - 64 * (record["legal"].shape[1] - 1)
        return record

    def reward_kind(self, reward: str) -> int:
        if reward not in self.rewards:
            raise ValueError(f"unknown reward {reward!r}: choose one of {', '.join(self.rewards)}")
        return self.rewards[reward]

    # ------------------------------------------------------------------------------------------ compiled code
    @property
    def entry(self) -> Callable[..., int]:
        """The compiled entry (operations: tower_core.engine.loops); compiled at first use, once per process.

        GameError where the game's kernels fail to be imported or compiled.
        """
        if "entry" not in self._compiled:
            with _compiling:
                if "entry" not in self._compiled:
                    kernels = self.kernels or f"{self.package}.kernels"
                    with self._naming(kernels):
                        import_module(kernels)
                        function, address = compile_rules(
                            self.name, self.title, self.record, self.observation_size, self.package
                        )
                    self._compiled.update(address=address, entry=function)
        return self._compiled["entry"]  # type: ignore[no-any-return]

    @property
    def address(self) -> int:
        """The compiled entry's address, as other compiled code calls it."""
        self.entry  # noqa: B018 (compiles it)
        return int(self._compiled["address"])

    def __repr__(self) -> str:
        return f"<game {self.name}>"
