"""``mcts`` with a network: what the value head says reaches the tree in the game's unit, and nothing hidden does."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import agents
from market_env import MarketRules, MarketState
from torres_env import TorresRules, TorresState
from torres_env.observation import GLOBALS
from tower_core.engine.loops import POTENTIAL
from tower_core.registry import get_game
from train import checkpoint
from train.checkpoint import CheckpointError
from train.search import make_network

torch.set_num_threads(1)
STATES = {"torres": TorresState, "market": MarketState}
RULES = {"torres": TorresRules, "market": MarketRules}
SMALL = {
    "torres": "sims=20,worlds=2,root=6,branch=3,root_width=3,width=2,batch=5",
    "market": "sims=40,worlds=4,root=6,root_width=4,batch=5,weight=0.5",
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """``saved(game, players, **changes)``: a checkpoint of a network that was never trained, but has opinions."""
    folder = tmp_path_factory.mktemp("networks")

    def save(name, players=2, **changes):
        path = folder / f"{name}-{players}-{len(list(folder.iterdir()))}.zip"
        torch.manual_seed(1)
        policy = checkpoint.build_policy(get_game(name), 8, 1)
        for parameter in policy.parameters():
            parameter.data += 0.1 * torch.randn_like(parameter)
        meta = {"game": name, "players": players, "rules": RULES[name]().to_dict(), "width": 8, "blocks": 1}
        checkpoint.save(path, meta | {"steps": 0, "seconds": 0.0} | changes, policy, optimizer=False)
        return path

    return save


def midgame(name, players=2, steps=45, seed=5):
    state = STATES[name](players, RULES[name](), seed)
    greedy = agents.make("greedy", game=name, seed=1)
    for _ in range(steps):
        state.apply_action(greedy.act(state))
    return state


def ended(name, players=2):
    state = STATES[name](players, RULES[name](), 7)
    greedy = agents.make("greedy", game=name, seed=2)
    while not state.is_terminal():
        state.apply_action(greedy.act(state))
    return state


def as_leaves(states):
    """Positions as the search shows them to an evaluator: records, and what each seat sees."""
    game, players = states[0].game, states[0].num_players
    records = np.concatenate([state._record for state in states])
    rows = np.stack(
        [
            [np.concatenate([part.ravel() for part in state.observation(p).values()]) for p in range(players)]
            for state in states
        ]
    )
    assert rows.shape == (len(states), players, game.observation_size)
    return records, rows


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", STATES)
def test_whole_turns_of_whole_games(name, players, saved):
    """apply_action refuses what is illegal; with the same seed it plays the same."""
    path, histories = saved(name, players), []
    for _ in range(2):
        state = STATES[name](players, RULES[name](), 3)
        seats = [agents.make(f"mcts:{SMALL[name]},network={path},turns=4", game=name, seed=p) for p in range(players)]
        for _ in range(24):
            state.apply_action(seats[state.current_player()].act(state))
        histories.append(state.history())
    assert histories[0] == histories[1]


@pytest.mark.parametrize("name", STATES)
def test_nothing_hidden_is_used(name, saved):
    path, different = saved(name, 3), 0
    for steps in (20, 35, 50, 65):
        state = midgame(name, 3, steps)
        before, seat = state.to_bytes(), state.current_player()
        make = lambda: agents.make(f"mcts:{SMALL[name]},network={path},turns=6", game=name, seed=4)  # noqa: E731
        chosen = make().act(state)
        for seed in (1, 2):
            other = state.resample_hidden(seat, seed)
            different += {**other.position(), "rng": 0} != {**state.position(), "rng": 0}
            assert make().act(other) == chosen
        assert state.to_bytes() == before
    assert different > 4


@pytest.mark.parametrize("how", [copy.deepcopy, lambda player: pickle.loads(pickle.dumps(player))])
def test_copies_go_on_where_the_player_is(how, saved):
    state = midgame("torres")
    player = agents.make(f"mcts:{SMALL['torres']},network={saved('torres')}", seed=3, game="torres")
    for _ in range(9):
        state.apply_action(player.act(state))
    other, twin = how(player), state.clone()
    for _ in range(9):
        state.apply_action(player.act(state))
        twin.apply_action(other.act(twin))
    assert twin.history() == state.history()


@pytest.mark.parametrize("view", ["mover", "all"])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", STATES)
def test_values_are_standing_and_what_is_to_come(name, players, view, saved):
    """Against the sum worked out here from the reward's definition: what was paid so far plus the value head's answer."""
    game, unit, weight = get_game(name), 10.0, 0.25
    states = [midgame(name, players, steps) for steps in (24, 37, 52)] + [ended(name, players)]
    records, rows = as_leaves(states)
    evaluator = make_network(game, str(saved(name, players)), weight=weight, unit=unit, view=view)
    values = np.arange(4.0 * players).reshape(4, players)
    given = values.copy()
    evaluator.value(records, rows, values)
    for i, state in enumerate(states):
        told = np.array([standing(state, p) for p in range(players)])
        told -= told.mean()
        if state.is_terminal():
            utility = np.array(state.returns())
            told += utility - utility.mean()
        else:
            ahead = evaluator._player.outputs(rows[i])[1]
            if view == "mover":
                seat = state.current_player()
                ahead = np.where(np.arange(players) == seat, ahead[seat], -ahead[seat] / (players - 1))
            told += ahead - ahead.mean()
        assert values[i] == pytest.approx((1 - weight) * given[i] + weight * unit * told, abs=1e-4)


def standing(state, seat):
    """The reward ``progress`` so far, from what lies open on the table."""
    if state.game.name == "torres":
        place = GLOBALS["coming"].start
        own = [score + int(state.observation(p)["globals"][place]) for p, score in enumerate(state.scores())]
        return (own[seat] - max(points for p, points in enumerate(own) if p != seat)) / 100
    return state.game.entry(POTENTIAL, state._address, seat, state.game.reward_kind("progress")) / 1e6


def test_turns_are_drawn_from_the_policy(saved):
    """By its probabilities, only what is legal, and the same again from the same stream."""
    game, state = get_game("torres"), midgame("torres")
    evaluator = make_network(game, str(saved("torres")))
    row = np.concatenate([part.ravel() for part in state.observation(state.current_player()).values()])
    mask = np.array(state.legal_actions_mask(), bool)
    rows, masks = np.repeat(row[None], 4000, 0), np.repeat(mask[None], 4000, 0)
    drawn = evaluator.choose(rows, masks, np.random.default_rng(1))
    assert np.array_equal(drawn, evaluator.choose(rows, masks, np.random.default_rng(1)))
    odds = np.where(mask, np.exp(evaluator._player.outputs(row[None])[0][0]), 0)
    probs = odds / odds.sum()
    assert mask[drawn].all()
    assert np.bincount(drawn, minlength=len(mask)) / 4000 == pytest.approx(probs, abs=0.04)
    player = agents.make(f"mcts:{SMALL['torres']},network={saved('torres')},turns=16", seed=1, game="torres")
    alone = agents.make(f"mcts:{SMALL['torres']},network={saved('torres')},turns=0", seed=1, game="torres")
    player.act(state)
    alone.act(state)
    assert int(player._nodes[0]["count"]) > int(alone._nodes[0]["count"])


def test_the_weight_counts(saved):
    """Without weight the search is the plain one, playouts and all; with weight it is another."""
    path, state = saved("torres"), midgame("torres")

    def totals(more):
        player = agents.make(f"mcts:sims=20,root=6,root_width=3,width=2{more}", seed=2, game="torres")
        player.act(state)
        first, count = int(player._nodes[0]["first"]), int(player._nodes[0]["count"])
        return player._nodes[first : first + count]["total"].copy()

    alone = totals("")
    assert np.array_equal(totals(f",network={path},turns=0,weight=0"), alone)
    assert not np.array_equal(totals(f",network={path},turns=0,weight=1"), alone)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("weight=2", "mcts: weight must be a number from 0 to 1, not 2"),
        ("weight=x", "mcts: weight must be a number from 0 to 1, not 'x'"),
        ("unit=-1", "mcts: unit must be a number from 0 to 1000000, not -1"),
        ("prior=-1", "mcts: prior must be a number from 0 to 1, not -1"),
        ("turns=-1", "mcts: turns must be an integer from 0 to 1024, not -1"),
        ("batch=0", "mcts: batch must be an integer from 1 to 1024, not 0"),
        ("batch=1.5", "mcts: batch must be an integer from 1 to 1024, not 1.5"),
        ("view=mine", "mcts: view must be 'mover' or 'all', not 'mine'"),
        ("depth=1", "mcts has no option 'depth'"),
    ],
)
def test_options_that_cannot_be(more, told, saved):
    with pytest.raises(ValueError, match=told):
        agents.make(f"mcts:network={saved('torres')},{more}", game="torres")


def test_checkpoints_that_do_not_fit(saved, tmp_path):
    path = saved("torres")
    for seats, rules in ((3, "standard"), (2, "classic")):
        with pytest.raises(ValueError, match=f"for 2 players under standard, not for {seats} players under {rules}"):
            agents.make(f"mcts:network={path}", game="torres").act(TorresState(seats, rules))
    with pytest.raises(ValueError, match="plays torres, not market"):
        agents.make(f"mcts:network={path}", game="market")
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        agents.make(f"mcts:network={tmp_path}/none.zip", game="torres")
    with pytest.raises(CheckpointError, match="damaged: there is no reward 'fame'"):
        agents.make(f"mcts:network={saved('torres', reward='fame')}", game="torres")
    with pytest.raises(CheckpointError, match="damaged: there is no reward"):
        agents.make(f"mcts:network={saved('torres', reward=[1])}", game="torres")
    with pytest.raises(ValueError, match="mcts: network must name a checkpoint or run directory, not 7"):
        agents.make("mcts:network=7", game="torres")
