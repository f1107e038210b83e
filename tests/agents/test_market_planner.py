"""``planner`` of the market game: what it finds, that it plays legally anywhere, and that it looks at nothing hidden."""

from __future__ import annotations

import copy
import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "market_env"))

from market_compare import random_components, random_rules
from market_positions import Table, W, legal
from player_moments import moments

import agents
from agents.market.evaluation import FEATURES, NPC_FEATURES
from agents.market.planner import ENTRY_AT, JUDGE, all_weights, compile_planner
from agents.market.weights import NPC_NAMES, WEIGHTS
from market_env import MarketBatch, MarketRules, MarketState
from market_env.game import GAME

QUICK = "planner:width=3,lines=4,samples=12"


def make(spec="planner", seed=0):
    return agents.make(spec, game="market", seed=seed)


def said(state, spec="planner", seed=0):
    """What the planner says in its turn."""
    player, texts, mover = make(spec, seed), [], state.current_player()
    while state.current_player() == mover:
        texts.append(state.action_to_string(player.act(state)))
        state.apply_action(state.string_to_action(texts[-1]))
    return texts


def probs(state):
    """What the evaluation says of a position as it lies: every player's chance to win."""
    options = np.array([JUDGE, 1, 1, 0, 0, *all_weights(), 0.0])
    options.view(np.int64)[-1] = GAME.address
    values = np.zeros(4)
    compile_planner()[0](state._address, values.ctypes.data, options.ctypes.data)
    return (values[: state.num_players] / 100).tolist()


# ---------------------------------------------------------------------------------------------- the evaluation
def test_every_feature_has_its_weights():
    assert list(WEIGHTS) == [*FEATURES, *NPC_NAMES]
    assert len(NPC_NAMES) == NPC_FEATURES
    assert len(make()._options) == ENTRY_AT + 1


@pytest.mark.parametrize(("preset", "players"), [("base", 2), ("full", 3), ("guard", 4)])
def test_chances_are_shares_of_one(preset, players):
    values = probs(MarketState(players, preset, 3))
    assert sum(values) == pytest.approx(1)
    assert min(values) > 0.05


def test_towers_gems_and_materials_raise_the_chance():
    table = Table(2).asks(0, **W)
    plain = probs(table.state())[0]
    assert probs(copy.deepcopy(table).set(towers=[1, 0]).state())[0] > plain + 0.1
    assert probs(copy.deepcopy(table).set(towers=[0, 1]).state())[0] < plain - 0.1
    assert probs(copy.deepcopy(table).take(0, "1a", "3a").state())[0] > plain
    assert probs(copy.deepcopy(table).tokens(0, green=3, blue=3).state())[0] > plain


def test_the_npc_has_a_share_in_the_solo_game():
    table = Table(1, "solo")
    ahead, behind = copy.deepcopy(table).set(towers=[0, 2]), copy.deepcopy(table).set(towers=[2, 0])
    assert 0 < probs(ahead.state())[0] < probs(table.state())[0] < probs(behind.state())[0] <= 1


def test_at_the_end_the_result_counts():
    state = MarketState(2, MarketRules(max_turns=1), 1)
    while not state.is_terminal():
        state.apply_action(0)
    assert probs(state) == [0.5, 0.5]


def test_chances_of_any_size_stay_numbers():
    components = MarketRules().components.to_dict()
    components["rules"]["towers_to_win"] = 9
    values = probs(MarketState(3, MarketRules(components=components), 1))
    assert sum(values) == pytest.approx(1)


# ---------------------------------------------------------------------------------------------- what it finds
@pytest.mark.parametrize("seed", range(3))
def test_it_wins_where_it_can(seed):
    table = Table(2).asks(0, **W).take(0, "1a", "1b", "3a", "3c").set(towers=[2, 0])
    state = copy.deepcopy(table).tokens(0, blue=3, green=1).state()
    assert "BUILD" in said(state, seed=seed)
    assert state.scores() == [3, 0]
    # A glass costs a blue and a red gem at the forge; the red one comes by a trade.
    state = table.tokens(0, green=3, blue=1).pile(red=1).state()
    assert legal(state, "BUY") == set()
    texts = said(state, seed=seed)
    assert "TRADE 2" in texts
    assert state.scores() == [3, 0]


def test_it_hires_and_steals_where_that_wins():
    has = Table(2, "apprentices").asks(0, **W).take(0, "1a", "1b", "3a", "3c").set(towers=[2, 0])
    bully = copy.deepcopy(has).worker(1, 4).tokens(0, blue=4).state()
    assert "HIRE bully" in said(bully)
    assert bully.scores() == [3, 0]
    runner = copy.deepcopy(has).worker(0, 1).tokens(0, blue=3, red=1).acted().state()
    assert "HIRE runner" in said(runner)
    assert runner.scores() == [3, 0]
    table = Table(2, "guard").asks(0, **W).take(0, "1a", "1b", "3a", "3c").set(towers=[2, 0])
    thief = table.tokens(0, blue=1).pile(green=4, red=1, blue=2).state()
    assert "STEAL" in said(thief)
    assert thief.scores() == [3, 0]


@pytest.mark.parametrize("seed", range(3))
def test_it_keeps_the_next_player_from_winning(seed):
    """With three players lists are open. The next lacks one glass, and glass lies at one market only."""
    table = Table(3).asks(0, wood=2, stone=1, iron=2).asks(1, **W).take(1, "1a", "1b", "3a", "3c")
    table.take(2, "4d", "4e", "5a", "5b").set(towers=[1, 2, 1])
    table = table.tokens(1, green=6, red=3).tokens(0, green=4, blue=3, red=2)
    doomed, state = table.state(), table.state()
    doomed.apply_action(doomed.string_to_action("END"))
    said(doomed, "greedy")
    assert doomed.scores() == [1, 3, 1]
    said(state, seed=seed)
    said(state, "greedy")
    assert state.scores()[1] == 2


# ---------------------------------------------------------------------------------------------- legality
@pytest.mark.parametrize("npc_towers", [1, 2, 3])
def test_solo_levels(npc_towers):
    state, player = MarketState(1, MarketRules.preset("solo", solo_npc_towers=npc_towers), 4), make(QUICK)
    while not state.is_terminal():
        state.apply_action(player.act(state))
    assert state.returns()[0] in (-1, 1)


@pytest.mark.parametrize("seed", range(6))
def test_any_rules_and_component_sets(seed):
    """Among players that do anything, so that it is also asked what it would never have asked for."""
    chance = random.Random(seed)
    players, rules = random_rules(chance, random_components(chance) if seed % 2 else None)
    state, player = MarketState(players, rules, seed), make("planner:width=2,lines=3,samples=6", seed)
    for _ in range(250):
        if state.is_terminal():
            break
        action = player.act(state)
        assert state.legal_actions_mask()[action], state.action_to_string(action)
        if chance.random() < 0.5:
            action = chance.choice(state.legal_actions())
        state.apply_action(action)


# ---------------------------------------------------------------------------------------------- one seed, one way
def test_options_reach_the_search():
    """More or fewer lines and samples are another player; the same ones the same."""
    states = moments("market", "full", 2, 30)
    played = [[make(spec, 1).act(state) for state in states] for spec in (QUICK, QUICK, "planner:samples=2,lines=64")]
    assert played[0] == played[1] != played[2]


# ---------------------------------------------------------------------------------------------- strength
def test_it_beats_greedy():
    """Even with a quarter of its samples; by how much is told in docs/players_market.md."""
    utilities = []
    for seat in (0, 1):
        player = make("greedy")
        batch = MarketBatch(10, 2, "full", 20_000_000, "planner:samples=48", seat=seat, autoreset=False)
        while (batch.to_move >= 0).any():
            batch.step(player.act_on_batch(batch))
        utilities.append(batch.final_utility[:, 1 - seat])
    assert np.concatenate(utilities).mean() > 0
