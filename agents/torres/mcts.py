"""``mcts`` on Torres: what it brings to the tree search."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.player import Plug
from agents.search.tree import MAX_TURNS
from agents.torres.options import EVALUATE, MAX_WIDTH, PROPOSE, SEED, by_rules, make_options, number, whole
from agents.torres.thinking import compile_players
from tower_core.game import Game

SETTINGS: dict[str, Any] = {"sims": 500, "playout": 3, "scale": 25.0}
EVALUATED: dict[str, Any] = {"playout": 0}  # with a network
# What suits games with action cards, and games without. With cards a turn can spoil much, and who leaves that out of account
# loses; without them both gain more by building on than by guarding against each other, and a turn searched well is worth
# more than many searched in haste.
RIVALS, WIDTHS, CHEAP = (0.6, 0.2), (8, 24), (2, 8)
_TURN = ("phase", "round", "turn", "to_move")


def turn_of(record: NDArray[Any]) -> Hashable:
    """Phase, round, turn and seat to move."""
    return tuple(int(record[name][0]) for name in _TURN)


def make_plug(
    game: Game,
    root: int = 24,
    branch: int = 8,
    root_width: int = 48,
    width: int | None = None,
    cheap: int | None = None,
    rival: float | None = None,
    noise: float = 0.5,
    weights: Any = None,
) -> Plug:
    """*root*, *branch*: turns looked at in the position asked about and below; *root_width*, *width*, *cheap*: widths of the
    beams that find them, and of that of the playouts; *rival*, *noise* as for the planner. None: what suits the rules
    (WIDTHS, CHEAP, RIVALS)."""
    for name, value, most in (("root", root, MAX_TURNS), ("branch", branch, MAX_TURNS)):
        whole("mcts", name, value, most)
    widths, cheaps, rivals = by_rules(width, WIDTHS), by_rules(cheap, CHEAP), by_rules(rival, RIVALS)
    for name, value in (("root_width", root_width), ("width", widths[0]), ("cheap", cheaps[0])):
        whole("mcts", name, value, MAX_WIDTH)
    number("mcts", "rival", rivals[0])
    number("mcts", "noise", noise)
    address = compile_players()[1]
    arrays = [
        make_options(game, PROPOSE, root, (root_width, root_width), rivals, noise, weights),
        make_options(game, PROPOSE, branch, widths, rivals, 0.0, weights),
        make_options(game, PROPOSE, 1, cheaps, rivals, 0.0, weights),
        make_options(game, EVALUATE, 1, (1, 1), rivals, 0.0, weights),
    ]

    def reseed(seed: int) -> None:
        for array in arrays:
            array.view(np.uint64)[SEED] = np.uint64(seed)

    wide, narrow, quick, values = arrays
    return Plug(address, address, wide, narrow, quick, values, turn_of, reseed)
