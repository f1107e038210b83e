"""The learned players that come with the package, and how a run's player gets there."""

from __future__ import annotations

import json
import shutil
import zipfile

import pytest

import agents
from tower_core.game import get_game
from train import checkpoint, shipped
from train.callbacks import Curve
from train.config import TrainArgs

GAMES = ("torres", "market")


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_one(name):
    path = shipped.shipped(name)
    assert path.stat().st_size <= shipped.MOST_BYTES
    _, meta, game = checkpoint.load_policy(path)
    assert (game.name, meta["players"]) == (name, 2)
    args = TrainArgs.from_dict(json.loads((path.parent / "args.json").read_text()))
    assert (args.width, args.blocks) == (meta["width"], meta["blocks"])
    assert json.loads((path.parent / "machine.json").read_text())["seed"] == args.seed
    assert Curve(path.parent / "curve.jsonl").rows()[-1]["steps"] == meta["steps"]


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_by_its_name(name):
    game = get_game(name)
    player = agents.make("learned", name)
    assert player.name == "learned"
    state = game.state_class()(2, game.default_rules, 1)
    for _ in range(40):
        if state.is_terminal():
            break
        action = player.act(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_it_is_known_to_the_search():
    searcher = agents.make("mcts:network=learned,sims=8,worlds=1", "torres", seed=1)
    state = get_game("torres").state_class()(2, "standard", 1)
    assert searcher.act(state) in state.legal_actions()


def test_it_says_for_whom_it_plays():
    game = get_game("torres")
    three = game.state_class()(3, "standard", 1)
    with pytest.raises(checkpoint.CheckpointError, match="2 players, not 3"):
        agents.make("learned", "torres").act(three)


def test_shipping_a_run_leaves_out_what_only_training_needs(tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    source = shipped.shipped("torres")
    policy, meta, _ = checkpoint.load_policy(source)
    checkpoint.save(run / "final.zip", meta, policy, progress={"games": []})
    for name in ("args.json", "machine.json", "curve.jsonl"):
        shutil.copy(source.parent / name, run / name)
    path = shipped.ship(run, tmp_path / "package")
    assert path == tmp_path / "package" / "torres" / "policy.zip"
    assert {"optimizer.pt", "progress.json"} <= set(zipfile.ZipFile(run / "final.zip").namelist())
    assert set(zipfile.ZipFile(path).namelist()) == {"meta.json", "policy.pt"}
    again, _, _ = checkpoint.load_policy(path)
    for key, value in policy.state_dict().items():
        assert value.equal(again.state_dict()[key]), key
    assert {file.name for file in path.parent.iterdir()} == {"policy.zip", "args.json", "machine.json", "curve.jsonl"}


def test_large_weights_are_not_shipped(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "MOST_BYTES", 1000)
    run = tmp_path / "run"
    shutil.copytree(shipped.shipped("torres").parent, run)
    (run / "policy.zip").rename(run / "final.zip")
    with pytest.raises(ValueError, match="at most 1,000 are shipped"):
        shipped.ship(run, tmp_path / "package")
    assert not (tmp_path / "package" / "torres" / "policy.zip").exists()


def test_a_game_without_one_is_told():
    with pytest.raises(ValueError, match="no learned player of chess"):
        shipped.shipped("chess")
