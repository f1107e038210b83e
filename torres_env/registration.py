"""This game in the registries of Gymnasium and PettingZoo; done when ``torres_env`` is imported."""

from __future__ import annotations

from tower_core.envs.registration import register_game


def register_envs() -> None:
    """Register once; calling it again does nothing."""
    register_game("torres_env/Torres-v0", "torres_env.torres_v0")
