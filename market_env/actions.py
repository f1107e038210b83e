"""The action table of the market game: numbers, notation, help texts and documentation.

It is the same for every component set and number of players. Cards are in card-table order, materials in the order of the
component set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from market_env.card_table import APPRENTICE_HELP, CARD_HELP, CARDS
from market_env.card_table import APPRENTICES as APPRENTICES
from market_env.components import (
    CIRCLES,
    ENTRIES,
    GEMS,
    MAX_LIST_CHOICE,
    MAX_MARKETS,
    MAX_MATERIALS,
    MAX_RATES,
    Amounts,
    Components,
)
from market_env.rules import resolve
from tower_core.actions import ActionTable, Verb
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.game_checks import check_width

CIRCLE_LETTERS = "abcdef"
MAX_CIRCLES = CIRCLES * MAX_MARKETS
CIRCLE_NAMES = tuple(f"{market}{letter}" for market in range(1, MAX_MARKETS + 1) for letter in CIRCLE_LETTERS)
CIRCLE_INDEX = {name: i for i, name in enumerate(CIRCLE_NAMES)}
KEEP_OWN = "keep"
"""LIST's word for keeping the own list."""


class Table(NamedTuple):
    """Context of the words: the speaking seat, the number of players, whether there is an NPC, and the materials' names."""

    seat: int
    num_players: int
    npc: bool
    materials: tuple[str, ...]

    def others(self) -> list[str]:
        """Names of the other seats in turn order."""
        seats = self.num_players + self.npc
        places = [(self.seat + j) % seats for j in range(1, seats)]
        return [f"player_{seat}" if seat < self.num_players else "npc" for seat in places]


class MarketActions(ActionTable):
    """The action table; the context of its words is a :class:`Table`."""

    def words_of(self, verb: Verb, place: int, context: Table | None) -> Sequence[str]:
        if context is not None and verb.name == "TARGET":
            return context.others()
        if context is not None and verb.name == "MATERIAL":
            return context.materials
        return verb.arguments[place]

    def describe(self, text: str, position: Mapping[str, Any] | None = None) -> str:
        """What an action does, briefly; *position* is the position as seen by the player to move."""
        verb, *words = text.split()
        if verb == "HIRE":
            return APPRENTICE_HELP[words[0]]
        components = resolve(position["rules"]).components if position is not None else None
        if verb in ("CARD", "KEEP", "DROP"):
            fees = {card.name: card.fee for card in components.cards} if components and verb == "CARD" else {}
            fee = fees.get(words[0], 0)
            return ("lay it down: " if verb == "DROP" else f"fee {fee}: " if fee else "") + CARD_HELP[words[0]]
        if position is None or components is None:
            return super().describe(text)
        if verb == "ENTER":
            return f"pay {dict(components.entries)[words[0]]} {words[0]} for one card of the black market"
        if verb == "TRADE":
            rate = components.rates[int(words[0]) - 1]
            return f"give {_amounts(rate.give)}, get {_amounts(rate.get)}"
        if verb == "BUY":
            return _buying(words[0], position, components)
        if verb == "LIST":
            return _list(words[0], position, components)
        if verb == "RETURN":
            pieces = (position["pending"] or {}).get("pieces") or ["it"]
            return f"lay {pieces[0]} on circle {words[0]}"
        return super().describe(text)


def _buying(circle: str, position: Mapping[str, Any], components: Components) -> str:
    market, place = divmod(CIRCLE_INDEX[circle], CIRCLES)
    material = position["circles"][market][place]
    if position["pending"] and position["pending"]["for"] == "permit":
        return f"{material} for nothing"
    return f"{material} for {_amounts(components.markets[market].circles[place].price)}"


def _list(name: str, position: Mapping[str, Any], components: Components) -> str:
    own = name == KEEP_OWN
    number = position["lists"][position["to_move"]] if own else position["pending"]["lists"][int(name) - 1]
    if not isinstance(number, int):
        return "keep the own list"
    asked = zip(components.materials, components.lists[number], strict=True)
    return ("keep " if own else "") + ", ".join(f"{count} {material}" for material, count in asked if count)


def _amounts(amounts: Amounts) -> str:
    return " and ".join(f"{count} {gem}" for gem, count in zip(GEMS, amounts, strict=True) if count) or "nothing"


def _numbers(count: int, sign: str = "") -> tuple[str, ...]:
    return tuple(f"{sign}{i}" for i in range(1, count + 1))


ACTIONS = MarketActions(
    [
        Verb("END", meaning="end the turn", passes=True),
        Verb("BUILD", meaning="put up a tower with the pieces of your list; it ends the turn"),
        Verb("LOOK", meaning="look at the black market's cards"),
        Verb("STEAL", meaning="take two gems out of the pile, and be wanted"),
        Verb("PARDON", meaning="pay a red gem, and be wanted no more"),
        Verb("HIRE", (APPRENTICES,), "hire the {0}"),
        Verb("ENTER", (ENTRIES,), "pay the entry to the black market in {0}"),
        Verb("CARD", (CARDS,), "play the black-market card {0}"),
        Verb("PAY", (GEMS,), "pay a {0} gem"),
        Verb("BUY", (CIRCLE_NAMES,), "buy on circle {0}"),
        Verb("TRADE", (_numbers(MAX_RATES),), "trade with the tax collector at rate {0}"),
        Verb("KEEP", (CARDS,), "keep {0} of the cards looked at"),
        Verb("DROP", (CARDS,), "lay down {0} of the hand"),
        Verb("RETURN", (CIRCLE_NAMES,), "lay a piece on circle {0}"),
        Verb("TAKE", (GEMS,), "take a {0} gem"),
        Verb("TARGET", (_numbers(MAX_SEATS - 1, "#"),), "against {0}"),
        Verb("MATERIAL", (_numbers(MAX_MATERIALS, "#"),), "a piece of {0}"),
        Verb("MARKET", (_numbers(MAX_MARKETS),), "market {0}"),
        Verb("LIST", ((*_numbers(MAX_LIST_CHOICE), KEEP_OWN),), "take one of the lists drawn, or keep the own one"),
    ]
)
(
    END, BUILD, LOOK, STEAL, PARDON, HIRE, ENTER, CARD, PAY, BUY, TRADE, KEEP, DROP, RETURN, TAKE, TARGET, MATERIAL,
    MARKET, LIST,
) = (ACTIONS.first(verb.name) for verb in ACTIONS.verbs)  # fmt: skip
NUM_ACTIONS = len(ACTIONS)
LIST_KEEP = NUM_ACTIONS - 1
FIRST_WORD = NUM_ACTIONS % 64

# The kernels write legal actions as three words, which start at END, BUY and RETURN.
for _verb, _start, _end in (("END", END, BUY), ("BUY", BUY, RETURN), ("RETURN", RETURN, NUM_ACTIONS)):
    check_width(f"the market's actions from {_verb} on, in one legal word", _end - _start, 64, "actions")
assert (FIRST_WORD, FIRST_WORD + 64) == (BUY, RETURN), "the market's legal words must start at BUY and RETURN"
