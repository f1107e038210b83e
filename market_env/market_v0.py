"""The market game for PettingZoo: ``from market_env import market_v0; env = market_v0.env()``.

Also ``pettingzoo.make("aec", "market_env/Market-v0")`` once ``market_env`` is imported. The solo game is an environment
with one agent: ``market_v0.env(rules="solo")``.
"""

from __future__ import annotations

from typing import Any

from market_env.game import GAME
from market_env.rules import MarketRules
from market_env.state import MarketState
from tower_core.envs.aec import TowerAEC
from tower_core.envs.batch import Batch
from tower_core.envs.checked_aec import CheckedAEC
from tower_core.envs.faces import aec_metadata
from tower_core.envs.gym import TowerEnv
from tower_core.envs.vector_env import TowerVectorEnv
from tower_core.players.specs import Opponents

__all__ = ["MarketBatch", "MarketEnv", "MarketState", "MarketVectorEnv", "env", "raw_env"]


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


class MarketEnv(TowerEnv):
    """One learner among 2 to 4 players, or alone in the solo game (see tower_core.envs.gym.TowerEnv for the options)."""

    game = GAME


class MarketVectorEnv(TowerVectorEnv):
    """Many games of one learner each (see tower_core.envs.gym.TowerVectorEnv for the options)."""

    game = GAME


class raw_env(TowerAEC):
    """The market game as an AEC environment.

    Observation (uint8): ``{"vector": [size]}``, or the vector itself with ``flatten``; float32 with ``dtype="float32"``
    (blocks: docs/market.md). *num_players* is 2 if not given, and 1 in the solo game. *reward*: "outcome" (utility at the
    end), "win" (1 for the winner, -1/(n - 1) for the others), "progress" (change of towers and of the satisfied share of the
    list, plus the utility). An illegal action raises ValueError and changes nothing.
    """

    game = GAME
    metadata = aec_metadata(GAME)

    def __init__(
        self,
        num_players: int | None = None,
        rules: str | MarketRules = "base",
        reward: str = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(num_players, rules, reward, render_mode, **options)


class env(CheckedAEC, raw_env):
    """The AEC environment with PettingZoo's checks (tower_core.envs.checked_aec) of call order and illegal actions.

    *illegal*: "lose" (the game ends, -1 for the offender), "random" (play a random legal action instead) or "raise".
    """
