"""The market game before the checkers of PettingZoo, Gymnasium and Stable-Baselines3, and the same games in every face."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import market_env
from market_env import MarketBatch, MarketRules, MarketState, market_v0

ID = "market_env/Market-v0"
GAMES = [
    (2, "base"),
    (3, "full"),
    (4, "full"),
    (None, "solo"),
    (2, MarketRules.preset("full", npc=True)),
    (3, MarketRules.preset("guard", npc=True)),
]

pytestmark = pytest.mark.filterwarnings("ignore:Observation")


@pytest.mark.parametrize(("players", "rules"), GAMES)
@pytest.mark.parametrize("reward", ["outcome", "progress"])
def test_api(players, rules, reward, capsys):
    api_test(market_v0.env(players, rules, reward), num_cycles=150)
    assert "Passed" in capsys.readouterr().out


def test_seeds_and_rendering(capsys):
    seed_test(lambda: market_v0.env(rules="full"), num_cycles=100)
    render_test(lambda render_mode=None: market_v0.env(3, "full", render_mode=render_mode))
    assert "player_0" in capsys.readouterr().out  # the mode "human" prints


def test_solo_has_one_agent():
    env = market_v0.env(rules="solo")
    env.reset(seed=1)
    assert env.possible_agents == ["player_0"]


@pytest.mark.parametrize(("players", "rules"), GAMES)
def test_gymnasium(players, rules):
    check_env(gymnasium.make(ID, num_players=players, rules=rules).unwrapped, skip_render_check=True)


def test_registries():
    assert pettingzoo.make("aec", ID).possible_agents == ["player_0", "player_1"]
    assert gymnasium.make_vec(ID, num_envs=3).num_envs == 3
    assert market_env.GAME.gym_id == ID


def test_stable_baselines():
    from stable_baselines3.common.env_checker import check_env as sb3_check

    sb3_check(gymnasium.make(ID, flatten=True))


@pytest.mark.parametrize(("players", "rules"), GAMES)
def test_vector_plays_the_games_of_singles(players, rules):
    options = {"num_players": players, "rules": rules, "opponents": "random:1,passive:1", "reward": "progress"}
    vector = gymnasium.make_vec(ID, num_envs=3, **options)
    singles = [gymnasium.make(ID, **options) for _ in range(3)]
    seen, info = vector.reset(seed=9)
    alone = [single.reset(seed=9 + i) for i, single in enumerate(singles)]
    rng = np.random.default_rng(3)
    ended = 0
    for t in range(400):
        for i in range(3):
            np.testing.assert_array_equal(seen["vector"][i], alone[i][0]["vector"])
            np.testing.assert_array_equal(info["action_mask"][i], alone[i][1]["action_mask"])
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        seen, rewards, terminated, truncated, info = vector.step(actions)
        for i, single in enumerate(singles):
            observation, reward, over, cut, told = single.step(int(actions[i]))
            assert reward == pytest.approx(rewards[i], abs=1e-6)
            assert (over, cut) == (terminated[i], truncated[i])
            alone[i] = single.reset() if over or cut else (observation, told)
            ended += over or cut
        if t == 100:  # copies go on with the same games
            vector = pickle.loads(pickle.dumps(vector))
            singles = [copy.deepcopy(single) for single in singles]
    assert ended


@pytest.mark.parametrize(("players", "rules"), GAMES)
def test_state_batch_and_aec_play_the_same_game(players, rules):
    batch = MarketBatch(2, players, rules, seed=40)
    states = [MarketState(players, rules, seed=40 + i) for i in range(2)]
    env = market_v0.raw_env(players, rules)
    env.reset(seed=40)
    for _ in range(300):
        for i, state in enumerate(states):
            assert state.current_player() == batch.to_move[i]
            np.testing.assert_array_equal(state.legal_actions_mask(), batch.action_mask[i].astype(bool))
            np.testing.assert_array_equal(state.observation(state.current_player())["vector"], batch.observation[i])
        np.testing.assert_array_equal(env.last()[0]["observation"]["vector"], batch.observation[0])
        actions = batch.sample_actions().copy()
        batch.step(actions)
        env.step(int(actions[0]))
        for state, action in zip(states, actions, strict=True):
            state.apply_action(int(action))
        if batch.done.any():
            assert all(state.is_terminal() for state, done in zip(states, batch.done, strict=True) if done)
            return


@pytest.mark.parametrize(("players", "rules"), GAMES)
def test_ten_thousand_games_end(players, rules):
    """Towers never fall, and nobody but the winner has them all; conservation is checked in test_market_invariants."""
    batch = MarketBatch(2_000, players, rules, seed=1)
    need = batch.rules.components.rule("towers_to_win")
    games = 0
    before = batch.games["score"].copy()
    while games < 10_000:
        batch.step(batch.sample_actions())
        score = batch.games["score"]
        going = ~batch.done
        assert (score[going] >= before[going]).all()
        assert (score[:, : batch.num_players] < need).all()  # a game with a winner is over
        final = batch.final_score[batch.done & ~batch.truncated]
        assert ((final == need).sum(axis=1) <= 1).all()
        games += int(batch.done.sum())
        before = score.copy()
