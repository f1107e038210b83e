"""A small builder of Torres positions for the rule tests, which take the naive reference through every position too.

A board is either eight lines of eight characters (rank 8 on top, a1 at the bottom left, "." or a
digit for the height), or, for sparse boards, a list such as "c3:1 d3:2".
"""

from __future__ import annotations

import dataclasses

from reference.torres import NaiveTorres
from reference.torres_rules import SplitMix64
from torres_compare import compare, fields_of

from torres_env import TorresRules, TorresState

CARDS = ("ap6", "ap7", "jump", "diagonal", "door", "under", "extra", "relocate", "recruit", "encore")
MASTER_CARDS = ("border", "diagonals", "spread", "cluster", "stairs", "line", "square", "plateau")
START = ("d1", "c3", "f3", "h4", "a5", "c6", "f6", "e8")
CELLS = tuple(column + row for row in "12345678" for column in "abcdefgh")  # by cell index
STACKS = {
    2: ((3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3)),
    3: ((3, 3, 2, 2), (3, 3, 2), (3, 3, 2)),
    4: ((2, 2, 2, 2), (2, 2, 2), (2, 2, 2)),
}
SUPPLY = {2: 12, 3: 6, 4: 4}
NO_AP_POINTS = TorresRules(unspent_ap_scores=0)


def shuffled(stream: SplitMix64, items) -> list:
    items = list(items)
    stream.shuffle(items)
    return items


def cell(name: str) -> int:
    """Index of a cell: y*8 + x."""
    return (int(name[1]) - 1) * 8 + "abcdefgh".index(name[0])


def heights(board: str) -> list[int]:
    """The 64 heights of a board in either of the two notations."""
    result = [0] * 64
    if ":" in board:
        for part in board.split():
            name, height = part.split(":")
            result[cell(name)] = int(height)
        return result
    lines = ["".join(line.split()) for line in board.splitlines() if line.strip()]
    assert len(lines) == 8 and all(len(line) == 8 for line in lines), lines
    for row, line in enumerate(reversed(lines)):
        for column, char in enumerate(line):
            result[row * 8 + column] = 0 if char == "." else int(char)
    return result


def castles(*names: str) -> str:
    """Board of single blocks on the named cells."""
    return " ".join(f"{name}:1" for name in names)


def rules_value(rules):
    """A preset name stays; a TorresRules becomes a JSON-able dict of all its fields."""
    if isinstance(rules, str):
        return rules

    def plain(value):
        return [plain(v) for v in value] if isinstance(value, (tuple, list)) else value

    return {name: plain(value) for name, value in dataclasses.asdict(rules).items()}


def pos(board, *knights, king, to_move=0, rules="standard", phase=1, round=2, start_player=0, **more):
    """Position dict; every seat's knights are one string ("c3 d4"). `more` replaces any other key.

    The stacks are those of a game in which every seat used its tallest stack each round.
    """
    n = len(knights)
    order = [(start_player + k) % n for k in range(n)]
    configured = None if isinstance(rules, str) else rules.stacks
    table = sorted((configured or STACKS[n])[phase - 1], reverse=True)
    waiting = order[order.index(to_move) + 1 :]
    stacks = [list(table[round - 1 if seat in waiting else round :]) for seat in range(n)]
    position = {
        "num_players": n,
        "rules": rules_value(rules),
        "height": heights(board),
        "knights": [names.split() for names in knights],
        "king": king,
        "to_move": to_move,
        "start_player": start_player,
        "phase": phase,
        "round": round,
        "ap": 5,
        "stacks": stacks,
        "turn_stack": table[round - 1],
        "supply": SUPPLY[n],
        "hands": [[] for _ in range(n)],
        "decks": [[] for _ in range(n)],
        "discards": [[] for _ in range(n)],
        "scores": [0] * n,
        "master_card": None,
        "pending": None,
        "buys": 0,
        "card_played": False,
        "bought": [],
        "rng": 1,
    }
    position.update(more)
    return position


def at(board, *knights, king, **more) -> TorresState:
    """The state of `pos(...)`."""
    return TorresState.from_position(pos(board, *knights, king=king, **more))


def last_turn(board, *knights, king, phase=1, rules=NO_AP_POINTS, start_player=0, **more) -> TorresState:
    """The last turn of a phase: the last seat in turn order has only to say END (or may still act)."""
    n = len(knights)
    configured = None if isinstance(rules, str) else rules.stacks
    more.setdefault("turn_stack", 0)
    return at(
        board,
        *knights,
        king=king,
        phase=phase,
        round=len((configured or STACKS[n])[phase - 1]),
        rules=rules,
        start_player=start_player,
        to_move=(start_player - 1) % n,
        **more,
    )


def scored(board, *knights, king, **more) -> TorresState:
    """The state right after the scoring that ends the phase (last_turn and END)."""
    return play(last_turn(board, *knights, king=king, **more), "END")


def new_game(num_players=2, rules="standard", seed=7) -> TorresState:
    """A game whose setup is done: knights, then the king, on the first free cells (d1, c3, f3, h4, a5)."""
    state = TorresState(num_players=num_players, rules=rules, seed=seed)
    free = list(START) if isinstance(rules, str) else list(rules.starting_cells)
    while state.position()["phase"] == 0:
        texts = legal(state)
        play(state, next(a for a in (f"{k} {c}" for k in "NK" for c in free) if a in texts))
    return state


def reference(state) -> NaiveTorres:
    """The naive game in the position of a state."""
    return NaiveTorres.from_position(fields_of(state.rules), state.position())


def legal(state) -> set[str]:
    """All legal actions as text; the reference has the same."""
    return set(compare(state, reference(state)))


def only(state, letter: str) -> set[str]:
    """What follows `letter` in the legal actions of that kind: only(s, "B") -> {"b3", ...}."""
    return {text.split(" ", 1)[1] for text in legal(state) if text.startswith(letter + " ")}


def moves(state, start: str) -> set[str]:
    """Targets of the knight on `start`."""
    return {text.split()[1] for text in only(state, "M") if text.split()[0] == start}


def play(state, *texts: str):
    """Apply actions given as text, one after the other, also in the reference; returns the state itself."""
    naive = reference(state)
    for text in texts:
        compare(state, naive)
        state.apply_action(state.string_to_action(text))
        naive.apply(text)
    compare(state, naive)
    return state


def points(state) -> list[int]:
    """Scores as plain ints."""
    return [int(x) for x in state.scores()]


def groups(state) -> list[list[int]]:
    """The ranking as plain lists (seats of a group sorted)."""
    return [sorted(int(x) for x in group) for group in state.ranking()]


def height(state, name: str) -> int:
    return int(state.position()["height"][cell(name)])


def words(text: str) -> set[str]:
    return set(text.split())
