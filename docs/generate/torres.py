"""What does docs/torres.md tell of Torres?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from docs.generate import faces
from docs.generate.markdown import code, table
from docs.generate.options import options
from torres_env import TorresRules
from torres_env.actions import ACTIONS
from torres_env.game import GAME
from torres_env.observation import BOARD_SIZE, GLOBALS, GLOBALS_SIZE, OBSERVATION_SIZE, PLANES
from torres_env.rules import CARDS, DEFAULT_STACKS, PRESETS, STARTING_CELLS, TOTAL_BLOCKS

_VALUES = {
    "stacks": "`None`, or three phases, each a tuple of heights",
    "starting_cells": "tuple of cell names",
    "card_list": "tuple of card names",
}
_DEFAULTS = {"starting_cells": "the eight of section 2", "card_list": "all ten"}
_REWARDS = {
    "outcome": "the utility of section 9: +1 for the first, −1 for the last",
    "margin": "own points minus those of the best other seat, divided by 100",
    "score": "own points gained since the last payment, divided by 100",
    "progress": "change of the lead, divided by 100, and the utility at the end. The lead counts points had "
    "and points that the next scoring would give if it came now",
}
_NOTES = (
    f"Knight number k moves to a cell by {ACTIONS.first('M')} + 64·k + cell; its text names the cell where it stands, as in "
    "`M e4 e5`."
)
_POSITION = {
    "game": "`torres`",
    "num_players": "2, 3 or 4",
    "rules": "all fields of the rules",
    "height": "64 numbers: blocks on each cell, by cell index",
    "knights": "per seat the cells of its knights, in the order in which they came onto the board",
    "king": "cell of the king; null before he is placed",
    "to_move": "seat to move; null at the end",
    "phase": "1, 2, 3; 0 during setup. A king move after phase p still reports p",
    "round": "round of the phase, from 1; 0 during setup",
    "ap": "action points left",
    "stacks": "per seat the heights of its stacks of this phase, without the stack of this turn; empty lists during setup",
    "turn_stack": "blocks left of the stack of this turn",
    "supply": "blocks in the general supply",
    "hands": "per seat the cards in hand, in table order",
    "decks": "per seat the cards in the deck, top first; cards being looked at are not in it",
    "discards": "per seat the cards played, in the order in which they were played",
    "scores": "per seat its points",
    "master_card": "name or null",
    "pending": "what the engine waits for: null, or a dict with `kind` (`king`, `pick` or a card's name), "
    "for `pick` the `cards`, for `relocate` the cell `taken`",
    "start_player": "starting player of the round",
    "buys": "cards bought in this turn",
    "card_played": "whether a card was played in this turn",
    "bought": "cards that the seat to move bought in this turn",
    "unseen": "per seat how many cards on top of its deck lie in an order that it does not know",
    "rng": "state of the random stream; not in `position(seat)`",
}


def presets() -> str:
    base = TorresRules()
    rows = []
    for field in fields(TorresRules):
        values = [getattr(rules, field.name) for rules in PRESETS.values()]
        usual = getattr(base, field.name)
        if any(value != usual for value in values):
            rows.append([f"`{field.name}`", *(code(v) if v == usual else f"**{code(v)}**" for v in values)])
    return table(["field", *(f"`{name}`" for name in PRESETS)], rows)


def stacks() -> str:
    rows = []
    for players, phases in DEFAULT_STACKS.items():
        supply = TOTAL_BLOCKS - len(STARTING_CELLS) - players * sum(map(sum, phases))
        rows.append([players, *(" ".join(map(str, phase)) for phase in phases), supply])
    return table(["players", "phase 1", "phase 2", "phase 3", "general supply"], rows)


def sizes() -> str:
    rows = [
        ["`board`", f"[{PLANES.size}, 8, 8]", f"0–{BOARD_SIZE - 1}"],
        ["`globals`", f"[{GLOBALS_SIZE}]", f"{BOARD_SIZE}–{OBSERVATION_SIZE - 1}"],
    ]
    return table(["part", "shape (uint8)", "place in a flat row"], rows) + (
        f"\nA flat row has {OBSERVATION_SIZE} bytes.\n"
    )


TABLES: dict[str, Callable[[], str]] = {
    "stacks": stacks,
    "options": lambda: options(TorresRules, _VALUES, _DEFAULTS),
    "presets": presets,
    "actions": lambda: faces.actions(GAME, CARDS, "`PICK` and `PLAY`", _NOTES),
    "planes": lambda: PLANES.to_markdown("plane"),
    "globals": GLOBALS.to_markdown,
    "sizes": sizes,
    "rewards": lambda: faces.rewards(GAME, _REWARDS),
    "position": lambda: faces.position(GAME, _POSITION),
}
