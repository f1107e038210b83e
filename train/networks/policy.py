"""MaskablePPO's policy with heads that fit a game's features in place of plain linear layers."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from tower_core.game import Game
from train.networks.operations import Fused, choose_operations


class GameFeatures(Protocol):
    """A network: a features extractor of Stable-Baselines3 (a subclass of its ``BaseFeaturesExtractor``).

    ``forward`` maps float rows [B, size] to features: a tensor [B, features_dim], or anything that its own heads read, such as
    a tuple of tensors. The methods for the heads are optional; without them, one linear layer each reads the features.
    """

    def __init__(self, observation_space: spaces.Box, game: Game, width: int, blocks: int) -> None:
        """*width* and *blocks* are those of ``--width`` and ``--blocks``.

        A class gets only those of *game*, *width* and *blocks* that its signature has.
        """

    def make_action_net(self) -> nn.Module:
        """Optional: features to logits [B, num_actions]; ``log_softmax`` and the mask come afterwards."""

    def make_value_net(self) -> nn.Module:
        """Optional: features to values [B, 1]."""


Masks: TypeAlias = "NDArray[Any] | Tensor | None"
_FORBIDDEN = -1e8  # its probability is exactly 0, and its products with 0 are not NaN as those of -inf are


class HeadedPolicy(MaskableActorCriticPolicy):
    """A policy with the heads of its features extractor. ``net_arch`` must be empty."""

    def _build(self, lr_schedule: Any) -> None:
        self._build_mlp_extractor()
        features: Any = self.features_extractor
        own_actions, own_values = hasattr(features, "make_action_net"), hasattr(features, "make_value_net")
        self.action_net = (
            features.make_action_net() if own_actions else nn.Linear(features.features_dim, int(self.action_space.n))
        )
        self.value_net = features.make_value_net() if own_values else nn.Linear(features.features_dim, 1)
        # Initial policy close to uniform, initial values close to 0.
        for net in (self.action_net, self.value_net):
            for layer in net.modules():
                if isinstance(layer, (nn.Linear, nn.Conv2d)):
                    layer.weight.data.mul_(0.1)
                    if layer.bias is not None:
                        layer.bias.data.zero_()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class TowersPolicy(HeadedPolicy):
    """The same policy, computed faster.

    It uses the fused operations of :mod:`train.networks.operations`, and normalises probabilities once where the library's
    distribution does so three times and validates its arguments on every call.
    """

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        for layer in self.modules():
            if isinstance(layer, nn.Conv2d):
                layer.to(memory_format=torch.channels_last)
        choose_operations(self, Fused)

    def log_probs(self, features: tuple[Tensor, ...], masks: Masks) -> Tensor:
        """Log-probabilities of all actions [B, num_actions] from features; about -1e8 where *masks* is 0."""
        return torch.log_softmax(self._logits(features, masks), 1)

    def _logits(self, features: tuple[Tensor, ...], masks: Masks) -> Tensor:
        logits: Tensor = self.action_net(features)
        return logits if masks is None else torch.where(_legal(masks, logits), logits, _FORBIDDEN)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions [B], values [B, 1] and log-probabilities of the actions [B]."""
        features = self.extract_features(obs)
        logits = self._logits(features, action_masks)
        actions = _choose(logits, deterministic)
        return actions, self.value_net(features), torch.log_softmax(logits, 1).gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values [B, 1], log-probabilities of the actions [B] and entropies [B]."""
        features = self.extract_features(obs)
        chosen, entropy = Chosen.apply(self.action_net(features), action_masks, actions.long().reshape(-1, 1))
        return self.value_net(features), chosen, entropy

    def _predict(self, observation: Tensor, deterministic: bool = False, action_masks: Masks = None) -> Tensor:
        return _choose(self._logits(self.extract_features(observation), action_masks), deterministic)

    def choose_rows(
        self, rows: NDArray[np.uint8], masks: NDArray[np.bool_], random: np.random.Generator | None = None
    ) -> NDArray[np.int64]:
        """Actions [B] sampled with *random*, or without it the most probable ones."""
        with torch.no_grad():
            probs = self.log_probs(self.extract_features(torch.as_tensor(rows)), masks).numpy()
        if random is not None:
            probs = probs + random.gumbel(size=probs.shape)  # the argmax is then a sample
        return probs.argmax(1)  # type: ignore[no-any-return]


def _legal(masks: NDArray[Any] | Tensor, logits: Tensor) -> Tensor:
    return torch.as_tensor(masks).to(torch.bool).reshape(logits.shape)


def _choose(logits: Tensor, deterministic: bool) -> Tensor:
    """Actions [B]: the most probable ones, or sampled."""
    if deterministic:
        return logits.argmax(1)
    # Inverse transform sampling, ten times as fast as multinomial, which draws a number for every action. Points are
    # above 0, so that no action of probability 0 is chosen.
    sums = torch.softmax(logits, 1).cumsum(1)
    if not torch.isfinite(sums[:, -1]).all():
        raise ValueError("non-finite network outputs: training has diverged")
    points = (1 - torch.rand(len(sums), 1)) * sums[:, -1:]
    return torch.searchsorted(sums, points)[:, 0]


class Chosen(torch.autograd.Function):
    """Logits [B, A], masks and legal actions [B, 1] to log-probabilities of the actions [B] and entropies [B]."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, masks: Masks, actions: Tensor) -> tuple[Tensor, Tensor]:
        if masks is not None:
            logits = torch.where(_legal(masks, logits), logits, _FORBIDDEN)
        logarithms = torch.log_softmax(logits, 1)
        # Not exp() of the above: exp of masked logits is eight times slower.
        probs = torch.softmax(logits, 1)
        entropy = -(probs * logarithms).sum(1)
        ctx.save_for_backward(probs, logarithms, entropy, actions)
        return logarithms.gather(1, actions)[:, 0], entropy

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, of_chosen: Tensor, of_entropy: Tensor) -> tuple[Tensor, None, None]:  # type: ignore[override]
        probs, logarithms, entropy, actions = ctx.saved_tensors
        gradient = logarithms + entropy[:, None]
        gradient.mul_(-of_entropy[:, None]).sub_(of_chosen[:, None]).mul_(probs)
        return gradient.scatter_add_(1, actions, of_chosen[:, None]), None, None


class SummaryValue(nn.Module):
    """The value from the summary [B, hidden]."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(hidden, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, features: tuple[Tensor, ...]) -> Tensor:
        return self.net(features[-1])  # type: ignore[no-any-return]
