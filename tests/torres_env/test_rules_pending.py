"""Positions in the middle of a card or a PICK (Rules sections 3 and 6); the kit takes up the positions of play."""

import pytest
from positions import at, legal, play, words

# c2 (ground) is p0's, c3 is 2 high: a jump, a door and a diagonal exist. Castles {c3, c4, d3} and h8 (the king).
BOARD = "c3:2 c4:1 d3:1 h8:1"


@pytest.mark.parametrize(
    ("pending", "expected"),
    [
        ({"kind": "pick", "cards": ["extra", "ap6"]}, "PICK extra|PICK ap6"),
        ({"kind": "jump"}, "M c2 c3"),
        # diagonal from the ground: b1, d1, b3 level, d3 up 1. a8: b7.
        ({"kind": "diagonal"}, "M c2 b1|M c2 d1|M c2 b3|M c2 d3|M a1 b2"),
        # door by c3: c4 and d3 stand beside c3 (2); the ground around; not c2, not c3.
        ({"kind": "door"}, "M c2 c4|M c2 d3|M c2 b3|M c2 b4|M c2 c5|M c2 d4|M c2 d2|M c2 e3"),
        # c2 stands beside one castle, a1 beside none.
        ({"kind": "under"}, "B c2|B a1"),
        # recruit: ground beside c2 and a1; c3 is 2 higher.
        ({"kind": "recruit"}, "N b2|N d2|N c1|N a2|N b1"),
        # relocate: without c4 or d3 the area is 2, enough for c3 (2); c3 itself 2 -> 1.
        ({"kind": "relocate", "taken": None}, "T c3|T c4|T d3"),
        ({"kind": "encore"}, "PLAY ap7"),
    ],
)
def test_constructed_pending(pending, expected):
    # The card that asks lies on the discard pile already.
    kind = pending["kind"]
    pile = ["ap7"] if kind == "pick" else ["ap7", kind]
    state = at(
        BOARD, "c2 a1", "a8", king="h8", discards=[pile, []], card_played=kind != "pick",
        buys=int(kind == "pick"), ap=4, pending=pending,
    )  # fmt: skip
    assert legal(state) == set(expected.split("|"))
    assert state.position()["pending"]["kind"] == kind


def test_constructed_relocate_after_taking():
    # The block from c4 is in the hand: the board is as after taking, {c3, d3} has area 2. Two castles in any case.
    state = at(
        "c3:2 d3:1 h8:1", "c2", "a8", king="h8", discards=[["relocate"], []], card_played=True,
        pending={"kind": "relocate", "taken": "c4"},
    )  # fmt: skip
    blocks = {text[2:] for text in legal(state)}
    assert {"d3", "c1", "h7", "d4"} <= blocks  # 2 <= 2; founding; beside one castle
    assert not blocks & words("c4 c3 c2 a8 h8")  # the old place, a full cell, occupied cells
    assert play(state, "B g1").position()["pending"] is None
