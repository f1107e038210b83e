"""Recording and replaying the chance outcomes of Torres, all of which come before the first move (section 2).

``king d1`` (a random king), ``deck player_0 ap6 jump …`` (top first), ``master line``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torres_env.rules import TorresRules
from torres_env.state import TorresState


def deal(
    rules: TorresRules, num_players: int, seed: int, given: Sequence[str] | None = None
) -> tuple[TorresState, list[str]]:
    """The initial state for a seed, and the outcomes its stream draws; see tower_core.chance."""
    state = TorresState(num_players, rules, seed)
    drawn = _outcomes(state)
    if given is None or list(given) == drawn:
        return state, drawn
    if len(given) != len(drawn):
        raise ValueError(f"expected {len(drawn)} chance outcomes at the start, not {len(given)}")
    position = state.position()
    for text, drawn_text in zip(given, drawn, strict=True):
        _force(position, text.split(" "), drawn_text.split(" "), rules)
    other = TorresState.from_position(position)
    other.seed = state.seed
    return other, drawn


def play(state: TorresState, action: int, given: Sequence[str] | None = None) -> list[str]:
    """Apply a legal action; see tower_core.chance."""
    if given:
        raise ValueError(f"{given[0]!r}: Torres has no chance after the start")
    state.apply_action(action)
    return []


def _outcomes(state: TorresState) -> list[str]:
    position = state.position()
    outcomes = []
    if state.rules.king_setup == "random":
        outcomes.append(f"king {position['king']}")
    outcomes += [f"deck player_{seat} {' '.join(deck)}" for seat, deck in enumerate(position["decks"]) if len(deck) > 1]
    if state.rules.master_card:
        outcomes.append(f"master {position['master_card']}")
    return outcomes


def _force(position: dict[str, Any], words: list[str], expected: list[str], rules: TorresRules) -> None:
    """Write one outcome into a start position; *expected* is the stream's own outcome, which has the valid form."""
    text = " ".join(words)
    if expected[0] == "deck":
        cards = words[2:]
        if words[:2] != expected[:2] or sorted(cards) != sorted(expected[2:]):
            raise ValueError(f"{text!r} must be {' '.join(expected[:2])!r} and the cards of the deck, each once")
        position["decks"][int(expected[1].removeprefix("player_"))] = cards
        return
    if len(words) != 2 or words[0] != expected[0]:
        raise ValueError(f"{text!r} must be an outcome such as {' '.join(expected)!r}")
    if words[0] == "king":
        if words[1] not in rules.starting_cells:
            raise ValueError(f"{text!r}: the king must be on one of {', '.join(rules.starting_cells)}")
        position["king"] = words[1]
    else:
        position["master_card"] = words[1]
