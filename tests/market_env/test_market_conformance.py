"""The market game before the checkers of PettingZoo, Gymnasium and Stable-Baselines3, and the same games in every face."""

from __future__ import annotations

import warnings

import gymnasium
import pettingzoo
import pytest

import market_env
from market_env import MarketBatch, MarketRules, market_v0

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


def test_solo_has_one_agent():
    env = market_v0.env(rules="solo")
    env.reset(seed=1)
    assert env.possible_agents == ["player_0"]


def test_registries():
    assert pettingzoo.make("aec", ID).possible_agents == ["player_0", "player_1"]
    assert gymnasium.make_vec(ID, num_envs=3).num_envs == 3
    assert market_env.GAME.gym_id == ID


def test_stable_baselines():
    from stable_baselines3.common.env_checker import check_env as sb3_check

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sb3_check(gymnasium.make(ID))
        sb3_check(gymnasium.make(ID, flatten=True))


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
