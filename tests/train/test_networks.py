"""The networks fit the games: shapes, every parameter learns, and a circle's or cell's score reaches its own action."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gymnasium import spaces

from market_env import MarketBatch
from market_env.actions import BUY, MAX_CIRCLES, RETURN
from torres_env import TorresBatch
from train.networks import TowersPolicy, policy_kwargs
from train.networks.market import MarketFeatures, MarketHead

BATCHES = {"torres": TorresBatch, "market": MarketBatch}


def make_policy(name: str) -> tuple[TowersPolicy, torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    batch = BATCHES[name](8, seed=3)
    batch.random_play(40)
    space = spaces.Box(0, 255, batch.observation.shape[1:], np.uint8)
    actions = spaces.Discrete(batch.action_mask.shape[1])
    policy = TowersPolicy(space, actions, lambda _: 1e-3, **policy_kwargs(name, 16, 1))
    return policy, torch.as_tensor(batch.observation), torch.as_tensor(batch.action_mask).bool()


@pytest.mark.parametrize("name", BATCHES)
def test_shapes_and_a_first_policy_near_uniform(name):
    policy, rows, masks = make_policy(name)
    actions, values, chances = policy(rows, action_masks=masks.numpy())
    assert actions.shape == (8,) and values.shape == (8, 1) and chances.shape == (8,)
    assert masks[torch.arange(8), actions].all()
    uniform = -masks.sum(1).float().log()
    assert torch.allclose(chances, uniform, atol=0.5)
    assert values.abs().max() < 0.5


@pytest.mark.parametrize("name", BATCHES)
def test_every_parameter_learns(name):
    policy, rows, masks = make_policy(name)
    values, chances, entropy = policy.evaluate_actions(rows, masks.int().argmax(1), action_masks=masks.numpy())
    (values.pow(2).sum() - chances.sum() - entropy.sum()).backward()
    still = [name for name, part in policy.named_parameters() if part.grad is None or not part.grad.abs().sum()]
    assert still == []


def test_a_circles_score_is_that_of_its_own_actions():
    features = MarketFeatures(spaces.Box(0, 255, (790,), np.uint8), width=4, hidden=8)
    head = MarketHead(features)
    with torch.no_grad():
        for part in head.parameters():
            part.zero_()
        head.circles.weight[0, 0] = 1.0  # buying: the first feature of a circle
        head.circles.weight[1, 1] = 1.0  # returning: the second
        row = torch.zeros(1, 4 * MAX_CIRCLES + 8)
        row[0, 4 * 17] = 3.0
        row[0, 4 * 20 + 1] = 5.0
        logits = head(row)[0]
    assert logits.nonzero().ravel().tolist() == [BUY + 17, RETURN + 20]
    assert logits[[BUY + 17, RETURN + 20]].tolist() == [3.0, 5.0]


def test_a_circle_sees_its_material_and_market():
    """Feature rows of circles hold what the same-numbered block entries say (docs/market.md)."""
    from market_env.observation import VECTOR

    features = MarketFeatures(spaces.Box(0, 255, (790,), np.uint8), width=4, hidden=8)
    row = torch.zeros(1, VECTOR.size)
    row[0, VECTOR["circles_2"].start + 13] = 1  # material 2 on circle 2b of the third market
    row[0, VECTOR["missing"].start + 2] = 2
    row[0, VECTOR["workers"].start + 2] = 1  # the observer's worker at that market
    circles = features._circles(row / features.scale)
    assert circles.shape == (1, MAX_CIRCLES, 8 + 8 + 6)
    assert circles[0, 13, 2] == 1 and circles[0, 13, 8] == 1 and circles[0, 13, 9] == 1
    assert circles[0, 12:18, 16].tolist() == [1] * 6
    assert circles[0, :12].abs().sum() == 0
