"""From positions (JSON-able dicts) to records, with every check that keeps impossible positions out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torres_env.card_table import ASKING as _ASKING
from torres_env.position import cards_of, make_record, pile_of, to_set
from torres_env.record import (
    FOLLOW_UP,
    KING,
    MAX_HEIGHT,
    NO_CARD,
    NO_CELL,
    NOTHING,
    PICK,
    SETUP_BLOCK,
    SETUP_KNIGHT,
)
from torres_env.rules import (
    CARDS,
    CELL_INDEX,
    CELL_NAMES,
    MASTER_CARDS,
    MAX_AP,
    TOTAL_BLOCKS,
    TorresRules,
    neighbours,
    resolve,
)
from tower_core.engine.batch_structs import OVER
from tower_core.fields import Fields, flag, items, whole


class _Reader(Fields):
    """The fields of a position of Torres."""

    def whole(self, name: str, low: int, high: int, default: Any = ...) -> int:
        return whole(name, self.get(name, default), low, high)

    def flag(self, name: str, default: bool) -> bool:
        return flag(name, self.get(name, default))

    def per_seat(self, name: str, n: int, default: Any = ...) -> list[Any]:
        return items(name, self.get(name, default), n)


def _cell_index(name: str, value: Any) -> int:
    if not isinstance(value, str) or value not in CELL_INDEX:
        raise ValueError(f"{name}: {value!r} is no cell of the board (a1 to h8)")
    return CELL_INDEX[value]


def _card_list(name: str, value: Any) -> list[str]:
    cards = items(name, value)
    for card in cards:
        if not isinstance(card, str) or card not in CARDS:
            raise ValueError(f"{name}: unknown card {card!r} (there are {', '.join(CARDS)})")
    if len(set(cards)) < len(cards):
        raise ValueError(f"{name}: a card appears twice")
    return cards


def from_position(game: Any, position: Mapping[str, Any]) -> tuple[NDArray[Any], TorresRules]:
    """A record (derived fields not yet computed) and its rules. ValueError names the field that is wrong."""
    reader = _Reader(position)
    if reader.get("game", "torres") != "torres":
        raise ValueError(f"game: {position['game']!r} is not torres")
    n = reader.whole("num_players", 2, 4, len(items("knights", reader.get("knights"))))
    rules = _read_rules(reader)
    record = make_record(n, rules)
    r = record[0]
    r["rng"] = np.uint64(reader.whole("rng", 0, 2**64 - 1, 0))
    _read_board(reader, r, n, rules)
    _read_turn(reader, r, n, rules)
    _read_cards(reader, r, n, rules)
    _read_pending(reader, r, n, rules)
    _check_blocks(r, n)
    return record, rules


def _read_rules(reader: _Reader) -> TorresRules:
    try:
        return resolve(reader.get("rules", "standard"))
    except ValueError as error:
        raise ValueError(f"rules: {error}") from error


def _read_board(reader: _Reader, r: Any, n: int, rules: TorresRules) -> None:
    height = [whole("height", h, 0, MAX_HEIGHT) for h in items("height", reader.get("height"), 64)]
    _check_castles(height)
    r["height"] = height
    used: dict[int, str] = {}
    for p, cells in enumerate(reader.per_seat("knights", n)):
        names = items("knights", cells)
        if len(names) > rules.knights_per_player:
            raise ValueError(f"knights: player_{p} has {len(names)}, and there are {rules.knights_per_player}")
        for k, name in enumerate(names):
            cell = _cell_index("knights", name)
            if cell in used:
                raise ValueError(f"knights: two pieces stand on {name}")
            used[cell] = name
            r["knight"][p, k] = cell
        r["knight_count"][p] = len(names)
    king = reader.get("king")
    r["king"] = NO_CELL
    if king is not None:
        cell = _cell_index("king", king)
        if cell in used:
            raise ValueError(f"king: a knight stands on {king} too")
        if not height[cell]:
            raise ValueError(f"king: {king} has no block, and the king stands on one")
        r["king"] = cell


def _check_castles(height: list[int]) -> None:
    left = {cell for cell in range(64) if height[cell]}
    castles = 0
    while left:
        found, waiting = set(), [left.pop()]
        while waiting:
            cell = waiting.pop()
            found.add(cell)
            waiting.extend(near for near in neighbours(cell) if height[near] and near not in found)
        left -= found
        castles += 1
        for cell in found:
            if height[cell] > len(found):
                raise ValueError(f"height: {CELL_NAMES[cell]} is {height[cell]} high in a castle of area {len(found)}")
    if sum(height) > TOTAL_BLOCKS:
        raise ValueError(f"height: {sum(height)} blocks stand on the board, and there are {TOTAL_BLOCKS}")


def _read_turn(reader: _Reader, r: Any, n: int, rules: TorresRules) -> None:
    phase = r["phase"] = reader.whole("phase", 0, 3)
    to_move = reader.get("to_move")
    r["to_move"] = OVER if to_move is None else whole("to_move", to_move, 0, n - 1)
    if to_move is None and phase != 3:
        raise ValueError(f"to_move: somebody is to move in phase {phase}")
    r["start_player"] = reader.whole("start_player", 0, n - 1, 0)
    r["supply"] = reader.whole("supply", 0, TOTAL_BLOCKS)
    r["score"][:n] = [whole("scores", score, 0, 10**6) for score in reader.per_seat("scores", n)]
    if phase == 0:
        for name in ("round", "ap", "turn_stack"):
            reader.whole(name, 0, 0)
        if any(len(items("stacks", stacks)) for stacks in items("stacks", reader.get("stacks"))):
            raise ValueError("stacks: there are none during setup")
        return
    rounds = int(r["rounds"][phase - 1])
    r["round"] = reader.whole("round", 1, rounds)
    r["ap"] = reader.whole("ap", 0, 2 * MAX_AP)
    r["turn_stack"] = reader.whole("turn_stack", 0, rules.max_stack)
    r["buys"] = reader.whole("buys", 0, 100, 0)
    r["card_played"] = reader.flag("card_played", False)
    if any(r["knight_count"][p] == 0 for p in range(n)):
        raise ValueError("knights: every player has one on the board after the setup")
    if r["king"] == NO_CELL:
        raise ValueError("king: he is on the board after the setup")
    pending = reader.get("pending")
    between = to_move is None or (isinstance(pending, Mapping) and pending.get("kind") == "king")
    r["turn"] = n if between else (int(r["to_move"]) - int(r["start_player"])) % n
    for p, stacks in enumerate(reader.per_seat("stacks", n)):
        heights = sorted((whole("stacks", h, 0, rules.max_stack) for h in items("stacks", stacks)), reverse=True)
        moved = between or (p - int(r["start_player"])) % n <= int(r["turn"])
        left = rounds - int(r["round"]) + (0 if moved else 1)
        if len(heights) != left:
            raise ValueError(f"stacks: player_{p} has {len(heights)} stacks, and {left} turns of the phase are to come")
        r["stack"][p, : len(heights)] = heights
        r["stack_count"][p] = len(heights)
    if between and (r["round"] != rounds or r["ap"] or r["turn_stack"]):
        raise ValueError("round: between phases it is the last of the phase, with ap and turn_stack 0")


def _read_cards(reader: _Reader, r: Any, n: int, rules: TorresRules) -> None:
    hands = [_card_list("hands", hand) for hand in reader.per_seat("hands", n, [[]] * n)]
    decks = [_card_list("decks", deck) for deck in reader.per_seat("decks", n, [[]] * n)]
    discards = [_card_list("discards", pile) for pile in reader.per_seat("discards", n, [[]] * n)]
    bought = _card_list("bought", reader.get("bought", []))
    unseen = reader.per_seat("unseen", n, [len(deck) for deck in decks])
    for p in range(n):
        for name, cards in (("decks", decks[p]), ("discards", discards[p]), ("hands", hands[p])):
            for card in cards:
                if card not in rules.card_list:
                    raise ValueError(f"{name}: {card} is not in card_list")
        for name, cards, others in (("decks", decks[p], hands[p]), ("discards", discards[p], hands[p] + decks[p])):
            for card in cards:
                if card in others:
                    raise ValueError(f"{name}: player_{p} has {card} twice")
        r["hand"][p] = to_set(hands[p])
        r["deck"][p], r["deck_size"][p] = np.uint64(_to_pile(decks[p])), len(decks[p])
        r["deck_unseen"][p] = whole("unseen", unseen[p], 0, len(decks[p]))
        r["discard"][p], r["discard_size"][p] = np.uint64(_to_pile(discards[p])), len(discards[p])
    mover = int(r["to_move"])
    if bought and (mover < 0 or not set(bought) <= set(hands[mover])):
        raise ValueError("bought: these cards are in the hand of the player to move")
    r["bought"] = to_set(bought)
    master = reader.get("master_card", None)
    if master is not None and master not in MASTER_CARDS:
        raise ValueError(f"master_card: unknown card {master!r} (there are {', '.join(MASTER_CARDS)})")
    if (master is not None) != rules.master_card:
        raise ValueError("master_card: there is one exactly where the rules say so")
    r["master"] = NO_CARD if master is None else MASTER_CARDS.index(master)


def _read_pending(reader: _Reader, r: Any, n: int, rules: TorresRules) -> None:
    pending = reader.get("pending")
    r["taken"] = NO_CELL
    mover = int(r["to_move"])
    if pending is None:
        r["pending"] = NOTHING
        if r["phase"] == 0:
            _read_setup(r, n, rules)
        return
    if not isinstance(pending, Mapping) or "kind" not in pending:
        raise ValueError(f"pending: must be null or a dict with a kind, not {pending!r}")
    if mover < 0:
        raise ValueError("pending: the game is over")
    kind = pending["kind"]
    if kind == "king":
        if r["phase"] == 3:
            raise ValueError("pending: the king is not moved in phase 3")
        if (r["phase"] == 0) != (r["king"] == NO_CELL) or not all(r["knight_count"][:n]):
            raise ValueError("pending: the king is placed after every knight of the setup, and moved after a phase")
        if r["phase"] == 0 and mover != n - 1:
            raise ValueError("to_move: the last player places the king")
        r["pending"] = KING
        return
    if r["phase"] == 0:
        raise ValueError(f"pending: {kind!r} does not happen during setup")
    if kind == "pick":
        _read_pick(pending, r, mover, rules)
        return
    if not isinstance(kind, str) or kind not in _ASKING:
        raise ValueError(f"pending: unknown kind {kind!r} (there are king, pick, {', '.join(_ASKING)})")
    r["pending"] = FOLLOW_UP + CARDS.index(kind)
    taken = pending.get("taken")
    blocks = int(r["turn_stack"]) + int(r["stack"][mover].sum())
    if (kind == "under" and not blocks) or (kind == "extra" and not r["supply"]):
        raise ValueError(f"pending: {kind} has no block to take")
    if kind == "relocate" and taken is not None:
        r["taken"] = _cell_index("pending", taken)


def _read_pick(pending: Mapping[str, Any], r: Any, mover: int, rules: TorresRules) -> None:
    cards = _card_list("pending", pending.get("cards"))
    held = cards_of(r["hand"][mover]) + pile_of(r["deck"][mover], r["deck_size"][mover])
    held += pile_of(r["discard"][mover], r["discard_size"][mover])
    if not 1 <= len(cards) <= rules.draw_choice or set(cards) & set(held):
        raise ValueError(f"pending: 1 to {rules.draw_choice} cards that lie nowhere else are looked at")
    r["looked"], r["looked_size"] = np.uint64(_to_pile(cards)), len(cards)
    r["pending"] = PICK


def _read_setup(r: Any, n: int, rules: TorresRules) -> None:
    """Which step of the setup a position without ``pending`` is in: blocks by the players, or knights."""
    counts = [int(count) for count in r["knight_count"][:n]]
    blocks = int(np.count_nonzero(r["height"]))
    mover = int(r["to_move"])
    if (
        rules.castle_setup == "players"
        and not any(counts)
        and blocks < len(rules.starting_cells)
        and _room(r["height"])
    ):
        if mover != blocks % n:
            raise ValueError(f"to_move: player_{blocks % n} puts the next starting block")
        r["pending"] = SETUP_BLOCK
        return
    r["pending"] = SETUP_KNIGHT
    if mover < 0 or counts != [1] * mover + [0] * (n - mover):
        raise ValueError("to_move: in the setup players put one knight each, in order, and then the king is pending")
    free = sum(1 for h in r["height"] if h) - sum(counts) - (0 if r["king"] == NO_CELL else 1)
    if free <= 0:
        raise ValueError("height: no castle block is free for the knight of the setup")


def _room(height: Any) -> bool:
    """Whether another starting block fits: a cell at least three steps from every block."""
    blocks = [divmod(int(cell), 8) for cell in np.flatnonzero(height)]
    return any(all(abs(y - b) + abs(x - a) >= 3 for b, a in blocks) for y in range(8) for x in range(8))


def _check_blocks(r: Any, n: int) -> None:
    total = int(r["height"].sum()) + int(r["supply"]) + int(r["turn_stack"]) + int(r["stack"].sum())
    total += int(r["taken"] != NO_CELL)  # the block in the mover's hand
    if total > TOTAL_BLOCKS:
        raise ValueError(f"supply: with it there are {total} blocks, and the game has {TOTAL_BLOCKS}")
    if r["phase"] > 0 and not 0 < int(np.count_nonzero(r["height"])) < 64:
        raise ValueError("height: the board has castles and ground")


def _to_pile(cards: Any) -> int:
    return sum(CARDS.index(card) << 4 * i for i, card in enumerate(cards))
