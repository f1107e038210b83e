"""Impossible positions, each refused by the name of the field that is wrong, and positions that are odd but possible."""

from __future__ import annotations

import copy
import math

import pytest
from positions import at, heights, legal, new_game, play, pos

from torres_env import TorresState

BASE = "c3:2 d3:1 f6:1 h8:1"
PICK = {"decks": [["ap6", "jump"], ["door"]], "discards": [["under"], []]}
# What is wrong, by the field that the message must begin with.
IMPOSSIBLE = {
    "height": [
        {"height": [0] * 63},
        {"height": heights("c3:3 d3:1")},
        {"height": [0] * 63 + [2]},
        {"height": [-1] + [0] * 63},
        {"height": [1.0] * 64},
        {"height": [1] * 64, "supply": 0},
        {"height": "1" * 64},
        {"height": [2] * 62 + [0, 0]},
        {"height": [47] + [1] * 47 + [0] * 16},
    ],
    "knights": [
        {"knights": [["c3"], []]},
        {"knights": [["c3"], ["c3"]]},
        {"knights": [["c3"], ["i9"]]},
        {"knights": [["c3"], "d3"]},
        {"knights": [["c3"], [3]]},
        {"knights": [["c3"]]},
        {"knights": [["c3"], ["a1", "a2", "a3", "a4", "a5", "a6", "a7"]]},
        {"knights": None},
    ],
    "num_players": [{"num_players": n} for n in (1, 5, 2.0, None, "2", True)],
    "king": [{"king": king} for king in ("c3", "a1", "z9", 5, None, ["f6"])],
    "to_move": [{"to_move": seat} for seat in (2, -1, 1.0, "0", True, None)],
    "phase": [{"phase": phase} for phase in (4, -1, 1.0, None, "1")],
    "round": [{"round": number} for number in (0, 5, 1.5, None)],
    "ap": [{"ap": ap} for ap in (-1, 201, 2.5, None, math.nan)],
    "stacks": [
        {"stacks": [[3], [3]]},
        {"stacks": [[3, 3], [3, 3, 4]]},
        {"stacks": [[3, 3], [3, 3, -1]]},
        {"stacks": [[3, 3]]},
        {"stacks": [[3, 3], 3]},
        {"stacks": None},
    ],
    "turn_stack": [{"turn_stack": height} for height in (4, -1, 1.0, None)],
    "supply": [{"supply": 93}, {"supply": -1}, {"supply": 80}, {"supply": None}],
    "hands": [
        {"hands": [["queen"], []]},
        {"hands": [["ap6", "ap6"], []]},
        {"hands": [[], [], []]},
        {"hands": [["?"], []]},
        {"hands": ["ap6", []]},
    ],
    "decks": [
        {"decks": [["ap6", "ap6"], []]},
        {"hands": [["ap6"], []], "decks": [["ap6"], []]},
        {"decks": [[None], []]},
    ],
    "discards": [{"decks": [["ap6"], []], "discards": [["ap6"], []]}, {"discards": [[], ["x"]]}, {"discards": {}}],
    "scores": [{"scores": [0]}, {"scores": [0, -1]}, {"scores": [0, 1.5]}, {"scores": [0, 10**7]}, {"scores": None}],
    "master_card": [{"master_card": "border"}, {"master_card": "queen"}, {"rules": "master", "master_card": None}],
    "buys": [{"buys": buys} for buys in (-1, 101, 0.5)],
    "card_played": [{"card_played": 1}, {"card_played": None}],
    "bought": [{"bought": ["ap6"]}, {"bought": ["queen"]}, {"hands": [[], ["ap6"]], "bought": ["ap6"]}],
    "unseen": [{"unseen": [1, 0]}, {"decks": [["ap6"], []], "unseen": [2, 0]}, {"unseen": [0]}],
    "rng": [{"rng": rng} for rng in (-1, 2**64, 1.5, "x")],
    "rules": [{"rules": "chess"}, {"rules": 3}, {"rules": {"doors": "open"}}, {"rules": {"starting_cells": [["a1"]]}}],
    "game": [{"game": "market"}, {"game": 1}],
    "pending": [
        {"pending": "king"},
        {"pending": {}},
        {"pending": {"kind": "queen"}},
        {"pending": {"kind": ["king"]}},
        {"pending": {"kind": "ap6"}},
        {"pending": {"kind": "pick"}},
        {"pending": {"kind": "pick", "cards": []}},
        {"pending": {"kind": "pick", "cards": ["ap6"]}, **PICK},
        {"pending": {"kind": "pick", "cards": ["under"]}, **PICK},
        {"pending": {"kind": "pick", "cards": ["ap7", "diagonal", "extra", "recruit"]}},
        {"pending": {"kind": "relocate", "taken": "z9"}},
        {"pending": {"kind": "king"}, "phase": 3, "round": 4, "ap": 0, "turn_stack": 0, "stacks": [[], []]},
        # The card has nothing to do here.
        {"pending": {"kind": "jump"}},
        {"pending": {"kind": "encore"}},
        {"pending": {"kind": "recruit"}, "ap": 1},
        {"pending": {"kind": "extra"}, "supply": 0},
        {"pending": {"kind": "under"}, "turn_stack": 0, "stacks": [[0, 0], [3, 3, 3]]},
    ],
}
CASES = [(field, changes) for field, cases in IMPOSSIBLE.items() for changes in cases]


def position(**changes):
    return pos(BASE, "c3", "d3", king="f6", **changes)


def test_the_position_that_is_changed_is_possible():
    assert TorresState.from_position(position()).position()["knights"] == [["c3"], ["d3"]]


@pytest.mark.parametrize(("field", "changes"), CASES, ids=[f"{field}-{i}" for i, (field, _) in enumerate(CASES)])
def test_impossible(field, changes):
    wrong = position() | changes
    before = copy.deepcopy(wrong)
    with pytest.raises(ValueError, match=rf"^{field}\b"):
        TorresState.from_position(wrong)
    assert str(wrong) == str(before)


@pytest.mark.parametrize("changes", [{"round": 3}, {"ap": 2}, {"turn_stack": 1}])
def test_between_phases_nothing_is_left_of_a_turn(changes):
    between = {"round": 4, "ap": 0, "turn_stack": 0, "stacks": [[], []], "pending": {"kind": "king"}}
    TorresState.from_position(position() | between)
    with pytest.raises(ValueError, match=r"^(round|stacks)\b"):
        TorresState.from_position(position() | between | changes)


SETUP = {"phase": 0, "round": 0, "ap": 0, "turn_stack": 0, "stacks": [], "king": None}


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("to_move", {"knights": [["c3"], []], "to_move": 0}),
        ("to_move", {"knights": [[], ["c3"]], "to_move": 0}),
        ("to_move", {"knights": [["c3"], ["d3"]], "to_move": 0, "pending": {"kind": "king"}}),
        ("pending", {"knights": [["c3"], []], "to_move": 1, "pending": {"kind": "king"}}),
        ("pending", {"knights": [[], []], "pending": {"kind": "pick", "cards": ["ap6"]}}),
        ("pending", {"height": heights("c3:1 d3:1"), "to_move": 1, "pending": {"kind": "king"}}),
        ("height", {"knights": [[], []], "height": [0] * 64}),
        ("ap", {"knights": [[], []], "ap": 1}),
        ("stacks", {"knights": [[], []], "stacks": [[3], [3]]}),
        ("round", {"knights": [[], []], "round": 1}),
    ],
)
def test_impossible_setups(field, changes):
    with pytest.raises(ValueError, match=rf"^{field}\b"):
        TorresState.from_position(position() | SETUP | changes)


@pytest.mark.parametrize(
    "field", ["height", "knights", "king", "to_move", "phase", "round", "ap", "stacks", "supply", "scores"]
)
def test_missing(field):
    wrong = position()
    del wrong[field]
    with pytest.raises(ValueError, match=f"^{field}: is missing"):
        TorresState.from_position(wrong)


def test_what_a_seat_knows_is_no_whole_position():
    state = play(new_game(), "BUY")
    with pytest.raises(ValueError, match=r"^(hands|decks|pending)\b"):
        TorresState.from_position(state.position(1))


def test_odd_but_possible():
    """Nothing in the rules speaks against these."""
    assert "END" in legal(at(BASE, "c3", "a1", king="f6", scores=[10**6, 0]))
    assert "B c4" in legal(at(BASE, "c3", "a1", king="f6", ap=200))
    over = {"phase": 3, "round": 4, "ap": 0, "turn_stack": 0, "stacks": [[], []], "to_move": None}
    end = TorresState.from_position(position() | over)
    assert end.is_terminal()
    assert end.ranking() == [[0, 1]]
