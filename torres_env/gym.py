"""Torres for Gymnasium: ``gymnasium.make("torres_env/Torres-v0")`` and ``gymnasium.make_vec("torres_env/Torres-v0")``."""

from __future__ import annotations

from torres_env.batch import TorresBatch
from torres_env.game import GAME
from tower_core.envs.gym import TowerEnv, TowerVectorEnv


class TorresEnv(TowerEnv):
    """One learner among 2 to 4 players (see tower_core.envs.gym.TowerEnv for the options)."""

    game = GAME
    batch_class = TorresBatch


class TorresVectorEnv(TowerVectorEnv):
    """Many games of one learner each (see tower_core.envs.gym.TowerVectorEnv for the options)."""

    game = GAME
    batch_class = TorresBatch
