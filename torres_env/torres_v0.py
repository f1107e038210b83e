"""Torres for PettingZoo: ``from torres_env import torres_v0; env = torres_v0.env()``.

Also ``pettingzoo.make("aec", "torres_env/Torres-v0")`` once ``torres_env`` is imported.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from torres_env.game import GAME
from torres_env.rules import TorresRules
from tower_core.envs.aec import TowerAEC, wrap
from tower_core.envs.rendering import RENDERING


class raw_env(TowerAEC):
    """Torres as an AEC environment.

    Observation (uint8): ``{"board": [18, 8, 8], "globals": [204]}``, or one vector [1356] with ``flatten``, or float32
    with ``dtype="float32"`` (blocks: docs/torres.md). *reward*: "outcome" (utility at the end), "margin" (lead / 100 at
    the end), "score" (points / 100 as gained), "progress" (change of the lead in points had and to come / 100, plus the
    utility). An illegal action raises ValueError and changes nothing.
    """

    game = GAME
    metadata = {**RENDERING, "name": "torres_v0", "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's way)

    def __init__(
        self,
        num_players: int = 2,
        rules: str | TorresRules = "standard",
        reward: str = "outcome",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__(num_players, rules, reward, render_mode, **options)


def env(
    num_players: int = 2,
    rules: str | TorresRules = "standard",
    reward: str = "outcome",
    render_mode: str | None = None,
    illegal: str = "lose",
    **options: Any,
) -> AECEnv[str, dict[str, Any], int]:
    """The environment with PettingZoo's wrappers. *illegal*: "lose" (the game ends, -1 for the offender), "random"
    (a legal action is played instead) or "raise"."""
    return wrap(raw_env(num_players, rules, reward, render_mode, **options), illegal)
