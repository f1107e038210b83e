"""The built-in players on Torres: what each does, how strong they are, and that none looks at hidden cards."""

from __future__ import annotations

import functools
import math
import random

import numpy as np
import pytest

import agents
from torres_env import TorresBatch, TorresState

NAMES = ("random", "passive", "greedy")
END = 0


def moments(count, preset="standard"):
    """States at random moments of games in which cards are bought and played (not to be changed)."""
    return [state for state in all_moments(preset)[:count] if not state.is_terminal()]


@functools.cache
def all_moments(preset):
    states = []
    for seed in range(60):
        chance = random.Random(seed)
        state = TorresState(3, preset, seed)
        for _ in range(chance.randrange(140)):
            if state.is_terminal():
                break
            legal = state.legal_actions()
            cards = [action for action in legal if 0 < action < 22]
            state.apply_action(chance.choice(cards if cards and chance.random() < 0.4 else legal))
        states.append(state)
    return states


def even(counts):
    """Whether counts look like draws from the uniform distribution (chi-square, about 1 in 30,000)."""
    expected = counts.sum() / len(counts)
    free = len(counts) - 1
    return ((counts - expected) ** 2 / expected).sum() < free + 4 * math.sqrt(2 * free) + 4


# ---------------------------------------------------------------------------------------------- what each does
def test_random_is_uniform():
    state = TorresState(2, "master", 3)
    for _ in range(40):
        state.apply_action(state.legal_actions()[-1])
    legal = state.legal_actions()
    assert len(legal) > 15
    player = agents.make("random", seed=1, game="torres")
    drawn = np.bincount([player.act(state) for _ in range(300 * len(legal))], minlength=662)
    assert sorted(np.flatnonzero(drawn)) == legal
    assert even(drawn[legal])


def test_sampled_actions_are_uniform():
    """The batch's own sampler, in the same position in every slot."""
    state = next(state for state in moments(60) if len(state.legal_actions()) > 25)
    batch = TorresBatch(10_000, 3, seed=4)
    batch.games[:] = state._record[0]
    batch.refresh()
    assert (batch.to_move == state.current_player()).all()
    np.testing.assert_array_equal(batch.action_mask[77].astype(bool), state.legal_actions_mask())
    drawn = np.bincount(batch.sample_actions(), minlength=662)
    assert sorted(np.flatnonzero(drawn)) == state.legal_actions()
    assert even(drawn[state.legal_actions()])


def test_even_can_fail():
    assert not even(np.array([300] * 20 + [150]))
    assert even(np.random.default_rng(0).multinomial(6000, [1 / 20] * 20))


def test_passive_ends_its_turns():
    player = agents.make("passive", seed=1, game="torres")
    state, ended, others = TorresState(3, "standard", 5), 0, set()
    while not state.is_terminal():
        action = player.act(state)
        assert (action == END) == state.legal_actions_mask()[END]
        ended += action == END
        if action != END:
            others.add(state.action_to_string(action)[0])
        state.apply_action(action)
    assert ended == 10 * 3
    assert others == {"N", "K"}
    assert min(state.scores()) > 50  # five points a turn


def test_greedy_takes_points():
    """One block makes its knight's castle worth more; ending the turn would be worth less."""
    state = TorresState(2, "standard", 1)
    for text in ("N c3", "N f6", "K d1"):
        state.apply_action(state.string_to_action(text))
    first = state.action_to_string(agents.make("greedy", seed=1, game="torres").act(state))
    assert first != "END"
    scores = []
    for mover in ("greedy", "passive"):
        state = TorresState(2, "standard", 1)
        players = [agents.make(mover, seed=1, game="torres"), agents.make("passive", seed=2, game="torres")]
        while not state.is_terminal():
            state.apply_action(players[state.current_player()].act(state))
        scores.append(state.scores()[0])
    assert scores[0] > scores[1] + 50


# ---------------------------------------------------------------------------------------------- hidden cards
# ---------------------------------------------------------------------------------------------- strength
def play_out(name, against, games, players=2, preset="standard", seed=1000):
    """Share of games that *name* wins (ties half), over all seats; every action legal, or step() raises."""
    won = 0.0
    for seat in range(players):
        player = agents.make(name, seed=seat, game="torres")
        batch = TorresBatch(games // players, players, preset, seed, against, seat=seat, autoreset=False)
        while (batch.to_move >= 0).any():
            batch.step(player.act_on_batch(batch))
        best = batch.final_score.max(axis=1)
        leads = batch.final_score[:, seat] == best
        won += float((leads / (batch.final_score == best[:, None]).sum(axis=1)).sum())
    return won / (games // players * players)


def test_greedy_beats_passive_beats_random():
    assert play_out("greedy", "passive", 100) > 0.8
    assert play_out("passive", "random", 100) > 0.9
    assert play_out("random", "greedy", 100) < 0.05


def test_like_against_like_is_even():
    assert 0.3 < play_out("greedy", "greedy", 100) < 0.7


# ---------------------------------------------------------------------------------------------- copies, names
def test_names_and_specs():
    assert set(NAMES) <= set(agents.names())
    assert agents.make("greedy", game="torres").name == "greedy"
    assert repr(agents.make("greedy", game="torres")) == "<player greedy of torres>"
    with pytest.raises(ValueError, match="unknown player"):
        agents.make("queen", game="torres")
    with pytest.raises(ValueError, match="unknown game"):
        agents.make("greedy", game="chess")
    with pytest.raises(ValueError, match="seed"):
        agents.make("greedy", seed=1.5, game="torres")
