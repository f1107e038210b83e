"""The learned players that come with the package, and how a run's player gets there."""

from __future__ import annotations

import json
import pickle
import shutil
import zipfile

import numpy as np
import pytest

import agents
from tower_core.registry import get_game
from train import checkpoint, shipped
from train.callbacks import Curve
from train.config import TrainArgs

GAMES = ("torres", "market")
KINDS = [("torres", "standard"), ("market", "base"), ("market", "full")]


def network_of(name, preset):
    return shipped.FOLDER / (name if preset == get_game(name).default_rules else f"{name}-{preset}") / shipped.POLICY


@pytest.mark.parametrize(("name", "preset"), KINDS)
def test_what_is_shipped_tells_where_it_comes_from(name, preset):
    path = network_of(name, preset)
    assert path in shipped.shipped(name)
    assert path.stat().st_size <= shipped.MOST_BYTES
    _, meta, game = checkpoint.load_policy(path)
    assert (game.name, meta["players"], game.resolve_rules(meta["rules"])) == (name, 2, game.resolve_rules(preset))
    args = TrainArgs.from_dict(json.loads((path.parent / "args.json").read_text()))
    assert (args.width, args.blocks) == (meta["width"], meta["blocks"])
    assert json.loads((path.parent / "machine.json").read_text())["seed"] == args.seed
    assert Curve(path.parent / "curve.jsonl").rows()[-1]["steps"] == meta["steps"]


def test_nothing_else_is_shipped():
    assert sorted(path for name in GAMES for path in shipped.shipped(name)) == sorted(
        network_of(*kind) for kind in KINDS
    )


@pytest.mark.parametrize("name", GAMES)
def test_that_for_the_usual_rules_comes_first(name):
    assert shipped.shipped(name)[0] == network_of(name, get_game(name).default_rules)


def test_it_asks_the_network_of_the_rules():
    """One player of the name, in games of either kind by turns."""
    for name in GAMES:
        player, game = agents.make("learned", name), get_game(name)
        assert player.name == "learned"
        kinds = [preset for theirs, preset in KINDS if theirs == name]
        alone = {preset: agents.make(f"checkpoint:{network_of(name, preset)}", name) for preset in kinds}
        states = {preset: game.state_class()(2, preset, 1) for preset in kinds}
        for _ in range(40):
            for preset, state in states.items():
                if not state.is_terminal():
                    action = player.act(state)
                    assert action in state.legal_actions()
                    assert action == alone[preset].act(state)
                    assert player.judge(state) == alone[preset].judge(state)
                    state.apply_action(action)


@pytest.mark.parametrize(("name", "preset"), KINDS)
def test_it_sits_in_batches(name, preset):
    game, player = get_game(name), agents.make("learned", name)
    batch = game.batch_class()(3, 2, preset, 1, opponents=player)
    before = batch.observation.copy()
    player.must_play(2, game.resolve_rules(preset))
    chosen = player.act_on_rows(before, batch.action_mask)
    network = agents.make(f"checkpoint:{network_of(name, preset)}", name)
    assert chosen.tolist() == network.act_on_rows(before, batch.action_mask).tolist()


def test_in_batches_it_plays_one_kind_of_game():
    player, game = agents.make("learned", "market"), get_game("market")
    with pytest.raises(ValueError, match="must_play"):
        player.act_on_rows(np.zeros((1, game.observation_size), np.uint8), np.ones((1, game.num_actions), np.bool_))
    player.must_play(2, game.resolve_rules("full"))
    player.must_play(2, game.resolve_rules("full"))
    with pytest.raises(checkpoint.CheckpointError, match="already plays other games"):
        player.must_play(2, game.resolve_rules("base"))
    assert pickle.loads(pickle.dumps(player)).name == "learned"


@pytest.mark.parametrize(("name", "preset"), KINDS)
def test_it_is_known_to_the_search(name, preset):
    searcher = agents.make("mcts:network=learned,sims=8,worlds=1", name, seed=1)
    same = agents.make(f"mcts:network={network_of(name, preset)},sims=8,worlds=1", name, seed=1)
    state = get_game(name).state_class()(2, preset, 1)
    action = searcher.act(state)
    assert action in state.legal_actions()
    assert action == same.act(state)


@pytest.mark.parametrize(
    ("name", "players", "rules", "told"),
    [
        ("torres", 3, "standard", "2 players under standard, not for 3 players under standard"),
        ("market", 2, "advanced", "2 players under base or 2 players under full, not for 2 players under advanced"),
        ("torres", 2, {"card_list": []}, r"not for 2 players under card_list=\[\]"),
    ],
)
def test_it_says_for_whom_it_plays(name, players, rules, told):
    game = get_game(name)
    state = game.state_class()(players, rules, 1)
    for spec in ("learned", "mcts:network=learned,sims=8"):
        with pytest.raises(checkpoint.CheckpointError, match=told):
            agents.make(spec, name).act(state)


def test_shipping_a_run_leaves_out_what_only_training_needs(tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    source = network_of("torres", "standard")
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
    shutil.copytree(network_of("torres", "standard").parent, run)
    (run / "policy.zip").rename(run / "final.zip")
    with pytest.raises(ValueError, match="at most 1,000 can be packaged"):
        shipped.ship(run, tmp_path / "package")
    assert not (tmp_path / "package" / "torres" / "policy.zip").exists()


def test_only_networks_for_presets_are_shipped(tmp_path):
    run = tmp_path / "run"
    shutil.copytree(network_of("torres", "standard").parent, run)
    policy, meta, _ = checkpoint.load_policy(run / "policy.zip")
    rules = {**meta["rules"], "buys_per_turn": 1}
    checkpoint.save(run / "final.zip", {**meta, "rules": rules}, policy)
    with pytest.raises(ValueError, match=r"only networks for a preset can be packaged: .*standard"):
        shipped.ship(run, tmp_path / "package")
    assert not (tmp_path / "package").exists()


def test_a_game_without_one_is_told():
    with pytest.raises(ValueError, match="the package has no learned player of chess"):
        shipped.shipped("chess")
