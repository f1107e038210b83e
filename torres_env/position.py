"""Records from rules, and positions (JSON-able dicts) from records; reader.py does the inverse."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from torres_env import hidden
from torres_env.card_table import CARDS
from torres_env.record import FOLLOW_UP, KING, NO_CARD, NO_CELL, PICK
from torres_env.rules import CELL_INDEX, CELL_NAMES, DOORS, FLAGS, MASTER_CARDS, STARTERS, TorresRules
from tower_core.engine.compiling import in_python
from tower_core.position import HIDDEN

_NO_LIMIT = 255
_knows_hand = in_python(hidden.knows_hand)
_knows_looked = in_python(hidden.knows_looked)
_unseen_in_deck = in_python(hidden.unseen_in_deck)


def write_rules(record: NDArray[Any], num_players: int, rules: TorresRules) -> None:
    """Write the rules into a record [1]. ValueError if they don't support that number of players."""
    stacks = rules.for_players(num_players)
    r = record[0]
    r["doors"] = DOORS.index(rules.doors)
    r["entry_level"] = _NO_LIMIT if rules.entry_level is None else rules.entry_level
    r["buys_per_turn"] = _NO_LIMIT if rules.buys_per_turn is None else rules.buys_per_turn
    for field, (name, value) in FLAGS.items():
        r[field] = getattr(rules, name) == value
    r["starter"] = STARTERS.index(rules.start_player)
    for name in (
        "draw_choice", "end_when_spent", "hands_open", "unspent_ap_scores", "unique_scores", "master_card", "max_stack",
        "action_points", "knights_per_player",
    ):  # fmt: skip
        r[name] = getattr(rules, name)
    for phase, heights in enumerate(stacks):
        r["rounds"][phase] = len(heights)
        r["stacks"][phase, : len(heights)] = sorted(heights, reverse=True)
    r["starting_count"] = len(rules.starting_cells)
    r["starting_cell"][: len(rules.starting_cells)] = [CELL_INDEX[cell] for cell in rules.starting_cells]
    r["card_list"] = to_set(rules.card_list)


# ---------------------------------------------------------------------------------------------- record -> position
def to_position(game: Any, record: NDArray[Any], rules: TorresRules, seat: int | None = None) -> dict[str, Any]:
    """The position of a record; with a seat, only what that seat may know (hidden.py)."""
    r = record.view(np.recarray)[0]
    n = int(r["num_players"])
    mover = int(r["to_move"])
    decks, hands = [], []
    for p in range(n):
        deck, hand = pile_of(r["deck"][p], r["deck_size"][p]), cards_of(r["hand"][p])
        unseen = 0 if seat is None else int(_unseen_in_deck(r, seat, p))
        decks.append([HIDDEN] * unseen + deck[unseen:])
        hands.append(hand if seat is None or _knows_hand(r, seat, p) else [HIDDEN] * len(hand))
    bought = cards_of(r["bought"])
    if seat is not None and mover >= 0 and not _knows_hand(r, seat, mover):
        bought = [HIDDEN] * len(bought)
    position = {
        "game": "torres",
        "num_players": n,
        "rules": rules.to_dict(),
        "height": [int(h) for h in r["height"]],
        "knights": [[CELL_NAMES[c] for c in r["knight"][p, : r["knight_count"][p]]] for p in range(n)],
        "king": _cell(r["king"]),
        "to_move": mover if mover >= 0 else None,
        "phase": int(r["phase"]),
        "round": int(r["round"]),
        "ap": int(r["ap"]),
        "stacks": [[int(h) for h in r["stack"][p, : r["stack_count"][p]]] for p in range(n)],
        "turn_stack": int(r["turn_stack"]),
        "supply": int(r["supply"]),
        "hands": hands,
        "decks": decks,
        "discards": [pile_of(r["discard"][p], r["discard_size"][p]) for p in range(n)],
        "scores": [int(score) for score in r["score"][:n]],
        "master_card": MASTER_CARDS[r["master"]] if r["master"] != NO_CARD else None,
        "pending": _pending(r, seat),
        "start_player": int(r["start_player"]),
        "buys": int(r["buys"]),
        "card_played": bool(r["card_played"]),
        "bought": bought,
        "unseen": [int(u) for u in r["deck_unseen"][:n]],
    }
    if seat is None:
        position["rng"] = int(r["rng"])
    return position


def _pending(r: Any, seat: int | None) -> dict[str, Any] | None:
    pending = int(r["pending"])
    if pending == KING:
        return {"kind": "king"}
    if pending == PICK:
        cards = pile_of(r["looked"], r["looked_size"])
        return {"kind": "pick", "cards": cards if seat is None or _knows_looked(r, seat) else [HIDDEN] * len(cards)}
    if pending < FOLLOW_UP:
        return None
    card = CARDS[pending - FOLLOW_UP]
    return {"kind": card, "taken": _cell(r["taken"])} if card == "relocate" else {"kind": card}


def _cell(index: Any) -> str | None:
    return None if index == NO_CELL else CELL_NAMES[index]


def cards_of(bits: Any) -> list[str]:
    return [card for i, card in enumerate(CARDS) if int(bits) >> i & 1]


def pile_of(pile: Any, size: Any) -> list[str]:
    return [CARDS[int(pile) >> 4 * i & 15] for i in range(int(size))]


def to_set(cards: Any) -> int:
    return sum(1 << CARDS.index(card) for card in cards)
