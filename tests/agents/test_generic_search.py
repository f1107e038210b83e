"""``mcts`` on a game that brings nothing for it: best moves worked out by hand, strength, and the promises of a search."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

import agents
from agents.search.playouts import make_plug
from agents.search.tree import MAX_TURNS
from tower_core.registry import get_game

QUICK = "mcts:sims=60,worlds=3"


pytestmark = pytest.mark.usefixtures("stones")


def make(spec=QUICK, seed=0):
    return agents.make(spec, game="stones", seed=seed)


def new(players=2, seed=1, **rules):
    return get_game("stones").state_class()(players, rules, seed)


def played(state, players):
    while not state.is_terminal():
        state.apply_action(players[state.current_player()].act(state))
    return state


# ---------------------------------------------------------------------------------------------- what it finds
@pytest.mark.parametrize("heap", [2, 3, 5, 6, 7, 9, 10, 11])
def test_it_leaves_a_multiple_of_four(heap):
    """A player to move at a multiple of four loses against best play; every other heap has one winning move."""
    state = new(stones=heap)
    assert make("mcts:sims=1000").act(state) + 1 == heap % 4


def test_alone_it_takes_as_few_moves_as_it_can():
    """15 stones, at most 3 a move: five moves, for 1 - 2 · 5 / 15."""
    assert played(new(1), [make("mcts:sims=400")]).returns()[0] == pytest.approx(1 / 3)


def test_of_three_it_takes_the_win():
    state = new(3, stones=3)
    state.apply_action(make().act(state))
    assert state.returns().tolist() == [1, -0.5, -0.5]


def test_more_actions_than_a_tree_of_turns_has_room_for():
    """200 legal actions, one of which wins at once."""
    state = new(stones=200, most=200)
    assert make("mcts:sims=1000").act(state) == 199
    assert make_plug(get_game("stones")).most_turns == 200 > MAX_TURNS


def test_a_sample_of_the_actions_is_legal_and_uniform(monkeypatch):
    monkeypatch.setattr("agents.search.playouts.MOST_ACTIONS", 8)
    state, seen = new(stones=40, most=40), [0] * 40
    player = make("mcts:sims=1")
    for _ in range(500):
        player.act(state)
        count = int(player._nodes[0]["count"])
        actions = player._nodes[1 : 1 + count]["actions"][:, 0].tolist()
        assert count == len(set(actions)) == 8
        for action in actions:
            seen[action] += 1
    # 100 of 500 expected for each, with a standard deviation below 9.
    assert min(seen) > 55 and max(seen) < 145


# ---------------------------------------------------------------------------------------------- strength
@pytest.mark.parametrize(("players", "rules", "least"), [(2, {}, 36), (2, {"wind": 1, "bags": 1}, 24), (4, {}, 15)])
def test_it_beats_random(players, rules, least):
    """Of 40 games; equals would win 20 and 10."""
    won = 0
    for game in range(40):
        table = [agents.make("random", "stones", seed=100 * game + p) for p in range(players)]
        seat = game % players
        table[seat] = make("mcts:sims=200", game)
        won += played(new(players, game, stones=25, **rules), table).returns()[seat] == 1
    assert won >= least


# ---------------------------------------------------------------------------------------------- promises
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("rules", [{}, {"wind": 1}, {"bags": 1}, {"most": 90, "stones": 150}])
def test_whole_games_are_legal_and_follow_from_the_seed(players, rules):
    games = []
    for seed in (3, 3, 4):
        table = [make(seed=seed + p) for p in range(players)]
        games.append(played(new(players, **rules), table).history())
    assert games[0] == games[1]
    assert games[0] != games[2] or players == 1 or rules in ({}, {"bags": 1})


def test_what_is_hidden_and_the_stream_of_chance_decide_nothing():
    for rules in ({"bags": 1}, {"wind": 1, "bags": 1}):
        state = new(3, **rules)
        chosen = make(seed=4).act(state)
        for seed in range(5):
            assert make(seed=4).act(state.resample_hidden(0, seed)) == chosen


@pytest.mark.parametrize(("rules", "worlds"), [({}, 1), ({"wind": 1}, 3), ({"bags": 1}, 3)])
def test_worlds_are_drawn_where_something_is_hidden_or_left_to_chance(rules, worlds):
    player = make()
    player.act(new(**rules))
    assert int(player._problem["world_count"][0]) == worlds


def test_the_budget_is_that_of_each_action():
    state, player = new(1), make()
    for _ in range(3):
        state.apply_action(player.act(state))
        assert player.simulations == 60


def test_an_evaluator_values_its_positions(installed):
    """One that values a position by the parity of the heap, and would always take one stone."""
    given = []

    class Parity:
        batch, turns, prior = 4, 3, 0.5

        def must_play(self, num_players, rules):
            pass

        def value(self, records, rows, values):
            values[:] = (records["heap"] % 2)[:, None] * [1, -1]
            given.append(values.sum(0))

        def choose(self, rows, masks, random):
            return masks.argmax(1)

    installed("towers.evaluators", parity=lambda game, value: Parity())
    player = make("mcts:sims=200,parity=1")
    player.act(new(stones=20))
    children = player._nodes[1:4]
    assert player.simulations == children["visits"].sum() == 200
    assert children["total"][:, :2].sum(0).tolist() == sum(given).tolist()
    # All of its turns lead to where taking one stone does: a third of the other half of the prior, and its own half.
    assert sorted(children["prior"]) == pytest.approx([1 / 6, 1 / 6, 2 / 3])
    assert children["actions"][children["prior"].argmax(), 0] == 0


@pytest.mark.parametrize("how", [copy.deepcopy, lambda player: pickle.loads(pickle.dumps(player))])
def test_copies_go_on_where_the_player_is(how):
    chance, player = random.Random(1), make(seed=2)
    states = [new(seed=seed, stones=chance.randrange(10, 200), most=9) for seed in range(12)]
    player.act(states[0])
    other = how(player)
    assert [other.act(state) for state in states] == [player.act(state) for state in states]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("playouts=0", "mcts: playouts must be an integer from 1 to 1000000, not 0"),
        ("sims=0", "mcts: sims must be an integer from 1"),
        ("root=3", "mcts has no option 'root'; it has: sims.*playouts"),
    ],
)
def test_wrong_options_are_refused(option, message):
    with pytest.raises(ValueError, match=message):
        make(f"mcts:{option}")


def test_no_greedy_for_a_game_that_has_none():
    with pytest.raises(ValueError, match="player 'greedy' doesn't play stones: choose one of .*mcts.*random"):
        make("greedy")
