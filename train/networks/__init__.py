"""Networks for MaskablePPO by name: of one game (group ``towers.networks.<game>``) or of every game (``towers.networks``).

Their entry points lead to classes with the signature of :class:`train.networks.policy.GameFeatures`.
"""

from __future__ import annotations

from typing import Any

from tower_core import registry
from tower_core.game import Game
from train.game_defaults import training_defaults
from train.networks.policy import GameFeatures, TowersPolicy

__all__ = ["GameFeatures", "TowersPolicy", "network_class", "network_name", "network_names", "policy_kwargs"]

NETWORKS_GROUP = "towers.networks"


def network_names(game: Game) -> list[str]:
    """Names of a game's networks: its default, its others, then the generic ones."""
    own, every = (registry.names(group) for group in _groups(game))
    return list(dict.fromkeys([training_defaults(game).network, *own, *every]))


def network_name(game: Game, network: str = "") -> str:
    """*network*, or the game's default network. ValueError for an unknown name lists the names."""
    names = network_names(game)
    if network and network not in names:
        raise ValueError(f"unknown network {network!r} for {game.name}: choose one of {', '.join(names)}")
    return network or names[0]


def network_class(game: Game, network: str = "") -> type[GameFeatures]:
    """The class of a game's network. ValueError if there is none, or if it can't be loaded."""
    name = network_name(game, network)
    for group in _groups(game):
        point = registry.find(group, name, "network")
        if point is not None:
            found = registry.load(point, "network")
            if not (isinstance(found, type) and hasattr(found, "make_action_net") and hasattr(found, "make_value_net")):
                raise registry.PluginError(
                    f"network {name!r}: {point.value} must be a features extractor class with make_action_net and"
                    " make_value_net"
                )
            return found
    raise ValueError(f"the training defaults of {game.name} name an unknown network {name!r}")


def _groups(game: Game) -> tuple[str, str]:
    return f"{NETWORKS_GROUP}.{game.name}", NETWORKS_GROUP


def policy_kwargs(game: Game, width: int, blocks: int, network: str = "") -> dict[str, Any]:
    """``policy_kwargs`` of MaskablePPO for a game's *network* of size *width* and *blocks*."""
    return {
        "features_extractor_class": network_class(game, network),
        "features_extractor_kwargs": {"game": game, "width": width, "blocks": blocks},
        "net_arch": [],
        "optimizer_kwargs": {"fused": True, "eps": 1e-5},
        "normalize_images": False,
    }
