"""The options of Torres and their presets: plain data, validated on construction.

Sections refer to the rules document (docs/torres.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from torres_env.card_table import CARDS as CARDS
from tower_core import options
from tower_core.options import check_types, check_whole, choices

BOARD_CELLS = 64
TOTAL_BLOCKS = 92
MIN_PLAYERS, MAX_PLAYERS = 2, 4
MAX_KNIGHTS = 6
MAX_STACKS = 16
MAX_AP = 100

MASTER_CARDS = ("border", "diagonals", "spread", "cluster", "stairs", "line", "square", "plateau")

# Section 2: heights of each player's stacks in the three phases.
DEFAULT_STACKS: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3)),
    3: ((3, 3, 2, 2), (3, 3, 2), (3, 3, 2)),
    4: ((2, 2, 2, 2), (2, 2, 2), (2, 2, 2)),
}
STARTING_CELLS = ("d1", "c3", "f3", "h4", "a5", "c6", "f6", "e8")
CELL_NAMES = tuple(f"{column}{row}" for row in range(1, 9) for column in "abcdefgh")
CELL_INDEX = {name: i for i, name in enumerate(CELL_NAMES)}

Stacks = tuple[tuple[int, ...], ...]


def neighbours(cell: int) -> list[int]:
    """Orthogonal neighbours of a cell index."""
    x, y = cell % 8, cell // 8
    around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return [b * 8 + a for a, b in around if 0 <= a < 8 and 0 <= b < 8]


@dataclass(frozen=True)
class TorresRules(options.Rules):
    """The rules of one game: immutable, with every field optional. ValueError names the wrong field."""

    doors: Literal["connected", "straight", "descending"] = "connected"
    """How knights pass through castles (section 3)."""
    entry_level: int | None = None
    """Height that the cell of a new knight must have; None: the same as or lower than the neighbour's."""
    draw_choice: int = 3
    """Cards looked at for one bought; 1: the top card is taken unseen."""
    end_when_spent: bool = False
    """The turn ends by itself as soon as no action points are left."""
    buys_per_turn: int | None = 2
    """Most cards bought in a turn; None: no limit."""
    hands_open: bool = False
    """Everybody sees all hands."""
    start_hand: Literal["none", "all"] = "none"
    """``all``: every player begins with all cards in hand and there is nothing to buy."""
    castle_scoring: Literal["highest", "every"] = "highest"
    """Per castle the highest own knight scores, or every own knight."""
    king_bonus: Literal["phase_level", "king_level"] = "phase_level"
    """Where a knight in the king's castle must stand for the bonus: on the level of the phase's number, or beside the king."""
    unspent_ap_scores: int = 1
    """Points for each action point left at the end of a turn."""
    unique_scores: bool = True
    """Score markers never share a number other than 0: the one that arrives moves on."""
    king_setup: Literal["last_player", "random"] = "last_player"
    """Who places the king: the last player, after the knights; or chance, before them."""
    start_player: Literal["fixed", "leader", "left"] = "fixed"
    """Who starts a round: ``player_0``, the player with the most points, or the one to the left of the last starter."""
    scoring_order: Literal["steps", "player"] = "steps"
    """Each step of a scoring for all players in order, or all steps of a player together."""
    castle_setup: Literal["printed", "players"] = "printed"
    """The starting blocks stand on ``starting_cells``, or the players put them."""
    master_card: bool = False
    """One of the eight master cards, drawn at random, scores too (section 8)."""
    stacks: Stacks | None = None
    """Heights of each player's stacks in the three phases; None: the table of section 2."""
    max_stack: int = 3
    """Height up to which leftover blocks fill another stack."""
    action_points: int = 5
    """Action points of a turn."""
    knights_per_player: int = 6
    """Knights of each player."""
    starting_cells: tuple[str, ...] = STARTING_CELLS
    """Cells of the starting castles; with ``castle_setup="players"`` only their number counts."""
    card_list: tuple[str, ...] = CARDS
    """Cards in each player's deck; empty: the game without action cards."""

    def __post_init__(self) -> None:
        for name in ("starting_cells", "card_list"):
            object.__setattr__(self, name, _as_tuple(name, getattr(self, name)))
        if self.stacks is not None:
            phases = _as_tuple("stacks", self.stacks)
            object.__setattr__(self, "stacks", tuple(_as_tuple("stacks", phase) for phase in phases))
        _check(self)

    @classmethod
    def presets(cls) -> Mapping[str, TorresRules]:
        """The presets of section 7."""
        return PRESETS

    def for_players(self, num_players: int) -> Stacks:
        """The stacks for *num_players* players; ValueError if these rules don't support that number."""
        if not isinstance(num_players, int) or not MIN_PLAYERS <= num_players <= MAX_PLAYERS:
            raise ValueError(f"num_players must be 2, 3 or 4, not {num_players!r}")
        if len(self.starting_cells) < num_players + 1:
            raise ValueError(
                f"starting_cells: {num_players} players need at least {num_players + 1}, not {len(self.starting_cells)}"
            )
        stacks = DEFAULT_STACKS[num_players] if self.stacks is None else self.stacks
        for phase in stacks:
            if max(phase) > self.max_stack:
                raise ValueError(f"max_stack {self.max_stack} is below a stack of height {max(phase)} in stacks")
        total = len(self.starting_cells) + num_players * sum(map(sum, stacks))
        if total > TOTAL_BLOCKS:
            raise ValueError(f"stacks: {num_players} players need {total} blocks, but there are only {TOTAL_BLOCKS}")
        return stacks

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON-able values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        for name in ("starting_cells", "card_list"):
            values[name] = list(values[name])
        if self.stacks is not None:
            values["stacks"] = [list(phase) for phase in self.stacks]
        return values


def _as_tuple(name: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise ValueError(f"{name} must be a tuple, not {value!r}")
    return tuple(value)


def _check(rules: TorresRules) -> None:
    check_types(rules)
    if rules.entry_level is not None:
        check_whole("entry_level", rules.entry_level, 0, 46)
    if rules.buys_per_turn is not None:
        check_whole("buys_per_turn", rules.buys_per_turn, 0, 100)
    check_whole("draw_choice", rules.draw_choice, 1, len(CARDS))
    check_whole("unspent_ap_scores", rules.unspent_ap_scores, 0, 100)
    check_whole("max_stack", rules.max_stack, 1, TOTAL_BLOCKS)
    check_whole("action_points", rules.action_points, 1, MAX_AP)
    check_whole("knights_per_player", rules.knights_per_player, 1, MAX_KNIGHTS)
    _check_cells(rules)
    _check_cards(rules)
    _check_stacks(rules)
    if rules.king_setup == "random" and rules.castle_setup == "players":
        raise ValueError("king_setup: 'random' requires castle_setup='printed': the king is placed before any castle")


def _check_cells(rules: TorresRules) -> None:
    for name in rules.starting_cells:
        if not isinstance(name, str) or name not in CELL_INDEX:
            raise ValueError(f"starting_cells: {name!r} is not a cell of the board (a1 to h8)")
    cells = [CELL_INDEX[name] for name in rules.starting_cells]
    if len(set(cells)) < len(cells):
        raise ValueError("starting_cells: must not repeat a cell")
    if len(cells) < MIN_PLAYERS + 1:
        raise ValueError(f"starting_cells: must be at least {MIN_PLAYERS + 1} cells, not {len(cells)}")
    if rules.castle_setup == "printed":
        for cell in cells:
            for other in neighbours(cell):
                if other in cells:
                    raise ValueError(f"starting_cells: {CELL_NAMES[cell]} and {CELL_NAMES[other]} touch")


def _check_cards(rules: TorresRules) -> None:
    for card in rules.card_list:
        if card not in CARDS:
            raise ValueError(f"card_list: unknown card {card!r}: choose from {', '.join(CARDS)}")
    if len(set(rules.card_list)) < len(rules.card_list):
        raise ValueError("card_list: must not repeat a card")


def _check_stacks(rules: TorresRules) -> None:
    if rules.stacks is None:
        return
    if len(rules.stacks) != 3:
        raise ValueError(f"stacks must have three phases, not {len(rules.stacks)}")
    for phase in rules.stacks:
        if not 1 <= len(phase) <= MAX_STACKS:
            raise ValueError(f"stacks: a phase must have 1 to {MAX_STACKS} stacks, not {len(phase)}")
        for height in phase:
            check_whole("stacks: a height", height, 0, TOTAL_BLOCKS)
            if height > rules.max_stack:
                raise ValueError(f"stacks: a stack of height {height} is above max_stack {rules.max_stack}")
    total = len(rules.starting_cells) + MIN_PLAYERS * sum(map(sum, rules.stacks))
    if total > TOTAL_BLOCKS:
        raise ValueError(f"stacks: two players need {total} blocks, but there are only {TOTAL_BLOCKS}")


DOORS = choices(TorresRules, "doors")
"""Values of ``doors``; an index is its code in the record."""
STARTERS = choices(TorresRules, "start_player")
"""Values of ``start_player``; an index is its code in the record."""
FLAGS = {
    "start_hand_all": ("start_hand", "all"),
    "score_every": ("castle_scoring", "every"),
    "king_level_bonus": ("king_bonus", "king_level"),
    "king_random": ("king_setup", "random"),
    "score_by_player": ("scoring_order", "player"),
    "players_set_castles": ("castle_setup", "players"),
}
"""Fields of the record that are 1 if an option has the given value, else 0."""
for _name, _value in FLAGS.values():
    assert _value in choices(TorresRules, _name), f"{_name} has no value {_value!r}"

_DIGEST: dict[str, Any] = {
    "entry_level": 1,
    "draw_choice": 1,
    "end_when_spent": True,
    "buys_per_turn": None,
    "castle_scoring": "every",
    "king_bonus": "king_level",
    "unspent_ap_scores": 0,
    "unique_scores": False,
    "king_setup": "random",
}
PRESETS: dict[str, TorresRules] = {
    "standard": TorresRules(),
    "classic": TorresRules(doors="straight", draw_choice=1),
    "digest": TorresRules(**_DIGEST),
    "digest_master": TorresRules(**(_DIGEST | {"hands_open": True, "start_hand": "all", "king_setup": "last_player"})),
    "master": TorresRules(
        hands_open=True, start_hand="all", start_player="leader", castle_setup="players", master_card=True
    ),
}
"""The presets of section 7."""
