"""How a game tells what chance did, and does again what was told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tower_core.state import State


class Chance(Protocol):
    """What a game gives for its records: two functions, for the start of a game and for a move.

    A result of chance is a short text of words without ``{``, ``}`` and ``;``, such as ``"die 3"``. Without *told* the
    stream decides. With it, these results come about, and the stream is only drawn from as it would have been.
    """

    def deal(
        self, rules: Any, num_players: int, seed: int, told: Sequence[str] | None = None
    ) -> tuple[State, list[str]]:
        """The game of a seed, and what its stream gives. ValueError where the results *told* don't fit."""
        ...

    def play(self, state: Any, action: int, told: Sequence[str] | None = None) -> list[str]:
        """Apply a legal action; returns what the stream gives.

        ValueError where the action is illegal or the results *told* don't fit; the state is then as it was.
        """
        ...
