"""MaskablePPO's policy with heads that fit a game's features in place of plain linear layers."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn


class GameFeatures(Protocol):
    """What a features extractor of ours makes besides features: the heads that read them.

    Features are a tuple of tensors with the summary [B, hidden] last: in one vector they would have to be copied together,
    taken apart again, and both once more for the gradients.
    """

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
        self.to(memory_format=torch.channels_last)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class TowersPolicy(HeadedPolicy):
    """The same policy with probabilities reckoned once: the library's distribution normalises them three times and
    makes new arguments of each for every call.
    """

    def log_chances(self, features: tuple[Tensor, ...], masks: Masks) -> Tensor:
        """Logarithms of the actions' probabilities [B, num_actions] from features; -1e8 or so where *masks* is 0."""
        logits: Tensor = self.action_net(features)
        if masks is not None:
            legal = torch.as_tensor(masks).to(torch.bool).reshape(logits.shape)
            logits = torch.where(legal, logits, _FORBIDDEN)
        return torch.log_softmax(logits, 1)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions [B], values [B, 1] and the logarithms of the actions' probabilities [B]."""
        features = self.extract_features(obs)
        chances = self.log_chances(features, action_masks)
        actions = _choose(chances, deterministic)
        return actions, self.value_net(features), chances.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values [B, 1], the logarithms of the actions' probabilities [B] and entropies [B]."""
        features = self.extract_features(obs)
        chances = self.log_chances(features, action_masks)
        entropy = -(chances.exp() * chances).sum(1)
        return self.value_net(features), chances.gather(1, actions.long().reshape(-1, 1))[:, 0], entropy

    def _predict(self, observation: Tensor, deterministic: bool = False, action_masks: Masks = None) -> Tensor:
        return _choose(self.log_chances(self.extract_features(observation), action_masks), deterministic)

    def judge_row(self, row: NDArray[np.uint8], mask: NDArray[np.bool_]) -> tuple[float, NDArray[np.float32]]:
        """The value of one observation [size], and the probability of every action [num_actions]."""
        with torch.no_grad():
            features = self.extract_features(torch.as_tensor(row[None]))
            chances = self.log_chances(features, mask[None]).exp()[0]
            return float(self.value_net(features)), chances.numpy()

    def choose_rows(
        self, rows: NDArray[np.uint8], masks: NDArray[np.bool_], random: np.random.Generator | None = None
    ) -> NDArray[np.int64]:
        """Actions [B] by the policy's probabilities, drawn from *random*; without it the most probable ones."""
        with torch.no_grad():
            chances = self.log_chances(self.extract_features(torch.as_tensor(rows)), masks).numpy()
        if random is not None:
            chances = chances + random.gumbel(size=chances.shape)  # the largest is then a draw by the probabilities
        return chances.argmax(1)  # type: ignore[no-any-return]


def _choose(chances: Tensor, deterministic: bool) -> Tensor:
    return chances.argmax(1) if deterministic else torch.multinomial(chances.exp(), 1)[:, 0]


class SummaryValue(nn.Module):
    """The value from the summary of *hidden* numbers."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(hidden, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, features: tuple[Tensor, ...]) -> Tensor:
        return self.net(features[-1])  # type: ignore[no-any-return]
