"""The tree search with an evaluator: the same search where it changes nothing, its batches, its budgets, its options."""

from __future__ import annotations

import time

import numpy as np
import pytest

import agents
from market_env import MarketState
from torres_env import TorresRules, TorresState
from tower_core.engine.loops import OBSERVE
from tower_core.registry import get_game

SMALL = {
    "torres": "sims=24,worlds=2,root=6,branch=3,root_width=3,width=2",
    "market": "sims=60,worlds=4,root=6,root_width=4",
}
STATES = {"torres": TorresState, "market": MarketState}


class Asked:
    """An evaluator that notes what it is asked; with *valued* and *chosen* it answers, else all stays as it is."""

    def __init__(self, batch=1, valued=None, turns=0, chosen=None, prior=0.5):
        self.batch, self.valued, self.turns, self.chosen, self.prior = batch, valued, turns, chosen, prior
        self.sizes, self.rows, self.values, self.seen, self.refused = [], [], [], [], ()

    def must_play(self, num_players, rules):
        if num_players in self.refused:
            raise ValueError("not with so many")

    def value(self, records, rows, values):
        self.sizes.append(len(records))
        self.rows.append(rows.copy())
        self.values.append(values.copy())
        if self.valued is not None:
            values[:] = self.valued(records, rows, values)

    def choose(self, rows, masks, random):
        self.seen.append(rows.copy())
        if self.chosen is not None:
            return self.chosen(masks)
        return np.array([random.choice(np.flatnonzero(mask)) for mask in masks])


@pytest.fixture
def evaluator(installed):
    """Installs an evaluator; ``mcts`` asks the last one by ``asked=…``."""
    made = []
    installed("towers.evaluators", asked=lambda game, value, weight=1: made[-1])

    def install(**options):
        made.append(Asked(**options))
        return made[-1]

    return install


def opening(name, players=2, steps=30, rules=None):
    """Some moves into a game."""
    state = STATES[name](players, rules or get_game(name).default_rules, 5)
    greedy = agents.make("greedy", game=name, seed=1)
    for _ in range(steps):
        state.apply_action(greedy.act(state))
    return state


def search(name, state, more="", seed=3):
    player = agents.make(f"mcts:{SMALL[name]}{more}", game=name, seed=seed)
    return player.act(state), player


def children(player):
    root = player._nodes[0]
    return player._nodes[int(root["first"]) : int(root["first"]) + int(root["count"])]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", STATES)
def test_an_evaluator_that_changes_nothing_changes_nothing(name, players, evaluator):
    """One position at a time: the search is the plain one, visit by visit."""
    state = opening(name, players)
    plain = search(name, state, ",playout=1")
    asked = evaluator()
    other = search(name, state, ",playout=1,asked=1")
    assert other[0] == plain[0]
    assert children(other[1])["visits"].tolist() == children(plain[1])["visits"].tolist()
    assert np.array_equal(children(other[1])["total"], children(plain[1])["total"])
    assert sum(asked.sizes) == other[1].simulations == plain[1].simulations


@pytest.mark.parametrize("name", STATES)
def test_without_values_and_turns_it_is_the_plain_search(name, evaluator):
    state = opening(name)
    plain = search(name, state)
    asked = evaluator(batch=0)
    other = search(name, state, ",asked=1")
    assert other[0] == plain[0] and asked.sizes == []
    assert np.array_equal(children(other[1])["total"], children(plain[1])["total"])


@pytest.mark.parametrize("name", STATES)
def test_batches_spread_and_add_up(name, evaluator):
    asked = evaluator(batch=7)
    _, player = search(name, opening(name), ",asked=1")
    assert max(asked.sizes) == 7 and sum(asked.sizes) == player.simulations
    used = player._nodes[: int(player._problem["used"][0])]
    assert not used["waiting"].any()
    below = children(player)
    assert below["visits"].sum() == player.simulations
    assert below["total"][:, :2].sum(0) == pytest.approx(np.concatenate(asked.values).sum(0))
    # A batch looks at several turns at once, though none has a value yet.
    assert (below["visits"] > 0).sum() > 1


@pytest.mark.parametrize("name", STATES)
def test_rows_are_what_each_seat_sees(name, evaluator):
    """Every position that is asked about is shown as its seats see it."""
    game, wrong = get_game(name), []

    def compare(records, rows, values):
        for i in range(len(records)):
            row = np.empty(game.observation_size, np.uint8)
            for p in range(rows.shape[1]):
                game.entry(OBSERVE, records.ctypes.data + i * records.itemsize, p, row.ctypes.data)
                wrong.append(not np.array_equal(row, rows[i, p]))
        return values

    asked = evaluator(batch=5, valued=compare)
    search(name, opening(name, 3), ",asked=1")
    assert not any(wrong) and asked.rows[0].shape[1:] == (3, game.observation_size)


def test_values_decide(evaluator):
    """Told to have its knights on high cell numbers, or on low ones, the search goes where that is so."""
    state = opening("torres")
    seat, chosen = state.current_player(), []
    for sign in (1.0, -1.0):
        evaluator(valued=lambda records, rows, values, sign=sign: 20.0 * sign * records["knight"][:, :2].sum(2))
        player = search("torres", state, ",asked=1,explore=5")[1]  # so that every turn is tried
        below = children(player)
        most = below["visits"].argmax()
        chosen.append(sign * below["total"][most, seat] / below["visits"][most])
    assert chosen[0] > chosen[1] + 20


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("batch", [0, 1])
def test_its_own_turns_are_looked_at(name, batch, evaluator):
    """One more child for each end that the game's own turns don't lead to; shares of the prior by how often."""
    state = opening(name)
    plain = search(name, state)[1]
    asked = evaluator(turns=12, prior=1.0, batch=batch)
    _, player = search(name, state, ",asked=1")
    own, all_of_them = len(children(plain)), children(player)
    assert own < len(all_of_them) <= own + 12
    assert np.array_equal(all_of_them["actions"][:own], children(plain)["actions"])
    assert all_of_them["prior"].sum() == pytest.approx(1)
    counts = all_of_them["prior"] * 12
    assert counts == pytest.approx(counts.round()) and (counts[own:] >= 1).all()
    assert all_of_them["visits"].sum() == player.simulations
    assert sum(asked.sizes) == batch * player.simulations
    ends = [player._end_of(turn) for turn in player._root_turns(len(all_of_them))]
    assert len(set(ends[own:])) == len(ends) - own
    # Whoever plays them through finds every action legal, and the turn over.
    for turn in player._root_turns(len(all_of_them))[own:]:
        after = STATES[name].from_position(state.position())
        if player._problem["world_count"][0] == 1:
            for action in turn:
                after.apply_action(action)
            assert after.current_player() != state.current_player()


def test_a_turn_that_it_would_play_counts_for_the_prior_alone_where_the_game_has_it(evaluator):
    """Told to end the turn at once again and again, it adds that turn once, with all of its share."""
    state = opening("torres")
    while state.legal_actions()[0] != 0:  # END
        state.apply_action(agents.make("greedy", game="torres").act(state))
    evaluator(turns=5, prior=0.25, chosen=lambda masks: np.zeros(len(masks), np.int64))
    player = search("torres", state, ",asked=1")[1]
    turns = player._root_turns(len(children(player)))
    assert turns.count([0]) == 1
    assert children(player)["prior"][turns.index([0])] >= 0.25


def test_what_is_hidden_stays_hidden(evaluator):
    """Nothing that an evaluator is shown differs between states that the seat cannot tell apart."""
    different = 0
    for name in STATES:
        state = opening(name, 3, 40, "standard" if name == "torres" else "full")
        shown = []
        for seed in (None, 11, 12):
            other = state if seed is None else state.resample_hidden(state.current_player(), seed)
            different += other.position() != state.position()
            asked = evaluator(batch=4, turns=6)
            chosen = search(name, other, ",asked=1")[0]
            shown.append((chosen, [rows.tobytes() for rows in [*asked.rows, *asked.seen]]))
        assert shown[0] == shown[1] == shown[2]
    assert different == 4


def test_seconds_are_kept(evaluator):
    """A slow evaluator is asked about no more than the time holds."""
    asked = evaluator(batch=64, valued=lambda records, rows, values: time.sleep(0.002 * len(records)) or values)
    player = agents.make("mcts:seconds=0.2,root_width=2,width=2,asked=1", game="torres", seed=1)
    player.act(opening("torres"))
    assert 1 <= sum(asked.sizes) <= 80  # 0.16 s hold 80 of 2 ms
    assert sum(asked.sizes) == player.simulations


def test_refusals_come_before_anything_else(evaluator):
    asked = evaluator()
    asked.refused = (3,)
    with pytest.raises(ValueError, match="not with so many"):
        search("torres", opening("torres", 3), ",asked=1")
    with pytest.raises(ValueError, match="has no option 'depth'; it has: sims.*asked.*weight"):
        agents.make("mcts:asked=1,depth=3", game="torres")
    with pytest.raises(ValueError, match="has no option 'weight'; it has"):
        agents.make("mcts:weight=3", game="torres")


def test_an_evaluator_that_is_not_installed(installed):
    installed("towers.evaluators", asked="no_such_brains:make", other="no_such_brains:make")
    with pytest.raises(ValueError, match="evaluator 'asked' requires no_such_brains, which is not installed"):
        agents.make("mcts:asked=1", game="torres")
    with pytest.raises(ValueError, match="give one evaluator, not asked and other"):
        agents.make("mcts:asked=1,other=2", game="torres")


def test_nothing_to_choose_between_is_not_searched(evaluator):
    """A single turn needs no simulation: the evaluator isn't asked."""
    asked = evaluator()
    player = agents.make("mcts:sims=20,root=1,root_width=2,asked=1", game="torres", seed=1)
    state = TorresState(2, TorresRules(card_list=()), 3)
    state.apply_action(player.act(state))
    assert asked.sizes == []
