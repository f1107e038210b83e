"""The network of the market game: features of each circle and of the whole position, with scores per circle."""

from __future__ import annotations

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from market_env.actions import BUY, MAX_CIRCLES, NUM_ACTIONS, RETURN
from market_env.components import MAX_MARKETS, MAX_MATERIALS
from market_env.observation import VECTOR
from tower_core.engine.batch_structs import MAX_SEATS
from tower_core.game import Game
from train.networks.operations import Plain
from train.networks.policy import SummaryValue

_STATS = 8  # per material: see MarketFeatures._parts
_FIGURES = 6  # per market
_REST = NUM_ACTIONS - 2 * MAX_CIRCLES


class MarketFeatures(BaseFeaturesExtractor):
    """Rows [B, 790] to features of each circle [B, 36, width] and a summary [B, hidden]."""

    operations = Plain

    def __init__(self, observation_space: spaces.Box, game: Game, width: int = 32, blocks: int = 0) -> None:
        """*blocks* has no effect: this network has one layer of circles."""
        hidden = 8 * width
        super().__init__(observation_space, hidden)
        self.width, self.hidden = width, hidden
        shift, scale = game.row_scales()
        self.register_buffer("scale", torch.from_numpy(scale))
        self.register_buffer("shift", torch.from_numpy(shift), persistent=False)
        self.whole = nn.Sequential(nn.Linear(VECTOR.size, hidden), nn.ReLU())
        self.context = nn.Linear(hidden, width)
        self.place = nn.Parameter(torch.zeros(MAX_CIRCLES, width))
        self.enter = nn.Linear(MAX_MATERIALS + _STATS + _FIGURES, width)
        self.mix = nn.Linear(width, width)
        self.summary = nn.Sequential(
            nn.Linear(2 * width + hidden, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()
        )

    def make_action_net(self) -> nn.Module:
        return MarketHead(self)

    def make_value_net(self) -> nn.Module:
        return SummaryValue(self.hidden)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        whole = torch.relu(self.operations.first(rows, self.shift, self.scale, self.whole[0]))
        context = self.context(whole)
        x = torch.relu_(self.enter(joined(*self._parts(rows / self.scale))).add_(self.place + context[:, None]))
        x, pooled = self.operations.pooled(torch.relu_(self.mix(x).add_(x)))
        return x, self.summary(torch.cat([pooled, whole], 1))

    def _parts(self, numbers: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The material on each circle [B, 8, 36], stats of each material [B, 8, 8] and figures of each market [B, 6, 6].

        The second dimension holds materials, stats and figures.
        """
        n = numbers.shape[0]

        def block(name: str, *shape: int) -> Tensor:
            return numbers[:, VECTOR[name].start : VECTOR[name].stop].view(n, *shape)

        lies = numbers[:, : MAX_MATERIALS * MAX_CIRCLES].view(n, MAX_MATERIALS, MAX_CIRCLES)
        seats = (MAX_SEATS, MAX_MATERIALS)
        missing, needs, have = block("missing", *seats), block("needs", *seats), block("materials", *seats)
        # Own missing (number, any), need and stock; the others' missing and need; to return; circles that hold it.
        stats = torch.stack(
            [
                missing[:, 0], (missing[:, 0] > 0).float(), needs[:, 0], have[:, 0],
                missing[:, 1:].sum(1), needs[:, 1:].sum(1), block("to_return", MAX_MATERIALS), lies.sum(2) / 4,
            ], 1,
        )  # fmt: skip
        workers, curfews = block("workers", MAX_SEATS, MAX_MARKETS), block("curfews", MAX_SEATS, MAX_MARKETS)
        figures = torch.stack(
            [
                workers[:, 0], workers[:, 1:].sum(1), curfews.sum(1), block("stand_in", MAX_MARKETS),
                block("runner", MAX_MARKETS), block("guard", MAX_MARKETS),
            ], 1,
        )  # fmt: skip
        return lies, stats, figures


class MarketHead(nn.Module):
    """Logits [B, 151]: BUY and RETURN from each circle's features and the summary, the rest from the summary."""

    def __init__(self, features: MarketFeatures) -> None:
        super().__init__()
        self.circles = nn.Linear(features.width, 2)
        self.rest = nn.Linear(features.hidden, _REST + 2)

    def forward(self, features: tuple[Tensor, Tensor]) -> Tensor:
        x, summary = features
        (buy, back), rest = self.circles(x).unbind(2), self.rest(summary)
        buy, back = buy + rest[:, -2:-1], back + rest[:, -1:]
        between = RETURN - MAX_CIRCLES  # actions that are in `rest` before RETURN
        return torch.cat([rest[:, :BUY], buy, rest[:, BUY:between], back, rest[:, between:_REST]], 1)


def joined(lies: Tensor, stats: Tensor, figures: Tensor) -> Tensor:
    """[B, 36, 22]: the material on each circle, that material's stats, and the figures of the market."""
    each_market = figures.repeat_interleave(lies.shape[2] // figures.shape[2], 2)
    return torch.cat([lies, torch.bmm(stats, lies), each_market], 1).transpose(1, 2)
