"""The French and Dutch digest of Torres, first part: aim, material, setup. Presets ``digest``, ``digest_master`` follow it."""

import pytest
from positions import CARDS, START, at, castles, groups, heights, last_turn, legal, new_game, only, play, points, scored
from statements import statement, without_meaning

from torres_env import TorresState


# ----------------------------------------------------------------------------------------------------------- aim
@statement("B1", "Points come from knights high up in large castles, in three phases")
def test_high_in_large_castles():
    board = "c3:1 d3:2 e3:1 g6:1 g7:1 h1:1"
    assert points(scored(board, "d3", "c3", king="h1", rules="digest")) == [6, 3]  # higher
    assert points(scored(board, "c3", "g6", king="h1", rules="digest")) == [3, 2]  # larger
    state, phases = new_game(2, "digest"), set()
    while not state.is_terminal():
        now = state.position()
        phases.add(now["phase"])
        play(state, "K " + now["king"] if now["pending"] else "END")
    assert phases == {1, 2, 3}


@statement("B2", "Each phase ends with a scoring")
def test_each_phase_ends_with_a_scoring():
    board = "c3:1 d3:1 h1:1"
    for phase in (1, 2, 3):
        assert points(scored(board, "c3", "a8", king="h1", rules="digest", phase=phase)) == [2, 0]
    assert points(play(at(board, "c3", "a8", king="h1", rules="digest", to_move=1), "END")) == [0, 0]


@statement("B3", "A knight scores its height times the ground of its castle")
def test_height_times_ground():
    assert points(scored("c3:3 d3:1 e3:1 f3:1 h1:1", "c3", "a8", king="h1", rules="digest")) == [12, 0]


@statement("B4", "Knights on the right level of the king's castle bring a bonus")
def test_kings_bonus():
    board = "c3:1 d3:1 e3:2"
    assert points(scored(board, "d3", "e3", king="c3", rules="digest")) == [3 + 5, 6]


@statement("B5", "Most points after the third phase win")
def test_most_points_win():
    state = play(last_turn("c3:1 h1:1", "a1", "a8", king="h1", rules="digest", phase=3, scores=[40, 41]), "END")
    assert groups(state) == [[1], [0]] and state.returns().tolist() == [-1, 1]


# ------------------------------------------------------------------------------------------------------ material
without_meaning("B6", "Parts of wood and cardboard", "about the material")


@statement("B7", "A board of eight by eight cells, with a score track around it")
def test_board():
    state = TorresState(2, "digest")
    assert len(state.position()["height"]) == 64 and points(state) == [0, 0]
    corners = at("d4:1", "a1", "h8", king="d4", rules="digest")
    assert only(corners, "M") == {"a1 a2", "a1 b1"}
    assert only(play(corners, "END"), "M") == {"h8 h7", "h8 g8"}


@statement("B8", "92 blocks")
def test_blocks():
    position = new_game(4, "digest").position()
    # Four players: 8 blocks each in phase 1 and 6 in each of the two others.
    assert sum(position["height"]) + position["supply"] + 4 * (8 + 6 + 6) == 92


@statement("B9", "24 knights, six of each colour")
def test_knights():
    rows = [" ".join(f"{column}{row}" for column in "abcdef") for row in (1, 2, 3, 4)]
    at("h8:1", *rows, king="h8", rules="digest")
    with pytest.raises(ValueError, match="knights: player_2 has 7, but at most 6 are possible"):
        at("h8:1", rows[0], rows[1], rows[2] + " g3", rows[3], king="h8", rules="digest")


@statement("B10", "One king")
def test_one_king():
    state = new_game(2, "digest")
    assert state.position()["king"] in START and only(state, "K") == set()


@statement("B11", "40 action cards, ten a player")
def test_action_cards():
    decks = TorresState(4, "digest").position()["decks"]
    assert [sorted(deck) for deck in decks] == [sorted(CARDS)] * 4


without_meaning("B12", "Four cards with the rules and the phases on them", "an aid for people")


@statement("B13", "Four score markers in the players' colours")
def test_score_markers():
    assert [len(TorresState(players, "digest").scores()) for players in (2, 3, 4)] == [2, 3, 4]


@statement("B14", "A marker of the first player (it does not say whether it wanders: it stays)", "reading")
def test_first_player():
    state = new_game(3, "digest")
    for _ in range(2):
        assert state.current_player() == state.position()["start_player"] == 0
        play(state, "END", "END", "END")


# --------------------------------------------------------------------------------------------------------- setup
without_meaning("B15", "The board lies in the middle of the table", "about the table")


@statement(
    "B16", "Blocks are shared out over the phases by a table (not in the text), in equal stacks for all", "published"
)
def test_equal_stacks():
    for players, stacks in ((2, [3, 3, 3, 3]), (3, [3, 3, 2, 2]), (4, [2, 2, 2, 2])):
        position = new_game(players, "digest").position()
        assert position["stacks"][1:] == [stacks] * (players - 1)
        assert [position["turn_stack"], *position["stacks"][0]] == stacks


@statement("B17", "Eight starting blocks stand on the cells foreseen (which ones is not said)", "published")
def test_starting_blocks():
    assert TorresState(3, "digest").position()["height"] == heights(castles(*START))


@statement(
    "B18", "The king stands on one of those castles (who puts him there is not said: drawn by chance)", "reading"
)
def test_the_king_is_placed():
    kings = {TorresState(2, "digest", seed).position()["king"] for seed in range(100)}
    assert kings == set(START)
    state = TorresState(2, "digest")
    assert only(state, "N") == set(START) - {state.position()["king"]}


@statement("B19", "Everybody chooses a colour, starts with 0 points, and gets knights and cards")
def test_what_everybody_gets():
    state = TorresState(4, "digest")
    assert points(state) == [0, 0, 0, 0]
    assert [len(deck) for deck in state.position()["decks"]] == [10] * 4
    for seat in range(4):
        assert state.current_player() == seat  # a knight of its own
        play(state, sorted(legal(state))[0])
    assert [len(own) for own in state.position()["knights"]] == [1, 1, 1, 1]


@statement("B20", "The own cards are shuffled and lie face down")
def test_decks_are_hidden():
    assert len({tuple(TorresState(2, "digest", seed).position()["decks"][0]) for seed in range(20)}) > 15
    assert TorresState(2, "digest").position(0)["decks"] == [["?"] * 10, ["?"] * 10]
