"""Many games of Torres at once (see tower_core.envs.batch.Batch for the arrays)."""

from __future__ import annotations

from typing import Any

from torres_env.game import GAME
from torres_env.rules import TorresRules
from tower_core.envs.batch import Batch
from tower_core.players.specs import Opponents


class TorresBatch(Batch):
    """``TorresBatch(64)``: 64 games of two players under the standard rules; rows of ``observation`` are 1,356 bytes."""

    game = GAME

    def __init__(
        self,
        num_envs: int,
        num_players: int = 2,
        rules: str | TorresRules = "standard",
        seed: int = 0,
        opponents: Opponents | None = None,
        **options: Any,
    ) -> None:
        super().__init__(num_envs, num_players, rules, seed, opponents, **options)
