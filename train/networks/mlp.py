"""The plain network of either game: fully connected layers over the whole observation row."""

from __future__ import annotations

from itertools import pairwise

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from tower_core.registry import get_game
from train.networks import market, torres
from train.networks.operations import Plain
from train.networks.policy import SummaryValue


def _scales(game: str) -> tuple[Tensor, Tensor]:
    """What is taken from each entry of a row, and what the rest is divided by."""
    if game == "torres":
        return torres.row_scales()
    scale = market.row_scales()
    return torch.zeros_like(scale), scale


class MlpFeatures(BaseFeaturesExtractor):
    """uint8 rows [B, size] to features [B, hidden] by *layers* layers of *hidden* units."""

    operations = Plain

    def __init__(self, observation_space: spaces.Box, game: str, hidden: int = 256, layers: int = 2) -> None:
        super().__init__(observation_space, hidden)
        self.hidden, self.actions = hidden, get_game(game).num_actions
        shift, scale = _scales(game)
        self.register_buffer("shift", shift)
        self.register_buffer("scale", scale)
        sizes = [len(scale)] + [hidden] * layers
        parts: list[nn.Module] = []
        for before, after in pairwise(sizes):
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
