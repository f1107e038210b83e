"""How environments render a state: as text, in the terminal, as pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium

if TYPE_CHECKING:
    from tower_core.state import State

RENDER_MODES = ("ansi", "human", "rgb_array")
RENDERING: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}
"""Rendering metadata of every environment."""


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {mode!r}")


def render_state(state: State, mode: str | None) -> Any:
    """``ansi``: a string; ``rgb_array``: uint8 [height, width, 3]; ``human``: prints to the terminal and returns None.

    Without a mode, it only warns.
    """
    if mode is None:
        gymnasium.logger.warn("render() has no effect: pass a render_mode when making the environment")
        return None
    if mode == "ansi":
        return str(state)
    if mode == "human":
        print(state, flush=True)
        return None
    from tower_core.pixels import svg_to_rgb

    return svg_to_rgb(state.to_svg())
