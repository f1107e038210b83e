"""Records: made from rules, and told as positions (JSON-able dicts); the gate for what a seat may know."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from torres_env.record import (
    FOLLOW_UP,
    KING,
    NO_CARD,
    NO_CELL,
    PICK,
    RECORD,
    STARTS_FIXED,
    STARTS_LEADER,
    STARTS_LEFT,
)
from torres_env.rules import (
    CARDS,
    CELL_INDEX,
    CELL_NAMES,
    MASTER_CARDS,
    TorresRules,
)
from tower_core.memory import aligned

HIDDEN = "?"
_NO_LIMIT = 255
_DOORS = {"connected": 0, "straight": 1, "descending": 2}
_STARTERS = {"fixed": STARTS_FIXED, "leader": STARTS_LEADER, "left": STARTS_LEFT}


def make_record(num_players: int, rules: TorresRules) -> NDArray[Any]:
    """A record with the rules filled in and nothing else."""
    stacks = rules.for_players(num_players)
    record = aligned(1, RECORD)
    r = record[0]
    r["num_players"] = num_players
    r["doors"] = _DOORS[rules.doors]
    r["entry_level"] = _NO_LIMIT if rules.entry_level is None else rules.entry_level
    r["buys_per_turn"] = _NO_LIMIT if rules.buys_per_turn is None else rules.buys_per_turn
    r["start_hand_all"] = rules.start_hand == "all"
    r["score_every"] = rules.castle_scoring == "every"
    r["king_level_bonus"] = rules.king_bonus == "king_level"
    r["king_random"] = rules.king_setup == "random"
    r["starter"] = _STARTERS[rules.start_player]
    r["score_by_player"] = rules.scoring_order == "player"
    r["players_set_castles"] = rules.castle_setup == "players"
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
    return record


# ---------------------------------------------------------------------------------------------- record -> position
def to_position(record: NDArray[Any], rules: TorresRules, seat: int | None = None) -> dict[str, Any]:
    """The position of a record; with a seat, what that seat may know: the gate for everything hidden."""
    r = record[0]
    n = int(r["num_players"])
    mover = int(r["to_move"])
    hide = [seat is not None and p != seat for p in range(n)]
    decks = []
    for p in range(n):
        cards = pile_of(r["deck"][p], r["deck_size"][p])
        unseen = len(cards) if hide[p] else int(r["deck_unseen"][p]) if seat is not None else 0
        decks.append([HIDDEN] * unseen + cards[unseen:])
    hands = [cards_of(r["hand"][p]) for p in range(n)]
    bought = cards_of(r["bought"])
    if not rules.hands_open:
        hands = [[HIDDEN] * len(hand) if hide[p] else hand for p, hand in enumerate(hands)]
        if mover >= 0 and hide[mover]:
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
        "pending": _pending(r, mover >= 0 and hide[mover]),
        "start_player": int(r["start_player"]),
        "buys": int(r["buys"]),
        "card_played": bool(r["card_played"]),
        "bought": bought,
        "unseen": [int(u) for u in r["deck_unseen"][:n]],
    }
    if seat is None:
        position["rng"] = int(r["rng"])
    return position


def _pending(r: Any, hide: bool) -> dict[str, Any] | None:
    pending = int(r["pending"])
    if pending == KING:
        return {"kind": "king"}
    if pending == PICK:
        cards = pile_of(r["looked"], r["looked_size"])
        return {"kind": "pick", "cards": [HIDDEN] * len(cards) if hide else cards}
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
