"""Worlds drawn from what one seat knows: the seat can't tell them from the game that it sees."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from market_env import MarketState
from torres_env import TorresState

GAMES = [
    (TorresState, 2, "standard"),
    (TorresState, 3, "classic"),
    (TorresState, 4, "digest"),
    (TorresState, 4, "master"),
    (MarketState, 2, "full"),
    (MarketState, 4, "full"),
    (MarketState, 3, "advanced"),
    (MarketState, 1, "solo"),
]


def reached(kind, players, rules, seed):
    """Every few states of a random game, and its end."""
    chance, state, turn = random.Random(seed), kind(players, rules, seed), 0
    while not state.is_terminal():
        if turn % 9 == seed % 9 or (turn % 3 == 0 and state.position()["pending"] is not None):
            yield state.clone()
        state.apply_action(chance.choice(state.legal_actions()))
        turn += 1
    yield state


@pytest.mark.parametrize(("kind", "players", "rules"), GAMES)
def test_a_seat_cannot_tell_the_drawn_world(kind, players, rules):
    differ = False
    for seed in (1, 2):
        for number, state in enumerate(reached(kind, players, rules, seed)):
            seat = number % players
            known = json.loads(json.dumps(state.position(seat)))
            world = kind.from_position(known, seat=seat, seed=number)
            assert json.loads(json.dumps(world.position(seat))) == known
            assert world.current_player() == state.current_player()
            assert world.is_terminal() == state.is_terminal() and world.scores() == state.scores()
            if state.current_player() == seat:
                assert world.legal_actions() == state.legal_actions()
            for name, part in state.observation(seat).items():
                np.testing.assert_array_equal(world.observation(seat)[name], part)
            assert "?" not in json.dumps(world.position())
            differ |= any(world.position()[name] != value for name, value in state.position().items() if name != "rng")
    assert differ or rules in ("master", "solo")  # with open hands and no decks, nothing is hidden


def test_the_seed_decides():
    known = TorresState(3, "standard", 5).position(1)
    worlds = [TorresState.from_position(known, seat=1, seed=seed).position() for seed in (7, 7, 8)]
    assert worlds[0] == worlds[1] != worlds[2]
    assert worlds[0]["rng"] == TorresState.from_position(known, seat=1, seed=7).position()["rng"] != worlds[2]["rng"]


def test_what_is_given_and_hidden_from_the_seat_is_drawn_too():
    state = TorresState(2, "standard", 5)
    decks = {
        tuple(TorresState.from_position(state.position(), seat=0, seed=n).position()["decks"][1]) for n in range(9)
    }
    assert len(decks) > 1


def test_a_drawn_world_has_a_history_of_its_own_and_can_be_recorded():
    state = MarketState(3, "full", 2)
    state.apply_action(state.legal_actions()[0])
    world = MarketState.from_position(state.position(0), seat=0, seed=3)
    assert world.history() == [] and world.seed == 3
    world.apply_action(world.legal_actions()[0])
    assert len(world.to_record().moves) == 1
    assert MarketState.from_bytes(world.to_bytes()).position() == world.position()


@pytest.mark.parametrize(
    ("seat", "changes", "told"),
    [
        (None, {}, r"^hands: '\?' is hidden|^decks: '\?' is hidden"),
        (2, {}, "^seat must be from 0 to 1"),
        (True, {}, "^seat must be"),
        (
            0,
            {"hands": [["?"], []], "decks": [["?"] * 9, ["?"] * 10], "unseen": [9, 10]},
            r"^hands: can't be '\?': player_0 knows",
        ),
        (0, {"decks": [["?"] * 11, ["?"] * 10]}, "^decks: player_0 must have 10 hidden"),
        (0, {"hands": [["queen"], []]}, r"^hands \[0\]\[0\]: must be a card"),
    ],
)
def test_refused(seat, changes, told):
    known = TorresState(2, "standard", 1).position(0)
    with pytest.raises(ValueError, match=told):
        TorresState.from_position(known | changes, seat=seat, seed=1)
