"""The description of a game, from which its state, environments and batch are derived."""

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
from tower_core.engine.compiling import CompilingDisabledError, Entry
from tower_core.engine.entry import rules_entry
from tower_core.game_checks import GameError, check_description
from tower_core.observation import Part

_compiling = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Game:
    """Description of a game, checked on construction: ValueError names the game and the wrong field.

    Modules of *package* are imported lazily: the kernels with the first game, the faces on first use.
    """

    name: str
    """Lower-case name, such as ``connect_four``; also the name of its entry point."""
    title: str
    """Display name."""
    package: str
    """Package of the game's source; kernels are recompiled when one of its files changes."""
    record: np.dtype[Any]
    """dtype of one game in progress (required fields: tower_core.engine.batch_structs)."""
    actions: ActionTable
    observation: tuple[Part, ...]
    """The one or two arrays of an observation, in the order in which ``observe`` writes them."""
    rules: type[options.Rules]
    """The game's options: a frozen dataclass."""
    seats: range
    """Numbers of players."""
    prefix: str
    """Prefix of its class names and Gymnasium id, such as ``ConnectFour`` in ``ConnectFourState``."""
    kernels: str = ""
    """Module that implements the hooks (tower_core.engine.hooks); by default ``kernels`` of the package."""
    faces: str = ""
    """Module with the game's classes (tower_core.envs.faces); by default ``faces`` of the package."""
    chance_module: str = ""
    """Module that records chance outcomes (tower_core.chance.Chance); by default only the seed is recorded."""
    drawing: str = ""
    """Module with ``text(position)``, ``draw(position, theme, view, narrow, last)``, which returns SVG (tower_core.drawing),
    and optionally ``brief(position)``, a shorter text; by default the fields of the position are listed."""
    symmetries: str = ""
    """Module with the index tables ``ACTIONS`` [k, num_actions], ``OBSERVATION`` [k, observation_size] and ``INVERSE`` [k] of
    the game's k symmetries (torres_env.symmetries); by default it has none."""
    default_rules: str = "standard"
    version: str = "v0"
    """Version of the rules; it changes when the same options behave differently."""
    rewards: Mapping[str, int] = field(default_factory=lambda: {"outcome": 0})
    """Names of the rewards and their numbers in the hooks; 0 is the utility of the final ranking."""
    dense_rewards: frozenset[str] = frozenset()
    """The rewards that are also paid during the game."""
    has_truncation: bool = False
    """Whether the rules limit the number of turns."""
    hidden: bool = False
    """Whether the game has hidden information."""
    derived: frozenset[str] = frozenset()
    """Fields of the record that ``refresh`` computes from the others; they are not part of a position."""
    measured: tuple[int, str] = (0, "")
    """Number of players and preset for benchmarks; by default two players under the default rules."""
    write_rules: Callable[[NDArray[Any], int, Any], None] = options.write_rules
    """Writes rules into a record [1] for a number of players; ValueError if they are incompatible."""
    to_position: Callable[[Game, NDArray[Any], Any, int | None], dict[str, Any]] = position.to_position
    """A record as a JSON-able dict: all of it, or only what one seat may know. All hidden information is filtered here."""
    from_position: Callable[[Game, Mapping[str, Any]], tuple[NDArray[Any], Any]] = position.from_position
    """The inverse: a record without its derived fields, and its rules. ValueError names the wrong field."""
    fill_hidden: Callable[[Game, Mapping[str, Any], int], Mapping[str, Any]] = lambda _game, position, _seed: position
    """Replaces every hidden entry ("?") of a position by a consistent draw from a seed; required where *hidden*."""
    levels: Callable[[Any], Mapping[str, Any]] = lambda _: {}
    """One-player games: maps rules to the rules of each difficulty level, by name."""
    turn_fields: tuple[str, ...] = ()
    """Fields of the record that stay the same during a turn; by default a turn ends when another seat is to move."""
    card_help: Mapping[str, str] = field(default_factory=dict)
    """What each card does: one short sentence without a full stop."""
    _compiled: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.measured[0] and self.seats:
            object.__setattr__(self, "measured", (2 if 2 in self.seats else self.seats[0], self.default_rules))
        check_description(self)

    def turn_of(self, record: NDArray[Any]) -> tuple[int, ...]:
        """The turn of a record [1]: equal for all its decisions (:attr:`turn_fields`)."""
        return tuple(int(record[name][0]) for name in self.turn_fields)

    # ------------------------------------------------------------------------------------------ modules and classes
    def face(self, name: str) -> Any:
        """One of the game's classes or functions: ``State``, ``Batch``, ``Env``, ``VectorEnv``, ``raw_env``, ``env``.

        GameError if its module fails.
        """
        module = self.faces or f"{self.package}.faces"
        with self._naming(module):
            return getattr(import_module(module), name if name.endswith("env") else self.prefix + name)

    @contextmanager
    def _naming(self, what: str) -> Iterator[None]:
        """Turn any exception in the game's code into a GameError that names the game and *what* was used."""
        try:
            yield
        except (CompilingDisabledError, GameError):
            raise
        except Exception as error:
            reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
            raise GameError(f"game {self.name!r}: {what} fails: {type(error).__name__}: {reason}") from error

    def state_class(self) -> Any:
        """The game's subclass of tower_core.state.State."""
        return self.face("State")

    def chance(self) -> Chance:
        """How chance outcomes are recorded and replayed."""
        return import_module(self.chance_module) if self.chance_module else Seeded(self.state_class())  # type: ignore[return-value]

    def drawing_module(self) -> Any:
        """The module that draws positions; None if the game has none."""
        return import_module(self.drawing) if self.drawing else None

    def symmetry_tables(self) -> Any:
        """The module with the tables of the game's symmetries; None if it has none."""
        return import_module(self.symmetries) if self.symmetries else None

    def batch_class(self) -> Any:
        """The game's subclass of tower_core.envs.batch.Batch."""
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
        """Name, slice of an observation row, and shape of each part."""
        places, start = [], 0
        for part in self.observation:
            places.append((part.name, slice(start, start + part.size), part.shape))
            start += part.size
        return tuple(places)

    def split(self, row: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """The parts of observation rows [..., size] (views [..., *shape])."""
        return {name: row[..., place].reshape(*row.shape[:-1], *shape) for name, place, shape in self.slices}

    def row_scales(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """float32 [size] twice: the offsets a network subtracts from a row and the scales it divides by."""
        shifts, scales = zip(*(part.scales() for part in self.observation), strict=True)
        return np.concatenate(shifts), np.concatenate(scales)

    # ------------------------------------------------------------------------------------------ rules and records
    @cached_property
    def presets(self) -> tuple[str, ...]:
        return tuple(self.rules.presets())

    def resolve_rules(self, rules: Any = None) -> Any:
        """Rules from a preset's name (optionally with fields), a mapping of fields, or rules; None is the game's default."""
        return options.resolve(self.rules, self.default_rules if rules is None else rules)

    def players_of(self, num_players: int | None, rules: Any) -> int:
        """The number of players: as given, otherwise the default of the rules or of the game."""
        if num_players is not None:
            return int(num_players) if isinstance(num_players, np.integer) else num_players
        return int(getattr(rules, "default_players", self.seats[0]))

    def make_record(self, num_players: int, rules: Any) -> NDArray[Any]:
        """A record [1] with only the rules filled in. ValueError if rules and number of players are incompatible."""
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
    def rules_entry(self) -> Entry:
        """The description of the compiled entry; imports the game's kernels."""
        import_module(self.kernels or f"{self.package}.kernels")
        return rules_entry(self.name, self.title, self.record, self.observation_size, self.package)

    @property
    def entry(self) -> Callable[..., int]:
        """The compiled entry (operations: tower_core.engine.loops), loaded or compiled on first use, once per process.

        GameError if the game's kernels can't be imported or compiled.
        """
        if "entry" not in self._compiled:
            with _compiling:
                if "entry" not in self._compiled:
                    kernels = self.kernels or f"{self.package}.kernels"
                    with self._naming(kernels):
                        function, address = self.rules_entry()()
                    self._compiled.update(address=address, entry=function)
        return self._compiled["entry"]  # type: ignore[no-any-return]

    @property
    def address(self) -> int:
        """Address of the compiled entry, for calls from other kernels."""
        self.entry  # noqa: B018 (compiles it)
        return int(self._compiled["address"])

    def __repr__(self) -> str:
        return f"<game {self.name}>"
