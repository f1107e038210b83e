"""The fields of a position (``Position``), and a position with its rules and common checks (``Given``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import astuple

from market_env.components import CARDS, CIRCLES, MAX_LISTS, MAX_MARKETS, MAX_TOKENS, MAX_TOWERS, MAX_TURNS
from market_env.record import CAUSES, KINDS
from market_env.rules import MAX_PLAYERS, MIN_PLAYERS, MarketRules
from tower_core.position import HIDDEN, read_rules
from tower_core.schema import entries, one_of, read, whole

T = TypeVar("T")

Seat = Annotated[int, Meta(ge=0, le=MAX_PLAYERS - 1)]
Market = Annotated[int, Meta(ge=1, le=MAX_MARKETS)]
Card = Annotated[str, one_of((*CARDS, HIDDEN), f"a card ({', '.join(CARDS)})")]
List = Annotated[int, Meta(ge=0, le=MAX_LISTS - 1)] | Annotated[str, one_of([HIDDEN], "'?', if it is hidden,")]
Pieces = Annotated[int, Meta(ge=0, le=CIRCLES * MAX_MARKETS)]
Number = Annotated[int, Meta(ge=0, le=MAX_TOKENS)]


class Tokens(Struct, forbid_unknown_fields=True, rename={"passes": "pass"}):
    green: Number = 0
    blue: Number = 0
    red: Number = 0
    passes: Number = 0

    def amounts(self) -> tuple[int, ...]:
        """Counts in the order of TOKENS."""
        return astuple(self)


class Figures(Struct, forbid_unknown_fields=True, rename={"stand_in": "stand-in"}):
    stand_in: list[Market | None] | UnsetType = UNSET
    runner: list[Market | None] | UnsetType = UNSET
    curfew: list[list[Market]] | UnsetType = UNSET


class Holders(Struct, frozen=True, forbid_unknown_fields=True, rename={"stand_in": "stand-in"}):
    """The seat that each apprentice is with, in the order of APPRENTICES."""

    stand_in: Seat | None = None
    bully: Seat | None = None
    runner: Seat | None = None


class Apprentices(Struct, frozen=True, forbid_unknown_fields=True, rename={"holders": "with"}):
    holders: Holders = Holders()
    has_hired: list[bool] | UnsetType = UNSET


class TurnState(Struct, frozen=True, forbid_unknown_fields=True):
    at_start: bool | UnsetType = UNSET
    acted: bool = False
    visited_black_market: bool = False
    bribed: bool = False


class KnownCards(Struct, forbid_unknown_fields=True):
    seat: Seat
    count: int


class Pending(Struct, rename={"cause": "for"}):
    """The pending decision: kind and cause, and the fields that the kind requires."""

    kind: Annotated[str, one_of(KINDS[1:])]
    cause: Annotated[str, one_of(CAUSES)]
    left: int | None = None
    entries: int | None = None
    cards: list[Card] = []
    lists: list[List] = []
    pieces: list[str] = []
    market: Market | None = None
    target: Seat | None = None


class Position(Struct):
    circles: list[Annotated[list[str | None], Meta(min_length=CIRCLES, max_length=CIRCLES)]]
    workers: list[Market | None]
    figures: Figures
    tokens: list[Tokens]
    pile: Tokens
    bag: Tokens
    materials: list[dict[str, Pieces]]
    lists: list[List | None]
    list_deck: list[List]
    list_discard: list[List]
    hands: list[list[Card]]
    card_deck: list[Card]
    card_discard: list[Card]
    towers: list[Annotated[int, Meta(ge=0, le=MAX_TOWERS)]]
    wanted: list[bool]
    jailed: list[bool]
    guard: Market | None
    apprentices: Apprentices
    to_move: Seat | None
    turn: Annotated[int, Meta(ge=1, le=MAX_TURNS)]
    pending: Pending | None
    turn_state: TurnState = TurnState()
    known_cards: KnownCards | None = None
    num_players: Annotated[int, Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)] | UnsetType = UNSET
    rng: int = 0


class Given:
    """A position with its rules, and checks against the numbers of seats and markets."""

    def __init__(self, game: Any, position: Mapping[str, Any]) -> None:
        self.rules: MarketRules = read_rules(game, position)
        self.position = read(Position, position, "position")
        seats = len(self.position.lists) - self.rules.npc
        players = seats if self.position.num_players is UNSET else self.position.num_players
        self.players = whole("num_players", players, MIN_PLAYERS, MAX_PLAYERS)
        self.seats = self.rules.for_players(self.players)
        self.components = self.rules.components
        self.materials = self.components.materials
        self.markets = self.components.markets_by_seats[self.seats - 2]

    def per_seat(self, name: str, values: Sequence[T] | UnsetType, usual: T | None = None) -> Sequence[Any]:
        """One entry per seat; *usual* if the field is absent."""
        return [usual] * self.seats if isinstance(values, UnsetType) else entries(name, values, self.seats)

    def flags(self, name: str, allowed: bool, values: Sequence[bool] | UnsetType) -> Sequence[bool]:
        """One flag per seat; must be false unless *allowed* by the rules, and always for the NPC."""
        given = self.per_seat(name, values, False)
        if any(given) and not allowed:
            raise ValueError(f"{name}: must be false under these rules")
        if any(given[self.players :]):
            raise ValueError(f"{name}: must be false for the NPC")
        return given

    def market(self, name: str, value: int | None) -> int:
        """A market's number as a bit; 0 for none."""
        return 0 if value is None else 1 << whole(name, value, 1, self.markets) - 1

    def seat(self, name: str, value: int | None) -> int:
        """A player's seat."""
        return whole(name, value, 0, self.players - 1)

    def check_materials(self, name: str, values: Any) -> None:
        """ValueError for a name that is not a material of the set."""
        for value in values:
            if value not in self.materials:
                raise ValueError(f"{name}: unknown material {value!r} (there are {', '.join(self.materials)})")
