"""The built-in players on the market game: what each does, how strong they are, and that none looks at hidden things."""

from __future__ import annotations

import copy
import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "market_env"))

from market_compare import random_components, random_rules
from market_positions import Table, W, legal, play

import agents
from agents.market.plan import NUM_WEIGHTS
from agents.market.weights import GREEDY
from market_env import MarketBatch, MarketRules, MarketState
from market_env.actions import NUM_ACTIONS
from market_env.rules import PRESETS

NAMES = ("random", "passive", "greedy")
END = 0
FIVE = [name for name in PRESETS if name != "solo"]


def make(name, seed=0):
    return agents.make(name, game="market", seed=seed)


def text_of(state, name="greedy", seed=0):
    """What a player says in a state."""
    return state.action_to_string(make(name, seed).act(state))


def said(state, turns=1):
    """What greedy says until its turn, or several turns of everybody, is over."""
    player, texts, mover = make("greedy"), [], state.current_player()
    while not state.is_terminal() and turns:
        texts.append(state.action_to_string(player.act(state)))
        state.apply_action(state.string_to_action(texts[-1]))
        if state.current_player() != mover:
            mover, turns = state.current_player(), turns - 1
    return texts


def play_out(name, against, games, players=2, rules="base", seed=1000):
    """Share of games that *name* wins (shared ranks: half), over all seats; every action legal, or step() raises."""
    utilities = []
    for seat in range(players):
        player = make(name, seed=seat)
        batch = MarketBatch(max(games // players, 1), players, rules, seed, against, seat=seat, autoreset=False)
        while (batch.to_move >= 0).any():
            batch.step(player.act_on_batch(batch))
        utilities.append(batch.final_utility[:, seat])
    return float((np.concatenate(utilities) + 1).mean() / 2)


# ---------------------------------------------------------------------------------------------- what each does
def test_random_is_uniform():
    state = play(Table(2).tokens(0, green=9, blue=9, red=5).pile(green=9, blue=9, red=5).state())
    player, numbers = make("random", 1), state.legal_actions()
    drawn = np.bincount([player.act(state) for _ in range(300 * len(numbers))], minlength=NUM_ACTIONS)
    assert sorted(np.flatnonzero(drawn)) == numbers
    assert len(numbers) > 15
    assert 220 < drawn[numbers].min() <= drawn[numbers].max() < 380


def test_passive_ends_its_turns_and_waits():
    player, state = make("passive", 1), MarketState(3, MarketRules.preset("base", max_turns=20), 5)
    while not state.is_terminal():
        assert state.legal_actions_mask()[END]
        action = player.act(state)
        assert action == END
        state.apply_action(action)
    assert state.is_truncated()
    assert state.scores() == [0, 0, 0]


def test_passive_plays_at_random_where_it_must_choose():
    table = Table(2, "guard").tokens(0, green=3, blue=3, red=3).flags("wanted", 0).flags("jailed", 0)
    state = table.set(pending={"kind": "pay", "for": "jail", "left": 3}).state()
    assert legal(state) == {"PAY green", "PAY blue", "PAY red"}
    assert {text_of(state, "passive", seed) for seed in range(30)} == legal(state)


# ---------------------------------------------------------------------------------------------- greedy's judgement
def test_greedy_builds_at_once_and_keeps_the_cheapest_list():
    state = Table(2).asks(0, **W).take(0, "1a", "1b", "3a", "3c", "1e").state()
    assert text_of(state) == "BUILD"
    texts = said(state)
    assert texts[0] == "BUILD"
    assert texts[-1].startswith("LIST")
    assert state.scores() == [1, 0]


def test_greedy_wins_where_it_can():
    table = Table(2).asks(0, **W).take(0, "1a", "1b", "3a", "3c").tokens(0, blue=3, passes=2).hand(0, "pickpocket")
    state = table.tokens(1, red=3).set(towers=[2, 0]).state()
    assert said(state)[-3] == "BUILD"
    assert state.scores() == [3, 0]


def test_greedy_trades_only_for_a_purchase():
    # Two blue gems are a red one, which pays for stone; alone they pay for nothing that the list asks for.
    table = Table(2).asks(0, wood=2, brick=2, glass=1).tokens(0, green=2, blue=2).pile(green=5, blue=5, red=5)
    texts = said(table.take(0, "1a", "1b", "1e", "2a").state())
    assert texts[-1] == "BUILD" or "BUILD" in texts
    state = Table(2).asks(0, wood=2, brick=2, glass=1).tokens(0, green=1).pile(green=5, blue=5, red=5).state()
    assert said(state) == ["END"]


def test_greedy_waits_where_waiting_pays_and_buys_where_it_may_not_wait():
    state = Table(2).asks(0, **W).tokens(0, green=1).state()
    assert not legal(state, "BUY")
    assert said(state) == ["END"]
    state = Table(2).asks(0, **W).tokens(0, green=2).state()
    assert legal(state, "BUY") == {"BUY 1a"}
    assert said(state) == ["BUY 1a", "END"]


def test_greedy_spends_passes_on_the_black_market():
    state = Table(2).asks(0, **W).tokens(0, green=2, passes=1).card_deck("bribe", "pickpocket", "curfew").state()
    state.apply_action(state.string_to_action("BUY 1a"))
    assert said(state)[:3] == ["ENTER pass", "LOOK", "KEEP pickpocket"]


def test_greedy_plays_its_cards():
    table = Table(2).asks(0, **W).hand(0, "levy").tokens(0, green=2, blue=1).pile(red=2).turn(acted=True)
    assert said(table.state())[:5] == ["CARD levy", "PAY green", "PAY green", "TAKE red", "TAKE red"]
    table = Table(3).hand(0, "pickpocket").tokens(1, green=3).tokens(2, red=3).acted()
    assert said(table.state())[:2] == ["CARD pickpocket", "TARGET player_2"]
    table = Table(3).hand(0, "sabotage").tokens(0, green=1).take(1, "1e").take(2, "1a", "2a").acted()
    assert said(table.set(towers=[0, 0, 1]).state())[:2] == ["CARD sabotage", "TARGET player_2"]


def test_greedy_takes_the_last_piece_with_a_permit():
    table = Table(2).asks(0, **W).take(0, "1a", "1b", "3a", "3c").tokens(0, green=2).hand(0, "permit").acted()
    texts = said(table.state())
    assert texts[0] == "CARD permit"
    assert "BUILD" in texts


def test_greedy_hires_where_that_wins():
    has = Table(2, "apprentices").asks(0, **W).take(0, "1a", "1b", "3a", "3c").set(towers=[2, 0])
    bully = copy.deepcopy(has).worker(1, 4).tokens(0, blue=4)
    assert said(bully.state())[:4] == ["HIRE bully", "MARKET 4", "BUY 4e", "BUILD"]
    runner = copy.deepcopy(has).worker(0, 1).tokens(0, blue=3, red=1).acted()
    assert said(runner.state())[:3] == ["HIRE runner", "BUY 4e", "BUILD"]


def test_greedy_steals_where_that_wins():
    table = Table(2, "guard").asks(0, **W).take(0, "1a", "1b", "3a", "3c").set(towers=[2, 0])
    texts = said(table.tokens(0, blue=1).pile(green=4, red=1, blue=2).state())
    assert texts[0] == "STEAL"
    assert "BUILD" in texts
    # The same loot is not worth the chase to who has what it needs.
    assert said(table.tokens(0, blue=3).state())[0] == "BUY 4e"


def test_greedy_pays_with_what_it_needs_least():
    table = Table(2, "guard").asks(0, **W).take(0, "1a", "1b", "3a", "3c").tokens(0, green=3, blue=3)
    table.flags("wanted", 0).flags("jailed", 0).set(pending={"kind": "pay", "for": "jail", "left": 3})
    assert said(table.state())[:4] == ["PAY green", "PAY green", "PAY green", "BUY 4e"]


def test_greedy_keeps_its_own_list_where_it_is_cheapest():
    table = Table(2).asks(0, **W).take(0, "1a", "1b", "3a", "3c").hand(0, "architect").tokens(0, green=1)
    state = play(table.state(), "CARD architect")
    assert text_of(state) == "LIST keep"


@pytest.mark.parametrize("factor", [3, 16])
def test_greedy_does_not_mind_what_worth_is_counted_in(factor):
    components = MarketRules().components.to_dict()
    for gem in components["gems"].values():
        gem["worth"] *= factor
    games = []
    for rules in (MarketRules.preset("full"), MarketRules.preset("full", components=components)):
        state, player = MarketState(2, rules, 3), make("greedy")
        while not state.is_terminal():
            state.apply_action(player.act(state))
        games.append(state.history())
    assert games[0] == games[1]


# ---------------------------------------------------------------------------------------------- strength
@pytest.mark.parametrize("rules", FIVE)
def test_greedy_beats_random_beats_passive(rules):
    assert play_out("greedy", "passive", 100, rules=rules) > 0.98
    assert play_out("greedy", "random", 100, rules=rules) > 0.98
    assert play_out("random", "passive", 40, rules=rules) > 0.9
    assert play_out("greedy", "random:1,passive:1", 60, 4, rules) > 0.95


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rules", ["base", "full"])
def test_like_against_like_takes_about_ten_rounds(rules, players):
    batch = MarketBatch(100, players, rules, 1, "greedy", seat=0, autoreset=False)
    player = make("greedy")
    while (batch.to_move >= 0).any():
        batch.step(player.act_on_batch(batch))
    rounds = batch.games["round"]
    assert not batch.games["truncated"].any()
    assert 8.5 < rounds.mean() < 12
    assert 0.3 < play_out("greedy", "greedy", 60, players, rules) < 0.7


def test_solo():
    """Three and two towers of the NPC are beaten nearly always, one rarely."""
    rates = [play_out("greedy", "greedy", 300, 1, MarketRules.preset("solo", solo_npc_towers=n)) for n in (3, 2, 1)]
    assert rates[0] > 0.98
    assert rates[1] > 0.9
    assert 0.05 < rates[2] < 0.4


# ---------------------------------------------------------------------------------------------- legality
@pytest.mark.parametrize("seed", range(40))
def test_any_rules_and_component_sets(seed):
    """Greedy among players that do anything, so that it is also asked what it would never have asked for."""
    chance = random.Random(seed)
    players, rules = random_rules(chance, random_components(chance) if seed % 2 else None)
    state, player = MarketState(players, rules, seed), make("greedy", seed)
    for _ in range(3000):
        if state.is_terminal():
            break
        action = player.act(state)
        assert state.legal_actions_mask()[action], state.action_to_string(action)
        if chance.random() < 0.3:
            action = chance.choice(state.legal_actions())
        state.apply_action(action)


@pytest.mark.parametrize("seed", range(10))
def test_a_turn_ends(seed):
    """Nothing is done over and over: no turn of greedy's is long."""
    state, player, actions, mover = MarketState(2, "full", seed), make("greedy"), 0, 0
    while not state.is_terminal():
        actions = actions + 1 if state.current_player() == mover else 0
        mover = state.current_player()
        assert actions < 60
        state.apply_action(player.act(state))


# ---------------------------------------------------------------------------------------------- copies, batches
def test_inside_a_batch_as_outside():
    """The same game, whoever asks the players."""
    batch = MarketBatch(1, 2, "full", 7, "greedy", seat=0, autoreset=False)
    state, player = MarketState(2, "full", 7), make("greedy")
    while not state.is_terminal():
        action = player.act(state)
        if state.current_player() == 0:
            assert batch.games[0]["round"] == state._record[0]["round"]
            batch.step(np.array([action]))
        state.apply_action(action)
    assert batch.done[0]
    assert batch.final_score[0].tolist() == state.scores()


def test_weights_are_as_many_as_the_player_reads():
    assert len(GREEDY) == NUM_WEIGHTS
