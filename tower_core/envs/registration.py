"""Games in the registries of Gymnasium and PettingZoo.

Gymnasium 1.x no longer looks for plug-ins by itself, so either the package is imported first or the id names it:
``gymnasium.make("package:package/Name-v0")``. Versions that do look find the packages through their entry points.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry
from pettingzoo.env_registry.registration import aec_registry
from pettingzoo.env_registry.registration import register as register_aec


def register_game(env_id: str, faces: str) -> None:
    """Register a game's environments once; calling it again does nothing. *faces* is the module of its faces.

    It is light: the module is imported when an environment is made.
    """
    prefix = env_id.partition("/")[2].rpartition("-")[0]
    if env_id not in registry:
        register(
            env_id,
            entry_point=f"{faces}:{prefix}Env",
            vector_entry_point=f"{faces}:{prefix}VectorEnv",
            # The engine refuses what is illegal itself, and games always end.
            order_enforce=False,
            disable_env_checker=True,
        )
    if env_id not in aec_registry:
        register_aec("aec", env_id, entry_point=f"{faces}:env")
