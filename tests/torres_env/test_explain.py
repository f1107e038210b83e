"""Why an action is not legal: the reasons of a few dozen situations, as a person reads them."""

from __future__ import annotations

import pytest
from positions import at, new_game, play

from torres_env import TorresState
from torres_env.rules import CARDS

BASE = "c3:2 d3:1 c4:1 f6:1 h8:1 f8:1"
CARD_GAME = {"hands": [["ap6", "jump", "relocate"], []], "decks": [["door"], []], "discards": [["ap7"], []]}


def base(**more):
    return at(BASE, "c3 d3", "f6", king="h8", **(CARD_GAME | more))


def first():
    return TorresState(2)


def picking():
    return play(new_game(2), "BUY")


def missing(state):
    """A card that the buyer does not look at."""
    return next(card for card in CARDS if card not in state.position()["pending"]["cards"])


SITUATIONS = [
    # In the setup.
    (first, "B d2", "during setup a knight is put"),
    (first, "END", "during setup a knight is put"),
    (first, "N a1", "unoccupied castle block"),
    (lambda: play(first(), "N d1"), "N d1", "unoccupied castle block"),
    (lambda: play(first(), "N d1", "N c3"), "N f3", "place the king first"),
    (lambda: play(first(), "N d1", "N c3"), "K d1", "the king needs an unoccupied castle block"),
    (lambda: TorresState(2, "master"), "N d1", "a starting block is put"),
    (lambda: play(TorresState(2, "master"), "B d4"), "B d5", "at least 3 steps"),
    # Blocks.
    (base, "B h8", "occupied"),
    (base, "B c3", "occupied"),
    (lambda: base(turn_stack=0), "B d4", "stack of this turn is used up"),
    (lambda: base(ap=0), "B d4", "costs 1 AP, but only 0 are left"),
    (lambda: at("c3:1 d3:1 f6:1 f8:1", "c3", "f6", king="d3"), "B f8", "area 1 can be at most that high"),
    (base, "B f7", "castles never join"),
    (base, "B a8", "on a castle or beside one"),
    # Knights.
    (lambda: base(ap=1), "N c4", "costs 2 AP, but only 1 are left"),
    (base, "N f8", "must enter beside one of your knights"),
    (lambda: at("c3:1 d3:2 c4:1", "c3", "c4", king="d3", rules="digest"), "N b3", "must enter on level 1"),
    (lambda: at("c3:1 d3:2 d4:1 f6:1 e4:2", "d4", "c3", king="f6"), "N e4", "must enter on level 1 or lower"),
    (lambda: at(BASE, "c3 d3 a1 a2 a3 a4", "f6", king="h8"), "N c4", "you have no knight in reserve"),
    # Moves.
    (base, "M d3 d7", "the knight can't get there"),
    (base, "M d3 c3", "occupied"),
    (lambda: base(ap=0), "M d3 d2", "costs 1 AP"),
    (base, "M d2 d1", "you have no knight on d2"),
    # Cards.
    (lambda: base(decks=[[], []]), "BUY", "your deck is empty"),
    (lambda: base(buys=2), "BUY", "at most 2 cards can be bought"),
    (lambda: base(ap=0), "BUY", "costs 1 AP"),
    (base, "PICK door", "PICK only follows BUY"),
    (base, "PLAY under", "under is not in your hand"),
    (lambda: base(card_played=True), "PLAY ap6", "only one card can be played in a turn"),
    (lambda: base(bought=["ap6"]), "PLAY ap6", "the turn in which it was bought"),
    (base, "PLAY jump", "can't be carried out in full now"),
    (base, "T f8", "T only follows PLAY relocate"),
    (base, "K f8", "who must place the king"),
    # While something is asked for.
    (picking, "END", "pick a card first"),
    (lambda: play(base(), "PLAY relocate"), "B d4", "relocate must be followed by T"),
    (lambda: play(base(), "PLAY relocate", "T f8"), "T c4", "relocate must be followed by B"),
    (lambda: play(base(), "PLAY relocate", "T f8"), "B f8", "relocate does not allow this cell"),
    (lambda: at(BASE, "c3", "f6", king="h8", pending={"kind": "extra"}), "END", "extra must be followed by B"),
    (lambda: at(BASE, "c3", "f6", king="h8", pending={"kind": "recruit"}), "B d4", "recruit must be followed by N"),
    (
        lambda: at(BASE, "c3", "f6", king="h8", pending={"kind": "under"}),
        "M c3 c2",
        "under must be followed by B on the cell of one of your knights",
    ),
    (lambda: at(BASE, "c3", "f6", king="h8", pending={"kind": "diagonal"}), "B d4", "diagonal must be followed by M"),
    (lambda: at(BASE, "c3", "f6", king="h8", pending={"kind": "diagonal"}), "M c3 c2", "diagonal does not allow this"),
    (lambda: base(pending={"kind": "encore"}), "END", "encore must be followed by PLAY"),
]


@pytest.mark.parametrize(("make", "text", "reason"), SITUATIONS, ids=[f"{i}-{s[1]}" for i, s in enumerate(SITUATIONS)])
def test_reasons(make, text, reason):
    state = make()
    before = state.to_bytes()
    with pytest.raises(ValueError, match=reason) as told:
        state.string_to_action(text)
    message = str(told.value)
    assert "\n" not in message
    assert 10 < len(message) < 160
    if "is not legal here" in message:
        assert message.startswith(text)
        number = state.parse_action(text)
        assert state.explain(number) == message
        with pytest.raises(ValueError, match=reason):
            state.apply_action(number)
    assert state.to_bytes() == before


def test_pick_tells_the_choice():
    state = picking()
    cards = state.position()["pending"]["cards"]
    with pytest.raises(ValueError, match=f"choose one of {', '.join(cards)}"):
        state.string_to_action(f"PICK {missing(state)}")


def test_the_end():
    over = {"phase": 3, "round": 4, "ap": 0, "turn_stack": 0, "stacks": [[], []], "to_move": None}
    state = TorresState.from_position(base().position() | over)
    for action in (0, 1, 150, 661):
        with pytest.raises(ValueError, match="the game is over"):
            state.apply_action(action)


def test_knights_that_are_not_there():
    state = base()
    with pytest.raises(ValueError, match="no such knight"):
        state.apply_action(150 + 64 * 5)


def test_numbers_out_of_range():
    for action in (-1, 662, 10**9):
        assert "0 to 661" in base().explain(action)


def test_in_words():
    assert base().explain(22 + 61) == "B f8 is not legal here: a castle of area 1 can be at most that high"
