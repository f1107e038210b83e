"""Networks and rewards of the user's own: from a file to a checkpoint, and back only where the user has named the code."""

from __future__ import annotations

import io
import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from rich.console import Console

import agents
import train
from market_env import MarketBatch
from torres_env import TorresBatch, TorresState
from torres_env.game import GAME
from tower_core.envs.spaces import flat_row
from train import checkpoint
from train.checkpoint import CheckpointError
from train.config import TrainArgs
from train.export import export_onnx
from train.rewards import Games, potential
from train.vec_env import TowersVecEnv

NET = """
import torch
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn


class Net(BaseFeaturesExtractor):
    def __init__(self, observation_space, hidden=16):
        super().__init__(observation_space, hidden)
        self.layer = nn.Linear(observation_space.shape[0], hidden)

    def forward(self, rows):
        return torch.tanh(self.layer(rows / 255))


class WithHeads(Net):
    def make_value_net(self):
        return nn.Sequential(nn.Linear(self.features_dim, 4), nn.Tanh(), nn.Linear(4, 1, bias=False))


class Wrong(Net):
    def make_action_net(self):
        return nn.Linear(self.features_dim, 7)


class Broken(Net):
    def forward(self, rows):
        return self.missing(rows)


class NoNetwork:
    pass


class Late(Net):
    def forward(self, rows):
        if len(rows) == 64:
            raise KeyError("an update\\nof 64 rows")
        return super().forward(rows)
"""
PAY = """
import numpy as np
from train.rewards import potential


@potential
def lead(games):
    return (games.own_scores - games.best_other_scores) / 100


def points(before, actions, after):
    return (after.own_scores - before.own_scores) / 100


def wrong(before, actions, after):
    return np.zeros(3)


def broken(before, actions, after):
    return before.nothing
"""
SMALL = {
    "envs": 16, "rollout": 8, "decisions": 256, "imitate_share": 0.5, "final_games": 4, "evaluate_games": 2, "batch_size": 64,
    "epochs": 1, "threads": 1, "evaluate_every": 0.0, "opponents": "random", "against": "random",
}  # fmt: skip


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """A folder with ``net.py`` and ``pay.py``, in which nobody has named code before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    Path("net.py").write_text(NET)
    Path("pay.py").write_text(PAY)


def fit(**settings):
    return train.fit("torres", console=Console(file=io.StringIO()), **(SMALL | settings))


def test_from_a_file_to_a_player_a_search_and_onnx():
    done = fit(run="runs/a", network="net.py:WithHeads:hidden=24", reward="pay.py:lead")
    policy, meta, _ = checkpoint.load_policy(done.run)
    assert (meta["network"], meta["reward"]) == ("net.py:WithHeads:hidden=24", "pay.py:lead")
    assert policy.features_extractor.layer.out_features == 24
    assert [result.games for result in done.results] == [4]
    assert (
        Path("runs/a/code/network/net.py").read_text() == NET and Path("runs/a/code/reward/pay.py").read_text() == PAY
    )
    state = TorresState(2, seed=1)
    for spec in (f"checkpoint:{done.run}", f"mcts:network={done.run},sims=8"):
        assert state.legal_actions_mask()[agents.make(spec, "torres").act(state)]
    session = onnxruntime.InferenceSession(export_onnx(done.run, "net.onnx"))
    logits, value = session.run(None, {"observation": flat_row(state)[None]})
    assert logits.shape == (1, GAME.num_actions) and value.shape == (1,)


def test_a_run_is_resumed_with_its_own_code():
    fit(run="runs/a", network="net.py:Net", reward="pay.py:points")
    done = train.fit("torres", console=Console(file=io.StringIO()), resume="runs/a", decisions=384)
    assert done.run == Path("runs/a") and checkpoint.read_meta(done.checkpoint)["steps"] == 384


def test_a_checkpoint_runs_no_code_that_the_user_has_not_named(tmp_path, monkeypatch):
    fit(run="runs/a", network="net.py:Net")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))  # another user
    Path("net.py").write_text("raise SystemExit('must not run')\n" + NET)
    with pytest.raises(CheckpointError, match=r"needs the network net.py:Net, which has changed since: name it once"):
        checkpoint.load_policy("runs/a")
    Path("net.py").write_text(NET)
    with pytest.raises(
        CheckpointError, match=r"needs the network net.py:Net, which you haven't named here: name it once"
    ):
        checkpoint.load_policy("runs/a")
    checkpoint.load_policy("runs/a", "runs/a/code/network/net.py:Net")  # the copy of the run, which the user names
    monkeypatch.chdir("/")
    checkpoint.load_policy(tmp_path / "runs" / "a")  # remembered, from any folder
    (tmp_path / "runs/a/code/network/net.py").write_text(NET + "\n")
    with pytest.raises(CheckpointError, match="which you haven't named here"):
        checkpoint.load_policy(tmp_path / "runs" / "a")
    with pytest.warns(UserWarning, match="was trained with another version"):
        checkpoint.load_policy(tmp_path / "runs" / "a", f"{tmp_path}/runs/a/code/network/net.py:Net")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"network": "net.py:Nett"}, "net.py has no 'Nett'; it has: Net, WithHeads, Wrong, Broken, NoNetwork, Late"),
        ({"network": "net.py:NoNetwork"}, "must be a features extractor class"),
        ({"network": "net.py:Broken"}, "network 'net.py:Broken' fails: AttributeError"),
        ({"network": "net.py:Wrong"}, r"must give logits \[B, 662\] .* it gives \[3, 7\] and \[3, 1\]"),
        ({"network": "net.py:Net:depth=3"}, "has no option 'depth'; it has: hidden"),
        ({"network": "net.py:Net:hidden"}, "must be written key=value"),
        ({"network": "nothing.py:Net"}, "there is no file nothing.py"),
        ({"network": "net"}, "unknown network 'net'"),
        ({"reward": "pay.py:wrong"}, r"reward 'wrong' must return 4 finite numbers; they are of shape \(3,\)"),
        ({"reward": "pay.py:broken"}, "reward 'broken' fails: AttributeError"),
        ({"reward": "pay.py:lea"}, "pay.py has no 'lea'; it has: lead, points, wrong, broken"),
        ({"reward": "pay.py:np"}, "must be a function, not a module"),
        ({"reward": "pay"}, "unknown reward 'pay'"),
    ],
)
def test_faults_are_one_line_before_anything_is_written(settings, message):
    with pytest.raises(ValueError, match=message) as fault:
        fit(run="runs/a", **settings)
    assert "\n" not in str(fault.value)
    assert not Path("runs").exists()


def test_a_network_that_fails_in_training_is_named():
    with pytest.raises(ValueError, match=r"^network 'net.py:Late' fails: KeyError: .*$"):
        fit(run="runs/a", network="net.py:Late")


def test_a_resumed_run_plays_no_players_that_the_user_has_not_named():
    fit(run="runs/a")
    settings = Path("runs/a/args.json")
    own = settings.read_text()
    resume = partial(train.fit, "torres", console=Console(file=io.StringIO()), resume="runs/a", decisions=384)
    for player in ("evil.py:Evil", "x=evil.py:Evil", "timeit:timeit:stmt=exit()"):
        settings.write_text(json.dumps(json.loads(own) | {"opponents": player}))
        Path("evil.py").write_text("raise SystemExit('must not run')")
        with pytest.raises(ValueError, match=rf"needs the player {re.escape(player)}, .* repeat --opponents$"):
            resume()
    settings.write_text(json.dumps(json.loads(own) | {"opponents": "evil.py:Evil"}))
    Path("evil.py").write_text("def Evil(state):\n    return state.legal_actions()[0]\n")
    resume(opponents="evil.py:Evil")
    resume(decisions=512)


@pytest.mark.parametrize(
    ("paid", "kind"),
    [
        ([np.nan] * 2, "not all between"),
        ([1e300] * 2, "not all between"),
        (["1"] * 2, "of type <U1"),
        ([1j] * 2, "of type complex128"),
        (None, "of type object"),
        (1.0, r"of shape \(\)"),
        ([[1.0], [2.0, 3.0]], "fails: ValueError"),
    ],
)
def test_rewards_are_finite_numbers(paid, kind):
    env = TowersVecEnv(TorresBatch(2, opponents="random"), lambda before, actions, after: paid)
    env.reset()
    with pytest.raises(ValueError, match=kind) as fault:
        env.step(env.batch.sample_actions())
    assert "\n" not in str(fault.value)


def test_workers_of_rllib_have_no_such_files():
    with pytest.raises(ValueError, match=r"--network net.py:Net needs --engine sb3"):
        TrainArgs(network="net.py:Net", engine="rllib", learning_rate=0.1).check()


# ---------------------------------------------------------------------------------------------- rewards
@pytest.mark.parametrize("batch", [TorresBatch, MarketBatch])
@pytest.mark.parametrize("opponents", ["random", "random:1,checkpoint:runs/a"])
def test_an_own_reward_sees_the_games_that_the_built_in_one_sees(batch, opponents):
    """Written by hand, ``outcome`` and ``score`` pay what the compiled ones pay, in the same games."""
    if "checkpoint" in opponents:
        fit(run="runs/a", network="mlp", width=2, imitate="", decisions=128)
        if batch is MarketBatch:
            return

    def outcome(before, actions, after):
        assert not before.over.any()
        assert (before.records["to_move"] == before.seats).all()
        return np.where(after.over, after.utilities, 0)

    rewards = []
    for own in (None, outcome):
        env = TowersVecEnv(
            batch(6, 3 if batch is MarketBatch else 2, seed=5, opponents=opponents, reward="outcome"), own
        )
        rows, random, paid = [env.reset()], np.random.default_rng(1), []
        for _ in range(60 if "mcts" in opponents else 400):
            masks = env.action_masks()
            actions = (masks * random.random(masks.shape)).argmax(1)
            row, reward, done, infos = env.step(actions)
            rows.append(row)
            paid.append((reward.tolist(), done.tolist(), [info.get("episode", {}).get("r") for info in infos]))
        rewards.append(paid)
        env.close()
    assert rewards[0] == rewards[1]


def test_a_potential_pays_its_discounted_change_and_the_utility():
    values = []

    @potential
    def phi(games: Games):
        assert games.rows.shape == (4, GAME.observation_size)
        values.append(games.own_scores / 7)
        return values[-1]

    env = TowersVecEnv(TorresBatch(4, 2, seed=3, opponents="random"), phi, gamma=0.9)
    env.reset()
    ended = 0
    for _ in range(300):
        values.clear()
        _, rewards, dones, infos = env.step(env.batch.sample_actions().copy())
        after, before = values
        for i in range(4):
            utility = infos[i]["episode"]["utility"] if dones[i] else 0.0
            expected = 0.9 * (0 if dones[i] else after[i]) - before[i] + utility
            assert rewards[i] == pytest.approx(expected, abs=1e-5)
        ended += dones.sum()
    assert ended >= 4
