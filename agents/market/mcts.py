"""``mcts`` on the market game: its plug for the tree search."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.market.planner import JUDGE, MOST_TURNS, PROPOSE, all_weights, compile_planner
from agents.market.turns import MAX_LINES, MAX_WIDTH
from agents.search.mcts import make_search
from agents.search.player import Plug, SearchPlayer
from tower_core.game import Game
from tower_core.options import check_whole

ROOT_SAMPLES = 16  # resampled games in which every line of the root is played before the search
# Chance matters much: the search needs many worlds and playouts. With a smaller weight of exploration it keeps to a line that
# was lucky in the first playouts.
SETTINGS: dict[str, Any] = {"sims": 20_000, "worlds": 4000, "explore": 25.0}
EVALUATED: dict[str, Any] = {}  # with a network


def make_plug(
    game: Game, root: int = 24, branch: int = 4, root_width: int = 24, width: int = 0, turns: int = 8
) -> Plug:
    """*root*, *branch*: candidate turns at the root and below; *root_width*, *width*: beam widths of their searches
    (*width* 0: below the root, all seats play as greedy does); *turns*: turns that greedy plays before a position is
    evaluated. ValueError names a wrong option."""
    for name, value, most, least in (
        ("root", root, MAX_LINES, 1),
        ("branch", branch, MAX_LINES, 1),
        ("root_width", root_width, MAX_WIDTH, 1),
        ("width", width, MAX_WIDTH, 0),
        ("turns", turns, MOST_TURNS, 0),
    ):
        check_whole(f"mcts: {name}", value, least, most)
    function = compile_planner()[1]

    def options(kind: int, lines: int, beam: int, samples: int, ahead: int) -> NDArray[np.float64]:
        values = np.array([kind, beam, lines, samples, ahead, *all_weights(), 0.0])
        values.view(np.int64)[-1] = game.address
        return values

    below = options(PROPOSE, branch, width, 0, 0)
    return Plug(
        candidates=function,
        evaluate=function,
        wide=options(PROPOSE, root, root_width, ROOT_SAMPLES, 1),
        narrow=below,
        cheap=below,
        values=options(JUDGE, 1, 1, 0, turns),
        turn_of=game.turn_of,
        prepare=lambda record, seed: None,  # all chance is in the resampled worlds
        paired=True,
        unit="% to win",
    )


def make_mcts(game: Game, seed: int = 0, cpu: float | None = None, **options: Any) -> SearchPlayer:
    """Tree search over whole turns. *cpu*: seconds of CPU time per turn; others: agents.search.mcts and :func:`make_plug`."""
    return make_search(make_mcts, game, seed, {"cpu": cpu, **options}, make_plug, SETTINGS, EVALUATED)
