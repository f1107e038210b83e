"""Many market games at once (see tower_core.envs.batch.Batch for the arrays)."""

from __future__ import annotations

from typing import Any

from market_env.game import GAME
from market_env.rules import MarketRules
from tower_core.envs.batch import Batch
from tower_core.players.specs import Opponents


class MarketBatch(Batch):
    """``MarketBatch(64)``: 64 games of two players under the base rules."""

    game = GAME

    def __init__(
        self,
        num_envs: int,
        num_players: int | None = None,
        rules: str | MarketRules = "base",
        seed: int = 0,
        opponents: Opponents | None = None,
        **options: Any,
    ) -> None:
        super().__init__(num_envs, num_players, rules, seed, opponents, **options)
