"""Torres as a state object, PettingZoo and Gymnasium environments and batches. Part of towers.

Importing it registers the environments with Gymnasium and PettingZoo; everything else is imported lazily.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tower_core.envs.registration import register_game

if TYPE_CHECKING:
    from torres_env import torres_v0
    from torres_env.game import GAME
    from torres_env.rules import TorresRules
    from torres_env.state import TorresState
    from torres_env.torres_v0 import TorresBatch

__all__ = ["GAME", "TorresBatch", "TorresRules", "TorresState", "torres_v0"]


def register_envs() -> None:
    """Register the environments with Gymnasium and PettingZoo; repeated calls have no effect."""
    register_game("torres_env/Torres-v0", "torres_env.torres_v0")


register_envs()

_HOMES = {
    "GAME": "torres_env.game",
    "TorresBatch": "torres_env.torres_v0",
    "TorresRules": "torres_env.rules",
    "TorresState": "torres_env.state",
}


def __getattr__(name: str) -> Any:
    if name == "torres_v0":
        return import_module("torres_env.torres_v0")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'torres_env' has no attribute {name!r}")
