"""What Gymnasium calls when it looks for plug-ins: cheap, so that ``import gymnasium`` stays so."""

from __future__ import annotations


def register_envs() -> None:
    from gymnasium import register

    register(
        "torres_env/Torres-v0",
        entry_point="torres_env.gym:TorresEnv",
        vector_entry_point="torres_env.gym:TorresVectorEnv",
        # The engine refuses what is illegal itself, and games always end.
        order_enforce=False,
        disable_env_checker=True,
    )
