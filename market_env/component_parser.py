"""Reading a component set: every complaint is a ValueError that begins with the entry's name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from market_env.components import (
    CARDS,
    CIRCLES,
    ENTRIES,
    GEMS,
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
    Amounts,
    Card,
    Circle,
    Components,
    Market,
    Rate,
)

ENTRY_NAMES = (
    "name", "materials", "gems", "passes", "rules", "black_market_entry", "rate", "market", "list", "black_market_card",
)  # fmt: skip
RULE_LIMITS = {
    "towers_to_win": (1, MAX_TOWERS),
    "draw": (0, MAX_DRAW),
    "draw_if_idle": (0, MAX_DRAW),
    "lists_after_building": (1, MAX_LIST_CHOICE),
    "black_market_hand": (1, MAX_HAND),
    "black_market_offer": (1, MAX_OFFER),
    "jail_gems": (0, MAX_DRAW),
    "steal_gems": (1, MAX_DRAW),
    "max_turns_per_player": (1, MAX_TURNS),
}
"""The numbers of the table ``rules`` and what they may be."""


def parse(raw: Mapping[str, Any]) -> Components:
    """The component set of a file's content."""
    _table("components", raw, ENTRY_NAMES, optional=("name",))
    name = raw.get("name", "unnamed")
    if not isinstance(name, str):
        raise ValueError(f"name: must be a text, not {name!r}")
    materials = _materials(raw["materials"])
    rules, by_seats, markets = _rules(raw["rules"]), _by_seats(raw["rules"]), _markets(raw["market"], materials)
    for seats, number in zip((2, 3, 4), by_seats, strict=True):
        if number > len(markets):
            raise ValueError(
                f"rules: markets_by_seats: {number} markets with {seats} seats, and the set has {len(markets)}"
            )
    components = Components(
        name=name,
        materials=materials,
        gems=_gems(raw["gems"]),
        passes=_whole("passes: count", _table("passes", raw["passes"], ("count",))["count"], 0, MAX_TOKENS),
        rules=rules,
        markets_by_seats=by_seats,
        entries=_entries(raw["black_market_entry"]),
        rates=_rates(raw["rate"]),
        markets=markets,
        lists=_lists(raw["list"], materials),
        cards=_cards(raw["black_market_card"]),
    )
    _check_lists_can_be_met(components)
    _check_trades_end(components)
    return components


# ---------------------------------------------------------------------------------------------- single values
def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name}: must be a whole number from {low} to {high}, not {value!r}")
    return value


def _table(name: str, value: Any, keys: tuple[str, ...], optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name}: must be a table, not {value!r}")
    for key in value:
        if key not in keys:
            raise ValueError(f"{name}: unknown entry {key!r} (there are {', '.join(keys)})")
    for key in keys:
        if key not in value and key not in optional:
            raise ValueError(f"{name}: the entry {key!r} is missing")
    return value


def _items(name: str, value: Any, low: int, high: int) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{name}: must be a list, not {value!r}")
    if not low <= len(value) <= high:
        wanted = f"{low} to {high}" if low < high else f"{low}"
        raise ValueError(f"{name}: must have {wanted} entries, not {len(value)}")
    return list(value)


def _amounts(name: str, value: Any) -> Amounts:
    """Gems by colour, such as ``{ green = 2 }``."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{name}: must be a table of gems, not {value!r}")
    for gem in value:
        if gem not in GEMS:
            raise ValueError(f"{name}: unknown gem {gem!r} (there are {', '.join(GEMS)})")
    green, blue, red = (_whole(f"{name}: {gem}", value.get(gem, 0), 0, MAX_PRICE) for gem in GEMS)
    return green, blue, red


# ---------------------------------------------------------------------------------------------- entries
def _materials(value: Any) -> tuple[str, ...]:
    names = _items("materials", value, 1, MAX_MATERIALS)
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            raise ValueError(f"materials: a name is one word of small letters, not {name!r}")
    if len(set(names)) < len(names):
        raise ValueError("materials: a name appears twice")
    return tuple(names)


def _gems(value: Any) -> tuple[tuple[int, int], ...]:
    table = _table("gems", value, GEMS)
    gems = []
    for gem in GEMS:
        entry = _table(f"gems: {gem}", table[gem], ("count", "worth"))
        count = _whole(f"gems: {gem}: count", entry["count"], 0, MAX_TOKENS)
        gems.append((count, _whole(f"gems: {gem}: worth", entry["worth"], 1, MAX_WORTH)))
    return tuple(gems)


def _rules(value: Any) -> tuple[tuple[str, int], ...]:
    table = _table("rules", value, (*RULE_LIMITS, "markets_by_seats"))
    return tuple((name, _whole(f"rules: {name}", table[name], *limits)) for name, limits in RULE_LIMITS.items())


def _by_seats(value: Any) -> tuple[int, int, int]:
    name = "rules: markets_by_seats"
    given = value["markets_by_seats"]
    if isinstance(given, Mapping):  # a dict made in Python may have numbers as keys
        given = {str(key): number for key, number in given.items()}
    table = _table(name, given, ("2", "3", "4"))
    two, three, four = (_whole(f"{name}: {key}", table[key], 1, MAX_MARKETS) for key in ("2", "3", "4"))
    if not two <= three <= four:
        raise ValueError(f"{name}: more seats never have fewer markets")
    return two, three, four


def _entries(value: Any) -> tuple[tuple[str, int], ...]:
    entries: list[tuple[str, int]] = []
    for i, entry in enumerate(_items("black_market_entry", value, 0, len(ENTRIES)), start=1):
        name = f"black_market_entry {i}"
        if not isinstance(entry, Mapping) or len(entry) != 1:
            raise ValueError(f"{name}: must be a table with one kind of token, not {entry!r}")
        kind, number = next(iter(entry.items()))
        if kind not in ENTRIES:
            raise ValueError(f"{name}: unknown gem {kind!r} (there are {', '.join(ENTRIES)})")
        if kind in (other for other, _ in entries):
            raise ValueError(f"{name}: there is already an entry paid with {kind}")
        entries.append((kind, _whole(f"{name}: {kind}", number, 1, MAX_PRICE)))
    return tuple(entries)


def _rates(value: Any) -> tuple[Rate, ...]:
    rates = []
    for i, rate in enumerate(_items("rate", value, 0, MAX_RATES), start=1):
        table = _table(f"rate {i}", rate, ("give", "get"))
        rates.append(Rate(_amounts(f"rate {i}: give", table["give"]), _amounts(f"rate {i}: get", table["get"])))
    return tuple(rates)


def _markets(value: Any, materials: tuple[str, ...]) -> tuple[Market, ...]:
    markets = []
    for i, market in enumerate(_items("market", value, 1, MAX_MARKETS), start=1):
        table = _table(f"market {i}", market, ("name", "circles"), optional=("name",))
        name = table.get("name", f"market {i}")
        if not isinstance(name, str):
            raise ValueError(f"market {i}: name: must be a text, not {name!r}")
        circles = []
        for k, circle in enumerate(_items(f"market {i}: circles", table["circles"], CIRCLES, CIRCLES)):
            where = f"market {i}: circle {'abcdef'[k]}"
            entry = _table(where, circle, ("material", "price"))
            if entry["material"] not in materials:
                known = ", ".join(materials)
                raise ValueError(f"{where}: unknown material {entry['material']!r} (there are {known})")
            circles.append(Circle(materials.index(entry["material"]), _amounts(f"{where}: price", entry["price"])))
        markets.append(Market(name, tuple(circles)))
    return tuple(markets)


def _lists(value: Any, materials: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    lists = []
    for i, asked in enumerate(_items("list", value, MIN_LISTS, MAX_LISTS), start=1):
        if not isinstance(asked, Mapping):
            raise ValueError(f"list {i}: must be a table of materials, not {asked!r}")
        for material in asked:
            if material not in materials:
                raise ValueError(f"list {i}: unknown material {material!r} (there are {', '.join(materials)})")
        most = CIRCLES * MAX_MARKETS
        lists.append(tuple(_whole(f"list {i}: {m}", asked.get(m, 0), 0, most) for m in materials))
        if not any(lists[-1]):
            raise ValueError(f"list {i}: asks for nothing")
    return tuple(lists)


def _cards(value: Any) -> tuple[Card, ...]:
    cards: list[Card] = []
    for i, card in enumerate(_items("black_market_card", value, 0, len(CARDS)), start=1):
        where = f"black_market_card {i}"
        table = _table(where, card, ("name", "copies", "fee"))
        name = table["name"]
        if name not in CARDS:
            raise ValueError(f"{where}: no card is called {name!r} (there are {', '.join(CARDS)})")
        if name in (other.name for other in cards):
            raise ValueError(f"{where}: {name} is there twice; give its number as copies")
        copies = _whole(f"{where}: copies", table["copies"], 0, MAX_CARDS)
        cards.append(Card(name, copies, _whole(f"{where}: fee", table["fee"], 0, MAX_FEE)))
    total = sum(card.copies for card in cards)
    if total > MAX_CARDS:
        raise ValueError(f"black_market_card: {total} copies together, and at most {MAX_CARDS} are possible")
    return tuple(cards)


# ---------------------------------------------------------------------------------------------- the set as a whole
def _check_lists_can_be_met(components: Components) -> None:
    """Every list can be met by the markets of the smallest number of seats (section 12)."""
    k = components.markets_by_seats[0]
    have = [0] * len(components.materials)
    for market in components.markets[:k]:
        for circle in market.circles:
            have[circle.material] += 1
    for i, asked in enumerate(components.lists, start=1):
        for material, number, there in zip(components.materials, asked, have, strict=True):
            if number > there:
                raise ValueError(f"list {i}: asks for {number} {material}, and the first {k} markets have {there}")


def _check_trades_end(components: Components) -> None:
    """Trades end (section 4): no rate gains worth, and no mix of those that keep it leads back to its start."""
    keeping: list[tuple[int, tuple[int, int]]] = []
    for i, rate in enumerate(components.rates, start=1):
        given, got = components.worth(rate.give), components.worth(rate.get)
        if got > given:
            raise ValueError(f"rate {i}: gives {given} worth of gems for {got}; a rate must not gain worth")
        if got == given:
            # All changes that keep the worth lie in a plane, so green and blue tell them completely.
            keeping.append((i, (rate.get[0] - rate.give[0], rate.get[1] - rate.give[1])))
    # If some mix of vectors of a plane is zero, then a mix of at most three of them is.
    for size in (1, 2, 3):
        for mix in combinations(keeping, size):
            if _cancel([change for _, change in mix]):
                numbers = " and ".join(str(i) for i, _ in mix)
                raise ValueError(f"rate {numbers}: trades could go on for ever, for they lead back to the same gems")


def _cancel(changes: list[tuple[int, int]]) -> bool:
    """Whether the changes, each used a positive number of times, can sum to nothing (no fewer of them can)."""
    if len(changes) == 1:
        return changes[0] == (0, 0)
    turns = [_cross(changes[k], changes[(k + 1) % len(changes)]) for k in range(len(changes))]
    if len(changes) == 2:
        (a, b), (c, d) = changes
        return turns[0] == 0 and a * c + b * d < 0
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def _cross(a: tuple[int, int], b: tuple[int, int]) -> int:
    return a[0] * b[1] - a[1] * b[0]
