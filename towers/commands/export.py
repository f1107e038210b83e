"""``towers export``."""

from __future__ import annotations

from pathlib import Path

from towers.errors import UserError, need, need_training
from towers.terminal import console


def export(checkpoint: str, out: Path, /, *, network: str = "") -> None:
    """Write a trained network as ONNX, for programs without PyTorch.

    Parameters
    ----------
    checkpoint
        a run directory or a checkpoint file
    out
        file to write, such as player.onnx
    network
        the checkpoint's network, if it is of your own: FILE.py:CLASS (default: where you named it before)
    """
    need_training()
    need("export", "onnx", "onnx", "onnxscript")
    from train.export import export_onnx

    if out.suffix != ".onnx":
        raise UserError(f"the output file must end in .onnx, not {out.name}")
    written = export_onnx(checkpoint, out, network)
    console().print(f"written: {written} ({written.stat().st_size:,} bytes)")
