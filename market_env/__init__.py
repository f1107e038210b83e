"""The market game as a state object, PettingZoo and Gymnasium environments and batches. Part of towers.

Importing it registers the environments with Gymnasium and PettingZoo; everything else is imported lazily.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tower_core.envs.registration import register_game

if TYPE_CHECKING:
    from market_env import market_v0
    from market_env.components import Components
    from market_env.game import GAME
    from market_env.market_v0 import MarketBatch
    from market_env.rules import MarketRules
    from market_env.state import MarketState

__all__ = ["GAME", "Components", "MarketBatch", "MarketRules", "MarketState", "market_v0"]


def register_envs() -> None:
    """Register the environments with Gymnasium and PettingZoo; repeated calls have no effect."""
    register_game("market_env/Market-v0", "market_env.market_v0")


register_envs()

_HOMES = {
    "GAME": "market_env.game",
    "Components": "market_env.components",
    "MarketBatch": "market_env.market_v0",
    "MarketRules": "market_env.rules",
    "MarketState": "market_env.state",
}


def __getattr__(name: str) -> Any:
    if name == "market_v0":
        return import_module("market_env.market_v0")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'market_env' has no attribute {name!r}")
