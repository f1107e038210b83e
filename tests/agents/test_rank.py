"""``rank``: what players that search or have a network would rather play than the rest."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from tower_core.players.asking import PlayerError, ask_choices
from tower_core.players.protocol import Choice, Ranker
from tower_core.registry import get_game

CASES = [
    ("torres", "planner", "points"),
    ("torres", "mcts:sims=30", "points"),
    ("torres", "learned", "probability"),
    ("market", "planner", "% to win"),
    ("market", "mcts:sims=30", "% to win"),
    ("market", "mcts:network=learned,sims=30", "% to win"),
    ("market", "learned", "probability"),
]


def moments(name):
    """Some states of a game between greedy players, up to the last."""
    state = get_game(name).state_class()(seed=4)
    player = agents.make("greedy", name)
    for count in range(120):
        if state.is_terminal():
            return
        if count in (0, 1, 9, 40, 90) and len(state.legal_actions()) > 1:
            yield state.clone()
        state.apply_action(player.act(state))


@pytest.mark.parametrize(("name", "spec", "unit"), CASES)
def test_the_first_choice_is_what_the_player_plays(name, spec, unit):
    for state in moments(name):
        before = state.to_bytes()
        player, other = (agents.make(spec, name, seed=3) for _ in range(2))
        assert isinstance(player, Ranker)
        assert player.unit == unit
        choices = player.rank(state, 4)
        assert 1 <= len(choices) <= 4
        assert len(set(choices)) == len(choices)
        assert all(choice.actions[0] in state.legal_actions() for choice in choices)
        assert choices[0].actions[0] == other.act(state)
        assert player.rank(state, 1) == choices[:1]
        assert player.act(state) == choices[0].actions[0]  # rank has changed nothing
        assert state.to_bytes() == before
        if unit == "probability":
            assert all(len(choice.actions) == 1 for choice in choices)
            assert sum(choice.value for choice in player.rank(state, 1000)) == pytest.approx(1, abs=1e-4)
        if "mcts" not in spec and spec != "planner":
            assert [choice.value for choice in choices] == sorted((c.value for c in choices), reverse=True)


def test_turns_of_torres_are_complete_and_ordered():
    """Nothing is drawn in these turns, so they can be played as they are, up to the next seat's move."""
    rules = {"card_list": []}
    state = get_game("torres").state_class()(2, rules, 4)
    player = agents.make("planner", "torres", seed=3)
    while state.position()["phase"] == 0:
        state.apply_action(player.act(state))
    choices = player.rank(state, 10)
    assert len(choices) == 10
    assert [choice.value for choice in choices] == sorted((c.value for c in choices), reverse=True)
    for choice in choices:
        after = state.clone()
        for action in choice.actions:
            assert after.current_player() == state.current_player()
            after.apply_action(action)
        assert after.current_player() != state.current_player()


@pytest.mark.parametrize(("name", "spec", "unit"), CASES)
def test_mistakes(name, spec, unit):
    player = agents.make(spec, name)
    state = get_game(name).state_class()(seed=1)
    for n in (0, -1, 1.5, "3", True):
        with pytest.raises(ValueError, match="n must be an integer from 1"):
            player.rank(state, n)
    other = get_game("market" if name == "torres" else "torres").state_class()(seed=1)
    with pytest.raises(ValueError, match="plays"):
        player.rank(other, 1)


class Wrong:
    unit = "points"

    def __init__(self, answer):
        self.answer = answer

    def rank(self, state, n):
        return self.answer()


def test_wrong_choices_name_the_player():
    state = get_game("torres").state_class()(seed=1)
    with pytest.raises(PlayerError, match="player Wrong returned 5 as player_0: PICK diagonal is not legal here"):
        ask_choices(Wrong(lambda: [Choice((5,), 1.0)]), state, 1, 1)
    with pytest.raises(PlayerError, match="player Wrong failed as player_0: ZeroDivisionError"):
        ask_choices(Wrong(lambda: 1 / 0), state, 1, 1)
    for answer in (None, 5, [1], [Choice((), 1.0)], [Choice((0.5,), 1.0)], [Choice((0,), None)], np.eye(2)):
        with pytest.raises(PlayerError, match="must rank a list of Choice"):
            ask_choices(Wrong(lambda answer=answer: answer), state, 1, 1)
