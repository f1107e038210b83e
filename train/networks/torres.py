"""The network of Torres: convolutions over planes, with a score per cell and action."""

from __future__ import annotations

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from torres_env.actions import FIRST_CELL_ACTION
from torres_env.observation import GLOBALS, GLOBALS_SIZE, PLANES
from train.networks.policy import SummaryValue

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


def _shifts() -> Tensor:
    """What is taken from each entry of ``globals`` before: leads may be below 0 and are told from 128 on."""
    shift = torch.zeros(GLOBALS_SIZE)
    shift[GLOBALS["lead"].start : GLOBALS["lead"].stop] = 128
    return shift


def row_scales() -> tuple[Tensor, Tensor]:
    """float [size] twice: what is taken from each entry of a whole row, and what the rest is divided by."""
    planes = torch.ones(PLANES.size)
    planes[:3] = torch.tensor([4.0, 8.0, 32.0])  # height, area, worth
    board = planes.repeat_interleave(_CELLS)
    return torch.cat([torch.zeros_like(board), _shifts()]), torch.cat([board, _scales()])


class _Block(nn.Module):
    """A residual 3×3 convolution whose input also tells every cell what the whole board looks like."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.pool = nn.Linear(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        whole = self.pool(torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1))
        return torch.relu_(self.conv(x).add_(x).add_(whole[:, :, None, None]))


class TorresFeatures(BaseFeaturesExtractor):
    """Rows [B, 1356] to per-cell features [B, width, 8, 8], own-knight planes [B, 6, 64] and a summary [B, hidden]."""

    def __init__(self, observation_space: spaces.Box, width: int = 32, blocks: int = 2, hidden: int = 128) -> None:
        super().__init__(observation_space, hidden)
        self.width, self.hidden = width, hidden
        self.register_buffer("scale", _scales())
        self.register_buffer("shift", _shifts())
        self.enter = nn.Conv2d(PLANES.size + 7, width, 3, padding=1)
        self.enter_globals = nn.Linear(GLOBALS_SIZE, width)
        self.blocks = nn.Sequential(*[_Block(width) for _ in range(blocks)])
        self.summary = nn.Sequential(nn.Linear(2 * width + GLOBALS_SIZE, hidden), nn.ReLU())

    def make_action_net(self) -> nn.Module:
        return TorresHead(self)

    def make_value_net(self) -> nn.Module:
        return SummaryValue(self.hidden)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        board = rows[:, : PLANES.size * _CELLS].view(-1, PLANES.size, 8, 8)
        numbers = (rows[:, PLANES.size * _CELLS :] - self.shift) / self.scale
        height, area, worth, rest = board[:, 0:1], board[:, 1:2], board[:, 2:3], board[:, 3:]
        steps = [(height >= level).float() for level in range(1, 6)]
        room = (area - height).clamp(0, 8)
        planes = torch.cat([height / 4, area / 8, worth / 32, rest, *steps, room / 4, (height == 0).float()], 1)
        # The convolutions of CPUs are half as slow again in the other layout.
        planes = planes.contiguous(memory_format=torch.channels_last)
        x = torch.relu_(self.enter(planes).add_(self.enter_globals(numbers)[:, :, None, None]))
        x = self.blocks(x)
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3)), numbers], 1)
        own = board[:, PLANES["own_knight"].start : PLANES["own_knight"].stop]
        return x, own.flatten(2), self.summary(pooled)


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
        rest = self.rest(summary)
        # Channels lie innermost: rows of cells are views, and would be copies with the channels first.
        places = _rows_of_cells(x)
        cells = _rows_of_cells(self.cells(x)) + rest[:, None, FIRST_CELL_ACTION:]  # block, knight, move, take, king
        knights = self.from_cell(own @ places)  # [B, 6, query]
        moves = knights @ _rows_of_cells(self.to_cell(x)).transpose(1, 2) / self.query**0.5 + cells[:, None, :, 2]
        block, knight, _, take, king = cells.unbind(2)
        return torch.cat([rest[:, :FIRST_CELL_ACTION], block, knight, moves.flatten(1), take, king], 1)


def _rows_of_cells(x: Tensor) -> Tensor:
    """[B, C, 8, 8] to [B, 64, C]."""
    return x.permute(0, 2, 3, 1).flatten(1, 2)
