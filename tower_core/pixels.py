"""Pictures as pixels, by a library of the extra ``render``."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray


def svg_to_rgb(svg: str) -> NDArray[np.uint8]:
    """uint8 [height, width, 3] of an SVG text. ImportError tells what to install."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise ImportError("rgb_array needs a library for SVG: pip install 'towers[render]'") from error
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg))
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
