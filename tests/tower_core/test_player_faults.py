"""A player of the user's own that fails or answers illegally is named with its seat, in every face."""

from __future__ import annotations

import sys

import gymnasium
import numpy as np
import pytest

import torres_env
from torres_env import TorresBatch, TorresState
from tower_core.players.asking import PlayerError, ask
from tower_core.registry import get_game
from train.evaluate import evaluate
from train.vec_env import TowersVecEnv

ID = "torres_env/Torres-v0"
assert torres_env


class Mine:
    """Answers a legal action, but every *every*-th time what is given."""

    native = None
    name = "mine"

    def __init__(self, answer, every=1):
        self.answer, self.every, self.asked = answer, every, 0

    def act(self, state):
        self.asked += 1
        if self.asked % self.every:
            return state.legal_actions()[0]
        return self.answer(state) if callable(self.answer) else self.answer


class Rows(Mine):
    def must_play(self, num_players, rules):
        pass

    def act_on_rows(self, rows, masks):
        return self.answer(rows) if callable(self.answer) else self.answer


def broken(state):
    raise KeyError("a bug in act")


def interrupt(state):
    raise KeyboardInterrupt


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__


def mute(state):
    raise Mute


ANSWERS = [
    (5, "player mine returned 5 as player_0: PICK diagonal is not legal here"),
    (-1, "player mine returned -1 as player_0: action -1 is out of range"),
    (10**30, "player mine returned"),
    (None, "player mine returned None as player_0: action must be an integer, not None"),
    (2.0, "player mine returned 2.0 as player_0: action must be an integer, not 2.0"),
    (True, "player mine returned True as player_0: action must be an integer, not True"),
    ("END", "player mine returned 'END' as player_0: action must be an integer, not 'END'"),
    (np.array([86]), "action must be an integer"),
    (np.eye(50), "player mine returned array([[1., 0."),
    (np.array(True), "action must be an integer, not True"),
    (lambda state: Mute(), "player mine returned a Mute as player_0: action must be an integer, not a Mute"),
    (mute, "player mine failed as player_0: Mute"),
    (lambda state: sys.exit("usage: mine"), "player mine failed as player_0: SystemExit: usage: mine"),
    (broken, "player mine failed as player_0: KeyError: 'a bug in act'"),
]


def in_make(player):
    gymnasium.make(ID, opponents=[player], seat=1).reset(seed=1)


def in_make_vec(player):
    gymnasium.make_vec(ID, num_envs=2, opponents=[player], seat=1).reset(seed=1)


def in_training(player):
    TowersVecEnv(TorresBatch(2, opponents=[player], seat=1)).reset()


def in_evaluation(player):
    evaluate(lambda batch: batch.sample_actions(), get_game("torres"), [player], 2, players=2, rules="standard")


@pytest.mark.parametrize("face", [in_make, in_make_vec, in_training])
@pytest.mark.parametrize(("answer", "message"), ANSWERS, ids=lambda value: str(value)[:20])
def test_named_in_every_face(face, answer, message):
    with pytest.raises(PlayerError) as caught:
        face(Mine(answer))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
    if answer is broken:
        assert isinstance(caught.value.__cause__, KeyError)


def test_named_in_an_evaluation():
    with pytest.raises(PlayerError, match="player mine returned 5 as player_[01]"):
        in_evaluation(Mine(5))


def test_a_rare_fault_ends_no_game_silently():
    env = gymnasium.make(ID, opponents=[Mine(5, every=40)], seat=0)
    env.reset(seed=1)
    with pytest.raises(PlayerError, match="player mine returned 5 as player_1"):
        _play(env, 500)


def _play(env, steps):
    for _ in range(steps):
        if any(env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))[2:4]):
            env.reset()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda rows: np.full(len(rows), 5), "player mine returned 5 as player_0: the action is not legal"),
        (lambda rows: np.full(len(rows), -1), "player mine returned -1"),
        (lambda rows: np.full(len(rows), 662), "player mine returned 662"),
        (lambda rows: np.zeros(len(rows)), "must return 2 integers, not float64"),
        (lambda rows: np.zeros(1, np.int64), "must return 2 integers, not int64 of shape (1,)"),
        (lambda rows: None, "must return 2 integers"),
        (broken, "player mine failed in 2 games: KeyError"),
    ],
)
def test_players_of_rows(answer, message):
    with pytest.raises(PlayerError) as caught:
        in_make_vec(Rows(answer))
    assert message in str(caught.value)


@pytest.mark.parametrize("kind", [np.int16, np.array], ids=["scalar", "array without dimensions"])
def test_whole_numbers_of_numpy_are_fine(kind):
    env = gymnasium.make(ID, opponents=[Mine(lambda state: kind(state.legal_actions()[0]))], seat=1)
    assert env.reset(seed=1)[1]["action_mask"].any()


def test_players_of_rows_may_overwrite_what_they_get():
    player = Rows(None)

    def act_on_rows(rows, masks):
        actions = masks.argmax(1)
        rows[:], masks[:] = 255, False
        return actions

    player.act_on_rows = act_on_rows
    in_make_vec(player)


@pytest.mark.parametrize("face", ["make", "make_vec", "training"])
def test_after_an_interrupted_step_the_learner_does_not_play_the_opponents_move(face):
    player = Mine(interrupt, every=9)
    if face == "training":
        env = TowersVecEnv(TorresBatch(2, opponents=[player]))
    else:
        env = (
            gymnasium.make(ID, opponents=[player]) if face == "make" else gymnasium.make_vec(ID, 2, opponents=[player])
        )
    masks = env.action_masks if face == "training" else env.unwrapped.action_masks

    def step():
        return env.step(int(masks().argmax()) if face == "make" else masks().argmax(1))

    env.reset()
    with pytest.raises(KeyboardInterrupt):
        [step() for _ in range(500)]
    with pytest.raises(gymnasium.error.ResetNeeded, match="failed or was interrupted in the last step"):
        step()
    player.every = 10**9
    env.reset()
    step()


def test_a_player_that_fails_to_say_what_it_can_play():
    player = Rows(5)
    player.must_play = lambda num_players, rules: {}["boards"]
    with pytest.raises(ValueError, match="player mine failed in must_play: KeyError: 'boards'"):
        in_make(player)


def test_asked_when_the_game_is_over():
    state = TorresState(seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(PlayerError, match="player mine can't act: the game is over"):
        ask(Mine(0), state, 1)
