"""Pictures of positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tower_core.players.specs import make_player
from tower_core.state import State

IMAGES = Path(__file__).resolve().parents[1] / "images"


def played(state: State, found: Callable[[dict[str, Any]], bool]) -> State:
    """The state in which *found* first accepts the position of a game that ``greedy`` plays in all seats."""
    players = [make_player("greedy", state.game, seed=seat) for seat in range(state.num_players)]
    while not state.is_terminal() and not found(state.position()):
        state.apply_action(players[state.current_player()].act(state))
    return state


def write_pictures(pictures: Iterable[tuple[str, State, str]]) -> None:
    """Write pictures (file name, state, view) in both themes."""
    for name, state, view in pictures:
        for theme in ("light", "dark"):
            (IMAGES / f"{name}-{theme}.svg").write_text(state.to_svg(theme, view=view) + "\n", encoding="utf-8")
