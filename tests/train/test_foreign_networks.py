"""``sb3:PATH`` and ``onnx:PATH``: networks of other programs play as they do there, and no code of theirs runs."""

from __future__ import annotations

import json
import os
import pickle
import zipfile

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO, RecurrentPPO
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

import agents
import torres_env
from torres_env import TorresBatch, TorresState
from train.arena import ArenaSettings, run_arena
from train.export import export_onnx
from train.shipped import shipped
from train.vec_env import TowersVecEnv

assert torres_env
torch.set_num_threads(1)
pytestmark = pytest.mark.filterwarnings("ignore:Detected pickle protocol")
SMALL = {"net_arch": [8]}


def environment(**options):
    return gymnasium.make("torres_env/Torres-v0", **options)


def moments(count):
    """States of random play."""
    state, player = TorresState(seed=2), agents.make("random", "torres", seed=1)
    for _ in range(count):
        yield state.clone()
        state.apply_action(player.act(state))


def seen(state, space):
    """The observation of the seat to move, as an environment with this space gives it."""
    parts = state.observation(state.current_player())
    if isinstance(space, gymnasium.spaces.Dict):
        return {name: part.astype(space[name].dtype) for name, part in parts.items()}
    return np.concatenate([part.ravel() for part in parts.values()]).astype(space.dtype)


@pytest.mark.parametrize(
    ("kind", "policy", "options", "kwargs"),
    [
        (MaskablePPO, "MlpPolicy", {"flatten": True}, {"net_arch": [8], "activation_fn": torch.nn.ReLU}),
        (MaskablePPO, "MultiInputPolicy", {}, SMALL),
        (MaskablePPO, "MultiInputPolicy", {"dtype": "float32"}, {"net_arch": {"pi": [8], "vf": [4]}}),
        (PPO, "MlpPolicy", {"flatten": True, "dtype": "float32"}, SMALL),
        (DQN, "MlpPolicy", {"flatten": True}, SMALL),
    ],
)
def test_it_plays_as_the_library_does(tmp_path, kind, policy, options, kwargs):
    env = environment(**options)
    more = {"buffer_size": 1} if kind is DQN else {}
    model = kind(policy, env, policy_kwargs=kwargs, seed=3, **more)
    model.save(tmp_path / "model")
    player = agents.make(f"sb3:{tmp_path / 'model'}", "torres")
    for state in moments(20):
        legal = state.legal_actions()
        ranked = player.rank(state, 1000)
        assert sorted(choice.actions[0] for choice in ranked) == legal
        assert ranked[0].actions[0] == player.act(state)
        observation = seen(state, env.observation_space)
        if kind is MaskablePPO:
            best, _ = model.predict(observation, action_masks=state.legal_actions_mask(), deterministic=True)
            assert player.act(state) == best
        elif kind is DQN:
            with torch.no_grad():
                values = model.q_net(model.policy.obs_to_tensor(observation)[0])[0]
            np.testing.assert_allclose([c.value for c in ranked], [values[c.actions[0]] for c in ranked], atol=1e-5)
        else:
            with torch.no_grad():
                probs = model.policy.get_distribution(model.policy.obs_to_tensor(observation)[0]).distribution.probs[0]
            assert player.act(state) == max(legal, key=lambda action: float(probs[action]))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A saved model and an exported network."""
    folder = tmp_path_factory.mktemp("networks")
    saved_with(folder / "model.zip")
    export_onnx(shipped("torres")[0], folder / "player.onnx")
    return folder


def test_they_play_in_the_arena_and_in_training(files, monkeypatch):
    monkeypatch.chdir(files)
    specs = ("a=sb3:model.zip", "onnx:player.onnx")
    tally = run_arena(ArenaSettings("torres", (*specs, "random"), games=2), jobs=0)
    assert all(not entrant.faults for entrant in tally.entrants.values())
    env = TowersVecEnv(TorresBatch(4, opponents=list(specs), seat=1))
    env.reset()
    env.step(env.batch.sample_actions())


def test_an_exported_network_plays_as_its_checkpoint(files):
    player, learned = agents.make(f"onnx:{files / 'player.onnx'}", "torres"), agents.make("learned", "torres")
    for state in moments(30):
        assert player.act(state) == learned.act(state)
        value, probs = player.judge(state)
        expected, theirs = learned.judge(state)
        assert value == pytest.approx(expected, abs=1e-4)
        assert probs == pytest.approx(theirs, abs=1e-4)
    copy = pickle.loads(pickle.dumps(player))
    assert copy.act(state) == player.act(state)
    with pytest.raises(ValueError, match="was trained for 2 players under standard, not for 3 players under classic"):
        TorresBatch(1, 3, "classic", opponents=player)


class Extractor(BaseFeaturesExtractor):
    def __init__(self, space):
        super().__init__(space, 4)
        self.net = torch.nn.Linear(space.shape[0], 4)

    def forward(self, observations):
        return self.net(observations)


def saved_with(path, **kwargs):
    MaskablePPO("MlpPolicy", environment(flatten=True), policy_kwargs={**SMALL, **kwargs}).save(path)


@pytest.mark.parametrize(
    ("spec", "game", "said"),
    [
        ("sb3:", "torres", "name the file: 'sb3:PATH'"),
        ("onnx:nowhere", "torres", "there is no file nowhere"),
        ("sb3:text", "torres", "text is not a model that Stable-Baselines3 has saved"),
        ("onnx:text", "torres", "text is not a network that towers export has written"),
        ("onnx:player.onnx", "market", "player.onnx plays torres, not market"),
        ("sb3:model.zip", "market", r"vectors of shape \[\d+\], but those of market have"),
        ("sb3:own.zip", "torres", "policy option features_extractor_class=.*Extractor.*, which would need code"),
        ("sb3:recurrent.zip", "torres", "a policy of sb3_contrib.common.recurrent.policies, which would need code"),
    ],
)
def test_mistakes_in_one_line(files, monkeypatch, spec, game, said):
    monkeypatch.chdir(files)
    (files / "text").write_text("mine")
    if spec == "sb3:own.zip":
        saved_with("own.zip", features_extractor_class=Extractor)
    if spec == "sb3:recurrent.zip":
        RecurrentPPO("MlpLstmPolicy", environment(flatten=True), policy_kwargs={"lstm_hidden_size": 4}).save(
            "recurrent"
        )
    with pytest.raises(ValueError, match=said) as caught:
        agents.make(spec, game)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"policy_kwargs": {"net_arch": [60_000, 60_000]}}, "the weights don't fit a network for torres"),
        ({"policy_class": {"__module__": ["os"]}}, "which would need code from the file"),
        ({"policy_class": None}, "is not a model that Stable-Baselines3 has saved"),
    ],
)
def test_a_description_is_not_trusted(files, tmp_path, changes, said):
    with zipfile.ZipFile(files / "model.zip") as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        for name, content in {**entries, "data": json.dumps(json.loads(entries["data"]) | changes)}.items():
            archive.writestr(name, content)
    with pytest.raises(ValueError, match=said):
        agents.make(f"sb3:{tmp_path / 'other.zip'}", "torres")


class Hostile:
    def __reduce__(self):
        return os.system, ("touch ran",)


def test_no_code_of_a_file_runs(files, monkeypatch):
    monkeypatch.chdir(files)
    with zipfile.ZipFile("model.zip") as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(entries["data"])
    hostile = pickle.dumps(Hostile())
    for value in about.values():
        if isinstance(value, dict) and ":serialized:" in value:
            value[":serialized:"] = hostile.hex()
    for names, plays in (({"data": json.dumps(about)}, True), ({"policy.pth": hostile}, False)):
        with zipfile.ZipFile("hostile.zip", "w") as archive:
            for name, content in {**entries, **names, "pytorch_variables.pth": hostile}.items():
                archive.writestr(name, content)
        if plays:
            agents.make("sb3:hostile.zip", "torres")
        else:
            with pytest.raises(ValueError, match="its policy.pth can't be read"):
                agents.make("sb3:hostile.zip", "torres")
    assert not (files / "ran").exists()
