"""Checkpoints: what is saved comes back; what is foreign, damaged or hostile is refused; a full disk costs nothing."""

from __future__ import annotations

import io
import json
import os
import pickle
import random
import zipfile

import gymnasium
import numpy as np
import pytest
import torch

import agents
from torres_env import TorresBatch, TorresRules, TorresState
from torres_env.game import GAME
from train import checkpoint
from train.checkpoint import CheckpointError

torch.set_num_threads(1)
pytestmark = pytest.mark.filterwarnings("ignore:Detected pickle protocol")
META = {
    "game": "torres",
    "players": 2,
    "rules": TorresRules().to_dict(),
    "width": 2,
    "blocks": 1,
    "steps": 100,
    "seconds": 1.5,
}


@pytest.fixture(scope="module")
def policy():
    torch.manual_seed(1)
    return checkpoint.build_policy(GAME, 2, 1)


@pytest.fixture
def saved(policy, tmp_path):
    path = tmp_path / "run" / "latest.zip"
    checkpoint.save(path, META, policy)
    return path


def rewrite(path, **changes):
    """The same archive with some entries replaced (None: left out)."""
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    entries |= {name.replace("_", "."): value for name, value in changes.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in entries.items():
            if value is not None:
                archive.writestr(name, value)


def with_meta(path, **changes):
    rewrite(path, meta_json=json.dumps({"format": 1, **META, **changes}))
    return path


def pickled(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


# ---------------------------------------------------------------------------------------------- there and back
def test_what_is_saved_comes_back(policy, saved):
    loaded, meta, game = checkpoint.load_policy(saved)
    assert game is GAME
    assert {name: meta[name] for name in META} == META
    for name, value in policy.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], value), name
    batch = TorresBatch(20, seed=3)
    batch.random_play(40)
    choices = [
        net.predict(batch.observation, action_masks=batch.action_mask, deterministic=True)[0]
        for net in (policy, loaded)
    ]
    np.testing.assert_array_equal(choices[0], choices[1])
    assert batch.action_mask[np.arange(20), choices[0]].all()


def test_a_directory_means_its_latest(policy, saved):
    assert checkpoint.find(saved.parent) == saved
    checkpoint.save(saved.with_name("final.zip"), META, policy)
    assert checkpoint.find(str(saved.parent)) == saved.with_name("final.zip")
    assert checkpoint.find(saved) == saved
    empty = saved.parent / "empty"
    empty.mkdir()
    with pytest.raises(CheckpointError, match="holds no checkpoint"):
        checkpoint.find(empty)
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        checkpoint.find(saved.parent / "nowhere.zip")


def test_the_optimizer_comes_back_too(policy, tmp_path):
    trained = checkpoint.build_policy(GAME, 2, 1)
    sum(parameter.sum() for parameter in trained.parameters()).backward()
    trained.optimizer.step()
    path = tmp_path / "a.zip"
    checkpoint.save(path, META, trained)
    other = checkpoint.build_policy(GAME, 2, 1)
    checkpoint.restore(path, other, optimizer=True)
    found, expected = other.optimizer.state_dict()["state"], trained.optimizer.state_dict()["state"]
    assert found.keys() == expected.keys() != set()
    assert torch.equal(found[0]["exp_avg"], expected[0]["exp_avg"])


def test_fits():
    path, rules = "x.zip", TorresRules()
    checkpoint.must_fit(path, META, GAME, 2, rules)
    with pytest.raises(CheckpointError, match="2 players, not 3"):
        checkpoint.must_fit(path, META, GAME, 3, rules)
    with pytest.raises(CheckpointError, match="other rules: doors, draw_choice differ"):
        checkpoint.must_fit(path, META, GAME, 2, TorresRules.preset("classic"))
    with pytest.raises(CheckpointError, match="plays market, not torres"):
        checkpoint.must_fit(path, META | {"game": "market"}, GAME, 2, rules)


# ---------------------------------------------------------------------------------------------- as a player
def test_as_a_player(saved):
    player = agents.make(f"checkpoint:{saved.parent}", game="torres")
    again = pickle.loads(pickle.dumps(player))
    state, chance = TorresState(2), random.Random(1)
    for _ in range(40):
        action = player.act(state)
        assert action in state.legal_actions()
        assert again.act(state) == action
        assert player.act(state.resample_hidden(state.current_player(), 5)) == action
        state.apply_action(chance.choice(state.legal_actions()))
    with pytest.raises(ValueError, match="for 2 players under standard, not for 3 players"):
        player.act(TorresState(3))
    with pytest.raises(ValueError, match="not for 2 players under classic"):
        player.act(TorresState(2, "classic"))
    with pytest.raises(ValueError, match="there is no checkpoint"):
        agents.make("checkpoint:nowhere.zip", game="torres")
    with pytest.raises(ValueError, match="name the checkpoint"):
        agents.make("checkpoint", game="torres")


def test_as_an_opponent(saved):
    env = gymnasium.make("torres_env/Torres-v0", opponents=f"checkpoint:{saved}", illegal="random")
    env.reset(seed=1)
    steps = 0
    while not env.step(0)[2]:
        steps += 1
    assert steps >= 12  # a turn each round and the setup


# ---------------------------------------------------------------------------------------------- foreign and damaged
@pytest.mark.parametrize("data", [b"", b"PK\x05\x06" + b"\0" * 18, b"hello", os.urandom(5000), b"\0" * 100])
def test_foreign_files(tmp_path, data):
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    with pytest.raises(CheckpointError, match="not a checkpoint of towers"):
        checkpoint.load_policy(path)


def test_cut_and_mutated_files(saved):
    """CheckpointError or, where nothing that counts was hit, the same network; never another error."""
    good = saved.read_bytes()
    expected = checkpoint.load_policy(saved)[0].state_dict()
    chance = random.Random(1)
    refused = 0
    for number in range(120):
        data = bytearray(good)
        if number % 3 == 0:
            del data[chance.randrange(len(data)) :]
        for _ in range(chance.choice((1, 3, 20))):
            # Mostly at the ends, where the archive's own tables are.
            place = chance.randrange(len(data)) if chance.random() < 0.5 else -1 - chance.randrange(300) % len(data)
            data[place] = chance.randrange(256)
        saved.write_bytes(data)
        try:
            found = checkpoint.load_policy(saved)[0].state_dict()
        except CheckpointError:
            refused += 1
        else:
            assert all(torch.equal(found[name], value) for name, value in expected.items())
    assert refused > 60


@pytest.mark.parametrize("entry", ["meta_json", "policy_pt", "optimizer_pt"])
@pytest.mark.parametrize("value", [None, b"", b"garbage", b"[" * 100_000, b"\x80\x04N.", b'{"format": 1}', b"null"])
def test_damaged_entries(saved, policy, entry, value):
    rewrite(saved, **{entry: value})
    read = checkpoint.read_meta if entry == "meta_json" else load_both
    with pytest.raises(CheckpointError, match=r"damaged|weights don.t fit|format"):
        read(saved)


def load_both(path):
    checkpoint.restore(path, checkpoint.build_policy(GAME, 2, 1), optimizer=True)


BAD_META = [
    {"format": 2},
    {"format": None},
    {"players": "2"},
    {"players": None},
    {"players": True},
    {"rules": "standard"},
    {"width": 10**9},
    {"width": 0},
    {"width": -1},
    {"width": 2.5},
    {"blocks": 10**6},
    {"blocks": -1},
    {"steps": -1},
    {"steps": None},
    {"steps": "many"},
    {"seconds": "long"},
    {"game": 3},
    {"game": None},
]


@pytest.mark.parametrize("changes", BAD_META)
def test_descriptions_that_cannot_be(saved, changes):
    with pytest.raises(CheckpointError, match=r"damaged|format"):
        checkpoint.load_policy(with_meta(saved, **changes))


def test_descriptions_of_something_else(saved):
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        checkpoint.load_policy(with_meta(saved, game="chess"))
    with pytest.raises(CheckpointError, match="don.t fit the network of its description"):
        checkpoint.load_policy(with_meta(saved, width=3))
    with pytest.raises(CheckpointError, match="don.t fit the network of its description"):
        checkpoint.load_policy(with_meta(saved, blocks=2))


@pytest.mark.parametrize("value", [[], {"a": 1}, {"a": torch.zeros(1)}, torch.zeros(3), None, 5, {5: torch.zeros(1)}])
def test_weights_of_something_else(saved, value):
    rewrite(saved, policy_pt=pickled(value))
    with pytest.raises(CheckpointError, match=r"weights don.t fit|damaged"):
        checkpoint.load_policy(saved)


# ---------------------------------------------------------------------------------------------- hostile
class Bomb:
    def __init__(self, command):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


@pytest.mark.parametrize("entry", ["policy_pt", "optimizer_pt"])
@pytest.mark.parametrize("legacy", [False, True])
def test_pickles_run_nothing(saved, tmp_path, entry, legacy):
    mark = tmp_path / "mark"
    bomb = Bomb(f"touch {mark}")
    rewrite(saved, **{entry: pickle.dumps(bomb) if legacy else pickled({"weight": bomb})})
    with pytest.raises(CheckpointError, match="can't be read"):
        checkpoint.restore(saved, checkpoint.build_policy(GAME, 2, 1), optimizer=True)
    assert not mark.exists()
    pickle.loads(pickle.dumps(bomb))  # it would have
    assert mark.exists()


def test_zip_bombs(saved):
    rewrite(saved, meta_json=b" " * 300_000_000)
    assert saved.stat().st_size < 10**6
    with pytest.raises(CheckpointError, match="damaged"):
        checkpoint.read_meta(saved)


# ---------------------------------------------------------------------------------------------- writing
def test_directories_that_cannot_be_written(policy, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        checkpoint.save(tmp_path / "file" / "latest.zip", META, policy)
    with pytest.raises(OSError, match="proc"):
        checkpoint.save(checkpoint.Path("/proc/nowhere/latest.zip"), META, policy)


@pytest.mark.parametrize("where", ["first", "second", "sync", "rename", "interrupt"])
def test_a_full_disk_costs_nothing(policy, saved, monkeypatch, where):
    before = saved.read_bytes()
    full = KeyboardInterrupt() if where == "interrupt" else OSError(28, "No space left on device")

    def fail(*args, **kwargs):
        raise full

    if where in ("first", "interrupt"):
        monkeypatch.setattr(zipfile.ZipFile, "writestr", fail)
    elif where == "second":
        write = zipfile.ZipFile.writestr
        monkeypatch.setattr(
            zipfile.ZipFile, "writestr", lambda self, name, *a: fail() if name == "policy.pt" else write(self, name, *a)
        )
    else:
        monkeypatch.setattr(os, {"sync": "fsync", "rename": "replace"}[where], fail)
    with pytest.raises(type(full)):
        checkpoint.save(saved, META | {"steps": 200}, policy)
    monkeypatch.undo()
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["latest.zip"]
    assert checkpoint.read_meta(saved)["steps"] == 100
    checkpoint.save(saved, META | {"steps": 200}, policy)
    assert checkpoint.read_meta(saved)["steps"] == 200
