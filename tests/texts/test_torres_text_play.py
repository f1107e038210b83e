"""The Chinese rule text of Torres, second part: rounds, turns, knights, until it breaks off. Preset ``classic`` follows it."""

import pytest
from positions import at, last_turn, legal, moves, new_game, only, play, points, words
from statements import statement

from torres_env import TorresRules

QUIET = TorresRules.preset("classic", unspent_ap_scores=0)


def plain(knights, other="h1", *, board="h8:1", king="h8", **more):
    """Seat 0's turn; the king stands aside."""
    return at(board, knights, other, king=king, rules="classic", **more)


def ends(players):
    """Phase, round and seat of every turn of a game in which everybody passes."""
    state = new_game(players, "classic")
    turns = []
    while not state.is_terminal():
        now = state.position()
        if not now["pending"]:
            turns.append((now["phase"], now["round"], now["to_move"]))
        play(state, "K " + now["king"] if now["pending"] else "END")
    return turns


# ------------------------------------------------------------------------------------------------ rounds, phases
@statement("A37", "Turns go clockwise from the starting player")
def test_turns_go_clockwise():
    for players in (2, 3, 4):
        assert [seat for *_, seat in ends(players)[: 2 * players]] == [*range(players)] * 2


@statement("A38", "A round is over when everybody has had a turn")
def test_round():
    state = new_game(3, "classic")
    rounds = []
    for _ in range(6):
        rounds.append(state.position()["round"])
        play(state, "END")
    assert rounds == [1, 1, 1, 2, 2, 2]


@statement("A39", "There are three phases")
def test_three_phases():
    assert sorted({phase for phase, *_ in ends(3)}) == [1, 2, 3]


@statement("A40", "Phase 1 has four rounds")
def test_rounds_of_phase_1():
    for players in (2, 3, 4):
        assert {number for phase, number, _ in ends(players) if phase == 1} == {1, 2, 3, 4}


@statement("A41", "Phases 2 and 3 have three rounds, with two players four")
def test_rounds_of_later_phases():
    for players, rounds in ((2, {1, 2, 3, 4}), (3, {1, 2, 3}), (4, {1, 2, 3})):
        for later in (2, 3):
            assert {number for phase, number, _ in ends(players) if phase == later} == rounds


@statement("A42", "Points are counted after the round that ends a phase (how is not in the text)")
def test_scoring_ends_a_phase():
    board = "c3:1 d3:1 h8:1"
    state = at(board, "c3", "h1", king="h8", rules=QUIET, to_move=1)
    assert points(play(state, "END")) == [0, 0]
    assert points(play(last_turn(board, "c3", "h1", king="h8", rules=QUIET), "END")) == [2, 0]


@statement(
    "A43",
    "After a scoring the player to the left goes on (of the last one; with start_player='left', of the first one)",
    "reading",
)
def test_who_goes_on():
    for start, expected in (("fixed", [0, 0, 0]), ("left", [0, 1, 2])):
        state = new_game(3, TorresRules.preset("classic", start_player=start))
        firsts = []
        for _ in range(3):
            firsts.append(state.current_player())
            order = []
            for _ in range(3):
                order.append(state.current_player())
                play(state, "END")
            assert order == [(firsts[-1] + k) % 3 for k in range(3)]
        assert firsts == expected
    # After a scoring too: round 4 of phase 1 was player_0's in the one way, and in the other.
    state = last_turn("c3:1 h8:1", "c3", "h1", king="h8", rules="classic")
    play(state, "END", "K h8")
    assert state.position()["phase"] == 2 and state.current_player() == 0  # to the left of player_1


# --------------------------------------------------------------------------------------------------------- turns
@statement("A44", "A turn has five action points")
def test_five_action_points():
    state = new_game(2, "classic")
    for _ in range(4):
        assert state.position()["ap"] == 5
        play(state, "END")
    assert "N a2" not in legal(plain("a1", ap=1)) and "N a2" in legal(plain("a1", ap=5))


@statement("A45", "A player may use all of them, some, or none")
def test_all_some_or_none():
    assert play(plain("a1"), "END").current_player() == 1
    state = play(plain("a1"), "M a1 a2", "M a2 a3")
    assert "M a3 a4" in legal(state) and play(state, "END").current_player() == 1
    state = play(plain("a1", hands=[["ap6"], []]), "M a1 a2", "M a2 a3", "M a3 a4", "M a4 a5", "M a5 a6")
    assert legal(state) == {"END", "PLAY ap6"}  # nothing more for action points


@statement("A46", "Points left do not wait for the next turn but become score")
def test_action_points_left():
    state = play(plain("a1"), "M a1 a2", "M a2 a3", "END")
    assert points(state) == [3, 0]
    assert play(state, "END").position()["ap"] == 5


@statement("A47", "A player says how many action points it has used: all see them")
def test_action_points_are_public():
    state = play(plain("a1"), "M a1 a2", "M a2 a3")
    assert state.position(0)["ap"] == state.position(1)["ap"] == 3


@statement("A48", "Actions repeat in any order while action points last, those with cards excepted")
def test_actions_repeat():
    state = plain("a1", board="c3:1 h8:1", hands=[["ap6", "ap7"], []])
    play(state, "B b3", "M a1 a2", "B c4", "N a1", "PLAY ap6")
    assert state.position()["ap"] == 1 and {text.split()[0] for text in legal(state)} == {"B", "M", "END"}


@statement(
    "A49", "Six actions: new knight, move, block, plan, carry out, score (END scores all that is left)", "reading"
)
def test_six_actions():
    state = plain("a1", hands=[["ap6"], []], decks=[["jump"], []])
    assert {text.split()[0] for text in legal(state)} == {"N", "M", "B", "BUY", "PLAY", "END"}


# --------------------------------------------------------------------------------------------------- new knights
@statement("A50", "A new knight costs 2 action points")
def test_a_new_knight_costs_2():
    assert play(plain("a1"), "N a2").position()["ap"] == 3
    assert only(plain("a1", ap=1), "N") == set() and only(plain("a1", ap=2), "N") == words("a2 b1")


@statement("A51", "It comes onto a cell or a block without another piece")
def test_a_new_knight_needs_a_free_cell():
    board = "d3:1 d4:1 d5:1 c4:1"
    assert only(plain("d4", board=board, king="d3"), "N") == words("c4 d5 e4")  # blocks, and the ground of e4
    assert only(plain("d4", "d5", board=board, king="d3"), "N") == words("c4 e4")


@statement("A52", "It must stand beside an own knight")
def test_a_new_knight_stands_beside_an_own_one():
    assert only(plain("a1 e5", "h1"), "N") == words("a2 b1 d5 f5 e4 e6")  # nothing beside h1


@statement("A53", "Beside means up, down, left and right, not by a corner")
def test_corners_are_not_beside():
    assert only(plain("e5"), "N") & words("d4 d6 f4 f6") == set()


@statement("A54", "Its level is that of the knight beside it, or lower")
def test_level_of_a_new_knight():
    state = plain("d4", board="d4:2 d3:2 c4:3 e4:1 d5:0 h8:1")
    assert only(state, "N") == words("d3 e4 d5")


@statement("A55", "Of several own knights beside it, the highest counts")
def test_the_highest_neighbour_counts():
    board = "c4:1 d4:3 e4:2 h8:1"
    assert "e4" not in only(plain("e3", board=board), "N")
    assert "e4" in only(plain("e3 d4", board=board), "N")


# --------------------------------------------------------------------------------------------------------- moves
@statement("A56", "A move costs 1 action point")
def test_a_move_costs_1():
    assert play(plain("a1"), "M a1 a2").position()["ap"] == 4
    assert only(plain("a1", ap=0, hands=[["ap6"], []]), "M") == set()


@statement("A57", "An own knight goes to a neighbouring free cell, never by a corner")
def test_steps():
    state = plain("e5", "e6")
    assert only(state, "M") == {"e5 d5", "e5 f5", "e5 e4"}  # e6 is taken, and not this player's to move


@statement("A58", "Free is any cell of the board or top of a block on which nothing stands")
def test_free_cells():
    state = plain("d4", "d5", board="c4:1 d3:1 h8:1")
    assert words("c4 d3 e4") <= moves(state, "d4") and "d5" not in moves(state, "d4")


@statement("A59", "One knight may move several times")
def test_one_knight_moves_on():
    state = play(plain("a1"), "M a1 a2", "M a2 a3", "M a3 b3")
    assert state.position()["knights"][0] == ["b3"] and moves(state, "b3")


@statement("A60", "Up it goes one level at most")
def test_one_level_up():
    state = plain("d4", board="c4:1 d4:1 d5:2 e4:3 e5:3 h8:1")
    assert moves(state, "d4") & words("c4 d5 e4") == words("c4 d5")
    assert "e5" in moves(play(state, "M d4 d5"), "d5")


@statement("A61", "Down it goes any number of levels")
def test_any_level_down():
    assert moves(plain("c3", board="c3:3 d3:1 e3:1 h8:1"), "c3") == words("b3 c2 c4 d3")


@statement("A62", "A cell holds one piece, a knight or the king")
def test_one_piece_a_cell():
    with pytest.raises(ValueError, match="knights: two pieces stand on c3"):
        at("c3:1 h8:1", "c3", "c3", king="h8", rules="classic")
    with pytest.raises(ValueError, match="king: a knight stands on c3"):
        at("c3:1 h8:1", "c3", "a1", king="c3", rules="classic")


@statement("A63", "A knight does not go where the king or another knight stands")
def test_taken_cells():
    state = plain("c3 c4", "b3", board="c3:1 d3:1 c2:1", king="d3")
    assert moves(state, "c3") == {"c2"}


# --------------------------------------------------------------------------------------------------------- doors
@statement("A64", "Each block has a door on each of its four sides, and knights pass below it")
def test_doors_on_four_sides():
    for start, end in (("c4", "e4"), ("e4", "c4"), ("d3", "d5"), ("d5", "d3")):
        state = plain(start, board="d4:1 h8:1")
        far = {"c4", "e4", "d3", "d5"} - {start}
        assert moves(state, start) & far == {end}


@statement(
    "A65",
    "For 1 point it goes straight through a row of blocks of one level (read: floors at its level) to the far end",
    "reading",
)
def test_straight_through_a_row():
    state = plain("b4", board="c4:1 d4:1 e4:1 f4:1 h8:1")
    assert moves(state, "b4") & words("d4 e4 f4 g4 c3 d3 d5 f3") == {"g4"}  # not out by the side
    play(state, "M b4 g4")
    assert state.position()["ap"] == 4
    assert "g4" in moves(plain("b4", board="c4:1 d4:2 e4:1 f4:1 h8:1"), "b4")  # a higher block in the row
    assert "g4" not in moves(plain("b4", board="c4:1 d4:1 f4:1 h8:1"), "b4")  # a gap ends the row: e4
    assert "e4" in moves(plain("b4", board="c4:1 d4:1 f4:1 h8:1"), "b4")
    assert "g4" not in moves(plain("b4", "g4", board="c4:1 d4:1 e4:1 f4:1 h8:1"), "b4")


@statement("A66", "Inside it keeps its level")
def test_the_level_inside():
    # From level 1: c4 is 2 high and can be passed, d4 is 1 high and can't: out on its top, and no further.
    state = plain("b4", board="b4:1 c4:2 d4:1 e4:2 f4:1 h8:1")
    assert moves(state, "b4") & words("d4 e4 f4 g4") == {"d4"}


@statement("A67", "So it comes out on its own level or a lower one")
def test_out_on_the_same_level_or_lower():
    assert "e4" in moves(plain("b4", board="b4:1 c4:2 d4:2 e4:1 h8:1"), "b4")
    assert "e4" in moves(plain("b4", board="b4:1 c4:2 d4:2 h8:1"), "b4")  # the ground
    # From the ground, the tops of c4 and d4 are higher: only the step onto c4, and the far side.
    assert moves(plain("b4", board="c4:1 d4:1 h8:1"), "b4") & words("c4 d4 e4") == words("c4 e4")
