"""``mcts`` on the market game: legal, deterministic, within its budget, blind to hidden things."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "market_env"))

from market_compare import random_components, random_rules
from market_positions import Table, W
from player_moments import moments

import agents
from market_env import MarketState

QUICK = "mcts:sims=12,worlds=4,root=6,branch=2,root_width=3,width=2,turns=2"
PLAIN = "mcts:sims=12,worlds=4,root=6,root_width=3"


def make(spec=QUICK, seed=0):
    return agents.make(spec, game="market", seed=seed)


@pytest.mark.parametrize("seed", range(8))
def test_any_rules_and_component_sets(seed):
    """Among players that do anything, so that it is also asked what it would never have asked for."""
    chance = random.Random(seed)
    players, rules = random_rules(chance, random_components(chance) if seed % 2 else None)
    state, player = MarketState(players, rules, seed), make(seed=seed)
    for _ in range(150):
        if state.is_terminal():
            break
        action = player.act(state)
        assert state.legal_actions_mask()[action], state.action_to_string(action)
        if chance.random() < 0.5:
            action = chance.choice(state.legal_actions())
        state.apply_action(action)


def test_it_wins_where_it_can():
    table = Table(2).asks(0, **W).take(0, "1a", "1b", "3a", "3c").set(towers=[2, 0])
    state, player = table.tokens(0, green=3, blue=1).pile(red=1).state(), make("mcts:sims=100")
    while state.current_player() == 0:
        state.apply_action(player.act(state))
    assert state.scores() == [3, 0]


def test_it_keeps_the_next_player_from_winning():
    """With three players lists are open. The next lacks one glass, and glass lies at one market only."""
    table = Table(3).asks(0, wood=2, stone=1, iron=2).asks(1, **W).take(1, "1a", "1b", "3a", "3c")
    table.take(2, "4d", "4e", "5a", "5b").set(towers=[1, 2, 1])
    state, player = table.tokens(1, green=6, red=3).tokens(0, green=4, blue=3, red=2).state(), make("mcts:sims=200")
    while state.current_player() == 0:
        state.apply_action(player.act(state))
    rival = agents.make("greedy", game="market")
    while state.current_player() == 1:
        state.apply_action(rival.act(state))
    assert state.scores()[1] == 2


def test_one_seed_plays_one_way():
    states = moments("market", "full", 2)
    played = [[make(spec, 3).act(state) for state in states] for spec in (QUICK, QUICK, "mcts:sims=40,worlds=8")]
    assert played[0] == played[1] != played[2]


def test_the_budget_of_simulations_is_kept():
    state, player, turn, spent = MarketState(2, "full", 5), make("mcts:sims=60,root=8"), None, 0
    while not state.is_terminal():
        now = int(state._record["round"][0]), state.current_player()
        if now != turn:
            assert spent <= 60
            turn, spent = now, 0
        player.simulations = 0
        action = player.act(state)
        spent += player.simulations
        state.apply_action(action)
