"""One seed is one game, whoever asks: state, PettingZoo, Gymnasium, vector and batch; copies go on as what they copy."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
import sys

import gymnasium
import numpy as np
import pytest
from torres_compare import equal_arrays
from torres_faces import ID, KINDS, OPPONENTS, make_face, trace

from torres_env import TorresBatch, TorresState, torres_v0
from torres_env.game import GAME
from torres_env.rules import PRESETS
from tower_core.engine.random import episode_seed_of

REWARDS = ("outcome", "margin", "score", "progress")


class Picks:
    """A player asked from Python: always the legal action at a fixed place in the list."""

    name = "picks"
    native = None

    def __init__(self, place):
        self.place = place

    def act(self, state):
        legal = state.legal_actions()
        return legal[self.place % len(legal)]


# ---------------------------------------------------------------------------------------------- state and PettingZoo
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("make", [torres_v0.raw_env, torres_v0.env])
def test_pettingzoo_plays_the_states_games(make, preset):
    env = make(3, preset)
    rng = np.random.default_rng(1)
    for episode in range(2):
        env.reset(seed=11 if episode == 0 else None)
        state = TorresState(3, preset, episode_seed_of(11, episode))
        for agent in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            seat = env.possible_agents.index(agent)
            equal_arrays(observation["observation"], state.observation(seat))
            if terminated:
                env.step(None)
                continue
            assert seat == state.current_player()
            np.testing.assert_array_equal(observation["action_mask"], state.legal_actions_mask())
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            env.step(action)
            state.apply_action(action)
            assert env.unwrapped.state.position() == state.position()
        assert state.is_terminal()
        assert env.unwrapped.state.history() == state.history()
        assert env.unwrapped.state.returns().tolist() == state.returns().tolist()


# ---------------------------------------------------------------------------------------------- batch
@pytest.mark.parametrize(("size", "threads"), [(1, 1), (5, 1), (5, 2), (40, 2)])
@pytest.mark.parametrize("num_players", [2, 4])
def test_batch_plays_the_states_games(size, threads, num_players):
    batch = TorresBatch(size, num_players, "standard", seed=100, num_threads=threads)
    watched = range(size)[:: max(1, size // 4)]
    states = {i: TorresState(num_players, "standard", 100 + i) for i in watched}
    episodes = dict.fromkeys(watched, 0)
    while min(episodes.values()) < 2:
        for i, state in states.items():
            seat = state.current_player()
            assert batch.to_move[i] == seat
            equal_arrays(GAME.split(batch.observation[i]), state.observation(seat))
            np.testing.assert_array_equal(batch.action_mask[i], state.legal_actions_mask())
        batch.step(batch.sample_actions())
        for i, state in list(states.items()):
            state.apply_action(int(batch.actions[i]))
            assert batch.done[i] == state.is_terminal()
            if state.is_terminal():
                assert batch.final_score[i].tolist() == state.scores()
                equal_arrays(GAME.split(batch.final_observation[i]), state.observation(0))
                np.testing.assert_allclose(batch.reward[i], state.returns(), atol=1e-6)
                np.testing.assert_allclose(batch.final_utility[i], state.returns(), atol=1e-6)
                episodes[i] += 1
                states[i] = TorresState(num_players, "standard", episode_seed_of(100 + i, episodes[i]))
            else:
                assert batch.state(i).position() == state.position()
                assert not batch.reward[i].any()
    batch.close()


@pytest.mark.parametrize("opponents", [None, OPPONENTS])
def test_slots_do_not_know_the_size_of_their_batch(opponents):
    """Slot 7 of 12 is slot 2 of 3, and threads change nothing."""
    one = TorresBatch(12, 3, "digest", 50, opponents, reward="progress")
    two = TorresBatch(12, 3, "digest", 50, opponents, reward="progress", num_threads=2)
    few = TorresBatch(3, 3, "digest", 55, opponents, reward="progress")
    for batch in (one, two, few):
        batch.random_play(300)
    assert one.slots["episode"].min() >= 1
    assert one.games.tobytes() == two.games.tobytes()
    assert one.games[5:8].tobytes() == few.games.tobytes()
    for name in ("observation", "action_mask", "to_move", "reward", "done", "final_score", "final_observation"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)
        np.testing.assert_array_equal(getattr(one, name)[5:8], getattr(few, name), err_msg=name)
    two.close()


def test_random_play_is_step_by_step_play():
    one, other = TorresBatch(9, 2, "standard", 3), TorresBatch(9, 2, "standard", 3)
    one.random_play(300)
    for _ in range(300):
        other.step(other.sample_actions())
    assert one.games.tobytes() == other.games.tobytes()
    np.testing.assert_array_equal(one.observation, other.observation)


def test_reset_goes_on_with_the_next_games():
    batch = TorresBatch(2, seed=8)
    batch.reset()
    assert batch.state(1).position() == TorresState(2, "standard", episode_seed_of(9, 1)).position()
    batch.reset(8)
    assert batch.state(1).position() == TorresState(2, "standard", 9).position()
    batch.reset_slot(1, 77)
    assert batch.state(1).position() == TorresState(2, "standard", 77).position()
    assert batch.state(0).position() == TorresState(2, "standard", 8).position()


# ---------------------------------------------------------------------------------------------- rewards
@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_agree_and_add_up(reward, num_players):
    batch = TorresBatch(1, num_players, "standard", 21, reward=reward, autoreset=False)
    env = torres_v0.raw_env(num_players, "standard", reward)
    env.reset(seed=21)
    total = np.zeros(num_players)
    before = expected_standing(env.state)
    while batch.to_move[0] >= 0:
        action = int(batch.sample_actions()[0])
        batch.step(batch.actions)
        env.step(action)
        paid = [env.rewards[agent] for agent in env.possible_agents]
        np.testing.assert_allclose(batch.reward[0], paid, atol=2e-6)
        if reward == "score":
            now = expected_standing(env.state)
            np.testing.assert_allclose(paid, (now - before) / 100, atol=2e-6)
            before = now
        total += paid
    points, utility = np.array(env.state.scores()), env.state.returns()
    lead = np.array([points[p] - np.delete(points, p).max() for p in range(num_players)])
    expected = {"outcome": utility, "margin": lead / 100, "score": points / 100, "progress": lead / 100 + utility}
    np.testing.assert_allclose(total, expected[reward], atol=1e-4)


def expected_standing(state):
    return np.array(state.scores(), float)


def test_progress_pays_the_lead_to_come():
    """While nobody has points, the change of what the castles would give is what is paid."""
    env = torres_v0.raw_env(2, "standard", "progress")
    env.reset(seed=3)
    for text in ("N c3", "N f6", "K d1", "B c4", "M c3 c4", "B c3", "M c4 c3"):
        env.step(env.state.string_to_action(text))
        paid = env.rewards["player_0"]
        assert paid == -env.rewards["player_1"]
    # The knight came from level 1 to level 2 of a castle of area 2: 4 points instead of 2.
    assert paid == pytest.approx(0.02)


# ---------------------------------------------------------------------------------------------- Gymnasium
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize(("num_players", "options"), [(2, {}), (3, {"seat": 1}), (4, {"rules": "master"})])
def test_vector_is_as_many_singles(num_players, options, reward):
    options = {"num_players": num_players, "opponents": OPPONENTS, "reward": reward, **options}
    vector = gymnasium.make_vec(ID, num_envs=3, num_threads=2, **options)
    singles = [gymnasium.make(ID, **options) for _ in range(3)]
    seen, info = vector.reset(seed=5)
    single = [env.reset(seed=5 + k) for k, env in enumerate(singles)]
    rng = np.random.default_rng(0)
    ended = 0
    while ended < 9:
        for k in range(3):
            equal_arrays({name: part[k] for name, part in seen.items()}, single[k][0])
            np.testing.assert_array_equal(info["action_mask"][k], single[k][1]["action_mask"])
            assert info["seat"][k] == single[k][1]["seat"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        seen, rewards, terminated, truncated, info = vector.step(actions)
        for k, env in enumerate(singles):
            observation, paid, over, cut, end = env.step(int(actions[k]))
            assert rewards[k] == pytest.approx(paid, abs=1e-6)
            assert (terminated[k], truncated[k]) == (over, cut)
            if over:
                equal_arrays(info["final_obs"][k], observation)
                final = info["final_info"]
                assert final["scores"][k].tolist() == end["scores"]
                assert final["seat"][k] == end["seat"]
                single[k] = env.reset()
                ended += 1
            else:
                single[k] = (observation, end)
    vector.close()


@pytest.mark.parametrize("preset", ["standard", "master"])
def test_gymnasium_starts_the_states_games(preset):
    for seed in range(4):
        env = gymnasium.make(ID, rules=preset, opponents="random")
        env.reset(seed=seed)
        found, expected = env.unwrapped.state.position(), TorresState(2, preset, seed).position()
        assert found["decks"] == expected["decks"]
        assert found["master_card"] == expected["master_card"]
        env.reset()
        expected = TorresState(2, preset, episode_seed_of(seed, 1)).position()
        assert env.unwrapped.state.position()["decks"] == expected["decks"]


@pytest.mark.parametrize("seat", [0, 2])
def test_opponents_asked_from_python_play_the_states_game(seat):
    """With players that can be foreseen, the environment's game can be replayed in a state."""
    vector = gymnasium.make_vec(ID, num_envs=2, num_players=3, opponents=Picks(3), seat=seat)
    env = gymnasium.make(ID, num_players=3, opponents=Picks(3), seat=seat)
    seen, info = env.reset(seed=9)
    rows, infos = vector.reset(seed=[9, 30])
    state = TorresState(3, "standard", 9)
    learner, other = Picks(-2), Picks(3)
    while True:
        while not state.is_terminal() and state.current_player() != seat:
            state.apply_action(other.act(state))
        equal_arrays(seen, state.observation(seat))
        if state.is_terminal():
            break
        equal_arrays({name: part[0] for name, part in rows.items()}, seen)
        np.testing.assert_array_equal(info["action_mask"], state.legal_actions_mask())
        action = learner.act(state)
        state.apply_action(action)
        seen, reward, terminated, _, info = env.step(action)
        elsewhere = int(np.flatnonzero(infos["action_mask"][1])[0])
        rows, rewards, ended, _, infos = vector.step(np.array([action, elsewhere]))
        assert rewards[0] == pytest.approx(reward)
        assert ended[0] == terminated
    assert terminated
    assert reward == pytest.approx(state.returns()[seat])
    assert info["scores"] == state.scores()
    equal_arrays(infos["final_obs"][0], seen)


# ---------------------------------------------------------------------------------------------- copies
@pytest.mark.parametrize(("kind", "how"), [("state", "clone"), *itertools.product(KINDS, ("deepcopy", "pickle"))])
def test_copies_go_on_identically(kind, how):
    copies = {
        "deepcopy": copy.deepcopy,
        "pickle": lambda face: pickle.loads(pickle.dumps(face)),
        "clone": lambda s: s.clone(),
    }
    face = make_face(kind)
    other = copies[how](face)
    again = copies[how](other)
    expected = trace(face, 150, 2)
    # The copy has not moved while the original played, and goes the same way now.
    assert trace(other, 150, 2) == expected
    assert trace(again, 150, 3) != expected
    assert trace(face, 50, 4) == trace(other, 50, 4)


CHILD = """
import json, pickle, sys
sys.path[:0] = {path!r}
from torres_faces import trace
with open(sys.argv[1], "rb") as file:
    faces = pickle.load(file)
print(json.dumps({{kind: trace(face, 200, 2) for kind, face in faces.items()}}))
"""


def test_pickles_play_on_in_another_process(child, tmp_path):
    faces = {kind: make_face(kind) for kind in KINDS}
    file = tmp_path / "faces.pickle"
    file.write_bytes(pickle.dumps(faces))
    done = child(CHILD.format(path=[path for path in sys.path if path]), str(file))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {kind: trace(face, 200, 2) for kind, face in faces.items()}


def test_traces_tell_games_apart():
    assert trace(make_face("gym"), 5, 2) != trace(make_face("gym"), 5, 3)
