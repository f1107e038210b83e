"""The market game for Gymnasium: ``make`` and ``make_vec`` of ``"market_env/Market-v0"``."""

from __future__ import annotations

from market_env.batch import MarketBatch
from market_env.game import GAME
from tower_core.envs.gym import TowerEnv, TowerVectorEnv


class MarketEnv(TowerEnv):
    """One learner among 2 to 4 players, or alone in the solo game (see tower_core.envs.gym.TowerEnv for the options)."""

    game = GAME
    batch_class = MarketBatch


class MarketVectorEnv(TowerVectorEnv):
    """Many games of one learner each (see tower_core.envs.gym.TowerVectorEnv for the options)."""

    game = GAME
    batch_class = MarketBatch
