"""Positions (JSON-able dicts) from records: everything, or what one seat may know; reader.py does the inverse.

Markets count from 1 as in the notation, lists from 0 as in the component set; values per seat have the NPC last.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from market_env import hidden
from market_env.card_table import APPRENTICES
from market_env.components import CARDS, CIRCLES, ENTRIES, TOKENS, Components
from market_env.record import (
    BUILD,
    BULLY,
    CARD_DECK,
    CAUSES,
    KINDS,
    LISTS,
    NO_LIST,
    NO_MATERIAL,
    NOTHING,
    RECORD,
)
from market_env.rules import MarketRules
from tower_core.engine.compiling import in_python
from tower_core.position import HIDDEN

_knows_hand = in_python(hidden.knows_hand)
_knows_shown = in_python(hidden.knows_shown)
_known_top = in_python(hidden.known_top)
_list_hidden = in_python(hidden.list_hidden)
_knows_drawn = in_python(hidden.knows_drawn)
_RULE_FIELDS = {
    "draw": "draw",
    "draw_if_idle": "draw_if_idle",
    "lists_after_building": "lists_after_building",
    "hand_limit": "black_market_hand",
    "offer": "black_market_offer",
    "jail_gems": "jail_gems",
    "steal_gems": "steal_gems",
    "towers_to_win": "towers_to_win",
}
"""Fields of the record and the numbers of the component set that they hold."""


# ---------------------------------------------------------------------------------------------- rules -> record
def write_rules(record: NDArray[Any], num_players: int, rules: MarketRules) -> None:
    """Write the rules into a record [1]. ValueError if they don't support that number of players."""
    record[...] = _template(num_players, rules)


@lru_cache(maxsize=64)
def _template(num_players: int, rules: MarketRules) -> NDArray[Any]:
    seats = rules.for_players(num_players)
    record = np.zeros(1, RECORD)
    r = record[0]
    r["num_players"], r["seats"] = num_players, seats
    r["advanced"], r["apprentices"], r["guard_hunts"] = rules.advanced, rules.apprentices, rules.guard
    r["solo"] = rules.npc and num_players == 1
    r["closed"] = rules.lists_closed(num_players)
    r["idle_always"] = rules.idle_draw == "always"
    r["first_tokens"] = rules.first_tokens
    r["solo_npc_towers"] = rules.solo_npc_towers
    r["max_turns"] = rules.turns
    r["holds"] = NO_MATERIAL
    r["building_list"] = NO_LIST
    r["apprentice"] = -1
    r["winner"] = -1
    _fill_components(r, rules.components, rules.components.markets_by_seats[seats - 2])
    return record


def _fill_components(r: Any, components: Components, markets: int) -> None:
    r["markets"], r["die"] = markets, len(components.markets)
    r["lists"], r["rates"], r["card_kinds"] = len(components.lists), len(components.rates), len(components.cards)
    for field, name in _RULE_FIELDS.items():
        r[field] = components.rule(name)
    r["bag_start"] = pack_tokens(components.token_counts)
    r["gem_worth"] = [worth for _, worth in components.gems]
    printed = [circle for market in components.markets for circle in market.circles]
    for i, circle in enumerate(printed):
        r["price"][i] = pack_tokens((*circle.price, 0))
        r["worth"][i] = components.worth(circle.price)
        r["start"][i] = circle.material
        earlier = range(i // CIRCLES * CIRCLES, i)
        r["twins"][i] = np.uint64(sum(1 << k for k in earlier if printed[k].price == circle.price))
    for m in range(len(components.materials)):
        starts = (i for i in range(CIRCLES * markets) if printed[i].material == m)
        r["starts"][m] = np.uint64(sum(1 << i for i in starts))
    for i, asked in enumerate(components.lists):
        r["need"][i] = pack_pieces(asked)
    for entry, number in components.entries:
        r["entry"][ENTRIES.index(entry)] = pack_tokens(tuple(number if token == entry else 0 for token in TOKENS))
    for i, rate in enumerate(components.rates):
        r["give"][i], r["get"][i] = pack_tokens((*rate.give, 0)), pack_tokens((*rate.get, 0))
    for i, card in enumerate(components.cards):
        kind = CARDS.index(card.name)
        r["card_order"][i] = kind
        r["copies"][kind], r["fee"][kind] = card.copies, card.fee


def pack_tokens(amounts: Any) -> np.uint64:
    return np.uint64(sum(int(number) << 16 * k for k, number in enumerate(amounts)))


def pack_pieces(counts: Any) -> np.uint64:
    return np.uint64(sum(int(number) << 8 * k for k, number in enumerate(counts)))


def unpack_tokens(word: Any) -> dict[str, int]:
    return {kind: int(word) >> 16 * k & 0xFFFF for k, kind in enumerate(TOKENS)}


def unpack_pieces(word: Any, names: tuple[str, ...]) -> dict[str, int]:
    return {name: int(word) >> 8 * k & 0xFF for k, name in enumerate(names)}


def in_order(word: Any, names: tuple[str, ...]) -> list[str]:
    """Pieces as a list, in the order of their kinds."""
    return [name for name, number in unpack_pieces(word, names).items() for _ in range(number)]


# ---------------------------------------------------------------------------------------------- record -> position
def to_position(game: Any, record: NDArray[Any], rules: MarketRules, seat: int | None = None) -> dict[str, Any]:
    """The position of a record; with a seat, only what that seat may know (hidden.py)."""
    r = record.view(np.recarray)[0]
    n, seats, materials = int(r["num_players"]), int(r["seats"]), rules.components.materials
    mover = int(r["to_move"])
    known = int(r["known_size"])
    card_deck = [CARDS[kind] for kind in _deck(r, CARD_DECK)]
    list_deck: list[Any] = [int(number) for number in _deck(r, LISTS)]
    hands: list[list[str]] = [in_order(hand, CARDS) for hand in r["hand"][:seats]]
    lists: list[Any] = [None if number == NO_LIST else int(number) for number in r["building_list"][:seats]]
    if seat is not None:
        seen = int(_known_top(r, seat))
        card_deck[seen:] = [HIDDEN] * (len(card_deck) - seen)
        list_deck = [HIDDEN] * len(list_deck)
        hands = [hand if _knows_hand(r, seat, p) else [HIDDEN] * len(hand) for p, hand in enumerate(hands)]
        lists = [HIDDEN if _list_hidden(r, p, seat) else number for p, number in enumerate(lists)]
    position = {
        "game": "market",
        "num_players": n,
        "rules": rules.to_dict(),
        "circles": [_market_row(r, market, materials) for market in range(int(r["markets"]))],
        "workers": [_market(bits) for bits in r["worker"][:seats]],
        "figures": {
            "stand-in": [_market(bits) for bits in r["stand_in"][:seats]],
            "runner": [_market(bits) for bits in r["runner"][:seats]],
            "curfew": [_markets(bits) for bits in r["curfew"][:seats]],
        },
        "tokens": [unpack_tokens(word) for word in r["tokens"][:seats]],
        "pile": unpack_tokens(r["pile"]),
        "bag": unpack_tokens(r["bag"]),
        "materials": [unpack_pieces(word, materials) for word in r["materials"][:seats]],
        "lists": lists,
        "list_deck": list_deck,
        "list_discard": _pile(r, LISTS),
        "hands": hands,
        "card_deck": card_deck,
        "card_discard": [CARDS[kind] for kind in _pile(r, CARD_DECK)],
        "towers": [int(towers) for towers in r["score"][:seats]],
        "wanted": [bool(flag) for flag in r["wanted"][:seats]],
        "jailed": [bool(flag) for flag in r["jailed"][:seats]],
        "guard": _market(r["guard"]),
        "apprentices": {
            "with": {name: int(q) if q >= 0 else None for name, q in zip(APPRENTICES, r["apprentice"], strict=True)},
            "has_hired": [bool(flag) for flag in r["has_hired"][:seats]],
        },
        "to_move": mover if mover >= 0 else None,
        "turn": int(r["round"]),
        "turn_state": {
            "at_start": bool(r["at_start"]),
            "acted": bool(r["acted"]),
            "visited_black_market": bool(r["visited"]),
            "bribed": bool(r["bribed"]),
        },
        "pending": _pending(r, materials, seat),
        "known_cards": {"seat": int(r["known_by"]), "count": known} if known else None,
    }
    if seat is None:
        position["rng"] = int(r["rng"])
    return position


def _pending(r: Any, materials: tuple[str, ...], seat: int | None) -> dict[str, Any] | None:
    """The pending decision: what is asked (``kind``), its cause (``for``), and what else is needed to continue."""
    if r["pending"] == NOTHING:
        return None
    kind = KINDS[r["pending"]]
    pending: dict[str, Any] = {"kind": kind, "for": CAUSES[r["cause"]]}
    if kind in ("pay", "take"):
        pending["left"] = int(r["left"])
    elif kind in ("enter", "drop", "keep"):
        pending["entries"] = int(r["left"])
        if kind != "enter":
            shown = [CARDS[card] for card in r["shown"][: r["shown_size"]]]
            pending["cards"] = shown if seat is None or _knows_shown(r, seat) else [HIDDEN] * len(shown)
    elif kind == "return":
        pending["pieces"] = in_order(r["to_return"], materials)
    elif kind == "list":
        drawn = [int(number) for number in r["drawn"][: r["drawn_size"]]]
        pending["lists"] = drawn if seat is None or _knows_drawn(r, seat) else [HIDDEN] * len(drawn)
    elif kind == "buy" and r["cause"] == BULLY:
        pending["market"] = _market(r["chosen"])
    if kind == "material" or (kind == "return" and r["cause"] != BUILD):
        pending["target"] = int(r["victim"])
    return pending


def _market_row(r: Any, market: int, materials: tuple[str, ...]) -> list[str | None]:
    circles = r["holds"][CIRCLES * market : CIRCLES * (market + 1)]
    return [None if material == NO_MATERIAL else materials[material] for material in circles]


def _market(bits: Any) -> int | None:
    return int(bits).bit_length() or None


def _markets(bits: Any) -> list[int]:
    return [m + 1 for m in range(8) if int(bits) >> m & 1]


def _deck(r: Any, which: Any) -> list[int]:
    """A deck, top first."""
    return r["deck"][which, : r["deck_size"][which]][::-1].tolist()  # type: ignore[no-any-return]


def _pile(r: Any, which: Any) -> list[int]:
    return r["discard"][which, : r["discard_size"][which]].tolist()  # type: ignore[no-any-return]
