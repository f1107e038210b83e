"""The names of OpenSpiel's State that its search code calls."""

from __future__ import annotations

import numpy as np
import pytest

from market_env import MarketState
from torres_env import TorresState

CLASSES = [TorresState, MarketState]


@pytest.mark.parametrize("cls", CLASSES)
def test_only_the_seat_to_move_has_legal_actions(cls):
    state = cls(3, seed=1)
    mover = state.current_player()
    for seat in range(3):
        assert state.legal_actions(seat) == (state.legal_actions() if seat == mover else [])
        np.testing.assert_array_equal(state.legal_actions_mask(seat).nonzero()[0], state.legal_actions(seat))
    with pytest.raises(ValueError, match="seat must be from 0 to 2"):
        state.legal_actions(3)


@pytest.mark.parametrize("cls", CLASSES)
def test_a_child_is_the_state_after_the_action(cls):
    state = cls(seed=1)
    before, action = state.to_bytes(), state.legal_actions()[-1]
    child = state.child(action)
    assert state.to_bytes() == before
    state.apply_action(action)
    assert child.to_bytes() == state.to_bytes()


def test_the_notation_of_a_seat():
    """The k of ``M`` is a knight of that seat."""
    state = TorresState(seed=1)
    state.apply_action(state.string_to_action("N c3"))
    state.apply_action(state.string_to_action("N f3"))
    action = state.game.actions.number("M", (0, 0))
    assert [state.action_to_string(seat, action) for seat in (0, 1)] == ["M c3 a1", "M f3 a1"]
    with pytest.raises(TypeError, match="takes an action, or a seat and an action"):
        state.action_to_string(0, 1, 2)


@pytest.mark.parametrize("cls", CLASSES)
def test_the_end_pays(cls):
    state = cls(seed=1)
    assert state.num_distinct_actions() == len(state.legal_actions_mask())
    while not state.is_terminal():
        assert not state.is_chance_node()
        assert state.rewards().tolist() == [0, 0]
        state.apply_action(state.legal_actions()[0])
    assert state.rewards().tolist() == [state.player_return(0), state.player_return(1)] == state.returns().tolist()
    assert state.legal_actions(0) == []


@pytest.mark.parametrize("cls", CLASSES)
def test_what_a_seat_knows_of_the_history(cls):
    state = cls(3, seed=2) if cls is TorresState else cls(3, "advanced", seed=2)
    rng = np.random.default_rng(0)
    hidden = 0
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    for seat in range(3):
        known = state.history(seat)
        assert known == state.resample_hidden(seat, 1).history()
        hidden += sum(text == "?" for _, text in known)
        assert all(text in (full, "?") for (_, text), (_, full) in zip(known, state.history(), strict=True))
    assert hidden
