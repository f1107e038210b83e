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
    """A network: a features extractor of Stable-Baselines3 that also makes the heads that read its features.

    Features are a tuple of tensors with the summary [B, hidden] last: in one vector they would have to be copied together,
    taken apart again, and both once more for the gradients.
    """

    def __init__(self, observation_space: spaces.Box, game: Game, width: int, blocks: int) -> None:
        """*width* and *blocks*: the size of the network, as ``--width`` and ``--blocks`` give it."""

    def make_action_net(self) -> nn.Module:
        """Features to logits [B, num_actions]."""

    def make_value_net(self) -> nn.Module:
        """Features to values [B, 1]."""


Masks: TypeAlias = "NDArray[Any] | Tensor | None"
_FORBIDDEN = -1e8  # so small that its probability is exactly 0, and no infinity, whose products are not numbers


class HeadedPolicy(MaskableActorCriticPolicy):
    """Features, and the heads that they bring. ``net_arch`` must be empty: features go to the heads as they are."""

    def _build(self, lr_schedule: Any) -> None:
        self._build_mlp_extractor()
        features: GameFeatures = self.features_extractor
        self.action_net = features.make_action_net()
        self.value_net = features.make_value_net()
        # A first policy close to uniform, and first values close to 0.
        for net in (self.action_net, self.value_net):
            for layer in net.modules():
                if isinstance(layer, (nn.Linear, nn.Conv2d)):
                    layer.weight.data.mul_(0.1)
                    layer.bias.data.zero_()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class TowersPolicy(HeadedPolicy):
    """The same policy, computed faster: see :mod:`train.networks.operations`, and probabilities are normalised once, where
    the library's distribution does so three times and makes new arguments of each for every call.
    """

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.to(memory_format=torch.channels_last)
        choose_operations(self, Fused)

    def log_probs(self, features: tuple[Tensor, ...], masks: Masks) -> Tensor:
        """Logarithms of the actions' probabilities [B, num_actions] from features; -1e8 or so where *masks* is 0."""
        return torch.log_softmax(self._logits(features, masks), 1)

    def _logits(self, features: tuple[Tensor, ...], masks: Masks) -> Tensor:
        logits: Tensor = self.action_net(features)
        return logits if masks is None else torch.where(_legal(masks, logits), logits, _FORBIDDEN)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions [B], values [B, 1] and the logarithms of the actions' probabilities [B]."""
        features = self.extract_features(obs)
        logits = self._logits(features, action_masks)
        actions = _choose(logits, deterministic)
        return actions, self.value_net(features), torch.log_softmax(logits, 1).gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values [B, 1], the logarithms of the actions' probabilities [B] and entropies [B]."""
        features = self.extract_features(obs)
        chosen, entropy = Chosen.apply(self.action_net(features), action_masks, actions.long().reshape(-1, 1))
        return self.value_net(features), chosen, entropy

    def _predict(self, observation: Tensor, deterministic: bool = False, action_masks: Masks = None) -> Tensor:
        return _choose(self._logits(self.extract_features(observation), action_masks), deterministic)

    def judge_row(self, row: NDArray[np.uint8], mask: NDArray[np.bool_]) -> tuple[float, NDArray[np.float32]]:
        """The value of one observation [size], and the probability of every action [num_actions]."""
        with torch.no_grad():
            features = self.extract_features(torch.as_tensor(row[None]))
            probs = self.log_probs(features, mask[None]).exp()[0]
            return float(self.value_net(features)), probs.numpy()

    def choose_rows(
        self, rows: NDArray[np.uint8], masks: NDArray[np.bool_], random: np.random.Generator | None = None
    ) -> NDArray[np.int64]:
        """Actions [B] by the policy's probabilities, drawn from *random*; without it the most probable ones."""
        with torch.no_grad():
            probs = self.log_probs(self.extract_features(torch.as_tensor(rows)), masks).numpy()
        if random is not None:
            probs = probs + random.gumbel(size=probs.shape)  # the largest is then a draw by the probabilities
        return probs.argmax(1)  # type: ignore[no-any-return]


def _legal(masks: NDArray[Any] | Tensor, logits: Tensor) -> Tensor:
    return torch.as_tensor(masks).to(torch.bool).reshape(logits.shape)


def _choose(logits: Tensor, deterministic: bool) -> Tensor:
    """Actions [B]: the most probable ones, or sampled."""
    if deterministic:
        return logits.argmax(1)
    # A point below the sum of all, above 0, lies in the part of an action that has one. Ten times as fast as multinomial,
    # which draws a number for every action.
    sums = torch.softmax(logits, 1).cumsum(1)
    if not torch.isfinite(sums[:, -1]).all():
        raise ValueError("non-finite network outputs: training has diverged")
    points = (1 - torch.rand(len(sums), 1)) * sums[:, -1:]
    return torch.searchsorted(sums, points)[:, 0]


class Chosen(torch.autograd.Function):
    """Logits [B, A], masks and legal actions [B, 1] to the logarithms of their probabilities [B] and entropies [B]."""

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
