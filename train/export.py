"""Export of a checkpoint's network to ONNX, for programs without PyTorch."""

from __future__ import annotations

import json
import logging
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from tower_core.files import replacing
from train import checkpoint
from train.networks import TowersPolicy
from train.networks.operations import Plain, choose_operations


class _Whole(nn.Module):
    """The network from bytes to logits and value."""

    def __init__(self, policy: TowersPolicy) -> None:
        super().__init__()
        self.features, self.action_net, self.value_net = policy.features_extractor, policy.action_net, policy.value_net
        choose_operations(self, Plain)  # ONNX has no operator for the fused ones

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        features = self.features(observation.float())
        return self.action_net(features), self.value_net(features)[:, 0]


def export_onnx(source: str | Path, out: str | Path, network: str = "") -> Path:
    """Write a checkpoint's network as ONNX; *out* is replaced atomically.

    Input ``observation``: uint8 [batch, size], rows as the environments give them. Outputs ``logits``: float32
    [batch, num_actions], to be masked with the legal actions, and ``value``: float32 [batch]. The file's metadata hold
    game, players and rules (JSON). *network*: as in checkpoint.load_policy. CheckpointError if *source* is not a checkpoint or
    its network can't be exported, OSError if *out* can't be written.
    """
    import onnx

    policy, meta, game = checkpoint.load_policy(source, network)
    out = Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it warns of libraries that these networks don't use
    example = torch.zeros((2, game.observation_size), dtype=torch.uint8)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the exporter's deprecations of itself
            program = torch.onnx.export(
                _Whole(policy).eval(),
                (example,),
                input_names=["observation"],
                output_names=["logits", "value"],
                dynamic_shapes={"observation": {0: torch.export.Dim("batch")}},
                dynamo=True,
                verbose=False,
            )
        model = program.model_proto
        about = {"game": game.name, "players": str(meta["players"]), "rules": json.dumps(meta["rules"])}
        onnx.helper.set_model_props(model, about)
        onnx.checker.check_model(model)
        with replacing(out) as partial:
            partial.write_bytes(model.SerializeToString())
    except torch.onnx.errors.OnnxExporterError as error:
        reason = str(error).strip().splitlines()[0]
        raise checkpoint.CheckpointError(f"the network of {source} can't be exported to ONNX: {reason}") from error
    return out
