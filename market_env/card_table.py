"""The black-market cards and the apprentices (sections 4 and 7): names, help, and why a card can't be played.

Action numbers, hands, observations, help and documentation are derived from these tables; effects are in blackmarket.py.
"""

from __future__ import annotations

from typing import NamedTuple


class BlackMarketCard(NamedTuple):
    """A kind of card; the component set has its copies and fee."""

    name: str
    help: str
    """What it does: one short sentence without a full stop."""
    impossible: str
    """Why it can't be played although its fee can be paid."""


class Apprentice(NamedTuple):
    """An apprentice, who can be hired once in a game."""

    name: str
    help: str


CARD_TABLE = (
    BlackMarketCard("smuggler", "three tokens out of the bag", "there is no token in bag and pile"),
    BlackMarketCard(
        "levy", "two gems out of the pile", "the pile must hold two gems, and a wanted player can't play it"
    ),
    BlackMarketCard("pickpocket", "a random gem of another player", "no other player has a gem"),
    BlackMarketCard("sabotage", "a piece of another seat goes back to the city", "no other seat has a material"),
    BlackMarketCard("permit", "one useful piece of any circle, for nothing", "no material on a circle is of use"),
    BlackMarketCard(
        "bribe", "in this turn you may go where others stand", "the worker has already been placed in this turn"
    ),
    BlackMarketCard("architect", "look at three lists; one may take the place of yours", "there is no list to draw"),
    BlackMarketCard(
        "curfew", "nobody buys at a free market until your next turn", "no market is without figures and curfew"
    ),
)
CARDS = tuple(card.name for card in CARD_TABLE)
CARD_HELP = {card.name: card.help for card in CARD_TABLE}
IMPOSSIBLE = {card.name: card.impossible for card in CARD_TABLE}

APPRENTICE_TABLE = (
    Apprentice("stand-in", "for any gem: it keeps all others out of a market"),
    Apprentice("bully", "for a blue or a red gem: it sends others home from a market, and you buy there"),
    Apprentice("runner", "for a red gem: you may buy at a second market in this turn"),
)
APPRENTICES = tuple(apprentice.name for apprentice in APPRENTICE_TABLE)
APPRENTICE_HELP = {apprentice.name: apprentice.help for apprentice in APPRENTICE_TABLE}
