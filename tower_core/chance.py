"""Recording and replaying a game's chance outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Chance(Protocol):
    """What a game implements for its records: one function for the start of a game, one for a move.

    A chance outcome is a short text without ``{``, ``}`` and ``;``, such as ``"die 3"``. Without *given*, outcomes come from
    the random stream. With *given*, those outcomes are used, and the stream advances as it would have.
    """

    def deal(
        self, rules: Any, num_players: int, seed: int, given: Sequence[str] | None = None
    ) -> tuple[Any, list[str]]:
        """The initial state for a seed, and the outcomes its stream draws. ValueError if the *given* outcomes don't fit."""
        ...

    def play(self, state: Any, action: int, given: Sequence[str] | None = None) -> list[str]:
        """Apply a legal action and return the outcomes the stream draws.

        ValueError if the action is illegal or the *given* outcomes don't fit; the state is then unchanged.
        """
        ...


class Seeded:
    """Chance of a game that records no outcomes: only the seed reproduces its games."""

    def __init__(self, state_class: type[Any]) -> None:
        self._state_class = state_class

    def deal(
        self, rules: Any, num_players: int, seed: int, given: Sequence[str] | None = None
    ) -> tuple[Any, list[str]]:
        _refuse(given)
        return self._state_class(num_players, rules, seed), []

    def play(self, state: Any, action: int, given: Sequence[str] | None = None) -> list[str]:
        _refuse(given)
        state.apply_action(action)
        return []


def _refuse(given: Sequence[str] | None) -> None:
    if given:
        raise ValueError(f"{given[0]!r}: this game records no chance outcomes")
