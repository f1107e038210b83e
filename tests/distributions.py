"""Distributions that exist for a test only."""

from __future__ import annotations

from pathlib import Path


def write_distribution(folder: Path, name: str, points: str, source: str | None = None) -> None:
    """What pip leaves of one in *folder*: *points*, the text of its ``entry_points.txt``, and a module of its name."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    if source is not None:
        (folder / f"{name}.py").write_text(source)
