"""Tables, presets and the random stream of the naive Torres (torres.md 2, 6, 7, 8; interfaces.md 2)."""

from __future__ import annotations

BLOCKS = 92
PHASES = 3

# torres.md 6 and 8: the order of these tables is the order before a shuffle or a draw, and the order of hands.
CARDS = ("ap6", "ap7", "jump", "diagonal", "door", "under", "extra", "relocate", "recruit", "encore")
MASTER_CARDS = ("border", "diagonals", "spread", "cluster", "stairs", "line", "square", "plateau")

# torres.md 2: heights of the stacks that each player gets, by number of players and phase.
STACKS: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((3, 3, 3, 3), (3, 3, 3, 3), (3, 3, 3, 3)),
    3: ((3, 3, 2, 2), (3, 3, 2), (3, 3, 2)),
    4: ((2, 2, 2, 2), (2, 2, 2), (2, 2, 2)),
}

_STANDARD: dict[str, object] = {
    "doors": "connected",
    "entry_level": None,
    "draw_choice": 3,
    "end_when_spent": False,
    "buys_per_turn": 2,
    "hands_open": False,
    "start_hand": "none",
    "castle_scoring": "highest",
    "king_bonus": "phase_level",
    "unspent_ap_scores": 1,
    "unique_scores": True,
    "king_setup": "last_player",
    "start_player": "fixed",
    "scoring_order": "steps",
    "castle_setup": "printed",
    "master_card": False,
    "stacks": None,
    "max_stack": 3,
    "action_points": 5,
    "knights_per_player": 6,
    "starting_cells": ("d1", "c3", "f3", "h4", "a5", "c6", "f6", "e8"),
    "card_list": CARDS,
}
_DIGEST: dict[str, object] = _STANDARD | {
    "entry_level": 1,
    "draw_choice": 1,
    "end_when_spent": True,
    "buys_per_turn": None,
    "castle_scoring": "every",
    "king_bonus": "king_level",
    "unspent_ap_scores": 0,
    "unique_scores": False,
    "king_setup": "random",
}

# torres.md 7.
PRESETS: dict[str, dict[str, object]] = {
    "standard": dict(_STANDARD),
    "classic": _STANDARD | {"doors": "straight", "draw_choice": 1},
    "digest": dict(_DIGEST),
    "digest_master": _DIGEST | {"hands_open": True, "start_hand": "all", "king_setup": "last_player"},
    # draw_choice and buys_per_turn say nothing here (nobody buys); they keep the values of standard.
    "master": _STANDARD
    | {
        "hands_open": True,
        "start_hand": "all",
        "start_player": "leader",
        "castle_setup": "players",
        "master_card": True,
    },
}


class SplitMix64:
    """The random stream of one game (interfaces.md 2)."""

    MASK = (1 << 64) - 1

    def __init__(self, seed: int) -> None:
        self.s = seed % (1 << 64)

    def next(self) -> int:
        self.s = (self.s + 0x9E3779B97F4A7C15) & self.MASK
        z = self.s
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        return ((self.next() >> 32) * n) >> 32

    def shuffle(self, items: list) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
