"""One-line reasons why an action is illegal, from a position."""

from __future__ import annotations

from typing import Any

from market_env.actions import ACTIONS, CIRCLE_INDEX
from market_env.card_table import IMPOSSIBLE
from market_env.components import CIRCLES, GEMS
from market_env.rules import MarketRules


def why_illegal(action: int, position: dict[str, Any], rules: MarketRules) -> str:
    """Why an action is illegal in a game that is not over. *position* is ``MarketState.position()``."""
    verb, places = ACTIONS.split(action)
    if position["pending"] is not None:
        return _reason_pending(verb.name, position["pending"])
    if verb.name in ("LOOK", "KEEP", "DROP", "PAY", "TAKE", "RETURN", "TARGET", "MATERIAL", "MARKET", "LIST"):
        return f"{verb.name} is not what must be answered now"
    word = verb.arguments[0][places[0]] if places else ""
    return _reason(verb.name, word, places[0] if places else 0, _Here(position, rules, position["to_move"]))


def _reason_pending(verb: str, pending: dict[str, Any]) -> str:
    kind, cause = pending["kind"], pending["for"]
    if kind == "enter":
        if verb == "ENTER":
            return "you can't pay that, or may see no more cards"
        return "after ENTER, only ENTER and LOOK are possible"
    if verb != kind.upper():
        what = {"drop": "your hand is full: drop a card first", "keep": "keep one of the cards first"}.get(
            kind, f"{cause} must be finished first"
        )
        return f"{what} ({kind.upper()})"
    return f"{cause} does not allow this {verb}"


class _Here:
    """The position as seen by the player to move."""

    def __init__(self, position: dict[str, Any], rules: MarketRules, seat: int) -> None:
        self.position, self.rules, self.seat = position, rules, seat
        self.components = rules.components
        self.tokens: dict[str, int] = position["tokens"][seat]
        self.wanted: bool = position["wanted"][seat]
        self.acts = position["turn_state"]

    def other_figures(self) -> dict[int, str]:
        """Markets with another seat's figure, and its owner."""
        position, found = self.position, {}
        for markets in (position["workers"], position["figures"]["stand-in"], position["figures"]["runner"]):
            for seat, market in enumerate(markets):
                if market is not None and seat != self.seat:
                    found[market] = "the NPC" if seat >= position["num_players"] else f"player_{seat}"
        return found


def _reason(verb: str, name: str, number: int, here: _Here) -> str:
    if verb == "BUY":
        return _reason_buy(name, here)
    if verb == "BUILD":
        return "your list is not satisfied"
    if verb == "TRADE":
        return _reason_trade(number, here)
    if verb == "ENTER":
        return _reason_enter(name, here)
    if verb == "CARD":
        return _reason_card(name, here)
    if verb == "HIRE":
        return _reason_hire(name, here)
    if not here.rules.guard:
        return "these rules have no royal guard"
    if not here.acts["at_start"]:
        return "it is only possible at the start of the actions"
    if verb == "STEAL":
        return "you are wanted" if here.wanted else f"the pile must hold {here.components.rule('steal_gems')} gems"
    return "it costs one red gem" if here.wanted else "you are not wanted"


def _reason_buy(name: str, here: _Here) -> str:
    position, components = here.position, here.components
    market, letter = divmod(CIRCLE_INDEX[name], CIRCLES)
    if market >= len(position["circles"]):
        return f"market {market + 1} is not in play"
    material = position["circles"][market][letter]
    if material is None:
        return "the circle is empty"
    market += 1
    own = (position["workers"][here.seat], position["figures"]["runner"][here.seat])
    if market not in own:
        if any(market in markets for markets in position["figures"]["curfew"]):
            return f"market {market} has a curfew"
        if here.wanted and position["guard"] == market:
            return f"the guard is on market {market}, and you are wanted"
        if own[0] is not None and position["apprentices"]["with"]["runner"] != here.seat:
            return f"your worker is on market {own[0]}: you can buy at one market in a turn"
        if own[1] is not None:
            return f"your runner is already on market {own[1]}"
        if market in here.other_figures() and not (here.acts["bribed"] and own[0] is None):
            return f"{here.other_figures()[market]} is on market {market}"
    price = components.markets[market - 1].circles[letter].price
    if any(here.tokens[gem] < number for gem, number in zip(GEMS, price, strict=True)):
        cost = " and ".join(f"{number} {gem}" for gem, number in zip(GEMS, price, strict=True) if number)
        return f"it costs {cost}"
    need = components.lists[position["lists"][here.seat]][components.materials.index(material)]
    if position["materials"][here.seat][material] >= need and not _stand_in_needed(here):
        return f"your list asks for {need} {material}, and you have {position['materials'][here.seat][material]}"
    return "an earlier circle of the same market is equal: choose that one"


def _stand_in_needed(here: _Here) -> bool:
    """Whether one more piece could stand in for an exhausted material (section 5)."""
    owned = here.position["materials"][here.seat]
    asked = dict(zip(here.components.materials, here.components.lists[here.position["lists"][here.seat]], strict=True))
    held = {material for market in here.position["circles"] for material in market}
    missing = sum(max(0, number - owned[m]) for m, number in asked.items() if m not in held)
    surplus = sum(max(0, owned[m] - number) for m, number in asked.items())
    return bool(surplus < missing)


def _reason_trade(number: int, here: _Here) -> str:
    rates = here.components.rates
    if number >= len(rates):
        return f"the collector has only {len(rates)} rates"
    if here.wanted:
        return "wanted players can't trade"
    if any(here.tokens[gem] < count for gem, count in zip(GEMS, rates[number].give, strict=True)):
        return "you lack the gems for this rate"
    return "the pile lacks the gems for this rate"


def _reason_enter(name: str, here: _Here) -> str:
    price = dict(here.components.entries).get(name)
    if price is None:
        return f"the component set has no entry paid with {name}"
    if here.acts["visited_black_market"]:
        return "you can visit the black market only once in a turn"
    if here.tokens[name] < price:
        return f"it costs {price} {name}"
    return "the black market has no cards"


def _reason_card(name: str, here: _Here) -> str:
    if name not in here.position["hands"][here.seat]:
        return f"{name} is not in your hand"
    fee = next(card.fee for card in here.components.cards if card.name == name)
    if sum(here.tokens[gem] for gem in GEMS) < fee:
        return f"its fee is {fee} gems"
    return IMPOSSIBLE[name]


def _reason_hire(name: str, here: _Here) -> str:
    hired = here.position["apprentices"]
    if not here.rules.apprentices:
        return "these rules have no apprentices"
    if hired["has_hired"][here.seat]:
        return "you can hire only one apprentice in a game"
    if hired["with"][name] is not None:
        return f"the {name} is with player_{hired['with'][name]}"
    if name == "stand-in":
        return "it costs a gem and needs a market without figures and curfew"
    if name == "runner":
        return "it costs one red gem"
    return "it costs a blue or a red gem and needs an occupied market at which you could buy"
