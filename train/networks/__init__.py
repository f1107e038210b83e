"""Networks for MaskablePPO that fit the games, chosen by name."""

from __future__ import annotations

from typing import Any

from train.networks import market, mlp, torres
from train.networks.policy import TowersPolicy

__all__ = ["NETWORKS", "TowersPolicy", "network_name", "policy_kwargs"]

NETWORKS: dict[str, tuple[str, ...]] = {"torres": ("conv", "mlp"), "market": ("circles", "mlp")}
"""Names of the networks of each game, the usual one first."""


def network_name(game: str, network: str = "") -> str:
    """The name of a game's network; without one its usual network. ValueError tells the names there are."""
    names = NETWORKS.get(game, ())
    if not names:
        raise ValueError(f"there is no network for {game!r}: train/networks has some for {', '.join(NETWORKS)}")
    if network and network not in names:
        raise ValueError(f"unknown network {network!r} for {game}: choose one of {', '.join(names)}")
    return network or names[0]


def policy_kwargs(game: str, width: int, blocks: int, network: str = "") -> dict[str, Any]:
    """``policy_kwargs`` of MaskablePPO for a game's *network*.

    *width*: features of a cell or circle, an eighth of a hidden layer; *blocks*: residual blocks of ``conv``, further
    hidden layers of ``mlp``.
    """
    name = network_name(game, network)
    options: dict[str, Any]
    extractor: type
    if name == "conv":
        extractor, options = torres.TorresFeatures, {"width": width, "blocks": blocks}
    elif name == "circles":
        extractor, options = market.MarketFeatures, {"width": width, "hidden": 8 * width}
    else:
        extractor, options = mlp.MlpFeatures, {"game": game, "hidden": 8 * width, "layers": 1 + blocks}
    return {
        "features_extractor_class": extractor,
        "features_extractor_kwargs": options,
        "net_arch": [],
        "optimizer_kwargs": {"fused": True, "eps": 1e-5},
        "normalize_images": False,
    }
