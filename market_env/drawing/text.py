"""A position as text: a table for terminals, and the captions of every drawing."""

from __future__ import annotations

from typing import Any

from market_env.actions import CIRCLE_LETTERS
from market_env.components import CIRCLES, GEMS, TOKENS, Components
from market_env.rules import resolve
from tower_core.position import HIDDEN


def headline(position: dict[str, Any], components: Components) -> str:
    """The round and the pending decision, or the result."""
    if position["to_move"] is None:
        return _end(position, components)
    pending = position["pending"]
    waits = ""
    if pending:
        left = f" ({pending['left']} to go)" if pending.get("left", 1) > 1 else ""
        waits = f", {pending['kind'].upper()} for {pending['for']}{left}"
    return f"Round {position['turn']}: player_{position['to_move']} to move{waits}"


def _end(position: dict[str, Any], components: Components) -> str:
    towers, players = position["towers"], position["num_players"]
    won = [seat for seat in range(players) if towers[seat] >= components.rule("towers_to_win")]
    if won:
        return f"Game over: player_{won[0]} wins"
    if players == 1 and towers[1] >= position["rules"]["solo_npc_towers"]:
        return "Game over: the NPC was faster"
    return "Game over: the limit of turns is reached"


def seat_name(position: dict[str, Any], seat: int) -> str:
    """Name of a player, or of the NPC."""
    return f"player_{seat}" if seat < position["num_players"] else "npc"


def price(amounts: tuple[int, ...]) -> str:
    """A price in short notation: ``2g 1r``."""
    return " ".join(f"{number}{gem[0]}" for gem, number in zip(GEMS, amounts, strict=True) if number) or "free"


def _tokens(amounts: dict[str, int]) -> str:
    return " ".join(f"{amounts[kind]} {kind}" for kind in TOKENS)


def pieces(amounts: dict[str, int]) -> str:
    """Counts of materials as text."""
    return ", ".join(f"{number} {material}" for material, number in amounts.items() if number) or "-"


def list_text(number: Any, components: Components) -> str:
    """The pieces that a list asks for."""
    if number is None or number == HIDDEN:
        return "-" if number is None else HIDDEN
    return pieces(dict(zip(components.materials, components.lists[number], strict=True)))


def figures_on(position: dict[str, Any], market: int) -> list[tuple[str, int | None]]:
    """Kind and seat of the figures on a market (counted from 1); the guard has no seat."""
    figures = position["figures"]
    found: list[tuple[str, int | None]] = []
    for seat, worker in enumerate(position["workers"]):
        if worker == market:
            found.append(("worker" if seat < position["num_players"] else "NPC", seat))
        found += [(kind, seat) for kind in ("stand-in", "runner") if figures[kind][seat] == market]
        if market in figures["curfew"][seat]:
            found.append(("curfew", seat))
    if position["guard"] == market:
        found.append(("guard", None))
    return found


def _standing(position: dict[str, Any], market: int) -> str:
    """The figures on a market in words, after an arrow; "" without any."""
    names = []
    for kind, seat in figures_on(position, market):
        name = "royal guard" if seat is None else seat_name(position, seat)
        names.append(f"{kind} of {name}" if kind in ("stand-in", "runner", "curfew") else name)
    return f" <- {', '.join(names)}" if names else ""


def remarks(position: dict[str, Any], seat: int) -> list[str]:
    """A seat's conditions (wanted, jailed) and its apprentice."""
    notes = [word for word in ("wanted", "jailed") if position[word][seat]]
    hired = position["apprentices"]
    return notes + [f"with the {name}" for name, holder in hired["with"].items() if holder == seat]


def deck_lines(position: dict[str, Any], components: Components) -> list[tuple[str, int]]:
    """Decks, and cards and lists being looked at: lines, each with the number of the list to choose, or 0."""
    pending = position["pending"] or {}
    lines = [
        (f"lists: {len(position['list_deck'])} in the deck, {len(position['list_discard'])} discarded", 0),
        (
            f"cards: {len(position['card_deck'])} in the deck, discarded: {', '.join(position['card_discard']) or '-'}",
            0,
        ),
    ]
    if "cards" in pending:
        lines.append((f"looked at: {', '.join(pending['cards'])}", 0))
    for i, number in enumerate(pending.get("lists", []), start=1):
        lines.append((f"LIST {i}: {list_text(number, components)}", i))
    if "pieces" in pending:
        lines.append((f"to return: {', '.join(pending['pieces'])}", 0))
    return lines


def brief(position: dict[str, Any]) -> str:
    """The same in few characters, without columns."""
    components = resolve(position["rules"]).components
    lines = [
        headline(position, components),
        f"{'|'.join(CIRCLE_LETTERS)} (material if any, price; g green, b blue, r red, p pass)",
    ]
    for m, row in enumerate(position["circles"]):
        printed = components.markets[m].circles
        cells = [f"{row[k] or ''} {price(printed[k].price).replace(' ', '')}".strip() for k in range(CIRCLES)]
        lines.append(f"{m + 1} {'|'.join(cells)}{_standing(position, m + 1)}")
    for seat in range(len(position["lists"])):
        facts = [f"{position['towers'][seat]} towers", *remarks(position, seat)]
        if seat < position["num_players"]:
            facts += [f"tokens {_few(position['tokens'][seat])}", f"hand {', '.join(position['hands'][seat]) or '-'}"]
        facts.append(f"has {pieces(position['materials'][seat])}")
        facts.append(f"list {list_text(position['lists'][seat], components)}")
        lines.append(f"{seat_name(position, seat)}: {'; '.join(facts)}")
    decks = [line for line, _ in deck_lines(position, components)]
    return "\n".join([*lines, f"pile {_few(position['pile'])}, bag {_few(position['bag'])}", *decks])


def _few(amounts: dict[str, int]) -> str:
    return " ".join(f"{amounts[kind]}{kind[0]}" for kind in TOKENS if amounts[kind]) or "-"


def text(position: dict[str, Any]) -> str:
    """A board for a terminal: each market's circles with material and price, then seats and table."""
    components = resolve(position["rules"]).components
    width = max(len(name) for name in components.materials) + 9
    lines = [
        headline(position, components),
        "",
        ("    " + "".join(letter.ljust(width) for letter in CIRCLE_LETTERS)).rstrip(),
    ]
    for m, row in enumerate(position["circles"]):
        printed = components.markets[m].circles
        cells = [f"{row[k] or '.'} {price(printed[k].price)}".ljust(width) for k in range(CIRCLES)]
        lines.append(f" {m + 1}  {''.join(cells)}{_standing(position, m + 1)[1:]}".rstrip())
    lines.append("")
    for seat in range(len(position["lists"])):
        marker = ">" if seat == position["to_move"] else " "
        notes = [f"{position['towers'][seat]} towers", *remarks(position, seat)]
        lines.append(f"{marker} {seat_name(position, seat)}: {', '.join(notes)}")
        if seat < position["num_players"]:
            hand = ", ".join(position["hands"][seat]) or "-"
            lines.append(f"    tokens {_tokens(position['tokens'][seat])}; hand: {hand}")
        lines.append(
            f"    has {pieces(position['materials'][seat])}; list: {list_text(position['lists'][seat], components)}"
        )
    lines += ["", f"pile: {_tokens(position['pile'])}", f"bag: {_tokens(position['bag'])}"]
    return "\n".join([*lines, *(line for line, _ in deck_lines(position, components))])
