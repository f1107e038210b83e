"""How a game writes down what chance did, and repeats it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Chance(Protocol):
    """What a game gives for its records: two functions, for the start of a game and for a move.

    An outcome of chance is a short text of words without ``{``, ``}`` and ``;``, such as ``"die 3"``. Without *given* the
    stream decides. With it, these outcomes come about, and the stream is only drawn from as it would have been.
    """

    def deal(
        self, rules: Any, num_players: int, seed: int, given: Sequence[str] | None = None
    ) -> tuple[Any, list[str]]:
        """The state of a seed's game, and what its stream gives. ValueError where the outcomes *given* don't fit."""
        ...

    def play(self, state: Any, action: int, given: Sequence[str] | None = None) -> list[str]:
        """Apply a legal action; returns what the stream gives.

        ValueError where the action is illegal or the outcomes *given* don't fit; the state is then as it was.
        """
        ...


class Seeded:
    """Chance of a game that writes nothing down: its records are repeated by the seed alone."""

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
        raise ValueError(f"{given[0]!r}: this game writes down no outcomes of chance")
