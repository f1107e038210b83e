"""The market game in the registries of Gymnasium and PettingZoo; done when ``market_env`` is imported.

Gymnasium 1.x no longer looks for plug-ins by itself, so either the package is imported first or the id names it:
``gymnasium.make("market_env:market_env/Market-v0")``. Versions that do look find this through their entry point.
"""

from __future__ import annotations

_ID = "market_env/Market-v0"


def register_envs() -> None:
    """Register once; calling it again does nothing."""
    from gymnasium.envs.registration import register, registry
    from pettingzoo.env_registry.registration import aec_registry
    from pettingzoo.env_registry.registration import register as register_aec

    if _ID not in registry:
        register(
            _ID,
            entry_point="market_env.gym:MarketEnv",
            vector_entry_point="market_env.gym:MarketVectorEnv",
            # The engine refuses what is illegal itself, and games always end.
            order_enforce=False,
            disable_env_checker=True,
        )
    if _ID not in aec_registry:
        register_aec("aec", _ID, entry_point="market_env.market_v0:env")
