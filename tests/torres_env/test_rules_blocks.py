"""Placing blocks (Rules section 3, "Place a block")."""

import pytest
from positions import at, height, legal, only, play, words

# Castles {c4, c3, d3} (area 3) and {f3}; e3 touches both.
TWO_CASTLES = """
    ........
    ........
    ........
    ........
    ..1.....
    ..12.1..
    ........
    ........
"""


def test_all_block_cells():
    # Rules section 3, B: (a) d3 2 -> 3 <= area 3; c4, c3, f3 occupied; (b) ground cells beside exactly one
    # castle; e3 beside two; e2, e4, b2, b5, d5, g2, g4 touch only diagonally.
    state = at(TWO_CASTLES, "c4", "f3", king="c3")
    assert only(state, "B") == words("d3 b4 d4 c5 b3 c2 d2 g3 f2 f4")


def test_knight_on_the_ground_blocks_its_cell():
    # Rules section 3, B: on an unoccupied cell; own and foreign knights alike.
    state = at(TWO_CASTLES, "c4 b4", "f3 d2", king="c3")
    assert only(state, "B") == words("d3 d4 c5 b3 c2 g3 f2 f4")


def test_castles_never_join():
    # Rules section 3, B (b): every cell between two castles one step apart is forbidden.
    state = at("c3:1 e3:1 d2:1", "a8", "b8", king="d2")
    # d3 touches c3, e3, d2; c2 touches c3, d2; e2 touches e3, d2.
    assert only(state, "B") == words("b3 c4 f3 e4 d1")


@pytest.mark.parametrize(
    ("board", "target", "ok"),
    [
        # Rules section 3, B (a): height + 1 <= area.
        ("c3:1 g7:1", "c3", False),  # area 1
        ("c3:1 d3:1 g7:1", "c3", True),  # 2 <= 2
        ("c3:2 d3:1 g7:1", "c3", False),  # 3 > 2
        ("c3:2 d3:1 g7:1", "d3", True),
        ("c3:2 d3:1 e3:1 g7:1", "c3", True),  # 3 <= 3
        ("c3:3 d3:1 e3:1 g7:1", "c3", False),  # 4 > 3
        ("c3:1 d4:1 g7:1", "c3", False),  # diagonal contact is no castle
        ("c3:4 d3:1 e3:1 f3:1 f4:1 g7:1", "c3", True),  # 5 <= 5, far above its neighbours
    ],
)
def test_height_is_limited_by_the_area(board, target, ok):
    assert (target in only(at(board, "a1", "b1", king="g7"), "B")) is ok


def test_area_grows_with_every_block():
    # Rules section 3, B: area 3 with d3 on 3 is full; d4 makes the area 4.
    state = at("c4:1 c3:1 d3:3 g7:1", "a1", "b1", king="g7")
    assert "d3" not in only(state, "B")
    play(state, "B d4")
    assert height(state, "d4") == 1
    assert "d3" in only(state, "B")
    play(state, "B d3")
    assert height(state, "d3") == 4
    assert "d3" not in only(state, "B")


def test_a_new_block_changes_what_is_between_castles():
    # Rules section 3, B (b): e3 is free until d3 is built.
    state = at("c3:1 f3:1 g7:1", "a1", "b1", king="g7")
    assert {"d3", "e3"} <= only(state, "B")
    play(state, "B d3")
    blocks = only(state, "B")
    assert "e3" not in blocks  # now between {c3, d3} and {f3}
    assert {"d2", "d4"} <= blocks


@pytest.mark.parametrize(
    ("castle", "expected"),
    [
        # Rules section 1: orthogonal contact only, and rows do not wrap around.
        ("h3", "g3 h2 h4"),
        ("a6", "b6 a5 a7"),
        ("a1", "b1 a2"),
        ("h8", "g8 h7"),
        ("d8", "c8 e8 d7"),
        ("e1", "d1 f1 e2"),
    ],
)
def test_board_edges(castle, expected):
    state = at(f"{castle}:1", "c5", "f5", king=castle)
    assert only(state, "B") == words(expected)


def test_block_costs_one_ap_and_comes_from_the_turn_stack():
    # Rules section 3, table.
    state = play(at(TWO_CASTLES, "c4", "f3", king="c3"), "B d3")
    position = state.position()
    assert (position["ap"], position["turn_stack"], position["supply"]) == (4, 2, 12)
    assert [list(s) for s in position["stacks"]] == [[3, 3], [3, 3, 3]]
    assert height(state, "d3") == 3 and sum(position["height"]) == 6
    assert state.current_player() == 0


def test_stack_of_the_turn_limits_the_blocks():
    # Rules section 3: as many as the stack of this turn holds.
    state = play(at(TWO_CASTLES, "c4", "f3", king="c3"), "B d3", "B d4", "B d5")
    assert state.position()["turn_stack"] == 0 and state.position()["ap"] == 2
    assert only(state, "B") == set()
    assert only(state, "M")  # the rest of the turn goes on


def test_no_block_without_ap():
    # Rules section 3: a block costs 1 AP (a card keeps the turn open).
    state = at(TWO_CASTLES, "c4", "f3", king="c3", ap=0, hands=[["ap6"], []])
    assert legal(state) == {"PLAY ap6", "END"}


def test_several_blocks_on_one_cell_in_a_turn():
    # Rules section 3, B (a): nothing forbids building one tower three times.
    board = "c3:1 d3:1 e3:1 f3:1 g7:1"
    state = play(at(board, "a1", "b1", king="g7"), "B c3", "B c3", "B c3")
    assert height(state, "c3") == 4
