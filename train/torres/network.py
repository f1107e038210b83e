"""The network of Torres: convolutions over planes, with a score per cell and action."""

from __future__ import annotations

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from torres_env.actions import FIRST_CELL_ACTION
from torres_env.observation import GLOBALS_SIZE, PLANES
from tower_core.game import Game
from train.networks.operations import Plain, as_board, as_cells
from train.networks.policy import SummaryValue

_CELLS = 64
_BOARD = PLANES.size * _CELLS  # entries of a row before the globals


class _Block(nn.Module):
    """A residual 3×3 convolution that also sees a summary of the whole board in every cell."""

    operations = Plain

    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.pool = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.operations.residual(x, self.conv, self.pool)


class TorresFeatures(BaseFeaturesExtractor):
    """Rows [B, 1356] to features of each cell [B, 64, width], own-knight planes [B, 6, 64] and a summary [B, hidden]."""

    operations = Plain

    def __init__(
        self, observation_space: spaces.Box, game: Game, width: int = 32, blocks: int = 2, hidden: int = 128
    ) -> None:
        super().__init__(observation_space, hidden)
        self.width, self.hidden = width, hidden
        for name, values in zip(("shift", "scale"), game.row_scales(), strict=True):
            self.register_buffer(name, torch.from_numpy(values[_BOARD:]))
        self.register_buffer("levels", torch.arange(1.0, 6.0)[:, None], persistent=False)
        self.enter = nn.Conv2d(PLANES.size + 7, width, 3, padding=1)
        self.enter_globals = nn.Linear(GLOBALS_SIZE, width)
        self.blocks = nn.Sequential(*[_Block(width) for _ in range(blocks)])
        self.summary = nn.Sequential(nn.Linear(2 * width + GLOBALS_SIZE, hidden), nn.ReLU())

    def make_action_net(self) -> nn.Module:
        return TorresHead(self)

    def make_value_net(self) -> nn.Module:
        return SummaryValue(self.hidden)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        board = rows[:, :_BOARD].view(-1, PLANES.size, _CELLS)
        numbers = (rows[:, _BOARD:] - self.shift) / self.scale
        x = self.enter(torch.cat(self._planes(board), 1).unflatten(2, (8, 8)))
        x = torch.relu_(x.add_(self.enter_globals(numbers)[:, :, None, None]))
        x, pooled = self.operations.pooled(self.blocks(as_cells(x)))
        own = board[:, PLANES["own_knight"].start : PLANES["own_knight"].stop]
        return x, own, self.summary(torch.cat([pooled, numbers], 1))

    def _planes(self, board: Tensor) -> list[Tensor]:
        """Planes [B, k, 64]: the board, heights also in thermometer encoding, and the room to build."""
        height, area, worth, rest = board[:, 0:1], board[:, 1:2], board[:, 2:3], board[:, 3:]
        steps = (height >= self.levels).float()
        room = (area - height).clamp(0, 8)
        return [height / 4, area / 8, worth / 32, rest, steps, room / 4, (height == 0).float()]


class TorresHead(nn.Module):
    """Logits [B, 662]: per cell for B, N, T and K, knight against cell for M, and from the summary for the rest."""

    def __init__(self, features: TorresFeatures, query: int = 16) -> None:
        super().__init__()
        self.query = query
        self.cells = nn.Conv2d(features.width, 5, 1)
        self.from_cell = nn.Linear(features.width, query)
        self.to_cell = nn.Conv2d(features.width, query, 1)
        self.rest = nn.Linear(features.hidden, FIRST_CELL_ACTION + 5)

    def forward(self, features: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        x, own, summary = features
        cells, rest = as_board(x), self.rest(summary)
        # Per cell: block, knight, move, take, king.
        scores = as_cells(self.cells(cells)) + rest[:, None, FIRST_CELL_ACTION:]
        # Queries of own knights [B, 6, query] and keys of destination cells [B, 64, query].
        knights, destinations = self.from_cell(own @ x), as_cells(self.to_cell(cells))
        moves = knights @ destinations.transpose(1, 2) / self.query**0.5 + scores[:, None, :, 2]
        block, knight, _, take, king = scores.unbind(2)
        return torch.cat([rest[:, :FIRST_CELL_ACTION], block, knight, moves.flatten(1), take, king], 1)
