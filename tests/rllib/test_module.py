"""Our networks behind RLlib's names: the same numbers, and no illegal action ever."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI

from tower_core.registry import get_game
from train.networks import network_names
from train.rllib.env import TowersEnv
from train.rllib.league import MAIN, Place
from train.rllib.module import FrozenModule, LearningModule

KINDS = [(game, network) for game in ("torres", "market") for network in network_names(get_game(game))]


def made(kind, game, network):
    env = TowersEnv(
        {
            "game": game, "players": 2, "rules": get_game(game).resolve_rules(get_game(game).default_rules).to_dict(),
            "reward": "outcome", "seat": "0", "places": [Place(MAIN, MAIN, 1.0)], "members": 0,
        }
    )  # fmt: skip
    return kind(
        observation_space=env.get_observation_space("main@0"),
        action_space=env.get_action_space("main@0"),
        model_config={"game": game, "network": network, "width": 4, "blocks": 1},
    )


def batch_of(game, n, seed=0):
    random = np.random.default_rng(seed)
    rows = random.integers(0, 4, (n, game.observation_size), np.uint8)
    masks = (random.random((n, game.num_actions)) < 0.05).astype(np.int8)
    masks[np.arange(n), random.integers(game.num_actions, size=n)] = 1
    return {Columns.OBS: {"observation": torch.from_numpy(rows), "action_mask": torch.from_numpy(masks)}}


@pytest.mark.parametrize(("game", "network"), KINDS)
def test_the_same_numbers_as_the_policy(game, network):
    module = made(LearningModule, game, network)
    batch = batch_of(get_game(game), 16)
    rows, masks = batch[Columns.OBS]["observation"], batch[Columns.OBS]["action_mask"]
    features = module.policy.extract_features(rows)
    probs, values = module.policy.log_probs(features, masks), module.policy.value_net(features)[:, 0]
    for forward in (module.forward_inference, module.forward_exploration, module.forward_train):
        torch.testing.assert_close(forward(batch)[Columns.ACTION_DIST_INPUTS], probs)
    torch.testing.assert_close(module.compute_values(batch), values)
    out = module.forward_train(batch)
    torch.testing.assert_close(module.compute_values(batch, embeddings=out[Columns.EMBEDDINGS]), values)


@pytest.mark.parametrize(("game", "network"), KINDS)
def test_illegal_actions_are_never_drawn(game, network):
    module = made(LearningModule, game, network)
    batch = batch_of(get_game(game), 4000)
    logits = module.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
    masks = batch[Columns.OBS]["action_mask"]
    assert (logits.exp()[masks == 0] == 0).all()
    distribution = module.get_exploration_action_dist_cls().from_logits(logits)
    actions = distribution.sample()
    assert (masks.gather(1, actions.long()[:, None]) == 1).all()
    assert torch.isfinite(distribution.entropy()).all()
    assert torch.isfinite(distribution.logp(actions)).all()


def test_copies_play_only_and_take_the_weights_of_the_learner():
    learner, copy = made(LearningModule, "torres", "conv"), made(FrozenModule, "torres", "conv")
    assert not isinstance(copy, ValueFunctionAPI)
    batch = batch_of(get_game("torres"), 8)
    before = copy.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
    copy.set_state(learner.get_state())
    after = copy.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
    torch.testing.assert_close(after, learner.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS])
    assert not torch.equal(before, after)
