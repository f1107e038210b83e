"""From positions to records, with every check that keeps impossible positions out.

A position may hold less than the component set does (a smaller puzzle), never more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from market_env.actions import APPRENTICES
from market_env.checks import Reader, amounts, card_names, table
from market_env.components import CARDS, CIRCLES, MAX_TOKENS, TOKENS
from market_env.pending import paid_so_far, read_pending
from market_env.position import make_record, pack_pieces, pack_tokens, unpack_tokens
from market_env.record import CARD_DECK, LISTS, NO_LIST
from market_env.rules import MarketRules
from tower_core.engine.batch_structs import OVER
from tower_core.fields import flag, items, whole


def from_position(game: Any, position: Mapping[str, Any]) -> tuple[NDArray[Any], MarketRules]:
    """A record (derived fields not yet computed) and its rules. ValueError names the field that is wrong."""
    reader = Reader(position)
    record = make_record(reader.players, reader.rules)
    r = record[0]
    r["rng"] = np.uint64(whole("rng", reader.get("rng", 0), 0, 2**64 - 1))
    _read_materials(reader, r)
    _read_tokens(reader, r)
    _read_figures(reader, r)
    _read_turn(reader, r)
    lists, cards = _read_lists(reader, r), _read_cards(reader, r)
    _read_apprentices(reader, r)
    pending = read_pending(reader, r)
    _check_bag(r)
    _check_supply(reader, lists + pending.lists, cards + pending.cards)
    _check_lists_held(reader, r)
    return record, reader.rules


# ---------------------------------------------------------------------------------------------- the table
def _read_materials(reader: Reader, r: Any) -> None:
    materials = reader.materials
    found: Counter[int] = Counter()
    for m, row in enumerate(items("circles", reader.get("circles"), reader.markets)):
        for k, name in enumerate(items("circles", row, CIRCLES)):
            i = CIRCLES * m + k
            if name is None:
                continue
            if name not in materials:
                raise ValueError(f"circles: unknown material {name!r} (there are {', '.join(materials)})")
            material = materials.index(name)
            if not reader.rules.advanced and material != r["start"][i]:
                where = f"circle {'abcdef'[k]} of market {m + 1}"
                raise ValueError(f"circles: {where} holds {materials[r['start'][i]]} or nothing, not {name}")
            r["holds"][i] = material
            found[material] += 1
    for p, owned in enumerate(reader.per_seat("materials")):
        counts = amounts("materials", owned, materials, CIRCLES * reader.markets)
        r["materials"][p] = pack_pieces(counts)
        found.update(dict(enumerate(counts)))
    printed = Counter(int(material) for material in r["start"][: CIRCLES * reader.markets])
    for material, number in found.items():
        if number > printed[material]:
            raise ValueError(f"materials: with the circles there are {number} {materials[material]}, "
                             f"and the markets in play have {printed[material]}")  # fmt: skip


def _read_tokens(reader: Reader, r: Any) -> None:
    held = [amounts("tokens", owned, TOKENS, MAX_TOKENS) for owned in reader.per_seat("tokens")]
    if any(any(owned) for owned in held[reader.players :]):
        raise ValueError("tokens: the NPC has none")
    pile = amounts("pile", reader.get("pile"), TOKENS, MAX_TOKENS)
    bag = amounts("bag", reader.get("bag"), TOKENS, MAX_TOKENS)
    for k, (kind, there) in enumerate(zip(TOKENS, reader.components.token_counts, strict=True)):
        total = sum(owned[k] for owned in [*held, pile, bag])
        if total > there:
            raise ValueError(f"tokens: with pile and bag there are {total} {kind}, and the set has {there}")
    for p, owned in enumerate(held):
        r["tokens"][p] = pack_tokens(owned)
    r["pile"], r["bag"] = pack_tokens(pile), pack_tokens(bag)


def _check_bag(r: Any) -> None:
    """The pile is poured into an empty bag; only what has been paid of a fee that is not yet whole lies in it (3.1)."""
    there = sum(unpack_tokens(r["pile"]).values())
    if not r["bag"] and there > paid_so_far(r):
        raise ValueError(f"bag: it is empty and the pile holds {there} tokens, which would be poured into it")


def _read_figures(reader: Reader, r: Any) -> None:
    figures = table("figures", reader.get("figures"), ("stand-in", "runner", "curfew"))
    curfews = 0
    none = [None] * reader.seats
    for p, market in enumerate(reader.per_seat("workers")):
        r["worker"][p] = reader.maybe_market("workers", market)
    for name, field in (("stand-in", "stand_in"), ("runner", "runner")):
        for p, market in enumerate(reader.per_seat(f"figures: {name}", figures.get(name, none))):
            r[field][p] = reader.maybe_market(f"figures: {name}", market)
    name = "figures: curfew"
    for p, markets in enumerate(reader.per_seat(name, figures.get("curfew", [[]] * reader.seats))):
        for market in items(name, markets):
            bit = reader.market(name, market)
            if curfews & bit:
                raise ValueError(f"{name}: two markers lie on market {market}")
            if p >= reader.players:
                raise ValueError(f"{name}: the NPC lays none")
            curfews |= bit
            r["curfew"][p] |= bit
    wanted = reader.flags("wanted", reader.rules.guard)
    jailed = reader.flags("jailed", reader.rules.guard)
    for p in range(reader.seats):
        if jailed[p] and not wanted[p]:
            raise ValueError(f"jailed: player_{p} is in jail and so wanted too")
        if jailed[p] and r["worker"][p]:
            raise ValueError(f"jailed: the worker of player_{p} is in jail, not on a market")
        r["wanted"][p], r["jailed"][p] = wanted[p], jailed[p]
    r["guard"] = reader.maybe_market("guard", reader.get("guard"))
    if r["guard"] and not reader.rules.guard:
        raise ValueError("guard: these rules have no guard")


# ---------------------------------------------------------------------------------------------- turn and towers
def _read_turn(reader: Reader, r: Any) -> None:
    to_win, npc_wins = int(r["towers_to_win"]), int(r["solo_npc_towers"])
    winners = []
    for p, given in enumerate(reader.per_seat("towers")):
        npc = p >= reader.players
        towers = r["score"][p] = whole("towers", given, 0, (npc_wins if r["solo"] else 0) if npc else to_win)
        if towers == (npc_wins if npc else to_win):
            winners.append(p)
    r["round"] = whole("turn", reader.get("turn"), 1, int(r["max_turns"]))
    to_move = reader.get("to_move")
    r["to_move"] = OVER if to_move is None else reader.seat("to_move", to_move, reader.players)
    if len(winners) > 1 or (winners and to_move is not None):
        raise ValueError(f"towers: seat {winners[-1]} has as many as win, and the game goes on")
    if winners:
        r["winner"] = winners[0]
    elif to_move is None:
        if r["round"] != r["max_turns"]:
            raise ValueError("to_move: the game is not over: nobody has won, and it is not the last turn")
        r["truncated"] = 1
    keys = ("acted", "visited_black_market", "bribed", "at_start")
    state = table("turn_state", reader.get("turn_state", {}), keys)
    acted, visited, bribed = (flag(f"turn_state: {key}", state.get(key, False)) for key in keys[:3])
    start = flag("turn_state: at_start", state.get("at_start", not acted))
    if (visited or bribed) and not acted:
        raise ValueError("turn_state: who has bribed or been at the black market has acted")
    if acted and start:
        raise ValueError("turn_state: who has acted is no longer at the start of the actions")
    r["at_start"], r["acted"], r["visited"], r["bribed"] = start, acted, visited, bribed


def _read_apprentices(reader: Reader, r: Any) -> None:
    given = table("apprentices", reader.get("apprentices"), ("with", "has_hired"))
    none = [False] * reader.seats
    name = "apprentices: has_hired"
    hired = reader.flags(name, reader.rules.apprentices, given.get("has_hired", none))
    r["has_hired"][: reader.seats] = hired
    holders = table("apprentices: with", given.get("with", {}), APPRENTICES)
    for k, apprentice in enumerate(APPRENTICES):
        holder = holders.get(apprentice)
        if holder is None:
            continue
        p = reader.seat("apprentices: with", holder, reader.players)
        if not hired[p]:
            raise ValueError(f"apprentices: the {apprentice} is with player_{p}, who has hired nobody")
        if p in r["apprentice"]:
            raise ValueError(f"apprentices: player_{p} has two, and a player hires one in a game")
        r["apprentice"][k] = p
    for k, field in ((0, "stand_in"), (2, "runner")):
        for seat in np.flatnonzero(r[field]):
            if r["apprentice"][k] != seat:
                name = APPRENTICES[k]
                raise ValueError(f"figures: {name}: it stands there for seat {seat} and is not with that seat")


# ---------------------------------------------------------------------------------------------- decks
def _read_lists(reader: Reader, r: Any) -> list[int]:
    high = len(reader.components.lists) - 1
    held = []
    for p, number in enumerate(reader.per_seat("lists")):
        if number is not None:
            r["building_list"][p] = whole("lists", number, 0, high)
            held.append(int(number))
    for name, which in (("list_deck", "deck"), ("list_discard", "discard")):
        numbers = [whole(name, number, 0, high) for number in items(name, reader.get(name))]
        if len(set(numbers)) < len(numbers):
            raise ValueError(f"{name}: a list appears twice")
        _fill(r, LISTS, which, numbers)
        held += numbers
    return held


def _read_cards(reader: Reader, r: Any) -> list[str]:
    limit = int(r["hand_limit"])
    held = []
    for p, given in enumerate(reader.per_seat("hands")):
        hand = card_names("hands", given)
        if len(hand) > (limit if p < reader.players else 0):
            raise ValueError(f"hands: seat {p} has {len(hand)} cards, and the limit is {limit} (for the NPC none)")
        r["hand"][p] = pack_pieces(hand.count(card) for card in CARDS)
        held += hand
    for name, which in (("card_deck", "deck"), ("card_discard", "discard")):
        cards = card_names(name, reader.get(name))
        _check_copies(reader, name, cards)
        _fill(r, CARD_DECK, which, [CARDS.index(card) for card in cards])
        held += cards
    known = reader.get("known_cards", None)
    if known is not None:
        entry = table("known_cards", known, ("seat", "count"))
        r["known_by"] = reader.seat("known_cards: seat", entry.get("seat"), reader.players)
        most = min(int(r["offer"]) - 1, int(r["deck_size"][CARD_DECK]))
        r["known_size"] = whole("known_cards: count", entry.get("count"), 0, most)
    return held


def _fill(r: Any, which: Any, pile: str, numbers: list[int]) -> None:
    """Write a deck (given top first, kept with the top last) or a discard pile."""
    r[f"{pile}_size"][which] = len(numbers)
    r[pile][which, : len(numbers)] = numbers[::-1] if pile == "deck" else numbers


def _check_copies(reader: Reader, name: str, cards: list[str]) -> None:
    for card, number in Counter(cards).items():
        there = reader.components.card_copies(card)
        if number > there:
            raise ValueError(f"{name}: {card} is there {number} times, and the set has {there}")


def _check_supply(reader: Reader, lists: list[int], cards: list[str]) -> None:
    for number, times in Counter(lists).items():
        if times > 1:
            raise ValueError(f"lists: list {number} is in two places")
    _check_copies(reader, "hands: with deck, discard pile and pending", cards)


def _check_lists_held(reader: Reader, r: Any) -> None:
    """Everybody has a list, but who has just built and chooses the next, and who has won."""
    for p in range(reader.seats):
        choosing = p == r["to_move"] and r["drawn_size"] and r["building_list"][p] == NO_LIST
        if r["building_list"][p] == NO_LIST and not choosing and p != r["winner"]:
            raise ValueError(f"lists: seat {p} has none")
