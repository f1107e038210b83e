"""The generic network: fully connected layers over the whole observation row."""

from __future__ import annotations

from itertools import pairwise

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from tower_core.game import Game
from train.networks.operations import Plain
from train.networks.policy import SummaryValue


class MlpFeatures(BaseFeaturesExtractor):
    """uint8 rows [B, size] to features [B, 8 × width], with *blocks* layers after the first."""

    operations = Plain

    def __init__(self, observation_space: spaces.Box, game: Game, width: int = 32, blocks: int = 1) -> None:
        hidden = 8 * width
        super().__init__(observation_space, hidden)
        self.hidden, self.actions = hidden, game.num_actions
        for name, values in zip(("shift", "scale"), game.row_scales(), strict=True):
            self.register_buffer(name, torch.from_numpy(values))
        parts: list[nn.Module] = []
        for before, after in pairwise([game.observation_size] + [hidden] * (1 + blocks)):
            parts += [nn.Linear(before, after), nn.ReLU()]
        self.layers = nn.Sequential(*parts)

    def make_action_net(self) -> nn.Module:
        return SummaryActions(self.hidden, self.actions)

    def make_value_net(self) -> nn.Module:
        return SummaryValue(self.hidden)

    def forward(self, rows: Tensor) -> tuple[Tensor]:
        return (self.layers[1:](self.operations.first(rows, self.shift, self.scale, self.layers[0])),)


class SummaryActions(nn.Linear):
    """Logits of all actions from the summary alone."""

    def forward(self, features: tuple[Tensor, ...]) -> Tensor:
        return super().forward(features[-1])  # type: ignore[no-any-return]
