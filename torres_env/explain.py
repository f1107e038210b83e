"""One-line reasons why an action is illegal, from a position."""

from __future__ import annotations

from typing import Any

from torres_env.actions import ACTIONS, AP
from torres_env.card_table import CARDS, FOLLOW_UPS
from torres_env.rules import CELL_INDEX, CELL_NAMES, TorresRules, neighbours

_WAITS = {
    "king": "place the king first (K)",
    "pick": "pick a card first (PICK)",
    "encore": "encore must be followed by PLAY of a card from your discard pile",
    "under": "under must be followed by B on the cell of one of your knights",
    "extra": "extra must be followed by B",
    "recruit": "recruit must be followed by N",
}


def why_illegal(action: int, position: dict[str, Any], rules: TorresRules) -> str:
    """Why an action is illegal in a game that is not over. *position* is ``TorresState.position()``."""
    verb, places = ACTIONS.split(action)
    name, pending = verb.name, position["pending"]
    if pending is not None:
        return _reason_pending(name, pending)
    if position["phase"] == 0:
        wanted = "B" if rules.castle_setup == "players" and not any(position["knights"]) else "N"
        return _setup_reason(name, wanted)
    if name == "BUY":
        return _reason_buy(position, rules)
    if name == "PICK":
        return "PICK only follows BUY"
    if name == "PLAY":
        return _reason_play(CARDS[places[0]], position)
    if name in ("T", "K"):
        return "T only follows PLAY relocate" if name == "T" else "K is only for a player who must place the king"
    if position["ap"] < AP[name]:
        return f"it costs {AP[name]} AP, but only {position['ap']} are left"
    cell, knights = places[-1], [CELL_INDEX[knight] for knight in position["knights"][position["to_move"]]]
    if _occupied(cell, position):
        return f"{CELL_NAMES[cell]} is occupied"
    if name == "B":
        return _reason_block(cell, position)
    if name == "N":
        return _reason_knight(cell, position, rules, knights)
    if places[0] >= len(knights):
        return "there is no such knight on the board"
    return "the knight can't get there: a step climbs at most 1 level, and doors lead to its level or below"


def _setup_reason(verb: str, wanted: str) -> str:
    if verb != wanted:
        return "during setup a starting block is put (B)" if wanted == "B" else "during setup a knight is put (N)"
    if wanted == "B":
        return "a starting block needs an empty cell at least 3 steps from every other"
    return "the first knight needs an unoccupied castle block"


def _reason_pending(verb: str, pending: dict[str, Any]) -> str:
    kind = pending["kind"]
    if kind == "king":
        return _WAITS[kind] if verb != "K" else "the king needs an unoccupied castle block, or his own"
    if kind == "pick":
        return _WAITS[kind] if verb != "PICK" else f"choose one of {', '.join(pending['cards'])}"
    if kind == "relocate":
        wanted = "T" if pending.get("taken") is None else "B"
        return f"relocate must be followed by {wanted}" if verb != wanted else "relocate does not allow this cell"
    wanted = FOLLOW_UPS[kind]
    return _WAITS.get(kind, f"{kind} must be followed by {wanted}") if verb != wanted else f"{kind} does not allow this"


def _reason_buy(position: dict[str, Any], rules: TorresRules) -> str:
    if not position["decks"][position["to_move"]]:
        return "your deck is empty"
    if position["ap"] < AP["BUY"]:
        return f"it costs {AP['BUY']} AP, but only {position['ap']} are left"
    return f"at most {rules.buys_per_turn} cards can be bought in a turn"


def _reason_play(card: str, position: dict[str, Any]) -> str:
    if card not in position["hands"][position["to_move"]]:
        return f"{card} is not in your hand"
    if position["card_played"]:
        return "only one card can be played in a turn"
    if card in position["bought"]:
        return "a card can't be played in the turn in which it was bought"
    return f"{card} can't be carried out in full now"


def _occupied(cell: int, position: dict[str, Any]) -> bool:
    name = CELL_NAMES[cell]
    return name == position["king"] or any(name in knights for knights in position["knights"])


def _castle(cell: int, height: list[int]) -> frozenset[int]:
    found, waiting = {cell}, [cell]
    while waiting:
        for near in neighbours(waiting.pop()):
            if height[near] and near not in found:
                found.add(near)
                waiting.append(near)
    return frozenset(found)


def _reason_block(cell: int, position: dict[str, Any]) -> str:
    height = position["height"]
    if position["turn_stack"] == 0:
        return "the stack of this turn is used up"
    if height[cell]:
        return f"a castle of area {len(_castle(cell, height))} can be at most that high"
    castles = {_castle(near, height) for near in neighbours(cell) if height[near]}
    return "castles never join" if len(castles) > 1 else "a block must stand on a castle or beside one"


def _reason_knight(cell: int, position: dict[str, Any], rules: TorresRules, knights: list[int]) -> str:
    height = position["height"]
    if len(knights) >= rules.knights_per_player:
        return "you have no knight in reserve"
    beside = [knight for knight in knights if knight in neighbours(cell)]
    if not beside:
        return "a new knight must enter beside one of your knights"
    if rules.entry_level is not None:
        return f"a new knight must enter on level {rules.entry_level}"
    return f"a new knight must enter on level {max(height[knight] for knight in beside)} or lower there"
