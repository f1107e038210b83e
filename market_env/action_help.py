"""What actions and cards do, in a few words for people who play (section 4 and the expansions' tell it in full)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from market_env.components import GEMS, Amounts, Components
from market_env.rules import resolve

CARDS: Mapping[str, str] = {
    "smuggler": "three tokens out of the bag",
    "levy": "two gems out of the pile",
    "pickpocket": "a random gem of another player",
    "sabotage": "a piece of another seat goes back to the city",
    "permit": "one useful piece of any circle, for nothing",
    "bribe": "in this turn you may go where others stand",
    "architect": "look at three lists; one may take the place of yours",
    "curfew": "nobody buys at a free market until your next turn",
}
_HIRED = {
    "stand-in": "for any gem: it keeps all others out of a market",
    "bully": "for a blue or a red gem: it sends others home from a market, and you buy there",
    "runner": "for a red gem: you may buy at a second market in this turn",
}
_PLAIN = {
    "END": "end the turn",
    "BUILD": "put up a tower with the pieces of your list; it ends the turn",
    "LOOK": "look at the black market's cards",
    "STEAL": "take two gems out of the pile, and be wanted",
    "PARDON": "pay a red gem, and be wanted no more",
}


def describe(text: str, position: Mapping[str, Any]) -> str:
    """What an action does in a position as its mover sees it."""
    verb, *names = text.split()
    if verb in _PLAIN:
        return _PLAIN[verb]
    name = names[0]
    components = resolve(position["rules"]).components
    if verb in ("CARD", "KEEP", "DROP"):
        fee = next(card.fee for card in components.cards if card.name == name) if verb == "CARD" else 0
        return ("lay it down: " if verb == "DROP" else f"fee {fee}: " if fee else "") + CARDS[name]
    if verb == "HIRE":
        return _HIRED[name]
    if verb == "ENTER":
        price = dict(components.entries)[name]
        return f"pay {price} {name} for one card of the black market"
    if verb == "TRADE":
        rate = components.rates[int(name) - 1]
        return f"give {_amounts(rate.give)}, get {_amounts(rate.get)}"
    if verb == "BUY":
        return _buying(name, position, components)
    if verb == "LIST":
        return _list(name, position, components)
    return {
        "PAY": f"pay a {name} gem",
        "TAKE": f"take a {name} gem",
        "RETURN": f"lay {_next_piece(position)} on circle {name}",
        "TARGET": f"against {name}",
        "MATERIAL": f"a piece of {name}",
        "MARKET": f"market {name}",
    }[verb]


def _buying(circle: str, position: Mapping[str, Any], components: Components) -> str:
    market, place = int(circle[0]) - 1, "abcdef".index(circle[1])
    material = position["circles"][market][place]
    if position["pending"] and position["pending"]["for"] == "permit":
        return f"{material} for nothing"
    return f"{material} for {_amounts(components.markets[market].circles[place].price)}"


def _list(name: str, position: Mapping[str, Any], components: Components) -> str:
    seat = position["to_move"]
    number = position["lists"][seat] if name == "keep" else position["pending"]["lists"][int(name) - 1]
    if not isinstance(number, int):
        return "keep the own list"
    asked = zip(components.materials, components.lists[number], strict=True)
    return ("keep " if name == "keep" else "") + ", ".join(f"{count} {material}" for material, count in asked if count)


def _next_piece(position: Mapping[str, Any]) -> str:
    pieces = (position["pending"] or {}).get("pieces") or ["it"]
    return str(pieces[0])


def _amounts(amounts: Amounts) -> str:
    return " and ".join(f"{count} {gem}" for gem, count in zip(GEMS, amounts, strict=True) if count) or "nothing"
