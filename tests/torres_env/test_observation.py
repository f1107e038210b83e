"""Every named block of the observation against plain Python; rotation; hidden cards."""

from __future__ import annotations

import random

import gymnasium
import numpy as np
import pytest
from positions import START, new_game, play
from torres_compare import choose, random_rules
from torres_expected import expected_observation

from torres_env import TorresBatch, TorresState
from torres_env.game import GAME
from torres_env.observation import GLOBALS, PLANES
from torres_env.rules import CARDS, PRESETS
from tower_core.envs.spaces import flat_row

STYLES = ("random", "builder", "buyer")


def play_on(state, chance, style):
    """A move of random play; a buyer buys and plays cards whenever it can."""
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    cards = [text for text in texts if text.startswith(("BUY", "PLAY"))]
    if style == "buyer" and cards and chance.random() < 0.8:
        text = chance.choice(cards)
    else:
        text = choose(texts, state.position()["height"], chance, style)
    state.apply_action(state.string_to_action(text))


def some_state(rules, num_players, seed, moves, style):
    """A state after so many moves of random play."""
    chance, state = random.Random(seed), TorresState(num_players, rules, seed)
    for _ in range(moves):
        play_on(state, chance, style)
    return state


def check(state, seat):
    board, numbers = expected_observation(state.position(seat), seat)
    seen = state.observation(seat)
    assert set(board) == {block.name for block in PLANES}
    assert set(numbers) == {block.name for block in GLOBALS}
    for block in PLANES:
        found = seen["board"][block.start : block.stop].reshape(block.size, 64).tolist()
        assert found == board[block.name], f"{block.name} of seat {seat}: {state.position()}"
    for block in GLOBALS:
        found = GLOBALS.view(seen["globals"], block.name).tolist()
        assert found == numbers[block.name], f"{block.name} of seat {seat}: {state.position()}"


# ---------------------------------------------------------------------------------------------- blocks
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("preset", [*PRESETS, "drawn"])
def test_every_block(preset, num_players):
    """Along a game, as the kernels keep it up to date; the kit compares that with what is computed anew."""
    chance, style = random.Random(num_players), STYLES[num_players - 2]
    state = TorresState(num_players, random_rules(chance, num_players) if preset == "drawn" else preset, 5)
    while True:
        check(state, chance.randrange(num_players))
        if state.is_terminal():
            break
        play_on(state, chance, style)


def test_every_block_is_used():
    """Over some games every entry that can be other than 0 is (a check of the test's reach)."""
    seen = np.zeros(GAME.observation_size, bool)
    for rules, players in (("standard", 4), ("master", 3), ("digest_master", 2), ("classic", 2)):
        batch = TorresBatch(200, players, rules, 1)
        for _ in range(500):
            batch.step(batch.sample_actions())
            seen |= batch.observation.any(axis=0)
    assert [block.name for block in GLOBALS if not GLOBALS.view(seen[18 * 64 :], block.name).any()] == []
    assert seen[: 18 * 64].reshape(18, 64).any(axis=1).all()


# ---------------------------------------------------------------------------------------------- by hand
def test_first_turn_by_hand():
    """Two players, knights on d1 and c3, king on f3; player_0 puts a block on d2."""
    state = play(new_game(2), "B d2")
    assert state.position(0)["ap"] == state.position(1)["ap"] == 4
    seen = state.observation(0)
    board, numbers = seen["board"], seen["globals"]
    assert START[:3] == ("d1", "c3", "f3")
    assert board[PLANES["height"].start].sum() == 9
    assert board[PLANES["height"].start][1, 3] == 1  # d2: row 1, column 3
    assert board[PLANES["area"].start][1, 3] == board[PLANES["area"].start][0, 3] == 2
    assert board[PLANES["knights"].start][0, 3] == 1
    assert board[PLANES["knights"].start + 1][2, 2] == 1
    assert board[PLANES["king"].start][2, 5] == 1
    assert GLOBALS.view(numbers, "ap").tolist() == [4]
    assert GLOBALS.view(numbers, "turn_stack").tolist() == [2]
    assert GLOBALS.view(numbers, "stack").tolist() == [3, 3, 0, 0]
    assert GLOBALS.view(numbers, "blocks_left").tolist() == [9, 12, 0, 0]
    assert GLOBALS.view(numbers, "coming").tolist() == [2, 1, 0, 0]
    assert GLOBALS.view(numbers, "rounds_left").tolist() == [3]
    assert GLOBALS.view(numbers, "lead").tolist() == [128, 128, 0, 0]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_rotation(num_players):
    """Relative seats: what seat p sees of seat q does not depend on where both sit."""
    state = some_state("master", num_players, 12, 90, "builder")
    for seat in range(num_players):
        seen = state.observation(seat)
        table = [(seat + j) % num_players for j in range(num_players)]
        knights = state.position()["knights"]
        for j, p in enumerate(table):
            plane = seen["board"][PLANES["knights"].start + j].ravel()
            assert sorted(np.flatnonzero(plane)) == sorted(
                "abcdefgh".index(c[0]) + 8 * (int(c[1]) - 1) for c in knights[p]
            )
        for name in ("score", "score_rest", "knights_left", "hand_size", "deck_size", "blocks_left", "stack", "coming"):
            own_view = GLOBALS.view(state.observation(0)["globals"], name)[:num_players]
            np.testing.assert_array_equal(
                GLOBALS.view(seen["globals"], name)[:num_players], own_view[table], err_msg=name
            )
            assert not GLOBALS.view(seen["globals"], name)[num_players:].any()
        assert GLOBALS.view(seen["globals"], "to_move").argmax() == (state.current_player() - seat) % num_players


# ---------------------------------------------------------------------------------------------- hidden


def test_resampling_does_change_what_is_hidden():
    """Hands, decks and looked-at cards take many values."""
    state = some_state("standard", 3, 4, 75, "buyer")
    assert any(state.position()["hands"][1:])
    found = [state.resample_hidden(0, seed).position() for seed in range(60)]
    for p in (1, 2):
        assert len({tuple(position["hands"][p] + ["|"] + position["decks"][p]) for position in found}) > 20
    picking = play(new_game(2), "BUY")
    looked = {tuple(picking.resample_hidden(1, seed).position()["pending"]["cards"]) for seed in range(60)}
    assert len(looked) > 20
    own = {tuple(picking.resample_hidden(0, seed).position()["pending"]["cards"]) for seed in range(20)}
    assert len(own) == 1  # the buyer sees its cards


@pytest.mark.parametrize("preset", ["master", "digest_master"])
def test_open_hands_are_in_it(preset):
    state = some_state(preset, 3, 4, 60, "builder")
    assert state.resample_hidden(0, 3).position()["hands"] == state.position()["hands"]
    assert state.position(0)["hands"] == state.position()["hands"]
    seen = GLOBALS.view(state.observation(0)["globals"], "open_hands").reshape(3, 10)
    assert seen.sum(axis=1).tolist() == [len(hand) for hand in state.position()["hands"][1:]] + [0]


def test_what_a_player_put_under_its_deck_it_knows():
    state = play(new_game(2), "BUY")
    cards = state.position()["pending"]["cards"]
    play(state, f"PICK {cards[1]}")
    place = GLOBALS.view(state.observation(0)["globals"], "deck_place")
    assert place[CARDS.index(cards[0])] == 8  # seven of ten are left, then these two, in the order drawn
    assert place[CARDS.index(cards[2])] == 9
    assert np.count_nonzero(place) == 2
    assert not GLOBALS.view(state.observation(1)["globals"], "deck_place").any()


# ---------------------------------------------------------------------------------------------- players


class Peeks:
    """A player asked from Python that keeps what it is shown."""

    name, native = "peeks", None

    def __init__(self):
        self.shown = []

    def act(self, state):
        self.shown.append(state.position())
        return state.legal_actions()[0]


def test_rows_of_any_leading_shape_are_split_into_the_parts_that_a_state_shows():
    state = new_game(seed=3)
    rows = np.stack([flat_row(state, seat) for seat in (0, 1, 0, 1, 0, 1)]).reshape(3, 2, -1)
    assert np.array_equal(flat_row(state), flat_row(state, state.current_player()))
    for name, part in GAME.split(rows).items():
        assert np.array_equal(part[2, 1], state.observation(1)[name]) and np.array_equal(
            part[0, 0], state.observation(0)[name]
        )
        assert np.shares_memory(part, rows)


@pytest.mark.parametrize("vector", [False, True])
def test_players_asked_from_python_see_no_hidden_cards(vector):
    """They get a state with the true position as their seat knows it, and everything else drawn anew."""
    peeks = Peeks()
    make = gymnasium.make_vec if vector else gymnasium.make
    env = make("torres_env/Torres-v0", opponents=peeks, seat=0, **({"num_envs": 1} if vector else {}))
    env.reset(seed=4)
    true = TorresState(2, "standard", 4).position()
    for _ in range(4):
        action = int(np.flatnonzero(env.unwrapped.batch.action_mask[0])[0])
        env.step(np.array([action]) if vector else action)
    assert len(peeks.shown) > 3
    for shown in peeks.shown:
        assert shown["to_move"] == 1
        assert sorted(shown["decks"][0]) == sorted(true["decks"][0])
        assert shown["decks"][0] != true["decks"][0]
        assert shown["rng"] != true["rng"]
    assert len({tuple(shown["decks"][0]) for shown in peeks.shown}) > 1
