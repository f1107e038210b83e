"""New knights, steps and doors (Rules section 3)."""

import pytest
from positions import at, moves, only, play, words

from torres_env import TorresRules

MODES = ["connected", "straight", "descending"]

# c3 is on level 2; its neighbours: b3 1, d3 3, c4 2, c2 1. d4 is ground beside c4 and d3. Area 5.
TIER = """
    ........
    ......1.
    ........
    ........
    ..2.....
    .123....
    ..1.....
    ........
"""


def tier(knights, other="h1", king="g7", **more):
    return at(TIER, knights, other, king=king, **more)


# ---------------------------------------------------------------- new knights


@pytest.mark.parametrize(
    ("entry_level", "knights", "expected"),
    [
        # Rules section 3, new knight: height <= that of the highest own knight beside the cell.
        (None, "c3", "b3 c4 c2"),  # d3 is higher
        (None, "d4", "d5 e4"),  # c4 and d3 are higher than the ground
        (None, "c3 d4", "b3 c4 c2 d5 e4"),  # c4: beside c3 (2) and d4 (0), the highest counts
        (None, "b2", "a2 b1"),  # from the ground: b3 and c2 are on level 1
        (None, "d3", "c3 d2 d4 e3"),  # from level 3 everything beside
        (None, "h8", "h7 g8"),
        # Preset digest: exactly level 1, the own knight at any level.
        (1, "c3", "b3 c2"),
        (1, "d4", ""),
        (1, "c3 d4", "b3 c2"),
        (1, "b2", "b3 c2"),  # from the ground up
        (1, "d3", ""),
        (2, "c3 d4", "c4"),
        (2, "d3", "c3"),
        (2, "b3", "c3"),  # from level 1 up to level 2
    ],
)
def test_new_knight_cells(entry_level, knights, expected):
    state = tier(knights, rules=TorresRules(entry_level=entry_level))
    assert only(state, "N") == words(expected)


@pytest.mark.parametrize("doors", MODES)
def test_doors_do_not_matter_for_new_knights(doors):
    # Rules section 3, new knight: orthogonal neighbours only.
    assert only(tier("c3", rules=TorresRules(doors=doors)), "N") == words("b3 c4 c2")


def test_new_knight_needs_an_unoccupied_cell():
    # Rules section 3, new knight: no foreign knight, king or own knight on the cell.
    assert only(tier("c3", other="b3", king="c2"), "N") == {"c4"}
    assert only(tier("c3 c4", other="b3", king="c2"), "N") == words("b4 d4 c5")


def test_only_own_knights_support_new_ones():
    # Rules section 3, new knight: neither foreign knights nor the king help.
    assert only(tier("h8", other="c3", king="c4"), "N") == words("h7 g8")


def test_new_knight_costs_two_ap_and_takes_the_next_slot():
    # Rules section 3, table; interfaces.md section 1: slots are in the order of arrival.
    state = play(tier("c3 h8"), "N b3")
    assert state.position()["ap"] == 3
    assert list(state.position()["knights"][0]) == ["c3", "h8", "b3"]
    play(state, "N a3")  # b3 itself now supports the ground cell a3
    assert state.position()["ap"] == 1
    assert only(state, "N") == set()  # 1 AP is not enough
    assert only(state, "M") and only(state, "B")


@pytest.mark.parametrize(("ap", "ok"), [(1, False), (2, True)])
def test_ap_for_a_new_knight(ap, ok):
    assert bool(only(tier("c3", ap=ap), "N")) is ok


def test_reserve_of_six_knights():
    # Rules section 2: 6 knights per player.
    assert only(tier("c3 a8 b8 c8 d8"), "N")
    assert only(tier("c3 a8 b8 c8 d8 e8"), "N") == set()


# ---------------------------------------------------------------- steps


@pytest.mark.parametrize("doors", MODES)
@pytest.mark.parametrize(
    ("board", "start", "expected"),
    [
        # Rules section 3, step: down any depth, level, never diagonal; no higher neighbour, so no doors.
        ("b3:2 c3:2 d3:2 c4:1 g7:1", "c3", "b3 d3 c4 c2"),
        ("b3:1 c3:4 d3:1 c4:1 g7:1", "c3", "b3 d3 c4 c2"),  # down 3 and 4
        ("g7:1", "a1", "a2 b1"),
        ("g7:1", "h1", "h2 g1"),  # rows do not wrap around
        ("g7:1", "a8", "a7 b8"),
        ("b3:2 c3:2 d3:1 g7:1", "c3", "b3 d3 c2 c4"),  # a passage starts with a cell of height >= L + 1
    ],
)
def test_steps(doors, board, start, expected):
    state = at(board, start, "d8", king="g7", rules=TorresRules(doors=doors))
    assert moves(state, start) == words(expected)


def test_step_needs_an_unoccupied_cell():
    board = "b3:2 c3:2 d3:2 c4:1 g7:1"
    assert moves(at(board, "c3", "c4", king="d3"), "c3") == words("b3 c2")
    assert moves(at(board, "c3 c2", "c4", king="d3"), "c3") == words("b3")


def test_only_own_knights_move():
    # Rules section 3, M: a knight of the player; the king never moves this way.
    state = at("c3:1 d3:1 g7:1", "c3", "d3", king="g7")
    assert {text.split()[0] for text in only(state, "M")} == {"c3"}


def test_move_costs_one_ap_and_keeps_the_slot():
    state = play(tier("c3 h8"), "M c3 b3")
    assert state.position()["ap"] == 4
    assert list(state.position()["knights"][0]) == ["b3", "h8"]
    play(state, "M b3 a3", "M h8 h7", "M h7 h6")  # several knights, one of them twice
    assert state.position()["ap"] == 1
    assert list(state.position()["knights"][0]) == ["a3", "h6"]


# ---------------------------------------------------------------- doors

# (board, king, own knight, foreign knight, expected per mode); Rules section 3, doors. "*" = as connected.
DOORS = [
    # One cell of height 1 north of c2 (L = 0): step up, or through it.
    ("c3:1 g7:1", "g7", "c2", "h8", "b2 d2 c1 c3 b3 d3 c4", "b2 d2 c1 c3 c4", "*"),
    # c3 is 2 high: no step onto it, but a door.
    ("c3:2 c4:1 g7:1", "g7", "c2", "h8", "b2 d2 c1 b3 d3 b4 d4 c5", "b2 d2 c1 c5", "*"),
    # Pieces on top of the passed cells do not matter (king, foreign knight), but nobody steps onto them.
    ("c3:1 g7:1", "c3", "c2", "h8", "b2 d2 c1 b3 d3 c4", "b2 d2 c1 c4", "*"),
    ("c3:2 c4:1 g7:1", "c3", "c2", "c4", "b2 d2 c1 b3 d3 b4 d4 c5", "b2 d2 c1 c5", "*"),
    # The exit must be unoccupied; straight: nothing else instead.
    ("c3:1 g7:1", "g7", "c2", "c4", "b2 d2 c1 c3 b3 d3", "b2 d2 c1 c3", "*"),
    # A door on each of the four sides: from the east and from the north.
    ("d4:1 g7:1", "g7", "e4", "h8", "d4 f4 e3 e5 c4 d3 d5", "d4 f4 e3 e5 c4", "*"),
    ("d4:1 g7:1", "g7", "d5", "h8", "d4 c5 e5 d6 d3 c4 e4", "d4 c5 e5 d6 d3", "*"),
    # d4 touches c3 by a corner only and is another castle, whose other doors stay closed.
    ("c3:1 d4:1 g7:1", "g7", "c2", "h8", "b2 d2 c1 c3 b3 d3 c4", "b2 d2 c1 c3 c4", "*"),
    # An L: straight goes through the run c3, d3 to e3 and does not bend.
    (
        "c3:1 d3:1 d4:1 g7:1",
        "g7",
        "b3",
        "h8",
        "a3 b2 b4 c3 c2 c4 d2 e3 d5 e4",
        "a3 b2 b4 c3 e3",
        "*",
    ),
    # The run reaches the edge of the board: straight has no exit.
    ("g3:1 h3:1 b7:1", "b7", "f3", "a1", "e3 f2 f4 g3 g2 g4 h2 h4", "e3 f2 f4 g3", "*"),
    ("a3:1 b3:1 g7:1", "g7", "c3", "h8", "b3 d3 c2 c4 a2 a4 b2 b4", "b3 d3 c2 c4", "*"),  # rows do not wrap around
    # Two castles one step apart: out between them, but not on into the second one.
    ("c3:1 e3:1 g7:1", "g7", "b3", "h8", "a3 b2 b4 c3 c2 c4 d3", "a3 b2 b4 c3 d3", "*"),
    # A tall castle is passed on the ground whatever its heights.
    ("c3:3 d3:1 d4:2 g7:1", "g7", "b3", "h8", "a3 b2 b4 c2 c4 d2 e3 d5 e4", "a3 b2 b4 e3", "*"),
    # From level 1 (L = 1) through c3 (2): out on d3 (1) or the ground. d3 (1) is no passage for L = 1, so e3, f3
    # and the cells around them stay out of reach. Descending: sunk to level 0 the whole row is a passage, with
    # exits on the ground only: f3 (1) would need a rise.
    (
        "b3:1 c3:2 d3:1 e3:2 f3:1 g7:1",
        "g7",
        "b3",
        "h8",
        "a3 b2 b4 c3 c2 c4 d3",
        "a3 b2 b4 c3 d3",
        "a3 b2 b4 c3 c2 c4 d3 d2 d4 e2 e4 f2 f4 g3",
    ),
    # A block of rooms, L = 1: passage d3, c4, d4, b4; exits on level 1 (b3, c5) and on the ground.
    # c4 (3) is no step. Descending: level 0 adds the ground cells around b3 and c5.
    (
        "c5:1 b4:2 c4:3 d4:2 b3:1 c3:1 d3:2 g7:1",
        "g7",
        "c3",
        "h8",
        "b3 c2 d3 e3 d2 e4 d5 c5 a4 b5",
        "b3 c2 d3 c5 e3",
        "b3 c2 d3 e3 d2 e4 d5 c5 a4 b5 a3 b2 c6",
    ),
    # From level 2: c4 (3) is a passage; out on b4 (2), and on c5 (1), lower than L. Descending at level 1: the
    # passage grows by b4 (2): a4, b5, b3 on the ground are exits at level 1 and 0; at level 0 also around c5.
    (
        "c3:2 c4:3 b4:2 c5:1 g7:1",
        "g7",
        "c3",
        "h8",
        "b3 d3 c2 c4 b4 c5 d4",
        "b3 d3 c2 c4 c5",
        "b3 d3 c2 c4 b4 c5 d4 a4 b5 c6 d5",
    ),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", DOORS, ids=range(len(DOORS)))
def test_doors(case, mode):
    board, king, own, other = case[:4]
    expected = dict(zip(MODES, case[4:], strict=True))[mode]
    state = at(board, own, other, king=king, rules=TorresRules(doors=mode))
    assert moves(state, own) == words(case[4] if expected == "*" else expected)


def test_descending_may_pass_below_the_starting_cell():
    # Rules section 3, descending: from c3 (1) into c4 (2), down to level 0, then below c3 and c2 and out beside c2.
    # Only the exit on the starting cell is excluded (reading: passing below it is not).
    board = "c2:1 c3:1 c4:2 g7:1"
    base = "c2 c4 b3 d3 c5 b4 d4"
    assert moves(at(board, "c3", "h8", king="g7", rules=TorresRules(doors="connected")), "c3") == words(base)
    state = at(board, "c3", "h8", king="g7", rules=TorresRules(doors="descending"))
    assert moves(state, "c3") == words(base + " b2 d2 c1")


def test_a_door_costs_one_ap_and_moves_the_knight():
    # Rules section 3, table: M is 1 AP however long the passage.
    state = play(at("b3:1 c3:1 d3:1 e3:1 f3:1 g7:1", "a3", "h8", king="g7"), "M a3 g3")
    assert state.position()["ap"] == 4
    assert list(state.position()["knights"][0]) == ["g3"]
