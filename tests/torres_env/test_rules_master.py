"""Master cards (Rules section 8) and castles set up by the players (Rules section 7)."""

import pytest
from positions import CELLS, START, at, castles, cell, legal, only, play, points, scored, words

from torres_env import TorresRules, TorresState

MASTER = TorresRules(master_card=True, unspent_ap_scores=0, unique_scores=False)
ALL = set(CELLS)


def end(card, *knights, phase=3, board="g6:1", king="g6", rules=MASTER, **more):
    """Points after the scoring of a phase; ground knights score nothing but by the card."""
    return points(scored(board, *knights, king=king, phase=phase, rules=rules, master_card=card, **more))


# ---------------------------------------------------------------- border, diagonals

VALUE = {1: 2, 2: 5, 3: 10}


@pytest.mark.parametrize("phase", [1, 2, 3])
@pytest.mark.parametrize(
    ("card", "knights", "expected"),
    [
        # Multiples of 2/5/10. Border: 2 knights and strictly the most: 3; one knight: 1.
        ("border", ["a4 d8 c5", "h5 e4"], [3, 1]),
        ("border", ["h5 e4", "a4 d8 c5"], [1, 3]),
        ("border", ["a4 c5", "h5 e4"], [1, 1]),  # equal: nobody has strictly the most
        ("border", ["a1", "e4"], [2, 0]),  # a corner is one knight
        ("border", ["c5", "e4"], [0, 0]),
        ("border", ["b2 g7 b7 g2", "c3"], [0, 0]),  # the second ring is no border
        ("border", ["a4 a5", "h4 h5", "d1"], [2, 2, 1]),  # two tie for the most
        ("border", ["a4", "h4", "d1 e1 c5"], [1, 1, 3]),
        ("border", ["a2 a3 a4 a5 a6 a7", "h2 h3 h4 h5 h6"], [7, 5]),
        # The two main diagonals: a1-h8 (d4) and a8-h1 (e4).
        ("diagonals", ["d4 e4 c4", "h1 b6"], [3, 1]),
        ("diagonals", ["a8 a2", "h8 e8"], [1, 1]),
        ("diagonals", ["d4 e5", "d5 e4"], [2, 2]),
        ("diagonals", ["b7 c6 f3 g2 b2 c3", "h7"], [7, 0]),
        ("diagonals", ["d3 e6", "b1"], [0, 0]),  # parallels of the diagonals
    ],
)
def test_border_and_diagonals(card, knights, expected, phase):
    assert end(card, *knights, phase=phase) == [k * VALUE[phase] for k in expected]


def test_border_on_castles_counts_too():
    # Rules section 8: any own knight, on every level: castle 2*1, border 2 + 2.
    assert end("border", "a4", "e5", phase=1, board="a4:1 b4:1 g6:1") == [6, 0]


# ---------------------------------------------------------------- spread


@pytest.mark.parametrize(
    ("phase", "count", "expected"),
    [
        # Single castles: 1 point each, and 5/15/30 for exactly 4/5/6 castles. The king is on e8.
        (1, 3, 3),
        (1, 4, 4 + 5),
        (1, 5, 5),
        (1, 6, 6),
        (2, 4, 4),
        (2, 5, 5 + 15),
        (2, 6, 6),
        (3, 4, 4),
        (3, 5, 5),
        (3, 6, 6 + 30),
    ],
)
def test_spread(phase, count, expected):
    own = " ".join(START[:count])
    assert end("spread", own, "h8", phase=phase, board=castles(*START), king="e8") == [expected, 0]


def test_spread_counts_castles():
    # {c3, d3} holds two knights: castles 2*1 + 1 + 1 + 1, four castles: 5. b8 stands on the ground.
    board = castles(*START, "d3")
    assert end("spread", "c3 d3 d1 f3 h4 b8", "h8", phase=1, board=board, king="e8") == [10, 0]


# ---------------------------------------------------------------- cards of phase 3


@pytest.mark.parametrize(
    ("card", "knights", "expected"),
    [
        # cluster: one orthogonally connected group of all six.
        ("cluster", "c3 d3 e3 c4 c5 d5", 40),
        ("cluster", "c3 d3 e3 c4 c5 d6", 0),  # d6 touches c5 diagonally
        ("cluster", "c3 d3 e3 c4 c5", 0),  # five on the board
        ("cluster", "c3 d3 e3 c5 d5 e5", 0),  # two groups
        ("cluster", "h3 h4 h5 a4 a5 a6", 0),  # rows do not wrap around
        # line: one row or one column, gaps allowed.
        ("line", "a3 c3 d3 e3 f3 h3", 50),
        ("line", "c1 c2 c4 c5 c7 c8", 50),
        ("line", "a3 c3 d3 e3 f3 h4", 0),
        ("line", "a1 b2 c3 d4 e5 f6", 0),
        ("line", "a3 c3 d3 e3 f3", 0),
        # square: four at the corners of an axis-parallel square; the others may be anywhere or nowhere.
        ("square", "c3 d3 c4 d4", 50),
        ("square", "c3 c5 e3 e5", 50),
        ("square", "a1 a8 h1 h8 c3 d6", 50),
        ("square", "c3 d3 e3 c4 d4 e4", 50),  # two squares, once
        ("square", "c3 c5 f3 f5", 0),  # 2 x 3
        ("square", "c4 d3 d5 e4", 0),  # on its tip
        ("square", "c3 d3 c4 d5 h8", 0),
        # plateau: one level, the ground counts.
        ("plateau", "a1 c3 e5 h8 b7 f2", 50),
        ("plateau", "a1 c3 e5 h8 b7", 0),
        # stairs: not all on the ground.
        ("stairs", "a1 c3 e5 h8 b7 f2", 0),
    ],
)
def test_cards_of_phase_3_on_the_ground(card, knights, expected):
    assert end(card, knights, "h7") == [expected, 0]
    assert end(card, "h7", knights) == [0, expected]
    for phase in (1, 2):  # after phase 3 only
        assert end(card, knights, "h7", phase=phase) == [0, 0]


def test_foreign_knights_form_no_square():
    assert end("square", "c3 c4 d3", "d4 h1") == [0, 0]


def test_foreign_knights_do_not_connect():
    # c4 would join c3 and c5.
    assert end("cluster", "c1 c2 c3 c5 c6 c7", "c4") == [0, 0]
    assert end("cluster", "c1 c2 c3 c4 c5 c6", "c7") == [40, 0]


@pytest.mark.parametrize("card", ["cluster", "line"])
def test_levels_do_not_matter_for(card):
    # b3-g3, castle c3, d3 (area 2, level 2): 4 points.
    assert end(card, "b3 c3 d3 e3 f3 g3", "h7", board="c3:1 d3:2 g6:1") == [4 + (40 if card == "cluster" else 50), 0]


def test_every_player_can_score_the_card():
    assert end("plateau", "a1 c3 e5 h8 b7 f2", "a2 c4 e6 h7 b6 f3") == [50, 50]
    assert end("square", "c3 d3 c4 d4", "e6 e7 f6 f7") == [50, 50]


@pytest.mark.parametrize(
    ("levels", "knights", "phase", "expected"),
    [
        # A castle of area 5: 5 * highest level. Level 0 counts as a level: h5 on the ground.
        ("12345", "b3 c3 d3 e3 f3 h5", 3, 25 + 40),
        ("12345", "b3 c3 d3 e3 f3", 3, 25),  # five on the board
        ("12345", "b3 c3 d3 e3 f3 h5", 2, 25),
        ("12344", "b3 c3 d3 e3 f3 h5", 3, 20),  # level 4 twice
        ("12345", "b3 c3 d3 e3 h4 h5", 3, 20),  # level 0 twice
    ],
)
def test_stairs(levels, knights, phase, expected):
    board = " ".join(f"{column}3:{level}" for column, level in zip("bcdef", levels, strict=True)) + " g6:1"
    assert end("stairs", knights, "h7", phase=phase, board=board) == [expected, 0]


@pytest.mark.parametrize(
    ("board", "knights", "expected"),
    [
        (castles(*START), "d1 c3 f3 h4 a5 c6", 6 + 50),  # all on level 1, six castles
        (castles(*START), "d1 c3 f3 h4 a5 a1", 5),  # one on the ground
        ("c3:2 d3:2 c4:2 d4:2 c5:2 d5:2 e8:1", "c3 d3 c4 d4 c5 d5", 12 + 50),
    ],
)
def test_plateau_on_castles(board, knights, expected):
    assert end("plateau", knights, "h8", board=board, king="e8") == [expected, 0]


def test_all_knights_follow_the_rules():
    # Rules sections 7 and 8: "all" is the configured number of knights.
    rules = TorresRules(master_card=True, unspent_ap_scores=0, unique_scores=False, knights_per_player=3)
    assert end("plateau", "a1 c3 e5", "h7", rules=rules) == [50, 0]
    assert end("plateau", "a1 c3", "h7", rules=rules) == [0, 0]


def test_without_a_master_card():
    state = scored("g6:1", "a1 a2 a3 a4 a5 a6", "h7", king="g6", phase=3, rules=TorresRules(unspent_ap_scores=0))
    assert points(state) == [0, 0]


def test_preset_master_scores_the_card():
    # Rules section 7, master: 5 AP points each, unique: p1 20 + 5 = 25; border 2 + 2 for p0.
    more = {"rules": "master", "master_card": "border", "round": 4, "to_move": 1, "turn_stack": 0}
    state = at("g6:1", "a4", "e4", king="g6", scores=[8, 20], **more)
    assert points(play(state, "END")) == [12, 25]


# ---------------------------------------------------------------- castles set up by the players


def test_distance_of_castles():
    # Rules section 7: |dx| + |dy| >= 3 to every starting block: around d4 thirteen cells are out.
    state = TorresState(num_players=2, rules="master", seed=1)
    assert legal(state) == {"B " + c for c in ALL} and state.current_player() == 0
    play(state, "B d4")
    around = words("d4 c4 e4 d3 d5 b4 f4 d2 d6 c3 c5 e3 e5")
    assert legal(state) == {"B " + c for c in ALL - around} and state.current_player() == 1
    play(state, "B d1")  # distance 3; a1 is at distance 3 from d1
    assert only(state, "B") == ALL - around - words("d1 c1 e1 b1 f1 c2 e2")


@pytest.mark.parametrize("n", [2, 3, 4])
def test_castle_setup(n):
    # Rules section 7: in turns from player_0 until eight stand; then the setup of section 2.
    state = TorresState(num_players=n, rules="master", seed=1)
    for k, name in enumerate(START):
        position = state.position()
        assert state.current_player() == k % n and sum(position["height"]) == k
        assert (position["phase"], position["ap"], position["pending"], position["king"]) == (0, 0, None, None)
        assert {text[0] for text in legal(state)} == {"B"}
        play(state, "B " + name)
    for seat in range(n):
        assert state.current_player() == seat
        assert legal(state) == {"N " + c for c in START[seat:]}
        play(state, "N " + START[seat])
    assert state.current_player() == n - 1 and only(state, "K") == set(START[n:])
    play(state, "K " + START[n])
    position = state.position()
    assert (position["to_move"], position["phase"], position["round"], position["ap"]) == (0, 1, 1, 5)
    assert position["supply"] == {2: 12, 3: 6, 4: 4}[n]


def test_fewer_castles():
    # Rules section 7: the number of castles set up follows the starting cells; where they stand does not.
    rules = TorresRules.preset("master", starting_cells=("a1", "c1", "e1", "g1"))
    state = play(TorresState(num_players=2, rules=rules, seed=1), "B h8", "B e8", "B b8", "B d5")
    assert legal(state) == {"N h8", "N e8", "N b8", "N d5"}


def test_setup_ends_when_no_cell_is_left():
    # Rules section 7: 16 configured; always the first legal cell gives a1 d1 g1 b3 e3 h3 a5 d5 g5 b7 e7 h7, then
    # none is left. The other 4 blocks go to the supply: 92 - 72 - 16 + 4 = 8.
    cells = tuple(column + row for row in "1357" for column in "aceg")
    rules = TorresRules.preset("master", starting_cells=cells)
    state = TorresState(num_players=2, rules=rules, seed=1)
    placed = []
    while only(state, "B"):
        placed.append(min(only(state, "B"), key=cell))
        play(state, "B " + placed[-1])
    assert placed == "a1 d1 g1 b3 e3 h3 a5 d5 g5 b7 e7 h7".split()
    assert legal(state) == {"N " + c for c in placed} and state.current_player() == 0
    play(state, "N a1", "N d1", "K g1")
    assert state.position()["supply"] == 8 and sum(state.position()["height"]) == 12
