"""Drawn positions near the end of a phase: tall and large castles, knights in patterns that play rarely comes to."""

from __future__ import annotations

import random

from reference.torres_board import CELLS, NEIGHBOURS, build_cells, castles, name

from torres_env import TorresRules, TorresState

PATTERNS = ("anywhere", "castles", "line", "square", "cluster", "level", "stairs", "shut in")
FOR_MASTER_CARD = {
    "spread": "castles", "line": "line", "square": "square", "cluster": "cluster", "stairs": "stairs", "plateau": "level",
}  # fmt: skip


def late_state(num_players: int, rules: TorresRules, chance: random.Random) -> TorresState:
    """A position in the last round of a phase; the seat to move and those after it still have their turns."""
    state = TorresState(num_players, rules, chance.getrandbits(32))
    position = state.position()
    table = rules.for_players(num_players)
    phase = chance.choice((1, 2, 3, 3))
    pattern = chance.choice(PATTERNS)
    meant = FOR_MASTER_CARD.get(position["master_card"]) if chance.random() < 0.8 else None
    if meant is not None:
        pattern, phase = meant, phase if meant == "castles" else 3
    shut_in, at_once = pattern == "shut in", meant is not None and chance.random() < 0.7
    mover = 0 if shut_in else num_players - 1 if at_once else chance.randrange(num_players)
    waiting = num_players - 1 - mover
    stacks = [[]] * (mover + 1) + [[0 if shut_in else chance.randint(0, rules.max_stack)] for _ in range(waiting)]
    turn_stack = chance.randint(0, rules.max_stack)
    bound = sum(map(sum, stacks)) + turn_stack + num_players * sum(sum(heights) for heights in table[phase:])
    height = _castles(chance, max(8, chance.randint(10, 92) - bound), shut_in)
    most = rules.knights_per_player if pattern != "castles" else min(rules.knights_per_player, 3 + phase)
    knights = _knights(chance, height, num_players, most, pattern)
    taken = {cell for own in knights for cell in own}
    free = [cell for cell in CELLS if height[cell] and cell not in taken]
    cards = [chance.sample(rules.card_list, len(rules.card_list)) for _ in range(num_players)]
    cuts = [sorted(chance.randint(0, len(own)) for _ in range(2)) for own in cards]
    if shut_in:
        cuts = [[0, 0]] * num_players  # everything played: nothing to buy
    if rules.start_hand == "all":
        cuts = [[cut, cut] for cut, _ in cuts]
    position |= {
        "height": height,
        "knights": [[name(cell) for cell in own] for own in knights],
        "king": name(chance.choice(free)) if free else None,
        "to_move": mover,
        "phase": phase,
        "round": len(table[phase - 1]),
        "ap": 0 if at_once else chance.randint(0 if mover else 1, rules.action_points),
        "stacks": stacks,
        "turn_stack": turn_stack,
        "supply": 92 - bound - sum(height),
        "hands": [own[:low] for own, (low, _) in zip(cards, cuts, strict=True)],
        "decks": [own[low:high] for own, (low, high) in zip(cards, cuts, strict=True)],
        "discards": [own[high:] for own, (_, high) in zip(cards, cuts, strict=True)],
        "scores": _scores(chance, num_players, rules.unique_scores),
        "pending": None,
        "start_player": 0,
        "unseen": [0] * num_players,
    }
    return TorresState.from_position(position)


def _castles(chance: random.Random, blocks: int, free_corner: bool) -> list[int]:
    """Castles grown from some founders by blocks placed as the rules allow, mostly as high as they can be."""
    height = [0] * 64
    corner = {0, *NEIGHBOURS[0]} if free_corner else set()
    for cell in chance.sample(CELLS, 64):
        if cell not in corner and not any(height[n] for n in NEIGHBOURS[cell]) and sum(height) < min(8, blocks):
            height[cell] = 1
    while sum(height) < blocks:
        cells = sorted(build_cells(height, corner))
        if not cells:
            break
        few = chance.sample(cells, min(3, len(cells)))
        height[max(few, key=lambda cell: height[cell])] += 1
    return height


def _knights(chance: random.Random, height: list[int], players: int, most: int, pattern: str) -> list[list[int]]:
    """Cells of every player's knights; the pattern is that of one of them."""
    row, level = chance.choice((0, 3, 7)), chance.choice((0, 0, 1, 2))
    wanted = {
        "anywhere": lambda: chance.sample(CELLS, most),
        "castles": lambda: [chance.choice(sorted(castle)) for castle in castles(height)][:most],
        "line": lambda: [8 * row + x for x in chance.sample(range(8), most)],
        "square": lambda: _square(chance),
        "cluster": lambda: _cluster(chance, most),
        "level": lambda: [c for c in CELLS if height[c] == level][:most],
        "stairs": lambda: list({height[c]: c for c in chance.sample(CELLS, 64)}.values())[:most],
        "shut in": lambda: [0],
    }
    one = 1 if pattern == "shut in" else chance.randrange(players)
    knights: list[list[int]] = [[] for _ in range(players)]
    knights[one] = wanted[pattern]()[:most]
    if pattern == "shut in":
        knights[0] = list(NEIGHBOURS[0])[:most]
    taken = {cell for own in knights for cell in own}
    spare = [cell for cell in chance.sample(CELLS, 64) if cell not in taken]
    for own in knights:
        while len(own) < (1 if own else chance.randint(1, most)):
            own.append(spare.pop())
    return knights


def _square(chance: random.Random) -> list[int]:
    side = chance.randint(1, 7)
    corner = chance.randrange(8 - side) + 8 * chance.randrange(8 - side)
    return [corner, corner + side, corner + 8 * side, corner + 9 * side]


def _cluster(chance: random.Random, most: int) -> list[int]:
    cells = [chance.randrange(64)]
    while len(cells) < most:
        cell = chance.choice(NEIGHBOURS[chance.choice(cells)])
        if cell not in cells:
            cells.append(cell)
    return cells


def _scores(chance: random.Random, players: int, unique: bool) -> list[int]:
    """Points, often close together; now and then markers share a number that play would keep apart."""
    if chance.random() < 0.3:
        scores = [chance.randint(20, 26) for _ in range(players)]
    else:
        scores = [chance.choice((0, chance.randint(1, 12), chance.randint(1, 200))) for _ in range(players)]
    apart = unique and chance.random() < 0.9
    while apart and len({score for score in scores if score}) < sum(score > 0 for score in scores):
        scores = [score + seat for seat, score in enumerate(scores)]
    return scores
