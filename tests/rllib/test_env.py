"""RLlib's face of the games: the same games, the same rewards, everybody paid, nobody's turn taken."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from tower_core.players.asking import PlayerError
from tower_core.registry import get_game
from train.rllib.env import TowersEnv, module_of
from train.rllib.league import MAIN, Place

GAMES = [("torres", 2, ""), ("torres", 3, ""), ("market", 2, ""), ("market", 1, "solo"), ("market", 4, "full")]
SELF = [Place(MAIN, MAIN, 1.0)]


def make(name, players=2, rules="", reward="progress", places=SELF, seat="random", members=2):
    game = get_game(name)
    rules = game.resolve_rules(rules or game.default_rules).to_dict()
    return TowersEnv(
        {
            "game": name, "players": players, "rules": rules, "reward": reward, "seat": seat, "places": places,
            "members": members,
        }
    )  # fmt: skip


def play(env, seed, random):
    """A game of random actions: per agent the list of (observation, action, reward paid with the next observation)."""
    seen, _ = env.reset(seed=seed)
    steps, waiting = {}, {}
    while True:
        ((agent, observation),) = seen.items()
        assert env.get_observation_space(agent).contains(observation)
        action = int(random.choice(np.flatnonzero(observation["action_mask"])))
        waiting[agent] = (observation, action)
        seen, rewards, terminated, truncated, _ = env.step({agent: action})
        assert set(rewards) <= set(seen)
        for name, reward in rewards.items():
            steps.setdefault(name, []).append((*waiting.pop(name), reward))
        if terminated["__all__"] or truncated["__all__"]:
            assert not waiting
            assert terminated["__all__"] != truncated["__all__"]
            return steps


@pytest.mark.parametrize(("name", "players", "rules"), GAMES)
@pytest.mark.parametrize("reward", ["progress", "outcome"])
def test_everybody_is_paid_what_the_game_pays(name, players, rules, reward):
    env = make(name, players, rules, reward)
    random = np.random.default_rng(1)
    for seed in range(3):
        steps = play(env, seed, random)
        state = env.aec.game_state
        # The very game once more, in the PettingZoo environment alone.
        other = import_module(f"{name}_env.{name}_v0").raw_env(players, env.aec.rules, reward)
        other.reset(state.seed)
        paid = dict.fromkeys(other.possible_agents, 0.0)
        for _, action in env.aec.game_state._history:
            other.step(action)
            for piece in paid:
                paid[piece] += other.rewards[piece]
        assert len(state.history()) > 5
        assert len(steps) == players
        for agent, taken in steps.items():
            seat = int(agent.split("@")[1])
            assert sum(reward for _, _, reward in taken) == pytest.approx(paid[f"player_{seat}"], abs=1e-5)
        decisions, ((names, learner, utilities, score),) = unpacked(env)
        assert decisions == sum(len(taken) for taken in steps.values())
        assert names == (MAIN,) * players
        assert utilities == pytest.approx(state.returns())
        assert score == state.scores()[learner]


def unpacked(env):
    decisions, games = env.take()
    return decisions, [(game.names, game.learner, game.utilities, game.score) for game in games]


def test_scripted_players_play_inside():
    places = [Place("", "greedy", 1.0), Place("", "random", 1.0), Place("league_1", "snapshot-5", 2.0)]
    env = make("torres", 3, places=places)
    random = np.random.default_rng(2)
    met, decisions, games = set(), 0, 0
    for seed in range(12):
        steps = play(env, seed, random)
        more, ended = env.take()
        (game,) = ended
        met |= set(game.names)
        decisions += more
        games += 1
        assert set(steps) == {f"{place}@{seat}" for seat, place in enumerate(modules(game))} - {
            f"@{s}" for s in range(3)
        }
        assert game.names.count(MAIN) == 1
        assert more == sum(len(taken) for agent, taken in steps.items() if module_of(agent) == MAIN)
    assert met == {MAIN, "greedy", "random", "snapshot-5"}
    assert decisions > games


def modules(game):
    return ["league_1" if name.startswith("snapshot") else name if name == MAIN else "" for name in game.names]


class Wrong:
    name, native = "wrong", None

    def act(self, state):
        return -1


def test_a_scripted_player_that_fails_is_named():
    env = make("torres", places=[Place("", "passive", 1.0)], seat="0")
    env._scripted["passive"] = Wrong()
    with pytest.raises(PlayerError, match="player wrong returned -1 as player_1"):
        play(env, 1, np.random.default_rng(1))


def test_the_learner_sits_where_it_is_told():
    env = make("torres", seat="1", places=[Place("", "passive", 1.0)])
    for seed in range(4):
        play(env, seed, np.random.default_rng(seed))
    assert {game.learner for game in env.take()[1]} == {1}
    env = make("torres", places=[Place("", "passive", 1.0)])
    for seed in range(12):
        play(env, seed, np.random.default_rng(seed))
    assert {game.learner for game in env.take()[1]} == {0, 1}


def test_an_illegal_action_raises_and_changes_nothing():
    env = make("torres")
    seen, _ = env.reset(seed=1)
    ((agent, observation),) = seen.items()
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    before = env.aec.game_state.to_bytes()
    with pytest.raises(ValueError, match=r"\w"):
        env.step({agent: illegal})
    with pytest.raises(ValueError, match=f"turn of {agent} alone, not of nobody"):
        env.step({})
    with pytest.raises(ValueError, match=f"turn of {agent} alone, not of main@7"):
        env.step({"main@7": 1})
    assert env.aec.game_state.to_bytes() == before


def test_weights_may_change_between_games():
    env = make("torres", places=[Place("", "passive", 1.0)])
    play(env, 1, np.random.default_rng(1))
    env.set_places([Place("", "random", 1.0)])
    play(env, None, np.random.default_rng(1))
    assert [set(game.names) for game in env.take()[1]] == [{MAIN, "passive"}, {MAIN, "random"}]


def test_workers_play_different_games_from_one_seed():
    def first(worker, seed):
        class Context(dict):
            worker_index = worker

        env = make("torres")
        env = TowersEnv(Context(game="torres", players=2, rules=env.aec.rules.to_dict(), reward="outcome", seat="0",
                                places=SELF, members=0))  # fmt: skip
        env.reset(seed=seed)
        return env.aec.game_state.seed

    # RLlib seeds worker w's game i with seed + w + i.
    assert len({first(worker, 7 + worker + i) for worker in (1, 2) for i in range(3)}) == 6
    assert first(1, 7) == first(1, 7)


def test_agents_know_their_modules():
    env = make("torres", 2, members=2)
    assert {module_of(agent, SimpleNamespace()) for agent in env.possible_agents} == {MAIN, "league_0", "league_1"}
    assert len(env.possible_agents) == 6
