"""How a game tells people what its actions and cards do: what its module ``words`` has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Words(Protocol):
    """A game's short explanations for people who play it."""

    CARDS: Mapping[str, str]
    """What each card does, in one short sentence without a full stop."""

    def describe(self, text: str, position: Mapping[str, Any]) -> str:
        """What an action does in a position as its mover sees it, in a few words; *text* is its notation."""
