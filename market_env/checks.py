"""Reading single values of a position. Every complaint is a ValueError that begins with the field's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from market_env.components import CARDS
from market_env.rules import MarketRules, resolve
from tower_core.fields import Fields, flag, items, whole


class Reader(Fields):
    """The fields of a position, and what they are checked against."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        super().__init__(position)
        if self.get("game", "market") != "market":
            raise ValueError(f"game: {position['game']!r} is not market")
        rules = self.get("rules", "base")
        if isinstance(rules, str) and ":" in rules:  # fields in the text could name a file
            raise ValueError(f"rules: must be a preset's name or a dict of fields, not {rules!r}")
        self.rules: MarketRules = resolve(rules)
        seats = len(items("lists", self.get("lists")))
        self.players = whole("num_players", self.get("num_players", seats - self.rules.npc), 1, 4)
        self.seats = self.rules.for_players(self.players)
        self.components = self.rules.components
        self.materials = self.components.materials
        self.markets = self.components.markets_by_seats[self.seats - 2]

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
