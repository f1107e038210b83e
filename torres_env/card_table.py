"""The action cards of Torres (section 6): for a card that only gives action points, its line here is sufficient.

Action numbers, piles, observations, help and documentation are derived from this table. A card with a follow-up action
also needs an effect in cards.py, and one that moves a knight in knights.py.
"""

from __future__ import annotations

from typing import NamedTuple

from tower_core.game_checks import GameError, check_width

AP_BITS = 4


class Card(NamedTuple):
    """An action card."""

    name: str
    help: str
    """What it does: one short sentence without a full stop."""
    ap: int = 0
    """Action points that it gives."""
    follow_up: str = ""
    """Verb of its follow-up action; empty for cards that only give action points."""


CARD_TABLE = (
    Card("ap6", "1 more action point in this turn", ap=1),
    Card("ap7", "2 more action points in this turn", ap=2),
    Card("jump", "a knight climbs exactly 2 levels to a neighbouring cell", follow_up="M"),
    Card("diagonal", "a knight moves to a cell at its corner, at most 1 level up", follow_up="M"),
    Card("door", "a knight enters a castle and comes out of any of its doors", follow_up="M"),
    Card("under", "a block is pushed under a knight of yours, which rises by 1", follow_up="B"),
    Card("extra", "a block from the supply, placed by the usual rules", follow_up="B"),
    Card("relocate", "the top block of a free cell goes to another place", follow_up="T"),
    Card("recruit", "a new knight for 2 AP, up to 1 level above the one beside it", follow_up="N"),
    Card("encore", "repeats a card that you have already played", follow_up="PLAY"),
)
CARDS = tuple(card.name for card in CARD_TABLE)
CARD_HELP = {card.name: card.help for card in CARD_TABLE}
FOLLOW_UPS = {card.name: card.follow_up for card in CARD_TABLE if card.follow_up}
"""Cards with a follow-up action, and its verb."""
ASKING = tuple(FOLLOW_UPS)

_WITH_EFFECT = ("jump", "diagonal", "door", "under", "extra", "relocate", "recruit", "encore")
JUMP, DIAGONAL, DOOR, UNDER, EXTRA, RELOCATE, RECRUIT, ENCORE = (CARDS.index(name) for name in _WITH_EFFECT)

for _card in CARD_TABLE:
    if CARDS.count(_card.name) > 1:
        raise GameError(f"action card {_card.name!r}: is in the table twice")
    if bool(_card.ap) == bool(_card.follow_up):
        raise GameError(
            f"action card {_card.name!r}: must have either action points (ap) or a follow-up action (follow_up)"
        )
    if _card.follow_up and _card.name not in _WITH_EFFECT:
        raise GameError(f"action card {_card.name!r}: the follow-up {_card.follow_up} has no effect in cards.py yet")
    check_width(f"action points of the card {_card.name!r}", _card.ap.bit_length(), AP_BITS)
