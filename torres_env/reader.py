"""Records from positions (JSON-able dicts); rejects every impossible position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from msgspec import UNSET, Meta, Struct, UnsetType
from numpy.typing import NDArray

from torres_env.card_table import ASKING as _ASKING
from torres_env.position import cards_of, pile_of, to_set
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
    BOARD_CELLS,
    CARDS,
    CELL_INDEX,
    CELL_NAMES,
    MASTER_CARDS,
    MAX_AP,
    MAX_PLAYERS,
    MAX_STACKS,
    MIN_PLAYERS,
    TOTAL_BLOCKS,
    TorresRules,
    neighbours,
)
from tower_core.engine.batch_structs import OVER
from tower_core.engine.random import SplitMix64
from tower_core.position import HIDDEN, read_rules, refuse_hidden
from tower_core.schema import entries, one_of, read, whole

Cell = Annotated[str, one_of(CELL_NAMES, "a cell of the board (a1 to h8)")]
Card = Annotated[str, one_of((*CARDS, HIDDEN), f"a card ({', '.join(CARDS)})")]
Blocks = Annotated[int, Meta(ge=0, le=TOTAL_BLOCKS)]
Seat = Annotated[int, Meta(ge=0, le=MAX_PLAYERS - 1)]


class Pending(Struct):
    """The decision that is pending."""

    kind: Annotated[str, one_of(("king", "pick", *_ASKING))]
    cards: list[Card] = []
    taken: Cell | None = None


class Position(Struct):
    """The fields of a position. ``_read_…`` below check them against each other and the rules."""

    height: Annotated[
        list[Annotated[int, Meta(ge=0, le=MAX_HEIGHT)]], Meta(min_length=BOARD_CELLS, max_length=BOARD_CELLS)
    ]
    knights: list[list[Cell]]
    king: Cell | None
    to_move: Seat | None
    phase: Annotated[int, Meta(ge=0, le=3)]
    round: Annotated[int, Meta(ge=0, le=MAX_STACKS)]
    ap: Annotated[int, Meta(ge=0, le=2 * MAX_AP)]
    stacks: list[list[Blocks]]
    turn_stack: Blocks
    supply: Blocks
    scores: list[Annotated[int, Meta(ge=0, le=10**6)]]
    pending: Pending | None
    num_players: Annotated[int, Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)] | UnsetType = UNSET
    hands: list[list[Card]] | UnsetType = UNSET
    decks: list[list[Card]] | UnsetType = UNSET
    discards: list[list[Card]] | UnsetType = UNSET
    master_card: Annotated[str, one_of(MASTER_CARDS)] | None = None
    start_player: Seat = 0
    buys: Annotated[int, Meta(ge=0, le=100)] = 0
    card_played: bool = False
    bought: list[Card] = []
    unseen: list[Annotated[int, Meta(ge=0, le=len(CARDS))]] | UnsetType = UNSET
    rng: int = 0

    @property
    def players(self) -> int:
        n = len(self.knights) if self.num_players is UNSET else self.num_players
        return whole("num_players", n, MIN_PLAYERS, MAX_PLAYERS)

    def piles(self, name: str) -> list[list[str]]:
        """``hands``, ``decks`` or ``discards``, one per seat; empty if absent."""
        given = getattr(self, name)
        return [[] for _ in range(self.players)] if given is UNSET else [*entries(name, given, self.players)]


def fill_hidden(game: Any, position: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Replace every hidden card by a consistent draw from *seed*, seat by seat."""
    rules, given = read_rules(game, position), read(Position, position, "position")
    hands, decks, discards = given.piles("hands"), given.piles("decks"), given.piles("discards")
    looked = given.pending.cards if given.pending is not None else []
    stream = SplitMix64(seed)
    for p in range(given.players):
        piles = (hands[p], looked if p == given.to_move else [], decks[p])
        known = {*discards[p], *(card for pile in piles for card in pile)}
        unknown = [card for card in rules.card_list if card not in known]
        if sum(pile.count(HIDDEN) for pile in piles) > len(unknown):
            raise ValueError(f"decks: player_{p} must have {len(unknown)} hidden cards at most")
        stream.shuffle(unknown)
        for pile in piles:
            pile[:] = [unknown.pop() if card == HIDDEN else card for card in pile]
    filled = {**position, "hands": hands, "decks": decks}
    if HIDDEN in given.bought and given.to_move is not None:
        held = [card for card in hands[given.to_move] if card not in given.bought]
        filled["bought"] = [held.pop() if card == HIDDEN and held else card for card in given.bought]
    if looked:
        filled["pending"] = {**position["pending"], "cards": looked}
    return filled


def from_position(game: Any, position: Mapping[str, Any]) -> tuple[NDArray[Any], TorresRules]:
    """A record (derived fields not yet computed) and its rules. ValueError names the wrong field."""
    rules: TorresRules = read_rules(game, position)
    given = read(Position, position, "position")
    n = given.players
    record: NDArray[Any] = game.make_record(n, rules)
    r = record[0]
    r["rng"] = np.uint64(whole("rng", given.rng, 0, 2**64 - 1))
    _read_board(given, r, n, rules)
    _read_turn(given, r, n, rules)
    _read_cards(given, r, n, rules)
    _read_pending(given.pending, r, n, rules)
    _check_blocks(r)
    return record, rules


def _read_board(given: Position, r: Any, n: int, rules: TorresRules) -> None:
    height = given.height
    _check_castles(height)
    r["height"] = height
    used: set[str] = set()
    for p, cells in enumerate(entries("knights", given.knights, n)):
        if len(cells) > rules.knights_per_player:
            raise ValueError(
                f"knights: player_{p} has {len(cells)}, but at most {rules.knights_per_player} are possible"
            )
        for k, cell in enumerate(cells):
            if cell in used:
                raise ValueError(f"knights: two pieces stand on {cell}")
            used.add(cell)
            r["knight"][p, k] = CELL_INDEX[cell]
        r["knight_count"][p] = len(cells)
    r["king"] = NO_CELL
    if given.king is not None:
        if given.king in used:
            raise ValueError(f"king: a knight stands on {given.king} too")
        if not height[CELL_INDEX[given.king]]:
            raise ValueError(f"king: must stand on a block, and {given.king} has none")
        r["king"] = CELL_INDEX[given.king]


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
        raise ValueError(f"height: {sum(height)} blocks are on the board, but there are only {TOTAL_BLOCKS}")


def _read_turn(given: Position, r: Any, n: int, rules: TorresRules) -> None:
    phase, to_move, start = given.phase, given.to_move, whole("start_player", given.start_player, 0, n - 1)
    r["phase"], r["start_player"], r["supply"] = phase, start, given.supply
    r["to_move"] = OVER if to_move is None else whole("to_move", to_move, 0, n - 1)
    if to_move is None and phase != 3:
        raise ValueError(f"to_move: somebody is to move in phase {phase}")
    r["score"][:n] = entries("scores", given.scores, n)
    if phase == 0:
        for name in ("round", "ap", "turn_stack"):
            whole(name, getattr(given, name), 0, 0)
        if any(given.stacks):
            raise ValueError("stacks: must be empty during setup")
        return
    rounds = int(r["rounds"][phase - 1])
    r["round"] = whole("round", given.round, 1, rounds)
    r["ap"], r["buys"], r["card_played"] = given.ap, given.buys, given.card_played
    r["turn_stack"] = whole("turn_stack", given.turn_stack, 0, rules.max_stack)
    if any(r["knight_count"][p] == 0 for p in range(n)):
        raise ValueError("knights: every player must have one on the board after the setup")
    if given.king is None:
        raise ValueError("king: must be on the board after the setup")
    between = to_move is None or (given.pending is not None and given.pending.kind == "king")
    turn = r["turn"] = n if to_move is None or between else (to_move - start) % n
    for p, stacks in enumerate(entries("stacks", given.stacks, n)):
        left = rounds - given.round + (0 if between or (p - start) % n <= turn else 1)
        if len(stacks) != left:
            raise ValueError(f"stacks: player_{p} has {len(stacks)} stacks, but {left} turns are left in the phase")
        for height in stacks:
            whole("stacks", height, 0, rules.max_stack)
        r["stack"][p, :left] = sorted(stacks, reverse=True)
        r["stack_count"][p] = left
    if between and (given.round != rounds or given.ap or given.turn_stack):
        raise ValueError("round: between phases, it must be the last of the phase, with ap and turn_stack 0")


def _read_cards(given: Position, r: Any, n: int, rules: TorresRules) -> None:
    hands, decks, discards = given.piles("hands"), given.piles("decks"), given.piles("discards")
    unseen = [len(deck) for deck in decks] if given.unseen is UNSET else entries("unseen", given.unseen, n)
    for p in range(n):
        elsewhere: set[str] = set()
        for name, cards in (("hands", hands[p]), ("decks", decks[p]), ("discards", discards[p])):
            _check_cards(name, cards)
            for card in cards:
                if card not in rules.card_list:
                    raise ValueError(f"{name}: {card} is not in card_list")
                if card in elsewhere:
                    raise ValueError(f"{name}: player_{p} has {card} twice")
            elsewhere.update(cards)
        r["hand"][p] = to_set(hands[p])
        r["deck"][p], r["deck_size"][p] = np.uint64(_to_pile(decks[p])), len(decks[p])
        r["deck_unseen"][p] = whole("unseen", unseen[p], 0, len(decks[p]))
        r["discard"][p], r["discard_size"][p] = np.uint64(_to_pile(discards[p])), len(discards[p])
    _check_cards("bought", given.bought)
    if given.bought and (given.to_move is None or not set(given.bought) <= set(hands[given.to_move])):
        raise ValueError("bought: must be cards in the hand of the player to move")
    r["bought"] = to_set(given.bought)
    if (given.master_card is not None) != rules.master_card:
        raise ValueError("master_card: must be set exactly if the rules have master cards")
    r["master"] = NO_CARD if given.master_card is None else MASTER_CARDS.index(given.master_card)


def _check_cards(name: str, cards: list[str]) -> None:
    refuse_hidden(name, cards)
    if len(set(cards)) < len(cards):
        raise ValueError(f"{name}: a card appears twice")


def _read_pending(pending: Pending | None, r: Any, n: int, rules: TorresRules) -> None:
    r["taken"] = NO_CELL
    mover = int(r["to_move"])
    if pending is None:
        r["pending"] = NOTHING
        if r["phase"] == 0:
            _read_setup(r, n, rules)
        return
    if mover < 0:
        raise ValueError("pending: the game is over")
    kind = pending.kind
    if kind == "king":
        if r["phase"] == 3:
            raise ValueError("pending: the king doesn't move in phase 3")
        if (r["phase"] == 0) != (r["king"] == NO_CELL) or not all(r["knight_count"][:n]):
            raise ValueError("pending: the king is placed after all knights of the setup, and moved after a phase")
        if r["phase"] == 0 and mover != n - 1:
            raise ValueError("to_move: must be the last player, who places the king")
        r["pending"] = KING
        return
    if r["phase"] == 0:
        raise ValueError(f"pending: {kind!r} does not happen during setup")
    if kind == "pick":
        _read_pick(pending.cards, r, mover, rules)
        return
    r["pending"] = FOLLOW_UP + CARDS.index(kind)
    blocks = int(r["turn_stack"]) + int(r["stack"][mover].sum())
    if (kind == "under" and not blocks) or (kind == "extra" and not r["supply"]):
        raise ValueError(f"pending: {kind} has no block to take")
    if kind == "relocate" and pending.taken is not None:
        r["taken"] = CELL_INDEX[pending.taken]


def _read_pick(cards: list[str], r: Any, mover: int, rules: TorresRules) -> None:
    _check_cards("pending", cards)
    held = cards_of(r["hand"][mover]) + pile_of(r["deck"][mover], r["deck_size"][mover])
    held += pile_of(r["discard"][mover], r["discard_size"][mover])
    if not 1 <= len(cards) <= rules.draw_choice or set(cards) & set(held):
        raise ValueError(f"pending: must have 1 to {rules.draw_choice} cards that are nowhere else")
    r["looked"], r["looked_size"] = np.uint64(_to_pile(cards)), len(cards)
    r["pending"] = PICK


def _read_setup(r: Any, n: int, rules: TorresRules) -> None:
    """Determine the step of the setup, without ``pending``: starting blocks, or knights."""
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
            raise ValueError(f"to_move: player_{blocks % n} must put the next starting block")
        r["pending"] = SETUP_BLOCK
        return
    r["pending"] = SETUP_KNIGHT
    if mover < 0 or counts != [1] * mover + [0] * (n - mover):
        raise ValueError("to_move: during setup, players put one knight each, in order, and then the king is pending")
    free = sum(1 for h in r["height"] if h) - sum(counts) - (0 if r["king"] == NO_CELL else 1)
    if free <= 0:
        raise ValueError("height: no castle block is free for the knight of the setup")


def _room(height: Any) -> bool:
    """Whether another starting block fits: some cell is at least three steps from every block."""
    blocks = [divmod(int(cell), 8) for cell in np.flatnonzero(height)]
    return any(all(abs(y - b) + abs(x - a) >= 3 for b, a in blocks) for y in range(8) for x in range(8))


def _check_blocks(r: Any) -> None:
    total = int(r["height"].sum()) + int(r["supply"]) + int(r["turn_stack"]) + int(r["stack"].sum())
    total += int(r["taken"] != NO_CELL)  # the block being relocated
    if total > TOTAL_BLOCKS:
        raise ValueError(f"supply: makes {total} blocks in all, but the game has {TOTAL_BLOCKS}")
    if r["phase"] > 0 and not 0 < int(np.count_nonzero(r["height"])) < 64:
        raise ValueError("height: the board must have castles and ground")


def _to_pile(cards: Any) -> int:
    return sum(CARDS.index(card) << 4 * i for i, card in enumerate(cards))
