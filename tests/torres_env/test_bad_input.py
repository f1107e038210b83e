"""Wrong arguments and illegal actions: each is refused with its reason, and nothing has changed afterwards."""

from __future__ import annotations

import dataclasses
import math

import gymnasium
import numpy as np
import pytest
from positions import new_game

from torres_env import TorresBatch, TorresRules, TorresState, torres_v0

ID = "torres_env/Torres-v0"


# ---------------------------------------------------------------------------------------------- rules and players
@pytest.mark.parametrize("name", ["", "Standard", "chess", None, 3, math.nan, ["standard"], b"standard"])
def test_unknown_preset(name):
    with pytest.raises(ValueError, match="unknown preset"):
        TorresRules.preset(name)


@pytest.mark.parametrize("rules", ["chess", 3, 1.5, math.nan, ["standard"], object(), b"standard"])
def test_rules_that_are_none(rules):
    makers = (TorresState, torres_v0.env, torres_v0.raw_env)
    for make in (*makers, lambda rules: TorresBatch(2, rules=rules), lambda rules: gymnasium.make(ID, rules=rules)):
        with pytest.raises(ValueError, match=r"preset|rules"):
            make(rules=rules)


def test_unknown_field():
    with pytest.raises(ValueError, match="'door'"):
        TorresRules.preset("classic", door="straight")
    for make in (TorresRules.from_dict, lambda rules: TorresState(2, rules)):
        with pytest.raises(ValueError, match="'door'"):
            make({"door": "straight"})
    with pytest.raises(ValueError, match="dict"):
        TorresRules.from_dict([("doors", "straight")])


FIELDS = [field.name for field in dataclasses.fields(TorresRules)]
WEIRD = [1.5, math.nan, math.inf, "x", b"x", [None], {"a": 1}, -1, 10**30, object(), {1, 2}, lambda: 0, np.float64(3)]


@pytest.mark.parametrize("field", FIELDS)
def test_weird_values_of_every_field(field):
    for value in WEIRD:
        with pytest.raises(ValueError, match=field):
            TorresRules(**{field: value})
    if field not in ("entry_level", "buys_per_turn", "stacks"):
        with pytest.raises(ValueError, match=field):
            TorresRules(**{field: None})


@pytest.mark.parametrize("value", [None, 1.5, [], {}, ["a1"], "i9", "a0", "A1 ", b"a1"])
def test_weird_cells_cards_and_stacks(value):
    with pytest.raises(ValueError, match="starting_cells"):
        TorresRules(starting_cells=("a1", "c1", "e1", value))
    with pytest.raises(ValueError, match="card_list"):
        TorresRules(card_list=("ap6", value))
    with pytest.raises(ValueError, match="stacks"):
        TorresRules(stacks=((1,), (1,), (1, value)))


@pytest.mark.parametrize("num_players", [0, 1, 5, -2, 10**30, 2.0, math.nan, "2", [2], True, object()])
def test_wrong_numbers_of_players(num_players):
    makers = (TorresState, torres_v0.env, lambda n: TorresBatch(2, n), lambda n: gymnasium.make(ID, num_players=n))
    for make in makers:
        with pytest.raises(ValueError, match="num_players"):
            make(num_players)


# ---------------------------------------------------------------------------------------------- seeds, options
@pytest.mark.parametrize("seed", [1.5, 2.0, math.nan, math.inf, "3", True, [1], {}, np.float64(2)])
def test_seeds_are_whole_numbers(seed):
    state = TorresState()
    before = state.to_bytes()
    calls = [
        lambda: TorresState(2, "standard", seed),
        lambda: state.reseed(seed),
        lambda: state.resample_hidden(0, seed),
        lambda: TorresBatch(2, seed=seed),
        lambda: TorresBatch(2).reset(seed),
        lambda: torres_v0.env().reset(seed=seed),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="seed"):
            call()
    assert state.to_bytes() == before


def test_a_batch_needs_a_seed():
    with pytest.raises(ValueError, match="seed"):
        TorresBatch(4, seed=None)  # all slots would play the same game


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64 + 5, -(2**70), np.int64(-1), np.uint64(2**64 - 1)])
def test_any_whole_number_is_a_seed(seed):
    state = TorresState(2, "standard", seed)
    assert state.position() == TorresState(2, "standard", int(seed) % 2**64).position()
    assert TorresState.from_bytes(state.to_bytes()).seed == int(seed) % 2**64


BAD_OPTIONS = {
    "seat": [2, -1, 1.0, None, "first", True, math.nan],
    "reward": ["points", None, 1.5],
    "illegal": ["ignore", None, 2],
    "opponents": [
        "nobody",
        "",
        None,
        3,
        "random:0",
        "random:-1",
        {},
        {"random": math.nan},
        {"random": -1},
        [],
        "greedy:depth=3",
    ],
    "dtype": ["float64", None, 8],
    "num_threads": [0, -1, 1.5, None, True],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD_OPTIONS.items() for value in values])
def test_bad_options(name, value):
    with pytest.raises(ValueError, match=rf"{name}|player|weight"):
        gymnasium.make_vec(ID, num_envs=2, **{name: value})
    if name != "num_threads":
        with pytest.raises(ValueError, match=rf"{name}|player|weight"):
            gymnasium.make(ID, **{name: value})
    if name in ("reward", "illegal", "dtype"):
        with pytest.raises(ValueError, match=name):
            torres_v0.env(**{name: value})


@pytest.mark.parametrize("mode", ["svg", "", "ANSI"])
def test_unknown_render_mode(mode):
    with pytest.raises(ValueError, match="render_mode"):
        torres_v0.env(render_mode=mode)
    with pytest.raises(ValueError, match="render_mode"), pytest.warns(UserWarning, match="render_mode"):
        gymnasium.make(ID, render_mode=mode)


@pytest.mark.parametrize("num_envs", [0, -3, 2.0, None, "4", True, math.nan])
def test_batches_have_a_size(num_envs):
    with pytest.raises(ValueError, match="num_envs"):
        TorresBatch(num_envs)


@pytest.mark.parametrize("seat", [-1, 2, 1.0, "0", True, math.nan, [0]])
def test_seats(seat):
    state = TorresState()
    for call in (state.observation, state.position, lambda s: state.resample_hidden(s, 1)):
        with pytest.raises(ValueError, match="seat"):
            call(seat)


# ---------------------------------------------------------------------------------------------- actions


@pytest.mark.parametrize("action", [None, 1.5, math.nan, "3", True, [1], np.float64(2), np.array([1, 2])])
def test_actions_are_integers(action):
    state = TorresState()
    for call in (state.apply_action, state.action_to_string, state.explain):
        with pytest.raises(ValueError, match="integer"):
            call(action)


@pytest.mark.parametrize("action", [np.int64(-5), np.uint64(2**63), np.uint64(2**64 - 1)])
def test_actions_of_numpy_out_of_range(action):
    with pytest.raises(ValueError, match="out of range"):
        TorresState().apply_action(action)


def test_texts_forgive_case_and_spaces():
    state = new_game()
    assert state.string_to_action("  b  D2 ") == state.string_to_action("B d2")


@pytest.mark.parametrize("bad", [0, 661, -3, 10**18, 5])
def test_gymnasium_illegal(bad):
    lose = gymnasium.make(ID, reward="progress", seat=0)
    lose.reset(seed=1)
    observation, reward, terminated, truncated, info = lose.step(bad)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert lose.observation_space.contains(observation)
    assert not info["action_mask"].any()
    strict = gymnasium.make(ID, illegal="raise", seat=0)
    strict.reset(seed=1)
    before = strict.unwrapped.batch.games.tobytes()
    with pytest.raises(ValueError, match="slot 0: |out of range: actions are numbers from 0 to 661"):
        strict.step(bad)
    assert strict.unwrapped.batch.games.tobytes() == before
    chance = gymnasium.make(ID, illegal="random", seat=0)
    chance.reset(seed=1)
    assert chance.step(bad)[1:4] == (0, False, False)


@pytest.mark.parametrize("action", [None, 1.5, math.nan, "3", True, [3], object(), {}])
def test_gymnasium_refuses_what_is_no_number(action):
    env = gymnasium.make(ID, illegal="lose")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="integer"):
        env.step(action)
    assert not env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))[2]  # and the game goes on


# ---------------------------------------------------------------------------------------------- batch
WRONG_SHAPES = [
    None,
    3,
    [3],
    [3, 3, 3, 3],
    [[3, 3, 3]],
    [1.0, 2.0, 3.0],
    [True, False, True],
    ["1", "2", "3"],
    [None] * 3,
    [2**70, 1, 1],
]


@pytest.mark.parametrize("actions", WRONG_SHAPES)
@pytest.mark.parametrize("illegal", ["raise", "random", "lose"])
def test_batch_step_wants_whole_numbers(actions, illegal):
    batch = TorresBatch(3, seed=1, illegal=illegal)
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match="3 integers"):
        batch.step(actions)
    assert batch.games.tobytes() == before


@pytest.mark.parametrize("bad", [0, 661, 662, 2**62, np.uint64(2**63 + 3), np.uint64(2**64 - 1)])
def test_batch_names_the_slot(bad):
    batch = TorresBatch(4, seed=1)
    actions = batch.sample_actions().astype(type(bad) if isinstance(bad, np.uint64) else np.int64)
    good = actions.copy()
    actions[2] = bad
    before = batch.games.tobytes()
    with pytest.raises(ValueError, match=r"slot 2: .*(legal here|out of range)"):
        batch.step(actions)
    assert batch.games.tobytes() == before
    batch.step(good)
    assert (batch.to_move == 1).all()


def test_batch_leaves_slots_below_zero():
    batch = TorresBatch(3, seed=1)
    before = batch.games.copy()
    actions = batch.sample_actions().copy()
    actions[1] = -1
    batch.step(actions)
    assert batch.games[1].tobytes() == before[1].tobytes()
    assert batch.games[0].tobytes() != before[0].tobytes()
    assert batch.to_move.tolist() == [1, 0, 1]


def test_batch_lose():
    batch = TorresBatch(3, 3, seed=1, illegal="lose")
    batch.step(batch.sample_actions())
    actions = batch.sample_actions().copy()
    actions[1] = 0
    batch.step(actions)
    assert batch.done.tolist() == [False, True, False]
    assert batch.reward.tolist() == [[0, 0, 0], [0, -1, 0], [0, 0, 0]]
    assert batch.to_move.tolist() == [2, 0, 2]  # the next game has begun
    assert batch.slots["episode"].tolist() == [0, 1, 0]
