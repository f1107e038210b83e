"""Registers games with Gymnasium and PettingZoo.

Gymnasium 1.x doesn't load plug-ins by itself: import the package first, or name it in the id,
``gymnasium.make("package:package/Name-v0")``. Versions that load plug-ins find the packages by their entry points.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry
from pettingzoo.env_registry.registration import aec_registry
from pettingzoo.env_registry.registration import register as register_aec


def register_game(env_id: str, faces: str) -> None:
    """Register a game's environments; repeated calls have no effect. *faces* is the module of the game's classes.

    The module is imported only when an environment is made.
    """
    prefix = env_id.partition("/")[2].rpartition("-")[0]
    if env_id not in registry:
        register(
            env_id,
            entry_point=f"{faces}:{prefix}Env",
            vector_entry_point=f"{faces}:{prefix}VectorEnv",
            # The engine handles illegal actions itself, and games always end.
            order_enforce=False,
            disable_env_checker=True,
        )
    if env_id not in aec_registry:
        register_aec("aec", env_id, entry_point=f"{faces}:env")
