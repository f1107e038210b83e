"""Action numbers and their notation (section 3 of the rules document), both ways, and why an action is not legal.

=============  ==================  ======================================================
numbers        text                meaning
=============  ==================  ======================================================
0              ``END``             end the turn
1              ``BUY``             buy an action card
2 – 11         ``PICK name``       take one of the cards looked at
12 – 21        ``PLAY name``       play an action card
22 – 85        ``B d3``            block on a cell
86 – 149       ``N e4``            new knight on a cell
150 – 533      ``M e4 e5``         move own knight number k to a cell: 150 + 64·k + cell
534 – 597      ``T d3``            take the top block of a cell (``relocate``)
598 – 661      ``K d3``            king to a cell
=============  ==================  ======================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torres_env.action_help import describe
from torres_env.rules import CARDS, CELL_INDEX, CELL_NAMES, MAX_KNIGHTS
from tower_core.actions import ActionTable, Verb

END, BUY, PICK, PLAY = 0, 1, 2, 12
FIRST_CELL_ACTION = 22
BLOCK = FIRST_CELL_ACTION
KNIGHT = BLOCK + 64
MOVE = KNIGHT + 64
TAKE = MOVE + 64 * MAX_KNIGHTS
KING = TAKE + 64
NUM_ACTIONS = KING + 64
CARD_INDEX = {name: i for i, name in enumerate(CARDS)}


def action_text(action: int, knights: Sequence[int]) -> str:
    """The notation of an action; *knights* are the cells of the mover's knights in slot order (for ``M``)."""
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"an action is a number from 0 to {NUM_ACTIONS - 1}, not {action}")
    if action < FIRST_CELL_ACTION:
        if action >= PLAY:
            return f"PLAY {CARDS[action - PLAY]}"
        if action >= PICK:
            return f"PICK {CARDS[action - PICK]}"
        return "BUY" if action == BUY else "END"
    cell = CELL_NAMES[(action - FIRST_CELL_ACTION) % 64]
    if action < KNIGHT:
        return f"B {cell}"
    if action < MOVE:
        return f"N {cell}"
    if action < TAKE:
        slot = (action - MOVE) // 64
        start = CELL_NAMES[knights[slot]] if slot < len(knights) else f"knight{slot}"
        return f"M {start} {cell}"
    return f"T {cell}" if action < KING else f"K {cell}"


def parse_action(text: str, knights: Sequence[int]) -> int:
    """The number of an action's text. ValueError tells what is wrong with it."""
    if not isinstance(text, str):
        raise ValueError(f"an action is a text such as 'B d3', not {text!r}")
    words = text.split()
    verb = words[0].upper() if words else ""
    arguments = words[1:]
    wanted = {"END": 0, "BUY": 0, "PICK": 1, "PLAY": 1, "B": 1, "N": 1, "M": 2, "T": 1, "K": 1}
    if verb not in wanted:
        raise ValueError(f"{text!r} is no action: an action begins with {', '.join(wanted)}")
    if len(arguments) != wanted[verb]:
        raise ValueError(f"{text!r}: {verb} takes {wanted[verb]} word(s) after it, not {len(arguments)}")
    if verb in ("END", "BUY"):
        return END if verb == "END" else BUY
    if verb in ("PICK", "PLAY"):
        card = arguments[0].lower()
        if card not in CARD_INDEX:
            raise ValueError(f"{text!r}: no action card is called {card!r} (there are {', '.join(CARDS)})")
        return (PICK if verb == "PICK" else PLAY) + CARD_INDEX[card]
    cells = []
    for name in arguments:
        if name.lower() not in CELL_INDEX:
            raise ValueError(f"{text!r}: {name!r} is no cell of the board (a1 to h8)")
        cells.append(CELL_INDEX[name.lower()])
    if verb == "M":
        if cells[0] not in knights:
            raise ValueError(f"{text!r}: no own knight stands on {arguments[0]}")
        return MOVE + 64 * list(knights).index(cells[0]) + cells[1]
    return {"B": BLOCK, "N": KNIGHT, "T": TAKE, "K": KING}[verb] + cells[0]


SLOTS = tuple(f"knight{slot}" for slot in range(MAX_KNIGHTS))


class TorresActions(ActionTable):
    """The actions of the game, which say what they do in a position."""

    def describe(self, text: str, position: Any = None) -> str:
        return describe(text, position)


ACTIONS = TorresActions(
    [
        Verb("END", meaning="end the turn", passes=True),
        Verb("BUY", meaning="buy an action card"),
        Verb("PICK", (CARDS,), "take one of the cards looked at"),
        Verb("PLAY", (CARDS,), "play an action card"),
        Verb("B", (CELL_NAMES,), "block on a cell"),
        Verb("N", (CELL_NAMES,), "new knight on a cell"),
        Verb("M", (SLOTS, CELL_NAMES), "move own knight number k to a cell"),
        Verb("T", (CELL_NAMES,), "take the top block of a cell (``relocate``)"),
        Verb("K", (CELL_NAMES,), "king to a cell"),
    ]
)
assert len(ACTIONS) == NUM_ACTIONS
