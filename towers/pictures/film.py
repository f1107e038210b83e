"""A recorded game as an animated GIF: one frame per move, as ``rgb_array`` renders it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tower_core.files import replacing
from tower_core.pixels import svg_to_rgb

if TYPE_CHECKING:
    from tower_core.records import Record
    from tower_core.state import State

_LAST_FRAME_MS = 4000
_SAMPLES = 6  # positions from which the palette is made


def write_gif(
    record: Record, path: Path, *, theme: str = "light", view: str = "flat", width: int = 720, seconds: float = 0.6
) -> int:
    """Write the game to *path* atomically, each move shown for *seconds*; returns the number of frames.

    ImportError says what to install.
    """
    from PIL import Image

    from tower_core.records import replay

    states = list(replay(record))

    def drawn(state: State) -> Any:
        return Image.fromarray(svg_to_rgb(state.to_svg(theme, view=view), width))

    # With one palette for all frames, each holds only the changes.
    palette = _palette([drawn(state) for state in (*states[:: -(-len(states) // _SAMPLES)], states[-1])])
    frames = [drawn(state).quantize(palette=palette, dither=Image.Dither.NONE) for state in states]
    # Panels grow with their cards: pad all frames to the largest.
    size = (width, max(frame.height for frame in frames))
    frames = [_padded(frame, size) for frame in frames]
    shown = [round(1000 * seconds)] * (len(frames) - 1) + [_LAST_FRAME_MS]
    with replacing(path) as partial:
        frames[0].save(partial, "GIF", save_all=True, append_images=frames[1:], duration=shown, loop=0, disposal=1)
    return len(frames)


def _palette(pictures: list[Any]) -> Any:
    """An image with the palette of *pictures*."""
    from PIL import Image

    together = Image.new("RGB", (pictures[0].width, sum(picture.height for picture in pictures)))
    top = 0
    for picture in pictures:
        together.paste(picture, (0, top))
        top += picture.height
    # The octree keeps the colours of small areas, such as the king, which the median cut merges with their surroundings.
    return together.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def _padded(frame: Any, size: tuple[int, int]) -> Any:
    if frame.size == size:
        return frame
    from PIL import Image

    page = Image.new("P", size, frame.getpixel((0, 0)))
    page.putpalette(frame.getpalette())
    page.paste(frame)
    return page
