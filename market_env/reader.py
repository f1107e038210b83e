"""Records from positions; rejects every impossible position.

A position may have fewer components than the set (a smaller puzzle), never more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import UNSET
from msgspec.structs import astuple
from numpy.typing import NDArray

from market_env.actions import APPRENTICES
from market_env.components import CARDS, CIRCLES, TOKENS
from market_env.pending import paid_so_far, read_pending
from market_env.position import pack_pieces, pack_tokens, unpack_tokens
from market_env.position_fields import Given
from market_env.record import CARD_DECK, LISTS, NO_LIST
from market_env.rules import MarketRules
from tower_core.engine.batch_structs import OVER
from tower_core.engine.random import SplitMix64
from tower_core.position import HIDDEN, refuse_hidden
from tower_core.schema import entries, whole


def from_position(game: Any, position: Mapping[str, Any]) -> tuple[NDArray[Any], MarketRules]:
    """A record (derived fields not yet computed) and its rules. ValueError names the wrong field."""
    given = Given(game, position)
    record: NDArray[Any] = game.make_record(given.players, given.rules)
    r = record[0]
    r["rng"] = np.uint64(whole("rng", given.position.rng, 0, 2**64 - 1))
    _read_materials(given, r)
    _read_tokens(given, r)
    _read_figures(given, r)
    _read_turn(given, r)
    lists, cards = _read_lists(given, r), _read_cards(given, r)
    _read_apprentices(given, r)
    pending = read_pending(given, r)
    _check_bag(r)
    _check_supply(given, lists + pending.lists, cards + pending.cards)
    _check_lists_held(given, r)
    return record, given.rules


def fill_hidden(game: Any, position: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Replace every hidden card and list by a consistent draw from *seed*, from those that are nowhere else."""
    given = Given(game, position)
    found, asked = given.position, given.position.pending
    stream = SplitMix64(seed)

    def fill(name: str, piles: list[list[Any]], seen: list[Any], all_there_are: list[Any]) -> None:
        unknown = Counter(all_there_are) - Counter(seen) - Counter(value for pile in piles for value in pile)
        pool = list(unknown.elements())
        if sum(pile.count(HIDDEN) for pile in piles) > len(pool):
            raise ValueError(f"{name}: must have {len(pool)} hidden entries at most")
        stream.shuffle(pool)
        for pile in piles:
            pile[:] = [pool.pop() if value == HIDDEN else value for value in pile]

    cards, lists = (asked.cards, asked.lists) if asked is not None else ([], [])
    seen = [*found.card_discard, *([asked.cause] if asked is not None and asked.cause in CARDS else [])]
    copies = [card.name for card in given.components.cards for _ in range(card.copies)]
    fill("card_deck", [*found.hands, cards, found.card_deck], seen, copies)
    numbers = list(range(len(given.components.lists)))
    fill("list_deck", [found.lists, lists, found.list_deck], [*found.list_discard], numbers)
    filled = {name: getattr(found, name) for name in ("hands", "card_deck", "lists", "list_deck")}
    more = {name: values for name, values in (("cards", cards), ("lists", lists)) if values}
    return {**position, **filled, "pending": position["pending"] and {**position["pending"], **more}}


# ---------------------------------------------------------------------------------------------- the table
def _read_materials(given: Given, r: Any) -> None:
    materials = given.materials
    found: Counter[int] = Counter()
    for m, row in enumerate(entries("circles", given.position.circles, given.markets)):
        given.check_materials(f"circles [{m}]", [name for name in row if name is not None])
        for k, name in enumerate(row):
            i = CIRCLES * m + k
            if name is None:
                continue
            material = materials.index(name)
            if not given.rules.advanced and material != r["start"][i]:
                where = f"circle {'abcdef'[k]} of market {m + 1}"
                raise ValueError(f"circles: {where} must hold {materials[r['start'][i]]} or nothing, not {name}")
            r["holds"][i] = material
            found[material] += 1
    for p, owned in enumerate(given.per_seat("materials", given.position.materials)):
        given.check_materials(f"materials [{p}]", owned)
        counts = [owned.get(name, 0) for name in materials]
        r["materials"][p] = pack_pieces(counts)
        found.update(dict(enumerate(counts)))
    printed = Counter(int(material) for material in r["start"][: CIRCLES * given.markets])
    for material, number in found.items():
        if number > printed[material]:
            raise ValueError(f"materials: {number} {materials[material]} with those on circles, "
                             f"but the markets in play have {printed[material]}")  # fmt: skip


def _read_tokens(given: Given, r: Any) -> None:
    held = [tokens.amounts() for tokens in given.per_seat("tokens", given.position.tokens)]
    if any(any(owned) for owned in held[given.players :]):
        raise ValueError("tokens: the NPC must have none")
    pile, bag = given.position.pile.amounts(), given.position.bag.amounts()
    for k, (kind, there) in enumerate(zip(TOKENS, given.components.token_counts, strict=True)):
        total = sum(owned[k] for owned in [*held, pile, bag])
        if total > there:
            raise ValueError(f"tokens: {total} {kind} with pile and bag, but the set has {there}")
    for p, owned in enumerate(held):
        r["tokens"][p] = pack_tokens(owned)
    r["pile"], r["bag"] = pack_tokens(pile), pack_tokens(bag)


def _check_bag(r: Any) -> None:
    """Check that an empty bag has an empty pile, except for gems already paid of an incomplete fee (3.1)."""
    there = sum(unpack_tokens(r["pile"]).values())
    if not r["bag"] and there > paid_so_far(r):
        raise ValueError(f"bag: must not be empty while the pile holds {there} tokens, which would be poured into it")


def _read_figures(given: Given, r: Any) -> None:
    figures = given.position.figures
    curfews = 0
    for name, field, markets in (
        ("workers", "worker", given.position.workers),
        ("figures: stand-in", "stand_in", figures.stand_in),
        ("figures: runner", "runner", figures.runner),
    ):
        for p, market in enumerate(given.per_seat(name, markets)):
            r[field][p] = given.market(name, market)
    name = "figures: curfew"
    for p, markets in enumerate(given.per_seat(name, figures.curfew, [])):
        for market in markets:
            bit = given.market(name, market)
            if curfews & bit:
                raise ValueError(f"{name}: must not have two markers on market {market}")
            if p >= given.players:
                raise ValueError(f"{name}: must have none of the NPC's")
            curfews |= bit
            r["curfew"][p] |= bit
    wanted = given.flags("wanted", given.rules.guard, given.position.wanted)
    jailed = given.flags("jailed", given.rules.guard, given.position.jailed)
    for p in range(given.seats):
        if jailed[p] and not wanted[p]:
            raise ValueError(f"jailed: player_{p} is in jail and must be wanted")
        if jailed[p] and r["worker"][p]:
            raise ValueError(f"jailed: player_{p} is in jail, so the worker must not be on a market")
        r["wanted"][p], r["jailed"][p] = wanted[p], jailed[p]
    r["guard"] = given.market("guard", given.position.guard)
    if r["guard"] and not given.rules.guard:
        raise ValueError("guard: must be absent under rules without a guard")


# ---------------------------------------------------------------------------------------------- turn and towers
def _read_turn(given: Given, r: Any) -> None:
    to_win, npc_wins = int(r["towers_to_win"]), int(r["solo_npc_towers"])
    winners = []
    for p, number in enumerate(given.per_seat("towers", given.position.towers)):
        npc = p >= given.players
        towers = r["score"][p] = whole("towers", number, 0, (npc_wins if r["solo"] else 0) if npc else to_win)
        if towers == (npc_wins if npc else to_win):
            winners.append(p)
    r["round"] = whole("turn", given.position.turn, 1, int(r["max_turns"]))
    to_move = given.position.to_move
    r["to_move"] = OVER if to_move is None else given.seat("to_move", to_move)
    if len(winners) > 1 or (winners and to_move is not None):
        raise ValueError(f"towers: seat {winners[-1]} has enough to win, but the game is not over")
    if winners:
        r["winner"] = winners[0]
    elif to_move is None:
        if r["round"] != r["max_turns"]:
            raise ValueError("to_move: must not be null: nobody has won, and it is not the last turn")
        r["truncated"] = 1
    turn = given.position.turn_state
    acted, visited, bribed = turn.acted, turn.visited_black_market, turn.bribed
    start = not acted if turn.at_start is UNSET else turn.at_start
    if (visited or bribed) and not acted:
        raise ValueError("turn_state: acted must be true after a bribe or a visit to the black market")
    if acted and start:
        raise ValueError("turn_state: at_start must be false once acted is true")
    r["at_start"], r["acted"], r["visited"], r["bribed"] = start, acted, visited, bribed


def _read_apprentices(given: Given, r: Any) -> None:
    apprentices = given.position.apprentices
    hired = given.flags("apprentices: has_hired", given.rules.apprentices, apprentices.has_hired)
    r["has_hired"][: given.seats] = hired
    for k, (apprentice, holder) in enumerate(zip(APPRENTICES, astuple(apprentices.holders), strict=True)):
        if holder is None:
            continue
        p = given.seat("apprentices: with", holder)
        if not hired[p]:
            raise ValueError(f"apprentices: the {apprentice} is with player_{p}, who has not hired one")
        if p in r["apprentice"]:
            raise ValueError(f"apprentices: player_{p} has two, but can hire only one in a game")
        r["apprentice"][k] = p
    for k, field in ((0, "stand_in"), (2, "runner")):
        for seat in np.flatnonzero(r[field]):
            if r["apprentice"][k] != seat:
                name = APPRENTICES[k]
                raise ValueError(f"figures: {name}: on a market for seat {seat}, but not with that seat")


# ---------------------------------------------------------------------------------------------- decks
def _read_lists(given: Given, r: Any) -> list[int]:
    high = len(given.components.lists) - 1
    held = []
    for p, number in enumerate(given.per_seat("lists", given.position.lists)):
        refuse_hidden("lists", number)
        if number is not None:
            r["building_list"][p] = whole("lists", number, 0, high)
            held.append(number)
    for name, which, pile in (
        ("list_deck", "deck", given.position.list_deck),
        ("list_discard", "discard", given.position.list_discard),
    ):
        refuse_hidden(name, pile)
        numbers = [whole(name, number, 0, high) for number in pile]
        if len(set(numbers)) < len(numbers):
            raise ValueError(f"{name}: must not repeat a list")
        _fill(r, LISTS, which, numbers)
        held += numbers
    return held


def _read_cards(given: Given, r: Any) -> list[str]:
    limit = int(r["hand_limit"])
    held: list[str] = []
    for p, hand in enumerate(given.per_seat("hands", given.position.hands)):
        refuse_hidden("hands", hand)
        if len(hand) > (limit if p < given.players else 0):
            raise ValueError(f"hands: seat {p} has {len(hand)} cards, but the limit is {limit} (0 for the NPC)")
        r["hand"][p] = pack_pieces(hand.count(card) for card in CARDS)
        held += hand
    for name, which, cards in (
        ("card_deck", "deck", given.position.card_deck),
        ("card_discard", "discard", given.position.card_discard),
    ):
        refuse_hidden(name, cards)
        _check_copies(given, name, cards)
        _fill(r, CARD_DECK, which, [CARDS.index(card) for card in cards])
        held += cards
    known = given.position.known_cards
    if known is not None:
        r["known_by"] = given.seat("known_cards: seat", known.seat)
        most = min(int(r["offer"]) - 1, int(r["deck_size"][CARD_DECK]))
        r["known_size"] = whole("known_cards: count", known.count, 0, most)
    return held


def _fill(r: Any, which: Any, pile: str, numbers: list[int]) -> None:
    """Write a deck (given top first, stored with the top last) or a discard pile."""
    r[f"{pile}_size"][which] = len(numbers)
    r[pile][which, : len(numbers)] = numbers[::-1] if pile == "deck" else numbers


def _check_copies(given: Given, name: str, cards: list[str]) -> None:
    for card, number in Counter(cards).items():
        there = given.components.card_copies(card)
        if number > there:
            raise ValueError(f"{name}: {number} copies of {card}, but the set has {there}")


def _check_supply(given: Given, lists: list[int], cards: list[str]) -> None:
    for number, times in Counter(lists).items():
        if times > 1:
            raise ValueError(f"lists: list {number} is in two places")
    _check_copies(given, "hands: with deck, discard pile and pending", cards)


def _check_lists_held(given: Given, r: Any) -> None:
    """Check that every seat has a list, except a winner, and a player who is choosing one after building."""
    for p in range(given.seats):
        choosing = p == r["to_move"] and r["drawn_size"] and r["building_list"][p] == NO_LIST
        if r["building_list"][p] == NO_LIST and not choosing and p != r["winner"]:
            raise ValueError(f"lists: seat {p} must have one")
