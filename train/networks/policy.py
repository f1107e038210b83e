"""MaskablePPO's policy with heads that fit a game's features in place of plain linear layers."""

from __future__ import annotations

from typing import Any, Protocol

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn


class GameFeatures(Protocol):
    """What a features extractor of ours makes besides features: the heads that read them."""

    def make_action_net(self) -> nn.Module:
        """Features [B, F] to logits [B, num_actions]."""

    def make_value_net(self) -> nn.Module:
        """Features [B, F] to values [B, 1]."""


class TowersPolicy(MaskableActorCriticPolicy):
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


class SummaryValue(nn.Module):
    """The value from the summary of *hidden* numbers at the end of the features."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.net = nn.Sequential(nn.Linear(hidden, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, features: Tensor) -> Tensor:
        return self.net(features[:, -self.hidden :])  # type: ignore[no-any-return]
