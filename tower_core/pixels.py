"""Pictures as pixels, by libraries of the extra ``render``."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

FRAME_WIDTH = 440
"""Pixels of a frame of ``rgb_array``: enough to read, and small enough to be drawn in milliseconds."""
_FAMILY = "DejaVu Sans"


@cache
def _fonts() -> list[str]:
    """The fonts that come with the package: the same picture everywhere, and none of the machine's to look through."""
    return [str(path) for path in (files("tower_core") / "fonts").iterdir() if path.name.endswith(".ttf")]


def svg_to_png(svg: str, width: int | None = None) -> bytes:
    """A PNG of an SVG text, *width* pixels wide (its own width if None). ImportError tells what to install."""
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError("pixels need a library for SVG: pip install 'towers[render]'") from error
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, skip_system_fonts=True, font_files=_fonts(),
            font_family=_FAMILY, sans_serif_family=_FAMILY,
        )
    )  # fmt: skip


def svg_to_rgb(svg: str, width: int | None = FRAME_WIDTH) -> NDArray[np.uint8]:
    """uint8 [height, width, 3] of an SVG text. ImportError tells what to install."""
    png = svg_to_png(svg, width)
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
