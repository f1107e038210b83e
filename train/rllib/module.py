"""Our networks as RLlib's RLModules."""

from __future__ import annotations

from typing import Any

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from tower_core.registry import get_game
from train.checkpoint import build_policy


class FrozenModule(TorchRLModule):  # type: ignore[misc]
    """A network that plays but does not learn. ``model_config``: ``game``, ``network``, ``width``, ``blocks``.

    Observations are ``{"observation": [B, size], "action_mask": [B, num_actions]}``. The logits are log-probabilities,
    so low for illegal actions that these are never sampled.
    """

    def setup(self) -> None:
        config = self.model_config
        self.policy = build_policy(get_game(config["game"]), config["width"], config["blocks"], config["network"])
        self.policy.optimizer = None  # RLlib has its own

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self._probs(batch, self._features(batch))}

    def _features(self, batch: dict[str, Any]) -> tuple[Tensor, ...]:
        return self.policy.extract_features(batch[Columns.OBS]["observation"])  # type: ignore[no-any-return]

    def _probs(self, batch: dict[str, Any], features: tuple[Tensor, ...]) -> Tensor:
        return self.policy.log_probs(features, batch[Columns.OBS]["action_mask"])


class LearningModule(FrozenModule, ValueFunctionAPI):  # type: ignore[misc]
    """The network that learns, with values."""

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        features = self._features(batch)
        return {Columns.ACTION_DIST_INPUTS: self._probs(batch, features), Columns.EMBEDDINGS: features}

    def compute_values(self, batch: dict[str, Any], embeddings: tuple[Tensor, ...] | None = None) -> Tensor:
        """Values [B]; *embeddings*: the features, if already computed."""
        features = self._features(batch) if embeddings is None else embeddings
        return self.policy.value_net(features).squeeze(-1)  # type: ignore[no-any-return]
