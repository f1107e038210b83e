"""Laying a situation of the market game on the table, for the tests of the rules.

A :class:`Table` begins as a new game in which nobody has a token yet and every circle holds the material printed on it,
so that what is legal can be told from the test alone. ``W`` is the list that most tests use.
"""

from __future__ import annotations

import copy
import json
from typing import Any

from market_env import MarketRules, MarketState
from market_env.components import TOKENS
from tower_core.engine.random import SplitMix64

W = {"wood": 2, "stone": 2, "glass": 1}


class Table:
    """A position under construction. Tokens come from the bag, materials from circles, cards from the deck."""

    def __init__(self, players: int = 2, rules: str = "base", **overrides: Any) -> None:
        self.rules = MarketRules.preset(rules, **overrides)
        self.position = MarketState(players, self.rules, seed=1).position()
        self.players = players
        components = self.rules.components
        self.asked = [
            {m: n for m, n in zip(components.materials, asked, strict=True) if n} for asked in components.lists
        ]
        for seat in range(players):
            self.tokens(seat)
        self.pile()
        printed = components.markets[: len(self.position["circles"])]
        self.position["circles"] = [[components.materials[c.material] for c in m.circles] for m in printed]

    # --- what lies where ---
    def _exchange(self, place: dict[str, int], tokens: dict[str, int]) -> Table:
        for kind in TOKENS:
            self.position["bag"][kind] += place[kind] - tokens.get(kind, 0)
            place[kind] = tokens.get(kind, 0)
        return self

    def tokens(self, seat: int, **tokens: int) -> Table:
        """The seat holds exactly these; ``passes`` is the name for passes."""
        tokens["pass"] = tokens.pop("passes", 0)
        return self._exchange(self.position["tokens"][seat], tokens)

    def pile(self, **tokens: int) -> Table:
        tokens["pass"] = tokens.pop("passes", 0)
        return self._exchange(self.position["pile"], tokens)

    def bag(self, **tokens: int) -> Table:
        """Of what the bag holds, only this stays in the game."""
        tokens["pass"] = tokens.pop("passes", 0)
        self.position["bag"] = {kind: tokens.get(kind, 0) for kind in TOKENS}
        return self

    def asks(self, seat: int, **asked: int) -> Table:
        """The seat has the first list that asks for just this; its former one goes where that lay."""
        p = self.position
        number = next(i for i, one in enumerate(self.asked) if one == asked and i not in p["lists"][:seat])
        old = p["lists"][seat]
        for pile in (p["list_deck"], p["list_discard"], p["lists"]):
            if number in pile:
                pile[pile.index(number)] = old
        p["lists"][seat] = number
        return self

    def take(self, seat: int, *circles: str) -> Table:
        """The seat has the materials of these circles."""
        for name in circles:
            row, k = self.position["circles"][int(name[0]) - 1], "abcdef".index(name[1])
            self.position["materials"][seat][row[k]] += 1
            row[k] = None
        return self

    def hand(self, seat: int, *cards: str) -> Table:
        for card in cards:
            self.position["card_deck"].remove(card)
        self.position["hands"][seat] = list(cards)
        return self

    def card_deck(self, *cards: str, discard: tuple[str, ...] = ()) -> Table:
        self.position["card_deck"], self.position["card_discard"] = list(cards), list(discard)
        return self

    def list_deck(self, *numbers: int, discard: tuple[int, ...] = ()) -> Table:
        self.position["list_deck"], self.position["list_discard"] = list(numbers), list(discard)
        return self

    # --- who is where ---
    def worker(self, seat: int, market: int) -> Table:
        self.position["workers"][seat] = market
        return self

    def curfew(self, seat: int, *markets: int) -> Table:
        self.position["figures"]["curfew"][seat] = list(markets)
        return self

    def with_apprentice(self, seat: int, name: str, market: int | None = None) -> Table:
        """The seat has hired it; stand-in and runner may stand on a market."""
        self.position["apprentices"]["with"][name] = seat
        self.position["apprentices"]["has_hired"][seat] = True
        if market is not None:
            self.position["figures"][name][seat] = market
        return self

    def flags(self, name: str, *seats: int) -> Table:
        """``wanted`` or ``jailed``."""
        for seat in seats:
            self.position[name][seat] = True
        return self

    def set(self, **fields: Any) -> Table:
        self.position.update(copy.deepcopy(fields))
        return self

    def turn(self, **fields: bool) -> Table:
        """What has happened in the turn."""
        self.position["turn_state"].update({"at_start": not fields.get("acted", False)} | fields)
        return self

    def acted(self) -> Table:
        return self.turn(acted=True)

    def state(self) -> MarketState:
        """The position taken up, through JSON as a user would."""
        return MarketState.from_position(json.loads(json.dumps(self.position)))


def legal(state: MarketState, *verbs: str) -> set[str]:
    """Texts of the legal actions, of some verbs or all."""
    texts = {state.action_to_string(action) for action in state.legal_actions()}
    return {text for text in texts if not verbs or text.split()[0] in verbs}


def play(state: MarketState, *texts: str) -> MarketState:
    for text in texts:
        state.apply_action(state.string_to_action(text))
    return state


def held(state: MarketState, seat: int) -> dict[str, int]:
    """A seat's tokens, those that it has."""
    return {kind: number for kind, number in state.position()["tokens"][seat].items() if number}


def in_pile(state: MarketState) -> dict[str, int]:
    return {kind: number for kind, number in state.position()["pile"].items() if number}


def owned(state: MarketState, seat: int) -> dict[str, int]:
    return {kind: number for kind, number in state.position()["materials"][seat].items() if number}


def tokens_of(state: MarketState, seat: int) -> int:
    return sum(held(state, seat).values())


def die_first(market: int, sides: int = 6) -> int:
    """A seed of the stream whose first die shows a market, counted from 1."""
    return next(seed for seed in range(1000) if SplitMix64(seed).below(sides) == market - 1)
