"""The tables, figures and pictures of docs/torres.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docs.generate.figures import Figures, won
from docs.generate.pictures import played
from docs.generate.tables import Words, tables
from torres_env import TorresState
from torres_env.game import GAME
from torres_env.rules import DEFAULT_STACKS, STARTING_CELLS, TOTAL_BLOCKS
from tower_core.state import State
from towers.game_facts import markdown_table

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
    "progress": "change of the lead over the best other seat, divided by 100, and the utility at the end. "
    "The lead counts points had and points that the next scoring would give if it came now",
}
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
    "pending": "the open decision: null, or a dict with `kind` (`king`, `pick` or a card's name), "
    "for `pick` the `cards`, for `relocate` the cell `taken`",
    "start_player": "starting player of the round",
    "buys": "cards bought in this turn",
    "card_played": "whether a card was played in this turn",
    "bought": "cards that the seat to move bought in this turn",
    "unseen": "per seat how many cards on top of its deck lie in an order that it does not know",
    "rng": "state of the random stream; not in `position(seat)`",
}


_ACTIONS = (
    f"Knight number k moves to a cell by {GAME.actions.first('M')} + 64·k + cell; its text names the cell where it stands, "
    "as in `M e4 e5`."
)
WORDS = Words(_REWARDS, _POSITION, _VALUES, _DEFAULTS, _ACTIONS)


def stacks() -> str:
    rows = []
    for players, phases in DEFAULT_STACKS.items():
        supply = TOTAL_BLOCKS - len(STARTING_CELLS) - players * sum(map(sum, phases))
        rows.append([players, *(" ".join(map(str, phase)) for phase in phases), supply])
    return markdown_table(["players", "phase 1", "phase 2", "phase 3", "general supply"], rows)


def sizes() -> str:
    rows = [[f"`{name}`", list(shape), f"{place.start}–{place.stop - 1}"] for name, place, shape in GAME.slices]
    head = ["part", "shape (uint8)", "place in a flat row"]
    return markdown_table(head, rows) + f"\nA flat row has {GAME.observation_size} bytes.\n"


def picture() -> list[tuple[str, State, str]]:
    """A two-player game after eleven rounds, in the middle of a turn, played by ``greedy``."""

    def found(position: dict[str, Any]) -> bool:
        return (position["phase"], position["round"], position["to_move"], position["ap"]) == (3, 3, 1, 3)

    state = played(TorresState(num_players=2, seed=179), found)
    return [("torres", state, "flat"), ("torres-isometric", state, "isometric")]


TABLES: dict[str, Callable[[], str]] = {**tables(GAME, WORDS), "stacks": stacks, "sizes": sizes}
FIGURES = Figures(
    (("random", "random"), ("passive", "random"), ("passive", "passive"), ("greedy", "passive"), ("greedy", "greedy")),
    {"its points": lambda it: f"{it.points:.0f}", "the other's": lambda it: f"{it.their_points:.0f}", "games won": won},
)
