"""The options of the market game and their presets: plain data, validated on construction.

Sections refer to the rules document (docs/market.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from typing import Any, Literal

from market_env.component_files import default_components, load
from market_env.components import MAX_TOWERS, MAX_TURNS, Components
from tower_core import options
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.options import check_preset, check_types, check_whole, override

MIN_PLAYERS, MAX_PLAYERS = 1, MAX_SEATS
MAX_FIRST_TOKENS = 100


@dataclass(frozen=True)
class MarketRules(options.Rules):
    """The rules of one game: immutable, with every field optional. ValueError names the wrong field."""

    advanced: bool = False
    """Closed lists; circles filled at random; materials return to any empty circle (section 6)."""
    apprentices: bool = False
    """Apprentices can be hired (section 7)."""
    guard: bool = False
    """Gems can be stolen, and the royal guard hunts (section 8)."""
    npc: bool = False
    """A seat that nobody plays sits last (section 9). With one player that is always the solo game."""
    solo: bool = False
    """Exactly one player, and the NPC (section 10); sets ``npc``."""
    solo_npc_towers: int = 3
    """Solo: the NPC has won with so many towers; 2 and 1 are harder."""
    idle_draw: Literal["unable", "always"] = "unable"
    """When a player who did nothing draws at ``END``: if no ``BUY``, ``BUILD``, ``ENTER``, ``CARD`` is legal; or always."""
    first_tokens: tuple[int, ...] = (0,) * MAX_SEATS
    """Tokens that each seat draws before the game begins; a shorter tuple is filled up with 0."""
    max_turns: int | None = None
    """Turns of each player, after which the game is truncated; None: as the component set says."""
    components: Components = field(default_factory=default_components)
    """What is printed on the parts: a set, a TOML file's path, a dict of that form, or None for the default."""

    def __post_init__(self) -> None:
        if not isinstance(self.components, Components):
            object.__setattr__(self, "components", load(self.components))
        if not isinstance(self.first_tokens, (list, tuple)) or len(self.first_tokens) > MAX_SEATS:
            raise ValueError(f"first_tokens must be a tuple of at most {MAX_SEATS} numbers, not {self.first_tokens!r}")
        missing = MAX_SEATS - len(self.first_tokens)
        object.__setattr__(self, "first_tokens", (*self.first_tokens, *[0] * missing))
        _check(self)
        if self.solo:
            object.__setattr__(self, "npc", True)

    @classmethod
    def presets(cls) -> Mapping[str, MarketRules]:
        """The presets of section 12."""
        return {name: cls(**values) for name, values in PRESETS.items()}

    @classmethod
    def preset(cls, name: str, **overrides: Any) -> MarketRules:
        """The preset *name* with some fields replaced."""
        check_preset(name, PRESETS)
        return _override(cls(**PRESETS[name]), overrides)

    def for_players(self, num_players: int) -> int:
        """The number of seats for *num_players* players; ValueError if these rules don't support that number."""
        low, high = (1, 1) if self.solo else (1, MAX_SEATS - 1) if self.npc else (2, MAX_SEATS)
        if isinstance(num_players, bool) or not isinstance(num_players, int) or not low <= num_players <= high:
            wanted = "1 in the solo game" if self.solo else f"from {low} to {high}" + " with the NPC" * self.npc
            raise ValueError(f"num_players must be {wanted}, not {num_players!r}")
        return num_players + self.npc

    @property
    def default_players(self) -> int:
        """Default number of players: 1 in the solo game, else 2."""
        return 1 if self.solo else 2

    @property
    def turns(self) -> int:
        """Turns of each player before the game is truncated."""
        return self.components.rule("max_turns_per_player") if self.max_turns is None else self.max_turns

    def lists_closed(self, num_players: int) -> bool:
        """Whether building lists are closed (sections 2 and 6); the NPC's is always open."""
        return self.advanced or num_players + self.npc == 2

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON-able values; ``components`` is None for the default set."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        values["first_tokens"] = list(self.first_tokens)
        values["components"] = None if self.components == default_components() else self.components.to_dict()
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> MarketRules:
        """The inverse of :meth:`to_dict`; missing fields are those of ``base``.

        The values may be untrusted: they contain the component set itself, and can't name a file.
        """
        if isinstance(values, Mapping) and isinstance(values.get("components"), (str, PathLike)):
            raise ValueError("components must be the set itself, or None for the default one, not the name of a file")
        return _override(cls(), values)


def _override(rules: MarketRules, overrides: Mapping[str, Any]) -> MarketRules:
    new = override(rules, overrides)
    if overrides.get("npc") is False and overrides.get("solo", rules.solo) is True:
        raise ValueError("npc: must not be False with solo=True: the solo game has an NPC")
    return new


def resolve(rules: str | MarketRules | Mapping[str, Any]) -> MarketRules:
    """Rules from a preset's name, optionally with fields ("base:guard=true"), a mapping of fields, or rules."""
    return options.resolve(MarketRules, rules)


def solo_levels(rules: MarketRules) -> dict[str, MarketRules]:
    """The three difficulty levels of the solo game by name, easiest first (section 10); empty for other rules."""
    if not rules.solo:
        return {}
    return {f"NPC to {towers}": replace(rules, solo_npc_towers=towers) for towers in (3, 2, 1)}


def _check(rules: MarketRules) -> None:
    check_types(rules)
    check_whole("solo_npc_towers", rules.solo_npc_towers, 1, MAX_TOWERS)
    for number in rules.first_tokens:
        check_whole("first_tokens", number, 0, MAX_FIRST_TOKENS)
    if rules.max_turns is not None:
        check_whole("max_turns", rules.max_turns, 1, MAX_TURNS)


# Dicts of fields, so that the component set is read when rules are made, not when this module is imported.
PRESETS: dict[str, dict[str, Any]] = {
    "base": {},
    "advanced": {"advanced": True},
    "apprentices": {"apprentices": True},
    "guard": {"guard": True},
    "full": {"advanced": True, "apprentices": True, "guard": True},
    "solo": {"npc": True, "solo": True},
}
"""The presets of section 12; ``full`` is the one for benchmarks of hidden information."""
