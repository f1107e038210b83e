"""OpenSpiel's MCTSBot plays one game against its UniformRandomBot: ``python examples/openspiel_bots.py torres 20``.

Needs OpenSpiel (``make test-openspiel`` makes an environment). MCTSBot knows no hidden information: it searches the state that
it is given. So each search gets a state whose hidden cards and future chance are redrawn.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts
from open_spiel.python.bots import uniform_random

import towers.openspiel  # noqa: F401 (registers the games)


def main(name: str = "torres", simulations: str = "20", seed: str = "1") -> float:
    game = pyspiel.load_game(f"towers_{name}(players=2,seed={seed})")
    random = np.random.RandomState(int(seed))
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=random)
    search = mcts.MCTSBot(game, uct_c=1.4, max_simulations=int(simulations), evaluator=evaluator, random_state=random)
    other = uniform_random.UniformRandomBot(1, random)
    state = game.new_initial_state()
    start, moves = time.perf_counter(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            action = state.chance_outcomes()[0][0]
        elif state.current_player() == 0:
            action = search.step(state.resample_from_infostate(0, random.uniform))
            moves += 1
        else:
            action = other.step(state)
        state.apply_action(action)
    seconds = time.perf_counter() - start
    print(state)
    print(f"MCTSBot {state.player_return(0):+.0f}, {moves} searches of {simulations} simulations, {seconds:.0f} s")
    return float(state.player_return(0))


if __name__ == "__main__":
    main(*sys.argv[1:])
