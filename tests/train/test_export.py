"""Networks as ONNX: the same logits and values as PyTorch's, for any number of rows; files whole or not at all."""

from __future__ import annotations

import json

import numpy as np
import onnxruntime
import pytest
import torch

from tower_core.registry import get_game
from towers.cli import run
from train import checkpoint

torch.set_num_threads(1)


def saved(path, game, network):
    torch.manual_seed(2)
    policy = checkpoint.build_policy(game, 4, 1, network)
    rules = game.resolve_rules(game.default_rules).to_dict()
    meta = {"game": game.name, "players": 2, "rules": rules, "network": network, "width": 4, "blocks": 1}
    checkpoint.save(path, meta | {"steps": 5, "seconds": 1.0}, policy)
    return policy


@pytest.mark.parametrize(("name", "network"), [("torres", "conv"), ("market", "circles")])
def test_the_same_numbers(tmp_path, monkeypatch, capsys, name, network):
    monkeypatch.chdir(tmp_path)
    game = get_game(name)
    policy = saved(tmp_path / "c.zip", game, network)
    assert run(["export", "c.zip", "out/player.onnx"]) == 0
    told, err = capsys.readouterr()
    assert "written: out/player.onnx" in told
    assert err == ""
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["player.onnx"]
    session = onnxruntime.InferenceSession("out/player.onnx")
    about = session.get_modelmeta().custom_metadata_map
    assert (about["game"], about["players"]) == (name, "2")
    assert json.loads(about["rules"]) == game.resolve_rules(game.default_rules).to_dict()
    batch = game.batch_class()(9, seed=3)
    batch.random_play(60)
    for rows in (batch.observation, batch.observation[:1]):
        logits, values = session.run(["logits", "value"], {"observation": rows})
        with torch.no_grad():
            features = policy.extract_features(torch.as_tensor(rows))
            expected = policy.action_net(features).numpy(), policy.value_net(features).numpy()[:, 0]
        assert logits.shape == (len(rows), game.num_actions)
        np.testing.assert_allclose(logits, expected[0], atol=1e-5)
        np.testing.assert_allclose(values, expected[1], atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.zip", "a.onnx"], "there is no checkpoint nowhere.zip"),
        (["kept.txt", "a.onnx"], "not a checkpoint of towers"),
        (["nowhere.zip", "kept.txt"], "must end in .onnx, not kept.txt"),
    ],
)
def test_mistakes(tmp_path, monkeypatch, capsys, arguments, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept.txt").write_text("mine")
    assert run(["export", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert told in err
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
    assert (tmp_path / "kept.txt").read_text() == "mine"
