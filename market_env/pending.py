"""Reads the pending decision of a position, and checks that the rules can ask for it."""

from __future__ import annotations

from typing import Any, NamedTuple

from market_env.blackmarket import LEVIED, PLANNED
from market_env.components import CARDS, GEMS
from market_env.position import pack_pieces, unpack_pieces, unpack_tokens
from market_env.position_fields import Given, Pending
from market_env.record import CARD_DECK, CAUSES, KINDS, NO_CAUSE, NO_LIST, NOTHING
from tower_core.engine.batch_structs import OVER
from tower_core.position import refuse_hidden
from tower_core.schema import whole


class Aside(NamedTuple):
    """Lists and cards that are in no hand, deck or discard pile during the pending decision."""

    lists: list[int]
    cards: list[str]


_FEE_CAUSES = (*CARDS, "stand-in", "bully", "jail")
_ASKED_FOR = {
    "enter": ("visit",),
    "drop": ("visit",),
    "keep": ("visit",),
    "pay": _FEE_CAUSES,
    "take": ("levy", "steal"),
    "target": ("pickpocket", "sabotage"),
    "material": ("sabotage",),
    "return": ("sabotage", "build"),
    "buy": ("permit", "bully"),
    "market": ("curfew", "stand-in", "bully"),
    "list": ("architect", "build"),
}
"""The possible causes of each kind of decision."""
_APPRENTICE_OF = {"stand-in": 0, "bully": 1}


def read_pending(given: Given, r: Any) -> Aside:
    """Fill in the pending decision; returns the lists and cards set aside."""
    asked = given.position.pending
    r["pending"], r["cause"] = NOTHING, NO_CAUSE
    p = int(r["to_move"])
    if asked is None:
        if p != OVER and r["jailed"][p]:
            raise ValueError("pending: must ask the player to move, who is in jail, to pay")
        return Aside([], [])
    if p == OVER:
        raise ValueError("pending: the game is over")
    kind, cause = asked.kind, asked.cause
    if cause not in _ASKED_FOR[kind]:
        raise ValueError(f"pending: for must be one of {', '.join(_ASKED_FOR[kind])} with {kind}, not {cause!r}")
    r["pending"], r["cause"] = KINDS.index(kind), CAUSES.index(cause)
    _check_cause(given, r, p, cause)
    aside = Aside([], [cause] if cause in CARDS else [])
    if kind in ("pay", "take"):
        _read_payment(asked, r, p, kind, cause)
    elif kind in ("enter", "drop", "keep"):
        aside.cards.extend(_read_visit(asked, r, p, kind))
    elif kind == "list":
        aside.lists.extend(_read_lists(given, asked, r, p, cause))
    elif cause == "build":
        _read_building(given, asked, r, p)
    elif cause == "sabotage" and kind != "target":
        _read_sabotage(given, asked, r, p, kind)
    elif kind == "buy" and cause == "bully":
        r["chosen"] = 1 << whole("pending: market", asked.market, 1, given.markets) - 1
    return aside


def _check_cause(given: Given, r: Any, p: int, cause: str) -> None:
    """Check what must have happened before a decision of this cause."""
    if bool(r["jailed"][p]) != (cause == "jail"):
        raise ValueError("pending: for must be jail exactly if the player to move is in jail")
    if cause == "jail":
        if not r["at_start"]:
            raise ValueError("turn_state: must have nothing done while the player is in jail")
        return
    if r["at_start"]:
        raise ValueError(f"turn_state: at_start must be false during {cause}")
    if cause in (*CARDS, "visit", "steal") and not r["acted"]:
        raise ValueError(f"turn_state: acted must be true during {cause}")
    if cause == "visit" and not r["visited"]:
        raise ValueError("turn_state: visited_black_market must be true during a visit")
    if cause in CARDS and not given.components.card_copies(cause):
        raise ValueError(f"pending: the component set has no {cause}")
    if cause == "steal" and (not given.rules.guard or r["wanted"][p]):
        raise ValueError("pending: steal requires rules with a guard and a player who is not wanted")
    if cause == "bully" and r["worker"][p]:
        raise ValueError("workers: must not have the own worker on a market while the bully serves")
    if cause in _APPRENTICE_OF:
        if r["apprentice"][_APPRENTICE_OF[cause]] != p:
            raise ValueError(f"apprentices: the {cause} must be with the player to move")
        if cause == "stand-in" and r["stand_in"][p]:
            raise ValueError("figures: stand-in: must not be on a market yet")


def _fee(r: Any) -> int:
    """Gems of the pending fee."""
    cause = CAUSES[r["cause"]]
    return int(r["fee"][CARDS.index(cause)]) if cause in CARDS else int(r["jail_gems"]) if cause == "jail" else 1


def paid_so_far(r: Any) -> int:
    """Gems already paid of the pending fee."""
    return _fee(r) - int(r["left"]) if KINDS[r["pending"]] == "pay" else 0


def _read_payment(asked: Pending, r: Any, p: int, kind: str, cause: str) -> None:
    pile = sum(unpack_tokens(r["pile"])[gem] for gem in GEMS)
    own = sum(unpack_tokens(r["tokens"][p])[gem] for gem in GEMS)
    if kind == "take":
        left = whole("pending: left", asked.left, 1, int(r["steal_gems"]) if cause == "steal" else int(LEVIED))
        if left > pile:
            raise ValueError(f"pile: must hold at least {left} gems, which are to be taken, not {pile}")
    else:
        fee = _fee(r)
        if not fee:
            raise ValueError(f"pending: {cause} costs nothing")
        left = whole("pending: left", asked.left, 1, fee)
        if left > own:
            raise ValueError(f"tokens: player_{p} must have at least {left} gems, which are to be paid, not {own}")
        if cause == "levy" and (pile + left < LEVIED or r["wanted"][p]):
            raise ValueError("pending: levy requires two gems in the pile and a player who is not wanted")
    r["left"] = left


def _read_visit(asked: Pending, r: Any, p: int, kind: str) -> list[str]:
    offer, held = int(r["offer"]), sum(unpack_pieces(r["hand"][p], CARDS).values())
    if kind == "enter":
        there = int(r["deck_size"][CARD_DECK]) + int(r["discard_size"][CARD_DECK])
        if not there:
            raise ValueError("pending: ENTER requires cards in the deck or discard pile")
        r["left"] = whole("pending: entries", asked.entries, 1, min(offer, there))
        return []
    shown = asked.cards
    refuse_hidden("pending: cards", shown)
    if not 1 <= len(shown) <= offer:
        raise ValueError(f"pending: cards: must be 1 to {offer}, not {len(shown)}")
    r["shown"][: len(shown)] = [CARDS.index(card) for card in shown]
    r["shown_size"] = len(shown)
    r["left"] = whole("pending: entries", asked.entries, 1, len(shown))
    if r["known_size"]:
        raise ValueError("known_cards: must be empty while cards are looked at")
    if (kind == "drop") != (held >= r["hand_limit"]):
        raise ValueError(f"pending: a player with {held} cards can't be asked for {kind}")
    return shown


def _read_lists(given: Given, asked: Pending, r: Any, p: int, cause: str) -> list[int]:
    most = int(r["lists_after_building"]) if cause == "build" else int(PLANNED)
    high = len(given.components.lists) - 1
    refuse_hidden("pending: lists", asked.lists)
    drawn = [whole("pending: lists", number, 0, high) for number in asked.lists]
    if not 1 <= len(drawn) <= most:
        raise ValueError(f"pending: lists: must be 1 to {most}, not {len(drawn)}")
    if (r["building_list"][p] == NO_LIST) != (cause == "build"):
        raise ValueError(
            f"lists: player_{p} must have {'no list' if cause == 'build' else 'a list'} when choosing a list for {cause}"
        )
    r["drawn"][: len(drawn)] = drawn
    r["drawn_size"] = len(drawn)
    return drawn


def _read_pieces(given: Given, asked: Pending, r: Any, owner: int) -> list[str]:
    """The pieces still to be returned, which their owner must have."""
    pieces = asked.pieces
    given.check_materials("pending: pieces", pieces)
    owned = unpack_pieces(r["materials"][owner], given.materials)
    if not pieces or any(pieces.count(name) > owned[name] for name in pieces):
        raise ValueError(f"pending: pieces: must be one or more pieces that seat {owner} has")
    r["to_return"] = pack_pieces(pieces.count(name) for name in given.materials)
    return pieces


def _read_building(given: Given, asked: Pending, r: Any, p: int) -> None:
    _read_pieces(given, asked, r, p)
    if r["building_list"][p] == NO_LIST:
        raise ValueError(f"lists: player_{p} must have one to build")


def _read_sabotage(given: Given, asked: Pending, r: Any, p: int, kind: str) -> None:
    victim = whole("pending: target", asked.target, 0, given.seats - 1)
    if victim == p:
        raise ValueError("pending: target: must be another seat")
    r["victim"] = victim
    if kind == "return" and len(_read_pieces(given, asked, r, victim)) != 1:
        raise ValueError("pending: pieces: must be one piece for sabotage")
