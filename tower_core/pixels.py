"""Drawings as pixels; requires the extra ``render``."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

FRAME_WIDTH = 440
"""Width in pixels of an ``rgb_array`` frame: readable, and rendered in milliseconds."""
_FAMILY = "DejaVu Sans"


@cache
def _fonts() -> list[str]:
    """The bundled fonts: images are identical everywhere, and no system fonts are scanned."""
    return [str(path) for path in (files("tower_core") / "fonts").iterdir() if path.name.endswith(".ttf")]


def svg_to_png(svg: str, width: int | None = None) -> bytes:
    """A PNG of an SVG text, *width* pixels wide (None: its own width). ImportError says what to install."""
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError("rendering pixels requires an SVG library: pip install 'tower-games-rl[render]'") from error
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, skip_system_fonts=True, font_files=_fonts(),
            font_family=_FAMILY, sans_serif_family=_FAMILY,
        )
    )  # fmt: skip


def svg_to_rgb(svg: str, width: int | None = FRAME_WIDTH) -> NDArray[np.uint8]:
    """uint8 [height, width, 3] of an SVG text. ImportError says what to install."""
    png = svg_to_png(svg, width)
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
