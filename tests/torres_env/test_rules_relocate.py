"""The action card relocate (Rules section 6): T s takes a block, B t puts it down."""

import pytest
from positions import CELLS, at, castles, height, legal, only, play, words

ALL = set(CELLS)
# A row of three and a single castle under the king: two castles.
ROW = "c3:1 d3:1 e3:1 h8:1"


def relocate(board, *knights, king, **more):
    """p0 has relocate; the state before PLAY."""
    return at(board, *knights, king=king, hands=[["relocate"], *[[] for _ in knights[1:]]], **more)


def after(board, *knights, king, take, **more):
    """After PLAY and T."""
    return play(relocate(board, *knights, king=king, **more), "PLAY relocate", "T " + take)


@pytest.mark.parametrize(
    ("board", "king", "own", "expected"),
    [
        # No castle may be split by taking: not d3 in the middle of a row. h8: the king.
        (ROW, "h8", "a1", "c3 e3"),
        # Occupied cells are out.
        (ROW, "h8", "c3", "e3"),
        # With a second block d3 stays in place: no split; c3, e3 leave an area of 2 for height 2.
        ("c3:1 d3:2 e3:1 h8:1", "h8", "a1", "c3 d3 e3"),
        # Higher than the area right after taking: c3 or e3 leave area 2 under height 3. d3 itself 3 -> 2.
        ("c3:1 d3:3 e3:1 h8:1", "h8", "a1", "d3"),
        ("c3:2 d3:1 h8:1", "h8", "a1", "c3"),
        # A square has no cell that splits it.
        ("c3:1 d3:1 c4:1 d4:1 h8:1", "h8", "a1", "c3 d3 c4 d4"),
        # An L: the corner splits it.
        ("c3:1 d3:1 d4:1 h8:1", "h8", "a1", "c3 d4"),
        # Diagonal contact does not hold a castle together: from the square without c3, d4 splits.
        ("d3:1 c4:1 d4:1 h8:1", "h8", "a1", "d3 c4"),
        # Single castles may vanish for the moment.
        ("c3:1 f6:1 h8:1", "h8", "a1", "c3 f6"),
    ],
)
def test_what_can_be_taken(board, king, own, expected):
    state = play(relocate(board, own, "b1", king=king), "PLAY relocate")
    assert state.position()["pending"]["kind"] == "relocate"
    assert legal(state) == {"T " + c for c in expected.split()}


@pytest.mark.parametrize(
    ("board", "king", "own"),
    [
        (ROW, "h8", "c3 e3"),  # only d3 is free, and it would split
        ("h8:1 c3:1", "h8", "c3"),
        ("h8:1", "h8", "a1"),
        ("c3:2 d3:1", "c3", "a1"),  # d3 would leave height 2 on area 1
    ],
)
def test_nothing_to_take(board, king, own):
    assert only(relocate(board, own, "b1", king=king), "PLAY") == set()


def test_where_it_can_go():
    # After T c3: (a) d3, e3 (2 <= area 2); (b) beside one castle; every other ground cell founds a castle.
    # Not c3 itself ("another"), not the occupied a1, b1, h8.
    state = after(ROW, "a1", "b1", king="h8", take="c3")
    assert legal(state) == {"B " + c for c in ALL - words("a1 b1 h8 c3")}


def test_taken_from_a_tower():
    # After T d3 (3 -> 2): (a) c3, e3 (2 <= 3); not back on d3.
    state = after("c3:1 d3:3 e3:1 h8:1", "a1", "b1", king="h8", take="d3")
    assert only(state, "B") == ALL - words("a1 b1 h8 d3")
    play(state, "B e3")
    assert [height(state, c) for c in ("c3", "d3", "e3")] == [1, 2, 2]


def test_target_is_judged_after_taking():
    # (a): the area is 2 after taking e3, so d3 (2) is full; c3 (1) is not.
    state = after("c3:1 d3:2 e3:1 h8:1", "a1", "b1", king="h8", take="e3")
    assert {"d3", "c3"} & only(state, "B") == {"c3"}
    # (b): f3 lies between e3 and g3; with e3 gone it touches g3 only. g3 and h8 hold the pieces.
    state = after("c3:1 d3:1 e3:1 g3:1 h8:1", "g3", "b1", king="h8", take="e3")
    assert "f3" in only(state, "B")
    state = after("c3:1 d3:1 e3:1 g3:1 h8:1", "g3", "b1", king="h8", take="c3")
    assert "f3" not in only(state, "B")  # still between two castles: castles never join


def test_it_is_free():
    # The block moves: neither AP nor stacks nor the supply change.
    state = play(after(ROW, "a1", "b1", king="h8", take="c3"), "B d3")
    position = state.position()
    assert (position["ap"], position["turn_stack"], position["supply"]) == (5, 3, 12)
    assert [list(s) for s in position["stacks"]] == [[3, 3], [3, 3, 3]]
    assert [height(state, c) for c in ("c3", "d3", "e3")] == [0, 2, 1]
    assert sum(position["height"]) == 4 and position["pending"] is None
    assert list(position["discards"][0]) == ["relocate"]
    play(state, "B d2", "B e2", "B c2")
    assert state.position()["turn_stack"] == 0


# ---------------------------------------------------------------- number of castles

SIX = ("d1", "c3", "f3", "h4", "a5", "c6")
BESIDE = words("c1 e1 d2 b3 d3 c2 c4 e3 g3 f2 f4 g4 h3 h5 b5 a4 a6")  # ground beside d1, c3, f3, h4, a5


def test_six_single_castles():
    # d1 (king), c3, f3 are occupied. Taking c6 leaves five, so the block must found a castle: nowhere beside one
    # (41 cells); beside the old place c6 is allowed.
    state = play(relocate(castles(*SIX), "c3", "f3", king="d1"), "PLAY relocate")
    assert only(state, "T") == words("h4 a5 c6")
    founding = ALL - words("d1 c3 f3 h4 a5 c6") - BESIDE
    assert len(founding) == 41
    assert only(play(state, "T c6"), "B") == founding


def test_seven_single_castles():
    # Six are left after taking c6: beside a castle is allowed too (no cell touches two); single castles stay 1 high.
    state = after(castles(*SIX, "f6"), "c3", "f3", king="d1", take="c6")
    assert only(state, "B") == ALL - words("d1 c3 f3 h4 a5 f6 c6")


@pytest.mark.parametrize("count", [3, 4])
def test_fewer_than_six(count):
    # As many as before if those were fewer: a single castle taken away must be founded anew.
    state = after(castles(*SIX[:count], "c6"), "c3", "f3", king="d1", take="c6")
    blocks = only(state, "B")
    assert "c7" in blocks and "g8" in blocks  # beside the old place, and far away
    assert not blocks & words("c1 e1 d2 b3 d3 c2 c4 e3 g3 f2 f4")  # beside d1, c3, f3


def test_larger_castles_keep_the_number():
    # Six castles, the block comes from {c6, c7}: six remain whatever follows.
    state = after(castles(*SIX, "c7"), "c3", "f3", king="d1", take="c7")
    assert only(state, "B") == ALL - words("d1 c3 f3 h4 a5 c6 c7")


def test_eight_castles_may_become_seven():
    state = after(castles(*SIX, "f6", "e8"), "c3", "f3", king="d1", take="c6")
    assert {"c4", "f7", "a1", "h8"} <= only(state, "B")
