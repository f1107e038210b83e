"""The networks fit the games: shapes, every parameter learns, and a circle's or cell's score reaches its own action."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from gymnasium import spaces

from market_env import MarketBatch
from market_env.actions import BUY, MAX_CIRCLES, RETURN
from torres_env import TorresBatch
from tower_core.registry import get_game
from train.market.network import MarketFeatures, MarketHead, joined
from train.networks import TowersPolicy, network_name, network_names, policy_kwargs
from train.networks.policy import HeadedPolicy

BATCHES = {"torres": TorresBatch, "market": MarketBatch}
TORRES, MARKET = get_game("torres"), get_game("market")
EVERY = [(game.name, network) for game in (TORRES, MARKET) for network in network_names(game)]


def make_policy(
    name: str, network: str = "", kind: type[HeadedPolicy] = TowersPolicy
) -> tuple[HeadedPolicy, torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    batch = BATCHES[name](8, seed=3)
    batch.random_play(40)
    space = spaces.Box(0, 255, batch.observation.shape[1:], np.uint8)
    actions = spaces.Discrete(batch.action_mask.shape[1])
    policy = kind(space, actions, lambda _: 1e-3, **policy_kwargs(get_game(name), 16, 1, network))
    return policy, torch.as_tensor(batch.observation), torch.as_tensor(batch.action_mask).bool()


@pytest.mark.parametrize(("name", "network"), EVERY)
def test_shapes_and_a_first_policy_near_uniform(name, network):
    policy, rows, masks = make_policy(name, network)
    actions, values, probs = policy(rows, action_masks=masks.numpy())
    assert actions.shape == (8,) and values.shape == (8, 1) and probs.shape == (8,)
    assert masks[torch.arange(8), actions].all()
    uniform = -masks.sum(1).float().log()
    assert torch.allclose(probs, uniform, atol=0.5)
    assert values.abs().max() < 0.5


@pytest.mark.parametrize(("name", "network"), EVERY)
def test_every_parameter_learns(name, network):
    policy, rows, masks = make_policy(name, network)
    values, probs, entropy = policy.evaluate_actions(rows, masks.int().argmax(1), action_masks=masks.numpy())
    (values.pow(2).sum() - probs.sum() - entropy.sum()).backward()
    still = [name for name, part in policy.named_parameters() if part.grad is None or not part.grad.abs().sum()]
    assert still == []


@pytest.mark.parametrize(("name", "network"), EVERY)
def test_reckoning_is_the_librarys(name, network):
    """Values, probabilities, entropies and gradients are those of sb3-contrib's own distribution."""
    ours, rows, masks = make_policy(name, network)
    library, _, _ = make_policy(name, network, HeadedPolicy)
    with torch.no_grad():
        for one, other in zip(ours.parameters(), library.parameters(), strict=True):
            one.add_(0.02 * torch.randn_like(one))
            other.copy_(one)
    actions = masks.int().argmax(1)
    found, expected = (policy.evaluate_actions(rows, actions, action_masks=masks) for policy in (ours, library))
    for a, b in zip(found, expected, strict=True):
        assert torch.allclose(a, b, atol=1e-5)
    for values, probs, entropy in (found, expected):
        (values.pow(2).sum() - probs.sum() - entropy.sum()).backward()
    for one, other in zip(ours.parameters(), library.parameters(), strict=True):
        assert torch.allclose(one.grad, other.grad, rtol=1e-3, atol=1e-4)
    sure = [
        policy.predict(rows.numpy(), action_masks=masks.numpy(), deterministic=True)[0] for policy in (ours, library)
    ]
    np.testing.assert_array_equal(*sure)
    np.testing.assert_array_equal(ours.choose_rows(rows.numpy(), masks.numpy()), sure[0])


@pytest.mark.parametrize(("name", "network"), EVERY)
@pytest.mark.parametrize("count", [0, 1, 8, 100])
def test_few_and_many_rows_are_judged_alike(name, network, count):
    """With gradients and without, which are reckoned in different ways."""
    policy, rows, masks = make_policy(name, network)
    rows, masks = rows.repeat(13, 1)[:count], masks.repeat(13, 1)[:count]

    def judge() -> tuple[torch.Tensor, torch.Tensor]:
        features = policy.extract_features(rows)
        return policy.log_probs(features, masks), policy.value_net(features)

    with torch.no_grad():
        plain = judge()
    for one, other in zip(judge(), plain, strict=True):
        assert one.shape[0] == count
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


def test_drawn_actions_have_their_probabilities():
    policy, rows, masks = make_policy("torres", "mlp")
    many, legal = rows[:1].numpy().repeat(4_000, 0), masks[:1].numpy().repeat(4_000, 0)
    with torch.no_grad():
        expected = policy.log_probs(policy.extract_features(rows[:1]), masks[:1]).exp()[0].numpy()
    drawn = policy.choose_rows(many, legal, np.random.default_rng(1))
    shares = np.bincount(drawn, minlength=len(expected)) / len(drawn)
    assert (shares[expected == 0] == 0).all()
    np.testing.assert_allclose(shares, expected, atol=5 * 0.5 / 4_000**0.5)


def test_names_of_networks():
    assert network_names(TORRES) == ["conv", "mlp"] and network_names(MARKET) == ["circles", "mlp"]
    assert network_name(TORRES) == "conv"
    assert network_name(MARKET, "mlp") == "mlp"
    with pytest.raises(ValueError, match="unknown network 'circles' for torres: choose one of conv, mlp"):
        network_name(TORRES, "circles")


def test_a_circles_score_is_that_of_its_own_actions():
    features = MarketFeatures(spaces.Box(0, 255, (790,), np.uint8), MARKET, width=4)
    head = MarketHead(features)
    with torch.no_grad():
        for part in head.parameters():
            part.zero_()
        head.circles.weight[0, 0] = 1.0  # buying: the first feature of a circle
        head.circles.weight[1, 1] = 1.0  # returning: the second
        circles = torch.zeros(1, MAX_CIRCLES, 4)
        circles[0, 17, 0] = 3.0
        circles[0, 20, 1] = 5.0
        logits = head((circles, torch.zeros(1, 32)))[0]
    assert logits.nonzero().ravel().tolist() == [BUY + 17, RETURN + 20]
    assert logits[[BUY + 17, RETURN + 20]].tolist() == [3.0, 5.0]


def test_a_circle_sees_its_material_and_market():
    """Feature rows of circles hold what the same-numbered block entries say (docs/market.md)."""
    from market_env.observation import VECTOR

    features = MarketFeatures(spaces.Box(0, 255, (790,), np.uint8), MARKET, width=4)
    row = torch.zeros(1, VECTOR.size)
    row[0, VECTOR["circles_2"].start + 13] = 1  # material 2 on circle 2b of the third market
    row[0, VECTOR["missing"].start + 2] = 2
    row[0, VECTOR["workers"].start + 2] = 1  # the observer's worker at that market
    circles = joined(*features._parts(row / features.scale))
    assert circles.shape == (1, MAX_CIRCLES, 8 + 8 + 6)
    assert circles[0, 13, 2] == 1 and circles[0, 13, 8] == 1 and circles[0, 13, 9] == 1
    assert circles[0, 12:18, 16].tolist() == [1] * 6
    assert circles[0, :12].abs().sum() == 0
