"""Action numbers and texts, both ways; a game's history played again from its texts."""

from __future__ import annotations

import pytest
from positions import CARDS, CELLS, at, new_game, play

from torres_env import TorresState
from torres_env.actions import ACTIONS, NUM_ACTIONS

KNIGHTS = [3, 18, 21, 31, 32, 63]  # d1 c3 f3 h4 a5 h8
TABLE = {0: "END", 1: "BUY", 2: "PICK ap6", 11: "PICK encore", 12: "PLAY ap6", 21: "PLAY encore"}
TABLE |= {22: "B a1", 41: "B d3", 85: "B h8", 86: "N a1", 114: "N e4", 149: "N h8"}
TABLE |= {150: "M d1 a1", 150 + 64 * 2 + 36: "M f3 e5", 533: "M h8 h8", 534: "T a1", 553: "T d3", 597: "T h8"}
TABLE |= {598: "K a1", 617: "K d3", 661: "K h8"}


@pytest.mark.parametrize("number", TABLE)
def test_the_table(number):
    assert ACTIONS.text(number, KNIGHTS) == TABLE[number]
    assert ACTIONS.parse(TABLE[number], KNIGHTS) == number


def test_all_numbers_there_and_back():
    texts = [ACTIONS.text(number, KNIGHTS) for number in range(NUM_ACTIONS)]
    assert len(set(texts)) == NUM_ACTIONS == 662
    assert [ACTIONS.parse(text, KNIGHTS) for text in texts] == list(range(662))
    kinds = {text.split()[0] for text in texts}
    assert kinds == {"END", "BUY", "PICK", "PLAY", "B", "N", "M", "T", "K"}
    assert {text.split()[1] for text in texts if text.startswith("B ")} == set(CELLS)
    assert {text.split()[1] for text in texts if text.startswith("PLAY ")} == set(CARDS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it must start with one of"),
        ("   ", "it must start with one of"),
        ("BUILD d3", "it must start with one of"),
        ("END now", "takes 0 argument"),
        ("B", "takes 1 argument"),
        ("B d3 d4", "takes 1 argument"),
        ("M d1", "takes 2 argument"),
        ("B j3", "not a cell"),
        ("B d0", "not a cell"),
        ("B 3d", "not a cell"),
        ("B dd", "not a cell"),
        ("PLAY king", "there is no action card"),
        ("PICK", "takes 1 argument"),
        ("M a1 a2", "you have no knight on a1"),
        (None, "must be a string such as"),
        (7, "must be a string such as"),
    ],
)
def test_texts_that_are_none(text, reason):
    with pytest.raises(ValueError, match=reason):
        ACTIONS.parse(text, KNIGHTS)


def test_slots_follow_the_order_of_arrival():
    """A moved knight keeps its number, whatever cell it stands on."""
    state = at("c3:1 d3:1 f6:1 h8:1", "d3 c3", "f6", king="h8")
    assert state.parse_action("M d3 d2") == 150 + 64 * 0 + 11
    assert state.parse_action("M c3 c2") == 150 + 64 * 1 + 10
    play(state, "M d3 d2", "N d1")
    assert state.position()["knights"][0] == ["d2", "c3", "d1"]
    assert state.action_to_string(150 + 64 * 2 + 2) == "M d1 c1"


def test_history_hides_what_others_picked():
    state = play(new_game(2), "BUY")
    card = state.position()["pending"]["cards"][0]
    play(state, f"PICK {card}", "END")
    assert state.resample_hidden(1, 5).history()[3:] == [(0, "BUY"), (0, "?"), (0, "END")]
    assert state.resample_hidden(0, 5).history()[3:] == [(0, "BUY"), (0, f"PICK {card}"), (0, "END")]
    again = TorresState.from_bytes(state.resample_hidden(1, 5).to_bytes())
    assert again.history()[4] == (0, "?")
