"""``greedy``: a sensible player that looks no further than its own turn.

In Torres it looks one action ahead (and at a card's follow-up) and takes what promises most points. In the market game
it makes the purchases that gain most for the gems that they cost.
"""

from __future__ import annotations

from agents.native import GREEDY, NativePlayer
from tower_core.game import Game

# Weights of the evaluation, in the order that the compiled function reads them (agents/torres/native.py,
# agents/market/plan.py).
WEIGHTS: dict[str, tuple[float, ...]] = {
    "torres": (0.5, 0.25, 1.5, 1.5),
    # In worth of gems (of the default set: 2, 3 and 6); found by playing against variants of itself.
    "market": (
        0.18,  # a piece: more for each worth of gems in hand
        2.0,  # a piece: more if it is the last on a circle, half of it if there are two, …
        10.0,  # a piece of a material that no circle holds
        1.0,  # to be able to build in this turn
        1.5,  # a token for who waits, against one of the bag
        4.0,  # a pass
        6.0,  # highest price of an entry to the black market
        9.0,  # to be wanted, against it
        3.0,  # an apprentice must gain
        2.0,  # smuggler and levy must gain
        10.0,  # permit: its piece must be worth
        6.0,  # permit: more if the list is satisfied then
        4.0,  # bribe must gain
        20.0,  # architect: what the own list still costs
        # which cards to keep: smuggler, levy, pickpocket, sabotage, permit, bribe, architect, curfew
        6.0, 8.0, 9.0, 6.5, 5.5, 2.0, 4.0, 3.0,
    ),
}  # fmt: skip


def make_greedy(game: Game, seed: int = 0) -> NativePlayer:
    """A sensible player of a game."""
    return NativePlayer("greedy", game, seed, GREEDY, WEIGHTS[game.name])
