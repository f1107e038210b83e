"""The legal actions of a state as short text: actions with the same meaning share a line."""

from __future__ import annotations

import re
from typing import Any

_NAMES = "XYZUVW"


def list_moves(state: Any) -> str:
    """A line per kind of legal action of the seat to move: the notation and what it does.

    In ``B X: put a block on X; X = a1 b1``, X stands for the words that the line lists; ``X Y = a1: b1 c1, d4: e4`` lists
    the Y of each X.
    """
    position = state.position(state.current_player())
    kinds: dict[tuple[str, str], list[tuple[list[str], str]]] = {}
    for action in state.legal_actions():
        text = state.action_to_string(action)
        verb, *words = text.split()
        said = state.game.actions.describe(text, position)
        general = said
        for name, word in zip(_NAMES, words, strict=False):
            general = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", name, general)
        kinds.setdefault((verb, general), []).append((words, said))
    return "\n".join(_line(verb, general, found) for (verb, general), found in kinds.items())


def _line(verb: str, general: str, found: list[tuple[list[str], str]]) -> str:
    words, said = found[0]
    if len(found) == 1:
        return f"{' '.join([verb, *words])}: {said}"
    names = " ".join(_NAMES[: len(words)])
    by_first: dict[str, list[str]] = {}
    for (*first, last), _ in found:
        by_first.setdefault(" ".join(first), []).append(last)
    listed = ", ".join(f"{first}: {' '.join(last)}" if first else " ".join(last) for first, last in by_first.items())
    return f"{verb} {names}: {general}; {names} = {listed}"
