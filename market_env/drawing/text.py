"""A position as text: a table for terminals, and the captions of every drawing."""

from __future__ import annotations

from typing import Any

from market_env.actions import CIRCLE_LETTERS
from market_env.components import CIRCLES, GEMS, TOKENS, Components
from market_env.position import HIDDEN
from market_env.rules import resolve


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


def standing(position: dict[str, Any], market: int) -> list[tuple[str, int | None]]:
    """Figures and markers on a market (counted from 1): words, and the owner's seat."""
    found: list[tuple[str, int | None]] = []
    figures = position["figures"]
    for seat, name in enumerate(seat_name(position, seat) for seat in range(len(position["workers"]))):
        if position["workers"][seat] == market:
            found.append((name, seat))
        found += [(f"{kind} of {name}", seat) for kind in ("stand-in", "runner") if figures[kind][seat] == market]
        if market in figures["curfew"][seat]:
            found.append((f"curfew of {name}", seat))
    if position["guard"] == market:
        found.append(("royal guard", None))
    return found


def remarks(position: dict[str, Any], seat: int) -> list[str]:
    """A seat's conditions (wanted, jailed) and its apprentice."""
    notes = [word for word in ("wanted", "jailed") if position[word][seat]]
    hired = position["apprentices"]
    return notes + [f"with the {name}" for name, holder in hired["with"].items() if holder == seat]


def _table_lines(position: dict[str, Any], components: Components) -> list[str]:
    """Pile, bag, decks and cards being looked at."""
    lines = [
        f"pile: {_tokens(position['pile'])}",
        f"bag: {_tokens(position['bag'])}",
        f"lists: {len(position['list_deck'])} in the deck, {len(position['list_discard'])} discarded",
        f"cards: {len(position['card_deck'])} in the deck, discarded: {', '.join(position['card_discard']) or '-'}",
    ]
    pending = position["pending"] or {}
    if "cards" in pending:
        lines.append(f"looked at: {', '.join(pending['cards'])}")
    for i, number in enumerate(pending.get("lists", []), start=1):
        lines.append(f"LIST {i}: {list_text(number, components)}")
    if "pieces" in pending:
        lines.append(f"to return: {', '.join(pending['pieces'])}")
    return lines


def brief_text(position: dict[str, Any]) -> str:
    """The same in few characters, without columns."""
    components = resolve(position["rules"]).components
    lines = [
        headline(position, components),
        f"{'|'.join(CIRCLE_LETTERS)} (material if any, price; g green, b blue, r red, p pass)",
    ]
    for m, row in enumerate(position["circles"]):
        printed = components.markets[m].circles
        cells = [f"{row[k] or ''} {price(printed[k].price).replace(' ', '')}".strip() for k in range(CIRCLES)]
        on = ", ".join(name for name, _ in standing(position, m + 1))
        lines.append(f"{m + 1} {'|'.join(cells)}{f' <- {on}' if on else ''}")
    for seat in range(len(position["lists"])):
        facts = [f"{position['towers'][seat]} towers", *remarks(position, seat)]
        if seat < position["num_players"]:
            facts += [f"tokens {_few(position['tokens'][seat])}", f"hand {', '.join(position['hands'][seat]) or '-'}"]
        facts.append(f"has {pieces(position['materials'][seat])}")
        facts.append(f"list {list_text(position['lists'][seat], components)}")
        lines.append(f"{seat_name(position, seat)}: {'; '.join(facts)}")
    table = _table_lines(position, components)[2:]
    return "\n".join([*lines, f"pile {_few(position['pile'])}, bag {_few(position['bag'])}", *table])


def _few(amounts: dict[str, int]) -> str:
    return " ".join(f"{amounts[kind]}{kind[0]}" for kind in TOKENS if amounts[kind]) or "-"


def draw_text(position: dict[str, Any]) -> str:
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
        on = ", ".join(name for name, _ in standing(position, m + 1))
        lines.append(f" {m + 1}  {''.join(cells)}{f'<- {on}' if on else ''}".rstrip())
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
    return "\n".join([*lines, "", *_table_lines(position, components)])
