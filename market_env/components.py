"""Component sets: the printed data of the market game (sections 1 and 12), as validated, immutable data.

Users can provide a set as a file or as a dict of the same form (component_files.py). Actions and observation shapes are
the same for every set: they allow for the largest set (the ``MAX_…`` numbers), and larger sets are rejected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from market_env.card_table import CARDS as CARDS

GEMS = ("green", "blue", "red")
TOKENS = (*GEMS, "pass")  # in the order in which a drawn token is counted off
ENTRIES = ("pass", *GEMS)  # payments for a visit to the black market, in the order of the actions
CIRCLES = 6  # of each market
MIN_LISTS = 4  # one for each seat

MAX_MATERIALS = 8
MAX_MARKETS = 6
MAX_RATES = 12
MAX_LISTS = 64
MAX_CARDS = 64  # copies of all black-market cards together
MAX_TOKENS = 250  # of each kind
MAX_PRICE = 50  # gems of one colour in a price, rate or entry
MAX_WORTH = 100
MAX_FEE = 20
MAX_DRAW = 20
MAX_HAND = 8
MAX_OFFER = 4
MAX_LIST_CHOICE = 7
MAX_TOWERS = 9
MAX_TURNS = 10_000

Amounts = tuple[int, int, int]
"""Numbers of green, blue and red gems."""


@dataclass(frozen=True)
class Circle:
    """A printed circle: the material it starts with (index) and its price."""

    material: int
    price: Amounts


@dataclass(frozen=True)
class Market:
    name: str
    circles: tuple[Circle, ...]


@dataclass(frozen=True)
class Rate:
    """An exchange rate of the tax collector."""

    give: Amounts
    get: Amounts


@dataclass(frozen=True)
class Card:
    """A black-market card: copies in the deck, and the fee in gems of any colour."""

    name: str
    copies: int
    fee: int


class Shape(NamedTuple):
    """Number of parts of each kind. Sets of equal shape differ only in numbers."""

    materials: int
    markets: int
    rates: int
    lists: int
    card_kinds: int
    card_copies: int
    entries: int


@dataclass(frozen=True)
class Components:
    """A component set, made by :func:`load`, which validates it; fields are named like the file's entries."""

    name: str
    materials: tuple[str, ...]
    gems: tuple[tuple[int, int], ...]
    """Count in the bag and worth of green, blue, red."""
    passes: int
    rules: tuple[tuple[str, int], ...]
    """The table ``rules`` of the file, without ``markets_by_seats``."""
    markets_by_seats: tuple[int, int, int]
    """Markets in play with 2, 3 and 4 seats."""
    entries: tuple[tuple[str, int], ...]
    rates: tuple[Rate, ...]
    markets: tuple[Market, ...]
    lists: tuple[tuple[int, ...], ...]
    """Per list, the number of each material."""
    cards: tuple[Card, ...]

    def rule(self, name: str) -> int:
        """A number of the table ``rules``."""
        return dict(self.rules)[name]

    @property
    def shape(self) -> Shape:
        return Shape(
            len(self.materials), len(self.markets), len(self.rates), len(self.lists), len(self.cards),
            sum(card.copies for card in self.cards), len(self.entries),
        )  # fmt: skip

    @property
    def token_counts(self) -> tuple[int, ...]:
        """Tokens of each kind in the game: green, blue, red, pass."""
        return (*(count for count, _ in self.gems), self.passes)

    def card_copies(self, name: str) -> int:
        return sum(card.copies for card in self.cards if card.name == name)

    def worth(self, amounts: Amounts) -> int:
        return sum(number * worth for number, (_, worth) in zip(amounts, self.gems, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """The set in the form of the file, as JSON-able values; :func:`market_env.component_files.load` is the inverse."""
        gems = dict(zip(GEMS, self.gems, strict=True))
        return {
            "name": self.name,
            "materials": list(self.materials),
            "gems": {gem: {"count": count, "worth": worth} for gem, (count, worth) in gems.items()},
            "passes": {"count": self.passes},
            "rules": {
                **dict(self.rules),
                "markets_by_seats": {str(seats): k for seats, k in enumerate(self.markets_by_seats, start=2)},
            },
            "black_market_entry": [{kind: number} for kind, number in self.entries],
            "rate": [{"give": _gem_table(rate.give), "get": _gem_table(rate.get)} for rate in self.rates],
            "market": [
                {
                    "name": market.name,
                    "circles": [
                        {"material": self.materials[circle.material], "price": _gem_table(circle.price)}
                        for circle in market.circles
                    ],
                }
                for market in self.markets
            ],
            "list": [
                {material: number for material, number in zip(self.materials, asked, strict=True) if number}
                for asked in self.lists
            ],
            "black_market_card": [{"name": card.name, "copies": card.copies, "fee": card.fee} for card in self.cards],
        }


def _gem_table(amounts: Amounts) -> dict[str, int]:
    return {gem: number for gem, number in zip(GEMS, amounts, strict=True) if number}
