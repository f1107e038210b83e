"""``sb3:PATH``: a model that Stable-Baselines3 or sb3-contrib has saved (``model.save(PATH)``), as a player.

Such files hold pickles, which run code when they are loaded. They are not loaded here: the policy is built anew for the game
from the readable part of the description, and the weights are read with ``weights_only=True``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from torch import nn

from tower_core.envs.spaces import ObservationFormat
from tower_core.game import Game
from tower_core.registry import get_game
from train.checkpoint import CheckpointError, read_entry, read_weights
from train.network_player import PROBABILITY, NetworkPlayer, file_of

_MOST_WIDTH = 2**13
_MOST_BYTES = 2**28  # of the description, which may hold observations
# Modules of policies, with their classes for vectors and for dicts of observations.
_POLICIES = {
    "sb3_contrib.common.maskable.policies": ("MaskableActorCriticPolicy", "MaskableMultiInputActorCriticPolicy"),
    "stable_baselines3.common.policies": ("ActorCriticPolicy", "MultiInputActorCriticPolicy"),
    "stable_baselines3.dqn.policies": ("DQNPolicy", "MultiInputPolicy"),
}
_ACTIVATIONS = ("Tanh", "ReLU", "LeakyReLU", "ELU", "GELU", "SiLU", "Mish", "Sigmoid", "Softplus", "Identity")
_EXTRACTORS = {"FlattenExtractor", "CombinedExtractor"}  # the default ones
_DQN = "stable_baselines3.dqn.policies"
_PLAIN = ("net_arch", "ortho_init", "share_features_extractor", "normalize_images", "features_extractor_kwargs")
_IRRELEVANT = ("optimizer_class", "optimizer_kwargs", "n_quantiles", "use_sde", "log_std_init")


@lru_cache(maxsize=8)
def _load(file: Path, changed: int, size: int, game_name: str) -> tuple[Any, ObservationFormat]:
    """Policy and format of its observations, cached because the arena makes a new player for every game."""
    game = get_game(game_name)
    try:
        about = json.loads(read_entry(file, "data", _MOST_BYTES))
        module, space = str(about["policy_class"]["__module__"]), about["observation_space"]
        in_parts = ".Dict'" in space[":type:"]
        floats = "float32" in f"{space.get('dtype')} {space.get('spaces')}"
        options = dict(about["policy_kwargs"])
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise CheckpointError(f"{file} is not a model that Stable-Baselines3 has saved") from error
    if module not in _POLICIES:
        raise CheckpointError(
            f"{file} has a policy of {module}, which would need code from the file: only PPO, MaskablePPO, A2C, TRPO and DQN"
            " with their own policies can be read"
        )
    layout = ObservationFormat(game, flatten=not in_parts, dtype="float32" if floats else "uint8")
    if not in_parts and space.get("_shape") != list(layout.space.shape or ()):
        raise CheckpointError(
            f"{file} observes vectors of shape {space.get('_shape')}, but those of {game.name} have {layout.space.shape}"
        )
    weights = read_weights(file, "policy.pth")
    try:
        kind = getattr(import_module(module), _POLICIES[module][in_parts])
        actions = spaces.Discrete(game.num_actions)
        options = _policy_options(file, options)
        _must_be_small(options.get("net_arch"), weights)
        if module != _DQN:
            options["ortho_init"] = False  # slow, and the weights are replaced
        policy = kind(layout.space, actions, lambda _: 1e-3, **options)
        policy.load_state_dict(weights)
    except CheckpointError:
        raise
    except Exception as error:  # of options and weights that the policy does not take
        raise CheckpointError(f"{file}: the weights don't fit a network for {game.name}") from error
    policy.set_training_mode(False)
    return policy, layout


def _policy_options(file: Path, given: dict[str, Any]) -> dict[str, Any]:
    """The options of a policy in a saved description. CheckpointError for those that need code."""
    options: dict[str, Any] = {}
    for name, value in given.items():
        if name in _PLAIN and not isinstance(value, str):
            options[name] = value
        elif name == "activation_fn" and (activation := _class_name(value)) in _ACTIVATIONS:
            options[name] = getattr(nn, activation)
        elif not (name in _IRRELEVANT or name.startswith(":") or _class_name(value) in _EXTRACTORS):
            raise CheckpointError(
                f"{file} has the policy option {name}={value}, which would need code from the file: write the player as"
                " FILE.py:CLASS"
            )
    return options


def _must_be_small(net_arch: Any, weights: Mapping[str, torch.Tensor]) -> None:
    """ValueError for a description that asks for more memory than its weights: layers are made before weights are compared."""
    known = {size for value in weights.values() for size in value.shape}
    parts = [net_arch]
    widths: list[Any] = []
    while parts:
        part = parts.pop()
        nested = part.values() if isinstance(part, dict) else part if isinstance(part, list) else None
        widths += [part] * (nested is None and part is not None)
        parts += nested or ()
    if len(widths) > len(weights) or not all(width in known and width <= _MOST_WIDTH for width in widths):
        raise ValueError("layers that the weights don't have")


def _class_name(text: Any) -> str:
    """The name of a class of PyTorch or Stable-Baselines3 from its description; "" for others."""
    found = re.fullmatch(r"<class '(?:torch\.nn|stable_baselines3)\.[\w.]*\.(\w+)'>", str(text))
    return found[1] if found else ""


class Sb3Player(NetworkPlayer):
    """Plays the legal action that a model rates highest. The file doesn't say for which rules it was trained."""

    def __init__(self, game: Game, path: str, name: str) -> None:
        super().__init__(game, path, name)
        self._policy, self._layout = _load(*file_of(path, "sb3"), game.name)
        self._q_net: Callable[[Any], Any] | None = getattr(self._policy, "q_net", None)
        self.unit = PROBABILITY if self._q_net is None else "expected return"

    def scores(self, rows: NDArray[np.uint8]) -> NDArray[np.float32]:
        with torch.no_grad():
            seen, _ = self._policy.obs_to_tensor(self._layout.read_many(rows))
            logits = self._q_net(seen) if self._q_net else self._policy.get_distribution(seen).distribution.logits
        return logits.numpy()  # type: ignore[no-any-return]


def make_sb3(game: Game, seed: int = 0, path: str = "") -> Sb3Player:
    """A model of Stable-Baselines3 or sb3-contrib: ``sb3:PATH``. The seed is ignored."""
    if path and not Path(path).exists() and Path(f"{path}.zip").exists():  # as model.save names it
        path = f"{path}.zip"
    return Sb3Player(game, path, f"sb3:{path}")
