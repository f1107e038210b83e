"""Games in the registries of Gymnasium and PettingZoo.

Gymnasium 1.x no longer looks for plug-ins by itself, so either the package is imported first or the id names it:
``gymnasium.make("torres_env:torres_env/Torres-v0")``. Versions that do look find the packages through their entry points.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry
from pettingzoo.env_registry.registration import aec_registry
from pettingzoo.env_registry.registration import register as register_aec


def register_game(env_id: str, single: str, vector: str, aec: str) -> None:
    """Register a game's environments once; calling it again does nothing. The texts are ``module:name``."""
    if env_id not in registry:
        register(
            env_id,
            entry_point=single,
            vector_entry_point=vector,
            # The engine refuses what is illegal itself, and games always end.
            order_enforce=False,
            disable_env_checker=True,
        )
    if env_id not in aec_registry:
        register_aec("aec", env_id, entry_point=aec)
