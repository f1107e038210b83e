"""Reading single values of a position. Every complaint is a ValueError that begins with the field's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from market_env.components import CARDS
from market_env.rules import MarketRules, resolve


class Reader:
    """Reads a position field by field; every complaint begins with the field's name."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        if not isinstance(position, Mapping):
            raise ValueError(f"position must be a dict, not {type(position).__name__}")
        self.position = position
        if self.get("game", "market") != "market":
            raise ValueError(f"game: {position['game']!r} is not market")
        self.rules: MarketRules = resolve(self.get("rules", "base"))
        seats = len(items("lists", self.get("lists")))
        self.players = whole("num_players", self.get("num_players", seats - self.rules.npc), 1, 4)
        self.seats = self.rules.for_players(self.players)
        self.components = self.rules.components
        self.materials = self.components.materials
        self.markets = self.components.markets_by_seats[self.seats - 2]

    def get(self, name: str, default: Any = ...) -> Any:
        if name not in self.position:
            if default is ...:
                raise ValueError(f"{name}: is missing")
            return default
        return self.position[name]

    def per_seat(self, name: str, value: Any = ...) -> list[Any]:
        return items(name, self.get(name) if value is ... else value, self.seats)

    def flags(self, name: str, allowed: bool, value: Any = ...) -> list[bool]:
        """One flag for each seat; where the rules have no use for it, and for the NPC, all are false."""
        given = [flag(name, entry) for entry in self.per_seat(name, value)]
        if any(given) and not allowed:
            raise ValueError(f"{name}: these rules have no such thing")
        if any(given[self.players :]):
            raise ValueError(f"{name}: this does not happen to the NPC")
        return given

    def market(self, name: str, value: Any) -> int:
        """A market's number as a bit."""
        return 1 << whole(name, value, 1, self.markets) - 1

    def maybe_market(self, name: str, value: Any) -> int:
        return 0 if value is None else self.market(name, value)

    def seat(self, name: str, value: Any, high: int) -> int:
        return whole(name, value, 0, high - 1)


def whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise ValueError(f"{name}: must be a whole number from {low} to {high}, not {value!r}")
    return int(value)


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}: must be true or false, not {value!r}")
    return bool(value)


def items(name: str, value: Any, length: int | None = None) -> list[Any]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, (list, tuple, np.ndarray)):
        raise ValueError(f"{name}: must be a list, not {value!r}")
    if length is not None and len(value) != length:
        raise ValueError(f"{name}: must have {length} entries, not {len(value)}")
    return list(value)


def table(name: str, value: Any, keys: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name}: must be a dict, not {value!r}")
    for key in value:
        if key not in keys:
            raise ValueError(f"{name}: unknown entry {key!r} (there are {', '.join(keys)})")
    return value


def amounts(name: str, value: Any, keys: tuple[str, ...], high: int) -> list[int]:
    """Numbers by name, in the order of *keys*; what isn't mentioned is 0."""
    given = table(name, value, keys)
    return [whole(f"{name}: {key}", given.get(key, 0), 0, high) for key in keys]


def card_names(name: str, value: Any) -> list[str]:
    cards = items(name, value)
    for card in cards:
        if card not in CARDS:
            raise ValueError(f"{name}: unknown card {card!r} (there are {', '.join(CARDS)})")
    return cards
