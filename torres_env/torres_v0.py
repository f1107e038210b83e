"""Torres for PettingZoo: ``from torres_env import torres_v0; env = torres_v0.env()``.

Also ``pettingzoo.make("aec", "torres_env/Torres-v0")`` once ``torres_env`` is imported.
"""

from __future__ import annotations

from typing import Any

from torres_env.game import GAME
from torres_env.rules import TorresRules
from torres_env.state import TorresState
from tower_core.envs.aec import TowerAEC
from tower_core.envs.batch import Batch
from tower_core.envs.checked_aec import CheckedAEC
from tower_core.envs.faces import aec_metadata
from tower_core.envs.gym import TowerEnv
from tower_core.envs.vector_env import TowerVectorEnv
from tower_core.players.specs import Opponents

__all__ = ["TorresBatch", "TorresEnv", "TorresState", "TorresVectorEnv", "env", "raw_env"]


class TorresBatch(Batch):
    """``TorresBatch(64)``: 64 games of two players under the standard rules; ``observation`` rows have 1,356 bytes."""

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


class TorresEnv(TowerEnv):
    """One learner among 2 to 4 players (see tower_core.envs.gym.TowerEnv for the options)."""

    game = GAME


class TorresVectorEnv(TowerVectorEnv):
    """Many games of one learner each (see tower_core.envs.gym.TowerVectorEnv for the options)."""

    game = GAME


class raw_env(TowerAEC):
    """Torres as an AEC environment.

    Observation (uint8): ``{"board": [18, 8, 8], "globals": [204]}``, or one vector [1356] with ``flatten``; float32 with
    ``dtype="float32"`` (blocks: docs/torres.md). *reward*: "outcome" (utility at the end), "margin" (lead / 100 at the end),
    "score" (points / 100 as they are scored), "progress" (change of the lead in points scored and coming / 100, plus the
    utility). An illegal action raises ValueError and changes nothing.
    """

    game = GAME
    metadata = aec_metadata(GAME)

    def __init__(
        self,
        num_players: int = 2,
        rules: str | TorresRules = "standard",
        reward: str = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(num_players, rules, reward, render_mode, **options)


class env(CheckedAEC, raw_env):
    """The AEC environment with PettingZoo's checks (tower_core.envs.checked_aec) of call order and illegal actions.

    *illegal*: "lose" (the game ends, -1 for the offender), "random" (play a random legal action instead) or "raise".
    """
