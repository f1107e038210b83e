"""Networks for MaskablePPO that fit the games."""

from __future__ import annotations

from typing import Any

from train.networks.market import MarketFeatures
from train.networks.policy import TowersPolicy
from train.networks.torres import TorresFeatures

__all__ = ["TowersPolicy", "policy_kwargs"]


def policy_kwargs(game: str, width: int, blocks: int) -> dict[str, Any]:
    """``policy_kwargs`` of MaskablePPO for a game: *width* of the features of a cell or circle, residual *blocks* (Torres)."""
    options: dict[str, Any] = {"width": width}
    if game == "torres":
        options["blocks"] = blocks
    else:
        options["hidden"] = 8 * width
    return {
        "features_extractor_class": TorresFeatures if game == "torres" else MarketFeatures,
        "features_extractor_kwargs": options,
        "net_arch": [],
        "normalize_images": False,
    }
