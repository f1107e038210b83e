"""The action table of Torres (section 3): numbers, notation, help texts and documentation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torres_env.card_table import CARD_HELP, CARDS
from torres_env.rules import CELL_NAMES, MAX_KNIGHTS
from tower_core.actions import ActionTable, Verb

AP = {"BUY": 1, "B": 1, "N": 2, "M": 1}
"""Cost of actions in a turn, in action points, unless a card pays for them."""
_COSTS = {verb: f"{points} AP" for verb, points in AP.items()}
_SLOTS = tuple(f"knight{slot}" for slot in range(MAX_KNIGHTS))


class TorresActions(ActionTable):
    """The action table; the context is the cells of the mover's knights, in slot order (the k of ``M``)."""

    def words_of(self, verb: Verb, place: int, context: Sequence[int] | None) -> Sequence[str]:
        if verb.name == "M" and place == 0 and context is not None:
            return [CELL_NAMES[cell] for cell in context]
        return verb.arguments[place]

    def unknown_word(self, verb: Verb, place: int, word: str, known: Sequence[str]) -> str:
        if verb.arguments[place] is CARDS:
            return f"there is no action card {word.lower()!r}: choose one of {', '.join(CARDS)}"
        if word.lower() not in CELL_NAMES:
            return f"{word!r} is not a cell of the board (a1 to h8)"
        return f"you have no knight on {word}"

    def describe(self, text: str, position: Mapping[str, Any] | None = None) -> str:
        """What an action does, briefly; *position* is the position as seen by the player to move."""
        name, *words = text.split()
        plain = super().describe(text)
        if name in ("PICK", "PLAY"):
            return CARD_HELP[words[0]]
        if position is None:
            return plain
        pending = (position["pending"] or {}).get("kind")
        if name == "END":
            gain = position["ap"] * position["rules"]["unspent_ap_scores"]
            return plain + (f": {position['ap']} AP left score {gain}" if gain else "")
        if name == "BUY":
            look = position["rules"]["draw_choice"]
            return f"{self[name].cost}: " + (
                f"look at {look} cards of your deck and keep one" if look > 1 else "draw a card"
            )
        if name == "B" and pending == "under":
            return f"put a block under your knight on {words[0]}"
        pays = position["phase"] > 0 and (not pending or (pending == "recruit" and name == "N"))
        return plain + (f" ({self[name].cost})" if pays and self[name].cost else "")


ACTIONS = TorresActions(
    [
        Verb("END", meaning="end the turn", passes=True),
        Verb("BUY", meaning="buy an action card", cost=_COSTS["BUY"]),
        Verb("PICK", (CARDS,), "keep {0} of the cards looked at"),
        Verb("PLAY", (CARDS,), "play the action card {0}"),
        Verb("B", (CELL_NAMES,), "put a block on {0}", cost=_COSTS["B"]),
        Verb("N", (CELL_NAMES,), "a new knight on {0}", cost=_COSTS["N"]),
        Verb("M", (_SLOTS, CELL_NAMES), "move the knight from {0} to {1}", cost=_COSTS["M"]),
        Verb("T", (CELL_NAMES,), "take the top block of {0}"),
        Verb("K", (CELL_NAMES,), "put the king on {0}"),
    ]
)
NUM_ACTIONS = len(ACTIONS)
FIRST_CELL_ACTION = ACTIONS.first("B")
"""Number of the first action on a cell; from here on the actions form words of 64, one bit per cell."""
