"""``mcts`` on Torres: its plug for the tree search."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.mcts import make_search
from agents.search.player import Plug, SearchPlayer
from agents.search.tree import MAX_TURNS
from agents.torres.options import EVALUATE, MAX_WIDTH, MOST_NUMBER, PROPOSE, SEED, by_rules, make_options
from agents.torres.thinking import compile_thinking
from tower_core.game import Game
from tower_core.options import check_number, check_whole

SETTINGS: dict[str, Any] = {"sims": 500, "playout": 3, "scale": 25.0}
EVALUATED: dict[str, Any] = {"playout": 0}  # with a network
# Defaults for games with action cards, and without: there a few well searched turns are better than many poorly searched ones.
RIVALS, WIDTHS, CHEAP = (0.6, 1.0), (8, 24), (2, 8)


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
    """*root*, *branch*: candidate turns at the root and below; *root_width*, *width*, *cheap*: beam widths at the root,
    below it and in playouts; *rival*, *noise*: as for the planner. None: the default for the rules (WIDTHS, CHEAP, RIVALS).
    """
    widths, cheaps, rivals = by_rules(width, WIDTHS), by_rules(cheap, CHEAP), by_rules(rival, RIVALS)
    for name, value, most in (
        ("root", root, MAX_TURNS),
        ("branch", branch, MAX_TURNS),
        ("root_width", root_width, MAX_WIDTH),
        ("width", widths[0], MAX_WIDTH),
        ("cheap", cheaps[0], MAX_WIDTH),
    ):
        check_whole(f"mcts: {name}", value, 1, most)
    check_number("mcts: rival", rivals[0], 0, MOST_NUMBER)
    check_number("mcts: noise", noise, 0, MOST_NUMBER)
    address = compile_thinking()[1]
    arrays = [
        make_options(game, PROPOSE, root, (root_width, root_width), rivals, noise, 1.0, weights),
        make_options(game, PROPOSE, branch, widths, rivals, 0.0, 1.0, weights),
        make_options(game, PROPOSE, 1, cheaps, rivals, 0.0, 1.0, weights),
        make_options(game, EVALUATE, 1, (1, 1), rivals, 0.0, 1.0, weights),
    ]

    def prepare(record: NDArray[Any], seed: int) -> None:
        for array in arrays:
            array.view(np.uint64)[SEED] = np.uint64(seed)

    wide, narrow, quick, values = arrays
    return Plug(address, address, wide, narrow, quick, values, game.turn_of, prepare, unit="points")


def make_mcts(game: Game, seed: int = 0, cpu: float | None = None, **options: Any) -> SearchPlayer:
    """Tree search over whole turns. *cpu*: seconds of CPU time per turn; others: agents.search.mcts and :func:`make_plug`."""
    return make_search(make_mcts, game, seed, {"cpu": cpu, **options}, make_plug, SETTINGS, EVALUATED)
