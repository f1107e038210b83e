"""The French and Dutch digest of Torres, second part: turns, scoring, variants. ``digest``, ``digest_master`` follow it."""

import numpy as np
from positions import CARDS, START, at, groups, last_turn, legal, moves, new_game, only, play, points, scored, words
from statements import statement, without_meaning

from torres_env import TorresBatch, TorresState
from torres_env.observation import PLANES


def plain(knights, other="h1", *, board="h8:1", king="h8", rules="digest", **more):
    """Seat 0's turn; the king stands aside."""
    return at(board, knights, other, king=king, rules=rules, **more)


# --------------------------------------------------------------------------------------------------------- turns
@statement("B21", "Three phases of several rounds, how many depends on the number of players")
def test_phases_and_rounds():
    for players, expected in ((2, [4, 4, 4]), (3, [4, 3, 3]), (4, [4, 3, 3])):
        state, rounds = new_game(players, "digest"), set()
        while not state.is_terminal():
            now = state.position()
            rounds.add((now["phase"], now["round"]))
            play(state, "K " + now["king"] if now["pending"] else "END")
        assert [sum(phase == which for phase, _ in rounds) for which in (1, 2, 3)] == expected


@statement("B22", "A turn always has 5 action points")
def test_five_action_points():
    state = new_game(2, "digest")
    for _ in range(4):
        assert state.position()["ap"] == 5
        play(state, "END")


@statement("B23", "They are shared out freely among the actions")
def test_points_are_shared_out_freely():
    state = plain("b3 a8", board="c3:1 d3:1 h8:1", decks=[["jump"], []])
    for order in (["B d4", "M a8 a7", "N c3"], ["N c3", "M a8 a7", "B d4"]):
        trial = play(state.clone(), *order)
        assert trial.position()["ap"] == 1 and {"BUY", "B c4", "M a7 a8"} <= legal(trial)


@statement("B24", "A knight enters on level 1 beside an own knight, for 2 points")
def test_entering():
    # Beside d4 (ground): c4 is 1 high, d3 is 2, e4 and d5 are ground.
    state = plain("d4", board="c4:1 d3:2 c3:1 h8:1")
    assert only(state, "N") == {"c4"}
    assert play(state, "N c4").position()["ap"] == 3
    assert only(plain("d4", board="c4:1 h8:1", ap=1), "N") == set()


@statement("B25", "A move goes one cell along a row or column and costs 1 point")
def test_moves():
    state = plain("d4")
    assert moves(state, "d4") == words("c4 e4 d3 d5")
    assert play(state, "M d4 d5").position()["ap"] == 4


@statement("B26", "A step climbs one level at most")
def test_climbing():
    board = "c4:1 b4:1 d3:2 e4:3 h8:1 d4:1 e3:1"
    assert moves(plain("d4", board=board), "d4") & words("c4 d3 e4") == words("c4 d3")


@statement("B27", "Down is unlimited")
def test_going_down():
    assert words("b3 d3") <= moves(plain("c3", board="c3:3 d3:1 e3:1 h8:1"), "c3")  # 3 and 2 levels


@statement("B28", "A block costs 1 point")
def test_a_block_costs_1():
    state = plain("a1", board="c3:1 h8:1")
    assert play(state, "B b3").position()["ap"] == 4
    assert play(state, "B c4").position()["ap"] == 3


@statement("B29", "To draw an action card costs 1 point")
def test_a_card_costs_1():
    state = play(plain("a1", decks=[["jump", "door"], []]), "BUY")
    assert state.position()["ap"] == 4 and state.position()["hands"][0] == ["jump"]
    assert play(state, "BUY").position()["hands"][0] == ["jump", "door"]  # as often as points last


@statement(
    "B30",
    "Through the doors of one castle, around corners and below ground, for 1 point (read: on one level)",
    "reading",
)
def test_doors():
    board = "c4:1 d4:1 d5:1 f7:1 h8:1"
    state = plain("b4", board=board)
    assert words("d6 e5 e4 c3 c5 d3") <= moves(state, "b4")  # every door of the castle, also around the corner
    assert moves(state, "b4") & words("f6 e7 g7 f8") == set()  # another castle
    assert play(state, "M b4 d6").position()["ap"] == 4


@statement("B31", "A block never joins two castles")
def test_castles_never_join():
    state = plain("a1", board="c3:1 e3:1 h8:1")
    assert "d3" not in only(state, "B") and words("b3 f3") <= only(state, "B")


@statement("B32", "A castle is never higher than it has cells on the ground")
def test_height_limit():
    assert "c3" not in only(plain("a1", board="c3:2 d3:1 h8:1"), "B")
    assert "c3" in only(plain("a1", board="c3:2 d3:1 e3:1 h8:1"), "B")
    batch = TorresBatch(32, rules="digest", seed=3)
    height, area = (PLANES[name].start * 64 + np.arange(64) for name in ("height", "area"))
    for _ in range(300):
        batch.step(batch.sample_actions())
        assert (batch.observation[:, height] <= batch.observation[:, area]).all()
    assert batch.observation[:, height].max() > 1


@statement("B33", "A turn allows one action card, and it is free")
def test_one_free_card():
    state = play(plain("a1", hands=[["ap6", "extra"], []], board="c3:1 h8:1"), "PLAY extra", "B b3")
    assert state.position()["ap"] == 5 and not any(text.startswith("PLAY") for text in legal(state))


@statement("B34", "With the action points spent it is the next player's turn")
def test_spent_points_end_the_turn():
    state = play(plain("a1", hands=[["extra"], []], board="c3:1 h8:1"), "B b3", "B c4", "B c2")
    assert state.current_player() == 0
    assert play(state, "M a1 a2", "M a2 a3").current_player() == 1  # with a card in hand all the same


# ------------------------------------------------------------------------------------------------------- scoring
@statement(
    "B35",
    "The phase ends when all have placed their blocks (read: had their turns, with blocks placed or not)",
    "reading",
)
def test_end_of_a_phase():
    state = last_turn("c3:1 h8:1", "c3", "a1", king="h8", rules="digest", turn_stack=3)
    assert state.position()["phase"] == 1
    play(state, "END")
    assert points(state) == [1, 0] and state.position()["turn_stack"] == 0
    assert state.position()["supply"] == 15  # 12 and the three that were not placed
    assert play(state, "K h8").position()["phase"] == 2


@statement("B36", "Every knight on the board scores its level times the ground of its castle")
def test_every_knight_scores():
    board = "c3:1 d3:2 e3:1 g6:1 h1:1"
    assert points(scored(board, "c3 d3 g6 a8", "a1", king="h1", rules="digest")) == [3 + 6 + 1 + 0, 0]


@statement("B37", "Several knights in one castle score each for itself")
def test_knights_of_one_castle():
    assert points(scored("c3:1 d3:1 e3:1 h1:1", "c3 d3", "e3", king="h1", rules="digest")) == [6, 3]


@statement("B38", "The bonus is for a knight on the king's level in the king's castle")
def test_the_kings_level():
    board = "c3:2 d3:2 e3:1 g6:2 g7:1"
    assert points(scored(board, "d3", "e3", king="c3", rules="digest")) == [6 + 5, 3]
    assert points(scored(board, "g6", "e3", king="c3", rules="digest")) == [4, 3]  # another castle


@statement("B39", "It is 5, 10, 15 points in phases 1, 2, 3, fixed (read: once for a player)", "reading")
def test_size_of_the_bonus():
    board = "c3:1 d3:1 e3:1"
    for phase, bonus in ((1, 5), (2, 10), (3, 15)):
        assert points(scored(board, "d3", "h8", king="c3", rules="digest", phase=phase)) == [3 + bonus, 0]
        assert points(scored(board, "d3 e3", "h8", king="c3", rules="digest", phase=phase)) == [6 + bonus, 0]


@statement("B40", "The game ends with the third scoring")
def test_end_of_the_game():
    state = scored("c3:1 h8:1", "c3", "a1", king="h8", rules="digest", phase=3)
    assert state.is_terminal() and points(state) == [1, 0]
    assert not scored("c3:1 h8:1", "c3", "a1", king="h8", rules="digest", phase=2).is_terminal()


@statement("B41", "Most points on the track win")
def test_winner():
    state = scored("c3:1 h8:1", "c3", "a1", "a8", king="h8", rules="digest", phase=3, scores=[7, 9, 4])
    assert groups(state) == [[1], [0], [2]]


@statement("B42", "A tie is won by more action cards left (read: in hand)", "reading")
def test_ties():
    def end(hands, decks):
        return groups(
            scored("h8:1", "a1", "a8", king="h8", rules="digest", phase=3, scores=[9, 9], hands=hands, decks=decks)
        )

    assert end([[], ["jump"]], [[], []]) == [[1], [0]]
    assert end([["ap6", "door"], ["jump"]], [[], []]) == [[0], [1]]
    assert end([["ap6"], ["jump"]], [["door"], []]) == [[0, 1]]  # cards in the deck count nothing


# ----------------------------------------------------------------------------------------- mistakes often made
@statement("B43", "No tower is higher than its castle has cells: with 3 cells, 3 levels")
def test_three_cells_three_levels():
    state = play(plain("a1", board="c3:2 d3:2 e3:1 h8:1"), "B c3", "B d3")
    assert only(state, "B") & words("c3 d3 e3") == {"e3"}


@statement("B44", "Never place a block so that two castles hang together")
def test_no_block_between_castles():
    state = plain("a1", board="c3:1 c5:1 h8:1")
    assert "c4" not in only(state, "B")
    assert only(play(state, "B d5"), "B") & {"c4", "d4"} == {"d4"}  # beside d5 alone
    assert only(play(state, "B d3"), "B") & {"c4", "d4"} == set()


@statement("B45", "One level up for 1 point at most, but several down in one step")
def test_up_and_down():
    state = plain("c3", board="c3:3 d3:1 e3:1 h8:1")
    assert play(state, "M c3 c4").position()["ap"] == 4
    assert "c3" not in moves(state, "c4")  # back up: three levels


@statement("B46", "A new knight always stands on level 1, on an empty cell right beside an own knight")
def test_new_knights():
    board = "c4:1 d4:2 d5:1 e4:1 d3:2 h8:1"
    assert only(plain("d4", "d5", board=board), "N") == words("c4 e4")  # from level 2 down to 1; d3 is level 2
    assert only(plain("a1", board=board), "N") == set()


@statement("B47", "One action card a turn, also with several in hand")
def test_card_limit():
    state = play(plain("a1", hands=[["ap6", "ap7", "extra"], []]), "PLAY ap7")
    assert state.position()["ap"] == 7 and not any(text.startswith("PLAY") for text in legal(state))


# ------------------------------------------------------------------------------------------------------ variants
@statement("B48", "Master variant: everybody begins with all ten cards in hand", preset="digest_master")
def test_all_cards_in_hand():
    state = new_game(3, "digest_master")
    assert [sorted(hand) for hand in state.position()["hands"]] == [sorted(CARDS)] * 3
    assert "BUY" not in legal(state)


@statement("B49", "They are open", preset="digest_master")
def test_open_hands():
    state = new_game(2, "digest_master")
    assert all(state.position(seat)["hands"] == state.position()["hands"] for seat in (0, 1))
    assert new_game(2, "digest").position(0)["hands"] == [[], []]
    closed = plain("a1", hands=[["ap6"], ["jump"]])
    assert closed.position(0)["hands"] == [["ap6"], ["?"]]


@statement("B50", "That leaves nothing to chance (so the last player places the king)", "reading", "digest_master")
def test_no_chance():
    games = [TorresState(3, "digest_master", seed) for seed in range(20)]
    positions = [game.position() for game in games]
    assert all({**position, "rng": 0} == {**positions[0], "rng": 0} for position in positions)
    state = play(games[0], "N d1", "N c3", "N f3")
    assert state.current_player() == 2 and only(state, "K") == set(START) - words("d1 c3 f3")


without_meaning("B51", "Build not only upwards but also in area", "advice to players")
without_meaning("B52", "Watch where the king stands, for his bonus in each phase", "advice to players")
without_meaning("B53", "How to store the parts", "about the box")
