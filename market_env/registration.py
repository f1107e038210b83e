"""This game in the registries of Gymnasium and PettingZoo; done when ``market_env`` is imported."""

from __future__ import annotations

from tower_core.envs.registration import register_game


def register_envs() -> None:
    """Register once; calling it again does nothing."""
    register_game("market_env/Market-v0", "market_env.market_v0")
