"""Which positions do the documents show, and how are their pictures written?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import agents
from market_env import MarketState
from torres_env import TorresState

IMAGES = Path(__file__).resolve().parents[1] / "images"


def torres_picture() -> Any:
    """A game eleven rounds in, played by ``greedy`` in both seats, in the middle of a turn."""

    def found(position: dict[str, Any]) -> bool:
        return (position["phase"], position["round"], position["to_move"], position["ap"]) == (3, 3, 1, 3)

    return _played(TorresState(num_players=2, seed=179), found)


def market_picture() -> Any:
    """A game of three in its sixth round, played by ``greedy`` in all seats."""

    def found(position: dict[str, Any]) -> bool:
        return (position["turn"], position["to_move"]) == (6, 1)

    return _played(MarketState(num_players=3, rules="full", seed=5), found)


def _played(state: Any, found: Callable[[dict[str, Any]], bool]) -> Any:
    """A game played by ``greedy`` in all seats up to a position that is looked for."""
    players = [agents.make("greedy", game=state.game.name, seed=seat) for seat in range(state.num_players)]
    while not state.is_terminal() and not found(state.position()):
        state.apply_action(players[state.current_player()].act(state))
    return state


def write_pictures() -> None:
    for game, picture in (("torres", torres_picture), ("market", market_picture)):
        state = picture()
        for theme in ("light", "dark"):
            (IMAGES / f"{game}-{theme}.svg").write_text(state.to_svg(theme) + "\n", encoding="utf-8")
            if game == "torres":
                castles = state.to_svg(theme, view="isometric")
                (IMAGES / f"{game}-isometric-{theme}.svg").write_text(castles + "\n", encoding="utf-8")
