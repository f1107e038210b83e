"""Connect Four; importing it registers its environments with Gymnasium and PettingZoo."""

from tower_core.envs.registration import register_game


def register_envs() -> None:
    """Register the environments; repeated calls have no effect."""
    register_game("connect_four/ConnectFour-v0", "connect_four.faces")


register_envs()
