"""Records of games in the environments: every move of the learner and of its opponents."""

from __future__ import annotations

import copy

import gymnasium
import numpy as np
import pytest

import market_env
import torres_env
from market_env import MarketBatch
from market_env.market_v0 import MarketVectorEnv
from torres_env import TorresBatch, TorresState
from tower_core.engine.batch_structs import MAX_MOVES
from tower_core.records import check

TORRES, MARKET = torres_env.__name__ + "/Torres-v0", market_env.__name__ + "/Market-v0"


def last_legal(mask):
    return int(mask.nonzero()[0][-1])


def finish(env, info):
    """Play the last legal action to the end; returns the learner's actions and the last info."""
    actions, over = [], False
    while not over:
        actions.append(last_legal(info["action_mask"]))
        _, _, terminated, truncated, info = env.step(actions[-1])
        over = terminated or truncated
    return actions, info


class InPython:
    """Plays the first legal action; not compiled."""

    name = "first"
    native = None

    def act(self, state):
        return state.legal_actions()[0]


@pytest.mark.parametrize("opponents", ["random", InPython()], ids=["compiled", "python"])
@pytest.mark.parametrize("name", [TORRES, MARKET])
def test_a_finished_game_of_gymnasium(name, opponents):
    env = gymnasium.make(name, num_players=3, opponents=opponents, seat=1)
    for seed in (5, None):  # the game of a seed, then the next one
        _, info = env.reset(seed=seed)
        actions, info = finish(env, info)
        state = env.unwrapped.game_state
        assert [action for seat, action in state._history if seat == 1] == actions
        assert {seat for seat, _ in state._history} == {0, 1, 2}
        record = state.to_record(["a", "b", "c"])
        assert record.seed == state.seed and record.result != "unfinished"
        assert list(record.scores) == info["scores"]
        assert check(record).position() == state.position()


def test_a_game_from_a_position():
    start = TorresState(seed=7)
    start.apply_action(last_legal(start.legal_actions_mask()))
    env = gymnasium.make(TORRES, opponents="random", seat=0)
    _, info = env.reset(seed=1, options={"position": start.position()})
    again = copy.deepcopy(env)
    finish(env, info)
    record = env.unwrapped.game_state.to_record()
    assert record.position is not None and record.result == "finished"
    assert check(record).scores() == list(record.scores)
    finish(again, info)
    assert again.unwrapped.game_state.to_record() == record


def test_a_game_lost_by_an_illegal_action():
    env = gymnasium.make(TORRES, opponents="random", seat=0)
    env.reset(seed=1)
    env.step(int(env.action_space.n) - 1)
    with pytest.raises(ValueError, match="ended by an illegal action"):
        env.unwrapped.game_state.to_record()
    record = env.unwrapped.batch.record(0)
    assert (record.result, record.moves) == ("unfinished", ())


@pytest.mark.parametrize("make", [TorresBatch, MarketBatch])
def test_batches_that_restart(make):
    """The last finished game of a slot and the one in progress, also after steps that never return to Python."""
    batch = make(3, 2, seed=3, record=True, num_threads=2)
    with pytest.raises(ValueError, match="no game has finished"):
        batch.record(0, final=True)
    batch.random_play(1)
    while not batch.done.any():
        batch.step(batch.sample_actions())
    i = int(batch.done.nonzero()[0][0])
    first = batch.record(i, final=True)
    assert first.seed == 3 + i and first.result == "finished"
    assert list(first.scores) == batch.final_score[i].tolist()
    assert batch.record(i).moves == ()
    batch.random_play(5000)
    for final in (True, False):
        record = batch.record(2, ["a", "b"], final=final)
        end = check(record)
        assert record.names == ("a", "b") and end.is_terminal() == final and len(record.moves) > 0
        assert final or end.position() == batch.state(2).position()


@pytest.mark.parametrize("illegal", ["random", "lose"])
def test_illegal_actions(illegal):
    batch = TorresBatch(1, 2, seed=4, illegal=illegal, record=True)
    batch.step(np.array([661]))
    record = batch.record(0, final=illegal == "lose")
    assert len(record.moves) == (illegal == "random")
    assert record.result == "unfinished" and check(record)


def test_refusals():
    batch = TorresBatch(2)
    with pytest.raises(ValueError, match="make it with record=True"):
        batch.record(0)
    batch = TorresBatch(2, record=True, autoreset=False)
    with pytest.raises(ValueError, match="game 1 has not finished"):
        batch.record(1, final=True)
    batch.games["score"][1, 0] += 1
    with pytest.raises(ValueError, match="game 1 can't be recorded: its record was changed from outside"):
        batch.record(1)
    assert batch.record(0).moves == ()
    batch.move_count[0] = MAX_MOVES + 1
    with pytest.raises(ValueError, match=f"the game has {MAX_MOVES + 1} moves, and a batch keeps {MAX_MOVES}"):
        batch.record(0)
    env = gymnasium.make(TORRES, render_mode="ansi")
    env.reset(seed=1)
    env.unwrapped.batch.move_count[0] = MAX_MOVES + 1
    assert env.unwrapped.game_state.history() == [] and "to move" in env.render()


def test_the_vector_environment():
    env = MarketVectorEnv(2, opponents="greedy", autoreset_mode="SameStep", record=True)
    _, infos = env.reset(seed=1)
    done = np.zeros(2, np.bool_)
    while not done[0]:
        _, _, terminated, truncated, infos = env.step(infos["action_mask"].argmax(axis=1))
        done = terminated | truncated
    record = env.batch.record(0, final=True)
    assert record.seed == 1 and list(record.scores) == infos["final_info"]["scores"][0].tolist()
