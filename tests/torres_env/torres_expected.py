"""What a seat should see, block by block, from ``position(seat)`` in plain Python (the wording of observation.py)."""

from __future__ import annotations

from typing import Any

from reference.torres_board import build_cells, castle_by_cell, cell_of, doors_targets, founding_cells, step_targets
from reference.torres_scoring import castle_points, king_points

from torres_env.rules import CARDS, DEFAULT_STACKS, MASTER_CARDS

SEATS = 4


def expected_observation(
    position: dict[str, Any], seat: int
) -> tuple[dict[str, list[list[int]]], dict[str, list[int]]]:
    """Planes (each a list of 64) and globals by block name, as *seat* should see a position that *seat* may know."""
    return _planes(position, seat), _globals(position, seat)


def around_the_table(position: dict[str, Any], seat: int) -> list[int]:
    """Seats in turn order from the observer."""
    n = position["num_players"]
    return [(seat + j) % n for j in range(n)]


def plane(cells: Any) -> list[int]:
    return [int(cell in cells) for cell in range(64)]


def _planes(position: dict[str, Any], seat: int) -> dict[str, list[list[int]]]:
    height = position["height"]
    castle = castle_by_cell(height)
    area = [len(castle.get(cell, ())) for cell in range(64)]
    king = None if position["king"] is None else cell_of(position["king"])
    knights = [{cell_of(name) for name in names} for names in position["knights"]]
    own = [cell_of(name) for name in position["knights"][seat]]
    occupied = set().union(*knights, () if king is None else {king})
    reach: set[int] = set()
    for knight in own:
        reach |= step_targets(height, occupied, knight)
        reach |= doors_targets(height, occupied, knight, position["rules"]["doors"])
    taken = (position["pending"] or {}).get("taken")
    others = [plane(knights[p]) for p in around_the_table(position, seat)]
    return {
        "height": [height],
        "area": [area],
        "worth": [[min(255, h * a) for h, a in zip(height, area, strict=True)]],
        "king": [plane(() if king is None else {king})],
        "king_castle": [plane(() if king is None else castle[king])],
        "knights": others + [[0] * 64] * (SEATS - len(others)),
        "own_knight": [plane({knight}) for knight in own] + [[0] * 64] * (6 - len(own)),
        "block_targets": [plane(build_cells(height, set()))],
        "own_reach": [plane(reach)],
        "taken": [plane(() if taken is None else {cell_of(taken)})],
    }


def one_hot(size: int, index: int | None) -> list[int]:
    return [int(i == index) for i in range(size)]


def cards(names: Any) -> list[int]:
    return [int(card in names) for card in CARDS]


def _globals(position: dict[str, Any], seat: int) -> dict[str, list[int]]:
    n, rules, mover = position["num_players"], position["rules"], position["to_move"]
    table = around_the_table(position, seat)
    pending = position["pending"] or {}
    hand, discards = position["hands"][seat], position["discards"]
    looked = pending.get("cards", []) if mover == seat else []
    in_deck = set(rules["card_list"]) - set(hand) - set(discards[seat]) - set(looked)
    none = [0] * len(CARDS)
    open_hands = [cards(position["hands"][p]) if rules["hands_open"] else none for p in table[1:]]
    deck = position["decks"][seat]
    scores = position["scores"]
    phase = position["phase"]
    stacks = position["stacks"] or [[]] * n

    def seats(values: list[int]) -> list[int]:
        return [values[p] for p in table] + [0] * (SEATS - n)

    return {
        "num_players": one_hot(3, n - 2),
        "seat": one_hot(4, seat),
        "phase": one_hot(4, phase),
        "to_move": one_hot(4, None if mover is None else table.index(mover)),
        "start_player": one_hot(4, table.index(position["start_player"]) if phase else None),
        "card_played": [int(position["card_played"])],
        "pending": one_hot(5 + len(CARDS), _waiting_for(position)),
        "master_card": one_hot(
            8, None if position["master_card"] is None else MASTER_CARDS.index(position["master_card"])
        ),
        "hand": cards(hand),
        "bought": cards(position["bought"]) if mover == seat else none,
        "deck": cards(in_deck),
        "open_hands": [bit for held in open_hands for bit in held] + none * (4 - n),
        "discards": [bit for p in table for bit in cards(discards[p])] + none * (4 - n),
        "rounds_left": [len((rules["stacks"] or DEFAULT_STACKS[n])[phase - 1]) - position["round"] if phase else 0],
        "ap": [position["ap"]],
        "turn_stack": [position["turn_stack"]],
        "supply": [position["supply"]],
        "buys": [position["buys"]],
        "looked": [looked.index(card) + 1 if card in looked else 0 for card in CARDS],
        "deck_place": [deck.index(card) + 1 if card in deck else 0 for card in CARDS],
        "score": seats([min(255, score // 4) for score in scores]),
        "score_rest": seats([score % 4 for score in scores]),
        "lead": seats([max(0, min(255, 128 + scores[seat] - score)) for score in scores]),
        "coming": seats([_coming(position, p) for p in range(n)]),
        "knights_left": seats([rules["knights_per_player"] - len(names) for names in position["knights"]]),
        "hand_size": seats([len(held) for held in position["hands"]]),
        "deck_size": seats([len(pile) for pile in position["decks"]]),
        "blocks_left": seats([sum(heights) for heights in stacks]),
        "stack": seats([max(heights, default=0) for heights in stacks]),
    }


def _waiting_for(position: dict[str, Any]) -> int:
    pending = position["pending"]
    if pending is not None:
        return {"king": 3, "pick": 4}.get(pending["kind"]) or 5 + CARDS.index(pending["kind"])
    if position["phase"] > 0:
        return 0
    height, rules = position["height"], position["rules"]
    by_players = rules["castle_setup"] == "players" and not any(position["knights"])
    return 1 if by_players and sum(height) < len(rules["starting_cells"]) and founding_cells(height) else 2


def _coming(position: dict[str, Any], seat: int) -> int:
    if position["to_move"] is None or position["phase"] == 0:
        return 0
    height, rules = position["height"], position["rules"]
    own = [cell_of(name) for name in position["knights"][seat]]
    points = castle_points(height, own, rules["castle_scoring"])
    points += king_points(height, own, cell_of(position["king"]), position["phase"], rules["king_bonus"])
    return min(255, points)
