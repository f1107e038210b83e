"""What actions and cards do, in a few words for people who play (sections 3 and 6 tell it in full)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CARDS: Mapping[str, str] = {
    "ap6": "1 more action point in this turn",
    "ap7": "2 more action points in this turn",
    "jump": "a knight climbs exactly 2 levels to a neighbouring cell",
    "diagonal": "a knight moves to a cell at its corner, at most 1 level up",
    "door": "a knight enters a castle and comes out of any of its doors",
    "under": "a block is pushed under a knight of yours, which rises by 1",
    "extra": "a block from the supply, placed by the usual rules",
    "relocate": "the top block of a free cell goes to another place",
    "recruit": "a new knight for 2 AP, up to 1 level above the one beside it",
    "encore": "repeats a card that you have already played",
}


def describe(text: str, position: Mapping[str, Any]) -> str:
    """What an action does in a position as its mover sees it."""
    verb, *names = text.split()
    pending = (position["pending"] or {}).get("kind")
    if verb == "END":
        left = position["ap"]
        gain = left * position["rules"]["unspent_ap_scores"]
        return "end the turn" + (f": {left} AP left score {gain}" if gain else "")
    if verb == "BUY":
        look = position["rules"]["draw_choice"]
        return "1 AP: " + (f"look at {look} cards of your deck and keep one" if look > 1 else "draw a card")
    if verb in ("PICK", "PLAY"):
        return CARDS[names[0]]
    if verb == "T":
        return f"take the top block of {names[0]}"
    if verb == "K":
        return f"put the king on {names[0]}"
    if verb == "M":
        return f"move the knight from {names[0]} to {names[1]}" + ("" if pending else " (1 AP)")
    cost = (
        "" if position["phase"] == 0 or (pending and pending != "recruit") else " (1 AP)" if verb == "B" else " (2 AP)"
    )
    if verb == "N":
        return f"a new knight on {names[0]}{cost}"
    where = "under your knight on" if pending == "under" else "on"
    return f"put a block {where} {names[0]}{cost}"
