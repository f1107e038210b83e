"""Networks for MaskablePPO: by name, of one game (entry points ``towers.networks.<game>``) or of every game
(``towers.networks``), or named as ``package.module:Class`` or ``file.py:Class``.

All are classes as described by :class:`train.networks.policy.GameFeatures`.
"""

from __future__ import annotations

import ast
from typing import Any

from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from tower_core import registry
from tower_core.game import Game
from tower_core.imported import import_named, split_named
from tower_core.players.specs import option_names, refuse_unknown
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
    if network and network not in names and split_named(network) is None:
        raise ValueError(
            f"unknown network {network!r} for {game.name}: choose one of {', '.join(names)}, or name a class as file.py:Class"
        )
    return network or names[0]


def network_class(game: Game, network: str = "") -> type[GameFeatures]:
    """The class of a game's network. ValueError if there is none, or if it can't be loaded."""
    name = network_name(game, network)
    for group in _groups(game):
        point = registry.find(group, name, "network")
        if point is not None:
            return _checked(registry.load(point, "network"), name, point.value)
    if split_named(name) is not None:
        return _checked(import_named(name, "network"), name, name)
    raise ValueError(f"the training defaults of {game.name} name an unknown network {name!r}")


def _checked(found: Any, name: str, value: str) -> type[GameFeatures]:
    if not (isinstance(found, type) and issubclass(found, BaseFeaturesExtractor)):
        raise registry.PluginError(
            f"network {name!r}: {value} must be a features extractor class of Stable-Baselines3 (BaseFeaturesExtractor)"
        )
    return found


def _groups(game: Game) -> tuple[str, str]:
    return f"{NETWORKS_GROUP}.{game.name}", NETWORKS_GROUP


def _options(network: str) -> dict[str, Any]:
    """The options of ``file.py:Class:key=value,…``."""
    options: dict[str, Any] = {}
    split = split_named(network)
    for part in filter(None, split[2].split(",") if split else []):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"network {network!r}: options must be written key=value, not {part!r}")
        try:
            options[key.strip()] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            options[key.strip()] = value
    return options


def policy_kwargs(game: Game, width: int, blocks: int, network: str = "") -> dict[str, Any]:
    """``policy_kwargs`` of MaskablePPO for a game's *network* of size *width* and *blocks*."""
    found, options = network_class(game, network), _options(network)
    known = option_names(found, given=1)
    if known is not None:
        refuse_unknown(f"network {network!r}", options, known)
    # A class of the user's own need not have all of them.
    given = {"game": game, "width": width, "blocks": blocks}
    return {
        "features_extractor_class": found,
        "features_extractor_kwargs": {name: value for name, value in given.items() if known is None or name in known}
        | options,
        "net_arch": [],
        "optimizer_kwargs": {"fused": True, "eps": 1e-5},
        "normalize_images": False,
    }
