"""Parses component sets: declared structures, then checks of the set as a whole. Errors are ValueErrors that begin with
the entry's name, such as ``market 2: circle a: price: green``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Annotated, Any

from msgspec import Meta, Struct, inspect
from msgspec.structs import asdict, astuple

from market_env.components import (
    CARDS,
    CIRCLES,
    ENTRIES,
    MAX_CARDS,
    MAX_DRAW,
    MAX_FEE,
    MAX_HAND,
    MAX_LIST_CHOICE,
    MAX_LISTS,
    MAX_MARKETS,
    MAX_MATERIALS,
    MAX_OFFER,
    MAX_PRICE,
    MAX_RATES,
    MAX_TOKENS,
    MAX_TOWERS,
    MAX_TURNS,
    MAX_WORTH,
    MIN_LISTS,
    Card,
    Circle,
    Components,
    Market,
    Rate,
)
from tower_core.schema import Path, one_of, read

Price = Annotated[int, Meta(ge=0, le=MAX_PRICE)]
Drawn = Annotated[int, Meta(ge=0, le=MAX_DRAW)]
MarketCount = Annotated[int, Meta(ge=1, le=MAX_MARKETS)]
Material = Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9_-]*\Z", description="one lower-case word")]


class Entry(Struct, forbid_unknown_fields=True):
    """A table of the file."""


class Gems(Entry):
    """Gems by colour, such as ``{ green = 2 }``."""

    green: Price = 0
    blue: Price = 0
    red: Price = 0

    def amounts(self) -> tuple[int, int, int]:
        return self.green, self.blue, self.red


class GemKind(Entry):
    count: Annotated[int, Meta(ge=0, le=MAX_TOKENS)]
    worth: Annotated[int, Meta(ge=1, le=MAX_WORTH)]


class GemKinds(Entry):
    green: GemKind
    blue: GemKind
    red: GemKind


class Passes(Entry):
    count: Annotated[int, Meta(ge=0, le=MAX_TOKENS)]


class MarketsBySeats(Entry, rename={"two": "2", "three": "3", "four": "4"}):
    two: MarketCount
    three: MarketCount
    four: MarketCount


class Numbers(Entry):
    """The table ``rules``."""

    towers_to_win: Annotated[int, Meta(ge=1, le=MAX_TOWERS)]
    draw: Drawn
    draw_if_idle: Drawn
    lists_after_building: Annotated[int, Meta(ge=1, le=MAX_LIST_CHOICE)]
    black_market_hand: Annotated[int, Meta(ge=1, le=MAX_HAND)]
    black_market_offer: Annotated[int, Meta(ge=1, le=MAX_OFFER)]
    jail_gems: Drawn
    steal_gems: Annotated[int, Meta(ge=1, le=MAX_DRAW)]
    max_turns_per_player: Annotated[int, Meta(ge=1, le=MAX_TURNS)]
    markets_by_seats: MarketsBySeats


class RateEntry(Entry):
    give: Gems
    get: Gems


class CircleEntry(Entry):
    material: str
    price: Gems


class MarketEntry(Entry):
    circles: Annotated[list[CircleEntry], Meta(min_length=CIRCLES, max_length=CIRCLES)]
    name: str = ""


class CardEntry(Entry):
    name: Annotated[str, one_of(CARDS)]
    copies: Annotated[int, Meta(ge=0, le=MAX_CARDS)]
    fee: Annotated[int, Meta(ge=0, le=MAX_FEE)]


class ComponentFile(Entry, rename={"lists": "list"}):
    materials: Annotated[list[Material], Meta(min_length=1, max_length=MAX_MATERIALS)]
    gems: GemKinds
    passes: Passes
    rules: Numbers
    black_market_entry: Annotated[
        list[dict[str, Annotated[int, Meta(ge=1, le=MAX_PRICE)]]], Meta(max_length=len(ENTRIES))
    ]
    rate: Annotated[list[RateEntry], Meta(max_length=MAX_RATES)]
    market: Annotated[list[MarketEntry], Meta(min_length=1, max_length=MAX_MARKETS)]
    lists: Annotated[
        list[dict[str, Annotated[int, Meta(ge=0, le=CIRCLES * MAX_MARKETS)]]],
        Meta(min_length=MIN_LISTS, max_length=MAX_LISTS),
    ]
    black_market_card: Annotated[list[CardEntry], Meta(max_length=len(CARDS))]
    name: str = "unnamed"


ENTRY_NAMES = ("name", *ComponentFile.__struct_encode_fields__[:-1])
RULE_LIMITS = {
    field.encode_name: (field.type.ge, field.type.le)
    for field in inspect.type_info(Numbers).fields  # type: ignore[attr-defined]
    if isinstance(field.type, inspect.IntType)
}
"""The names of the table ``rules`` and their bounds."""


def parse(raw: Mapping[str, Any]) -> Components:
    """The component set in a file's content."""
    given = read(ComponentFile, _with_text_keys(raw), "components", _label)
    if len(set(given.materials)) < len(given.materials):
        raise ValueError("materials: must not repeat a name")
    materials = tuple(given.materials)
    numbers = asdict(given.rules)
    del numbers["markets_by_seats"]
    green, blue, red = ((kind.count, kind.worth) for kind in astuple(given.gems))
    components = Components(
        name=given.name,
        materials=materials,
        gems=(green, blue, red),
        passes=given.passes.count,
        rules=tuple(numbers.items()),
        markets_by_seats=_by_seats(given),
        entries=_entries(given.black_market_entry),
        rates=tuple(Rate(rate.give.amounts(), rate.get.amounts()) for rate in given.rate),
        markets=_markets(given.market, materials),
        lists=_lists(given.lists, materials),
        cards=_cards(given.black_market_card),
    )
    _check_lists_can_be_met(components)
    _check_trades_end(components)
    return components


def _with_text_keys(raw: Any) -> Any:
    """The content with numbers of seats as texts: a dict made in Python may have integer keys there."""
    rules = raw.get("rules") if isinstance(raw, Mapping) else None
    if isinstance(rules, Mapping) and isinstance(rules.get("markets_by_seats"), Mapping):
        by_seats = {str(seats): number for seats, number in rules["markets_by_seats"].items()}
        return {**raw, "rules": {**rules, "markets_by_seats": by_seats}}
    return raw


def _label(path: Path) -> str:
    """A path in the file's terms: entries count from 1, circles have letters."""
    words = ["components"] if not path else []
    for step in path:
        if isinstance(step, str):
            words.append(step)
        elif words[-1] == "circles":
            words[-1] = f"circle {chr(ord('a') + step)}"
        else:
            words[-1] += f" {step + 1}"
    return ": ".join(words)


def _known(where: str, names: Any, known: tuple[str, ...], what: str) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{where}: unknown {what} {name!r} (there are {', '.join(known)})")


def _by_seats(given: ComponentFile) -> tuple[int, int, int]:
    by_seats = given.rules.markets_by_seats
    name, numbers = "rules: markets_by_seats", (by_seats.two, by_seats.three, by_seats.four)
    if sorted(numbers) != list(numbers):
        raise ValueError(f"{name}: must not decrease with the number of seats")
    for seats, number in enumerate(numbers, start=2):
        if number > len(given.market):
            raise ValueError(f"{name}: {number} markets with {seats} seats, but the set has only {len(given.market)}")
    return numbers


def _entries(given: list[dict[str, int]]) -> tuple[tuple[str, int], ...]:
    entries: dict[str, int] = {}
    for i, entry in enumerate(given, start=1):
        where = f"black_market_entry {i}"
        if len(entry) != 1:
            raise ValueError(f"{where}: must be a table with one kind of token, not {entry!r}")
        _known(where, entry, ENTRIES, "gem")
        for kind in entry.keys() & entries.keys():
            raise ValueError(f"{where}: there already is an entry paid with {kind}")
        entries |= entry
    return tuple(entries.items())


def _markets(given: list[MarketEntry], materials: tuple[str, ...]) -> tuple[Market, ...]:
    markets = []
    for i, market in enumerate(given, start=1):
        for letter, circle in zip("abcdef", market.circles, strict=True):
            _known(f"market {i}: circle {letter}", [circle.material], materials, "material")
        circles = (Circle(materials.index(circle.material), circle.price.amounts()) for circle in market.circles)
        markets.append(Market(market.name or f"market {i}", tuple(circles)))
    return tuple(markets)


def _lists(given: list[dict[str, int]], materials: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    for i, asked in enumerate(given, start=1):
        _known(f"list {i}", asked, materials, "material")
        if not any(asked.values()):
            raise ValueError(f"list {i}: must ask for at least one piece")
    return tuple(tuple(asked.get(material, 0) for material in materials) for asked in given)


def _cards(given: list[CardEntry]) -> tuple[Card, ...]:
    names = [card.name for card in given]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise ValueError(f"black_market_card {i + 1}: {name} appears twice; use copies instead")
    total = sum(card.copies for card in given)
    if total > MAX_CARDS:
        raise ValueError(f"black_market_card: {total} copies in all, but at most {MAX_CARDS} are possible")
    return tuple(Card(card.name, card.copies, card.fee) for card in given)


# ---------------------------------------------------------------------------------------------- the set as a whole
def _check_lists_can_be_met(components: Components) -> None:
    """Check that the markets of the smallest number of seats can satisfy every list (section 12)."""
    k = components.markets_by_seats[0]
    have = [0] * len(components.materials)
    for market in components.markets[:k]:
        for circle in market.circles:
            have[circle.material] += 1
    for i, asked in enumerate(components.lists, start=1):
        for material, number, there in zip(components.materials, asked, have, strict=True):
            if number > there:
                raise ValueError(f"list {i}: asks for {number} {material}, but the first {k} markets have {there}")


def _check_trades_end(components: Components) -> None:
    """Check that trading ends (section 4): no rate gains worth, and no mix of worth-neutral rates is a cycle."""
    keeping: list[tuple[int, tuple[int, int]]] = []
    for i, rate in enumerate(components.rates, start=1):
        given, got = components.worth(rate.give), components.worth(rate.get)
        if got > given:
            raise ValueError(f"rate {i}: gives {given} worth of gems for {got}; a rate must not gain worth")
        if got == given:
            # All changes that keep the worth lie in a plane, so their green and blue components determine them.
            keeping.append((i, (rate.get[0] - rate.give[0], rate.get[1] - rate.give[1])))
    # If some mix of vectors of a plane is zero, then a mix of at most three of them is.
    for size in (1, 2, 3):
        for mix in combinations(keeping, size):
            if _cancel([change for _, change in mix]):
                numbers = " and ".join(str(i) for i, _ in mix)
                raise ValueError(f"rate {numbers}: must not form a cycle, which would allow trading for ever")


def _cancel(changes: list[tuple[int, int]]) -> bool:
    """Whether the changes, each used a positive number of times, can sum to zero (fewer of them can't)."""
    if len(changes) == 1:
        return changes[0] == (0, 0)
    turns = [_cross(changes[k], changes[(k + 1) % len(changes)]) for k in range(len(changes))]
    if len(changes) == 2:
        (a, b), (c, d) = changes
        return turns[0] == 0 and a * c + b * d < 0
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def _cross(a: tuple[int, int], b: tuple[int, int]) -> int:
    return a[0] * b[1] - a[1] * b[0]
