"""Action numbers and their notation, both ways. They are the same for every component set and number of players.

=============  ==================  ======================================================
numbers        text                meaning
=============  ==================  ======================================================
0              ``END``             end the turn
1              ``BUILD``           build a tower
2              ``LOOK``            look at the cards of the black market
3              ``STEAL``           take gems from the pile and be wanted
4              ``PARDON``          pay a red gem and be wanted no more
5 – 7          ``HIRE name``       hire the stand-in, the bully or the runner
8 – 11         ``ENTER p``         pay an entry to the black market: pass, green, blue, red
12 – 19        ``CARD name``       play a black-market card
20 – 22        ``PAY colour``      pay one gem: green, blue, red
23 – 58        ``BUY 2d``          buy on a circle: 23 + 6·market + circle
59 – 70        ``TRADE 1``         trade with the tax collector
71 – 78        ``KEEP name``       keep one of the cards looked at
79 – 86        ``DROP name``       drop a card of the hand
87 – 122       ``RETURN 2d``       lay a material on an empty circle
123 – 125      ``TAKE colour``     take one gem from the pile
126 – 128      ``TARGET name``     the seat 1, 2 or 3 places after the own one
129 – 136      ``MATERIAL name``   one material of the target
137 – 142      ``MARKET 2``        a market
143 – 149      ``LIST 1``          one of the lists drawn
150            ``LIST keep``       the own list
=============  ==================  ======================================================

Cards are in the order of the table in the rules, materials in that of the component set.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from market_env.action_help import describe
from market_env.components import (
    CARDS,
    CIRCLES,
    ENTRIES,
    GEMS,
    MAX_LIST_CHOICE,
    MAX_MARKETS,
    MAX_MATERIALS,
    MAX_RATES,
)
from tower_core.actions import ActionTable, Verb
from tower_core.engine.batch_structs import MAX_SEATS

APPRENTICES = ("stand-in", "bully", "runner")
MAX_CIRCLES = CIRCLES * MAX_MARKETS
CIRCLE_NAMES = tuple(f"{market}{letter}" for market in range(1, MAX_MARKETS + 1) for letter in "abcdef")
CIRCLE_INDEX = {name: i for i, name in enumerate(CIRCLE_NAMES)}

END, BUILD, LOOK, STEAL, PARDON = range(5)
HIRE = 5
ENTER = HIRE + len(APPRENTICES)
CARD = ENTER + len(ENTRIES)
PAY = CARD + len(CARDS)
BUY = PAY + len(GEMS)
TRADE = BUY + MAX_CIRCLES
KEEP = TRADE + MAX_RATES
DROP = KEEP + len(CARDS)
RETURN = DROP + len(CARDS)
TAKE = RETURN + MAX_CIRCLES
TARGET = TAKE + len(GEMS)
MATERIAL = TARGET + MAX_SEATS - 1
MARKET = MATERIAL + MAX_MATERIALS
LIST = MARKET + MAX_MARKETS
LIST_KEEP = LIST + MAX_LIST_CHOICE
NUM_ACTIONS = LIST_KEEP + 1
FIRST_WORD = NUM_ACTIONS % 64  # the legal words begin at 0, BUY and RETURN
assert (FIRST_WORD, FIRST_WORD + 64) == (BUY, RETURN)

_PLAIN = ("END", "BUILD", "LOOK", "STEAL", "PARDON")
_STARTS = (
    ("HIRE", HIRE), ("ENTER", ENTER), ("CARD", CARD), ("PAY", PAY), ("BUY", BUY), ("TRADE", TRADE), ("KEEP", KEEP),
    ("DROP", DROP), ("RETURN", RETURN), ("TAKE", TAKE), ("TARGET", TARGET), ("MATERIAL", MATERIAL), ("MARKET", MARKET),
    ("LIST", LIST), ("", NUM_ACTIONS),
)  # fmt: skip


class Table(NamedTuple):
    """What the notation depends on: the number of players, whether there is an NPC, and the materials' names."""

    num_players: int
    npc: bool
    materials: tuple[str, ...]

    @property
    def seats(self) -> int:
        return self.num_players + self.npc

    def seat_name(self, seat: int) -> str:
        return f"player_{seat}" if seat < self.num_players else "npc"


def verb_of(action: int) -> tuple[str, int]:
    """The verb of an action and its number among the actions of that verb."""
    if action < HIRE:
        return _PLAIN[action], 0
    for (verb, start), (_, end) in pairwise(_STARTS):
        if action < end:
            return verb, action - start
    raise ValueError(f"an action is a number from 0 to {NUM_ACTIONS - 1}, not {action}")


def names_of(verb: str, seat: int, table: Table) -> list[str]:
    """What may stand after a verb in the notation of *seat*, in the order of the action numbers."""
    if verb in ("BUY", "RETURN"):
        return list(CIRCLE_NAMES)
    if verb in ("CARD", "KEEP", "DROP"):
        return list(CARDS)
    if verb in ("PAY", "TAKE"):
        return list(GEMS)
    if verb == "TARGET":
        return [table.seat_name((seat + j) % table.seats) for j in range(1, table.seats)]
    if verb == "LIST":
        return [*_numbers(MAX_LIST_CHOICE), "keep"]
    if verb == "MATERIAL":
        return list(table.materials)
    if verb == "HIRE":
        return list(APPRENTICES)
    if verb == "ENTER":
        return list(ENTRIES)
    return _numbers(MAX_RATES if verb == "TRADE" else MAX_MARKETS)


def _numbers(count: int) -> list[str]:
    return [str(i) for i in range(1, count + 1)]


def action_text(action: int, seat: int, table: Table) -> str:
    """The notation of an action of *seat*."""
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"an action is a number from 0 to {NUM_ACTIONS - 1}, not {action}")
    verb, k = verb_of(action)
    if verb in _PLAIN:
        return verb
    names = names_of(verb, seat, table)
    return f"{verb} {names[k]}" if k < len(names) else f"{verb} #{k + 1}"  # a seat or material that isn't there


def parse_action(text: str, seat: int, table: Table) -> int:
    """The number of an action's text, said by *seat*. ValueError tells what is wrong with it."""
    if not isinstance(text, str):
        raise ValueError(f"an action is a text such as 'BUY 2d', not {text!r}")
    words = text.split()
    verb = words[0].upper() if words else ""
    starts = dict(_STARTS[:-1])
    if verb not in _PLAIN and verb not in starts:
        raise ValueError(f"{text!r} is no action: an action begins with {', '.join((*_PLAIN, *starts))}")
    wanted = 0 if verb in _PLAIN else 1
    if len(words) - 1 != wanted:
        raise ValueError(f"{text!r}: {verb} takes {wanted} word(s) after it, not {len(words) - 1}")
    if not wanted:
        return _PLAIN.index(verb)
    names = names_of(verb, seat, table)
    name = words[1].lower()
    if name not in names:
        known = "1a to 6f" if verb in ("BUY", "RETURN") else ", ".join(names)
        raise ValueError(f"{text!r}: after {verb} stands one of {known}")
    return starts[verb] + names.index(name)


class MarketActions(ActionTable):
    """The actions of the game, which say what they do in a position."""

    def describe(self, text: str, position: Any = None) -> str:
        return describe(text, position)


ACTIONS = MarketActions(
    [
        Verb("END", meaning="end the turn", passes=True),
        Verb("BUILD", meaning="build a tower"),
        Verb("LOOK", meaning="look at the cards of the black market"),
        Verb("STEAL", meaning="take gems from the pile and be wanted"),
        Verb("PARDON", meaning="pay a red gem and be wanted no more"),
        Verb("HIRE", (APPRENTICES,), "hire the stand-in, the bully or the runner"),
        Verb("ENTER", (ENTRIES,), "pay an entry to the black market"),
        Verb("CARD", (CARDS,), "play a black-market card"),
        Verb("PAY", (GEMS,), "pay one gem"),
        Verb("BUY", (CIRCLE_NAMES,), "buy on a circle"),
        Verb("TRADE", (_numbers(MAX_RATES),), "trade with the tax collector"),
        Verb("KEEP", (CARDS,), "keep one of the cards looked at"),
        Verb("DROP", (CARDS,), "drop a card of the hand"),
        Verb("RETURN", (CIRCLE_NAMES,), "lay a material on an empty circle"),
        Verb("TAKE", (GEMS,), "take one gem from the pile"),
        Verb("TARGET", (_numbers(MAX_SEATS - 1),), "the seat 1, 2 or 3 places after the own one"),
        Verb("MATERIAL", (_numbers(MAX_MATERIALS),), "one material of the target"),
        Verb("MARKET", (_numbers(MAX_MARKETS),), "a market"),
        Verb("LIST", ([*_numbers(MAX_LIST_CHOICE), "keep"],), "one of the lists drawn, or the own one"),
    ]
)
assert len(ACTIONS) == NUM_ACTIONS
