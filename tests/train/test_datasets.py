"""``towers dataset``: its games are the games of its seeds, in plain arrays and in Minari's format."""

from __future__ import annotations

import json
import shutil
from types import SimpleNamespace

import minari
import numpy as np
import pytest

from market_env import MarketState
from torres_env import TorresState, torres_v0
from towers.cli import run
from train.datasets import Decisions


@pytest.fixture(scope="module")
def torres(tmp_path_factory):
    folder = tmp_path_factory.mktemp("torres") / "data"
    arguments = ["--player", "greedy", "--games", "3", "--seed", "5", "--reward", "progress", "--format", "arrays"]
    assert run(["dataset", "torres", *arguments, "--out", str(folder)]) == 0
    return folder


def test_decisions_are_those_of_the_games_of_the_seeds(torres):
    data = Decisions(torres)
    everything = data[:]
    for seed in (5, 6, 7):
        state = TorresState(2, seed=seed)
        own = everything["seed"] == seed
        following = {seat: iter(np.flatnonzero(own & (everything["seat"] == seat))) for seat in (0, 1)}
        while not state.is_terminal():
            seat = state.current_player()
            i = next(following[seat])
            row = np.concatenate([part.ravel() for part in state.observation(seat).values()])
            assert (everything["observation"][i] == row).all()
            assert (everything["action_mask"][i] == state.legal_actions_mask()).all()
            state.apply_action(int(everything["action"][i]))
        for seat in (0, 1):
            assert next(following[seat], None) is None
            last = np.flatnonzero(own & (everything["seat"] == seat))[-1]
            assert everything["done"][last] and not everything["next_action_mask"][last].any()
            end = np.concatenate([part.ravel() for part in state.observation(seat).values()])
            assert (everything["next_observation"][last] == end).all()
            assert everything["score"][last] == state.scores()[seat]
            assert everything["utility"][last] == state.returns()[seat]
    assert everything["done"].sum() == 6


def test_rewards_are_those_of_the_environment(torres):
    everything = Decisions(torres)[:]
    env = torres_v0.env(reward="progress")
    env.reset(seed=6)
    paid = dict.fromkeys(env.agents, 0.0)
    own = everything["seed"] == 6
    actions = {seat: iter(everything["action"][own & (everything["seat"] == seat)].tolist()) for seat in (0, 1)}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        env.step(None if terminated or truncated else next(actions[int(agent[-1])]))
    for seat in (0, 1):
        total = everything["reward"][own & (everything["seat"] == seat)].sum()
        assert total == pytest.approx(paid[f"player_{seat}"], abs=1e-5)


def test_samples_are_decisions(torres):
    data = Decisions(torres)
    sample = data.sample(np.random.default_rng(0), 64)
    assert sample["observation"].shape == (64, data.game.observation_size)
    assert sample["action_mask"][np.arange(64), sample["action"]].all()
    assert (sample["next_action_mask"].any(1) == ~sample["done"]).all()
    assert data.description["rules"] == TorresState(2).rules.to_dict()


def test_minari_loads_the_same_games(tmp_path, monkeypatch):
    arguments = ["dataset", "market", "--player", "greedy", "--games", "2", "--players", "3", "--seed", "1"]
    assert run([*arguments, "--format", "arrays", "--out", str(tmp_path / "arrays")]) == 0
    assert run([*arguments, "--format", "minari", "--out", str(tmp_path / "minari")]) == 0
    plain = Decisions(tmp_path / "arrays")[:]
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    dataset = minari.load_dataset("market/greedy-v0")
    assert dataset.total_episodes == 6 and dataset.total_steps == len(plain["action"])
    described = json.loads(dataset.storage.metadata["towers"])
    assert described["rules"] == MarketState(3).rules.to_dict() and described["reward"] == "outcome"
    for episode, about in zip(dataset, dataset.storage.get_episode_metadata(range(6)), strict=True):
        own = (plain["seed"] == about["seed"]) & (plain["seat"] == about["options"]["seat"])
        assert (episode.actions == plain["action"][own]).all()
        assert (episode.observations["action_mask"][:-1] == plain["action_mask"][own]).all()
        rows = np.concatenate(
            [episode.observations["observation"][k] for k in dataset.observation_space["observation"]], 1
        )
        assert (rows[:-1] == plain["observation"][own]).all()
        assert episode.rewards.sum() == plain["utility"][own][0]
        assert episode.terminations.tolist() == [False] * (own.sum() - 1) + [True]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--games", "0"], "--games must be at least 1, not 0"),
        (["--format", "csv"], "--format must be minari or arrays, not csv"),
        (["--players", "5"], "must be 2, 3 or 4, not 5"),
        (["--player", "nobody"], "unknown player 'nobody'"),
        (["--reward", "glory"], "unknown reward 'glory'"),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing(arguments, reason, tmp_path, capsys):
    assert run(["dataset", "torres", "--out", str(tmp_path / "out"), *arguments]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "out" / "dataset.json").exists()


def test_a_folder_in_use_and_a_damaged_dataset_are_refused(torres, tmp_path, capsys):
    assert run(["dataset", "torres", "--out", str(torres)]) == 2
    assert "exists already" in capsys.readouterr().err
    with pytest.raises(ValueError, match="is not a complete dataset"):
        Decisions(tmp_path)


def _rewritten(change):
    def damage(folder):
        with np.load(folder / "00000.npz") as part:
            arrays = dict(part)
        change(arrays)
        np.savez(folder / "00000.npz", **arrays)

    return damage


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "dataset.json").write_text("[]"),
        lambda folder: (folder / "dataset.json").write_text("[" * 100_000),
        lambda folder: (folder / "dataset.json").write_text('{"format": 1, "game": "torres"}'),
        lambda folder: (folder / "dataset.json").write_text('{"format": 1, "game": ["torres"]}'),
        lambda folder: (folder / "00000.npz").unlink(),
        lambda folder: (folder / "00000.npz").write_bytes(b"PK"),
        lambda folder: (folder / "00000.npz").write_bytes((folder / "00000.npz").read_bytes()[:-100]),
        lambda folder: (folder / "00000.npz").write_bytes((folder / "00000.npz").read_bytes().replace(b"PK", b"KP")),
        _rewritten(lambda arrays: arrays.pop("reward")),
        _rewritten(lambda arrays: arrays.update(reward=np.array([{}], object))),
        _rewritten(lambda arrays: arrays.update(reward=arrays["reward"][1:])),
        _rewritten(lambda arrays: arrays.update(observation=arrays["observation"][:, 1:])),
        _rewritten(lambda arrays: arrays.update(action=arrays["action"].astype(float))),
        _rewritten(lambda arrays: arrays.update(action=np.where(arrays["action"] < 0, 0, arrays["action"]))),
        _rewritten(lambda arrays: arrays["action"].__setitem__(0, 30_000)),
    ],
)
def test_a_damaged_dataset_is_one_line(torres, tmp_path, damage):
    folder = shutil.copytree(torres, tmp_path / "data")
    damage(folder)
    with pytest.raises(ValueError, match=r"^.*(damaged|not a complete dataset|can't read|unknown game).*$"):
        Decisions(folder)


def test_a_disk_too_small_for_minari_is_refused_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=2**24))
    arguments = ["dataset", "torres", "--player", "random", "--games", "2", "--format", "minari"]
    assert run([*arguments, "--out", str(tmp_path / "data")]) == 2
    assert "no space left for the next 0." in capsys.readouterr().err
