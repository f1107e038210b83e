"""Networks for MaskablePPO that fit the games: convolutions over planes for Torres, with a score per cell and action."""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from torres_env.actions import FIRST_CELL_ACTION
from torres_env.observation import GLOBALS, GLOBALS_SIZE, PLANES
from torres_env.rules import MAX_KNIGHTS

_CELLS = 64


def _scales() -> Tensor:
    """What each entry of ``globals`` is divided by, so that all are of the order of 1."""
    scale = torch.ones(GLOBALS_SIZE)
    for name, value in {
        "rounds_left": 4, "ap": 5, "turn_stack": 3, "supply": 12, "buys": 2, "looked": 3, "deck_place": 10, "score": 32,
        "score_rest": 4, "lead": 64, "coming": 64, "knights_left": 6, "hand_size": 4, "deck_size": 10, "blocks_left": 12,
        "stack": 3,
    }.items():  # fmt: skip
        scale[GLOBALS[name].start : GLOBALS[name].stop] = value
    return scale


class _Block(nn.Module):
    """A residual 3×3 convolution whose input also tells every cell what the whole board looks like."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.pool = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        whole = self.pool(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1))
        return torch.relu(x + self.conv(x) + whole[:, :, None, None])


class TorresFeatures(BaseFeaturesExtractor):
    """uint8 rows [B, 1356] to per-cell features [B, width·64], own-knight planes [B, 6·64] and a summary, in one vector."""

    def __init__(self, observation_space: spaces.Box, width: int = 32, blocks: int = 2, hidden: int = 128) -> None:
        super().__init__(observation_space, width * _CELLS + MAX_KNIGHTS * _CELLS + hidden)
        self.width, self.hidden = width, hidden
        self.register_buffer("scale", _scales())
        shift = torch.zeros(GLOBALS_SIZE)
        shift[GLOBALS["lead"].start : GLOBALS["lead"].stop] = 128
        self.register_buffer("shift", shift)
        self.enter = nn.Conv2d(PLANES.size + 7, width, 3, padding=1)
        self.enter_globals = nn.Linear(GLOBALS_SIZE, width)
        self.blocks = nn.Sequential(*[_Block(width) for _ in range(blocks)])
        self.summary = nn.Sequential(nn.Linear(2 * width + GLOBALS_SIZE, hidden), nn.ReLU())

    def forward(self, rows: Tensor) -> Tensor:
        board = rows[:, : PLANES.size * _CELLS].view(-1, PLANES.size, 8, 8)
        numbers = (rows[:, PLANES.size * _CELLS :] - self.shift) / self.scale
        height, area, worth, rest = board[:, 0:1], board[:, 1:2], board[:, 2:3], board[:, 3:]
        steps = [(height >= level).float() for level in range(1, 6)]
        room = (area - height).clamp(0, 8)
        planes = torch.cat([height / 4, area / 8, worth / 32, rest, *steps, room / 4, (height == 0).float()], 1)
        # The convolutions of CPUs are half as slow again in the other layout.
        planes = planes.contiguous(memory_format=torch.channels_last)
        x = torch.relu(self.enter(planes) + self.enter_globals(numbers)[:, :, None, None])
        x = self.blocks(x)
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3)), numbers], 1)
        own = board[:, PLANES["own_knight"].start : PLANES["own_knight"].stop]
        return torch.cat([x.flatten(1), own.flatten(1), self.summary(pooled)], 1)


class TorresHead(nn.Module):
    """Logits [B, 662]: per cell for B, N, T and K, knight against cell for M, and from the summary for the rest."""

    def __init__(self, features: TorresFeatures, query: int = 16) -> None:
        super().__init__()
        self.width, self.hidden, self.query = features.width, features.hidden, query
        self.cells = nn.Conv2d(features.width, 5, 1)
        self.from_cell = nn.Linear(features.width, query)
        self.to_cell = nn.Conv2d(features.width, query, 1)
        self.rest = nn.Linear(features.hidden, FIRST_CELL_ACTION + 5)

    def forward(self, features: Tensor) -> Tensor:
        n = len(features)
        cut = self.width * _CELLS
        x = features[:, :cut].view(n, self.width, 8, 8)
        own = features[:, cut : cut + MAX_KNIGHTS * _CELLS].view(n, MAX_KNIGHTS, _CELLS)
        rest = self.rest(features[:, cut + MAX_KNIGHTS * _CELLS :])
        cells = self.cells(x).flatten(2) + rest[:, FIRST_CELL_ACTION:, None]  # block, knight, move, take, king
        knights = self.from_cell(own @ x.flatten(2).transpose(1, 2))  # [B, 6, query]
        moves = knights @ self.to_cell(x).flatten(2) / self.query**0.5 + cells[:, 2:3]
        return torch.cat(
            [rest[:, :FIRST_CELL_ACTION], cells[:, 0], cells[:, 1], moves.flatten(1), cells[:, 3], cells[:, 4]], 1
        )


class VectorFeatures(BaseFeaturesExtractor):
    """A plain network over the whole row, for games without a board."""

    def __init__(self, observation_space: spaces.Box, hidden: int = 256) -> None:
        super().__init__(observation_space, hidden)
        self.hidden = hidden
        size = int(observation_space.shape[0])
        self.net = nn.Sequential(nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())

    def forward(self, rows: Tensor) -> Tensor:
        return self.net(rows / 8)  # type: ignore[no-any-return]


class TowersPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy with the heads above in place of plain linear layers."""

    def _build(self, lr_schedule: Any) -> None:
        self._build_mlp_extractor()
        features = self.features_extractor
        self.value_net: nn.Module
        if isinstance(features, TorresFeatures):
            self.action_net = TorresHead(features)
            self.value_net = _SummaryValue(features.hidden)
        else:
            self.action_net = nn.Linear(self.mlp_extractor.latent_dim_pi, self.action_space.n)
            self.value_net = nn.Linear(self.mlp_extractor.latent_dim_vf, 1)
        # A first policy close to uniform, and first values close to 0.
        for net in (self.action_net, self.value_net):
            for layer in net.modules():
                if isinstance(layer, (nn.Linear, nn.Conv2d)):
                    layer.weight.data.mul_(0.1)
                    layer.bias.data.zero_()
        self.to(memory_format=torch.channels_last)
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class _SummaryValue(nn.Module):
    """The value from the summary at the end of the features."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.net = nn.Sequential(nn.Linear(hidden, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, features: Tensor) -> Tensor:
        return self.net(features[:, -self.hidden :])  # type: ignore[no-any-return]


def policy_kwargs(game: str, width: int, blocks: int) -> dict[str, Any]:
    """``policy_kwargs`` of MaskablePPO for a game."""
    if game == "torres":
        extractor: type[BaseFeaturesExtractor] = TorresFeatures
        options: dict[str, Any] = {"width": width, "blocks": blocks}
    else:
        extractor, options = VectorFeatures, {"hidden": 8 * width}
    return {
        "features_extractor_class": extractor,
        "features_extractor_kwargs": options,
        "net_arch": [],
        "normalize_images": False,
    }
