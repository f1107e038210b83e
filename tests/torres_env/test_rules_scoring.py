"""Scoring, the king, the starting player, the end and the ranking (Rules sections 4, 5 and 9)."""

import dataclasses

import pytest
from positions import NO_AP_POINTS, at, groups, last_turn, legal, new_game, only, play, points, scored, words

from torres_env import TorresRules
from torres_env.game import GAME
from tower_core.envs.rewards import Rewards

LOOSE = TorresRules(unspent_ap_scores=0, unique_scores=False)
EVERY = TorresRules(unspent_ap_scores=0, castle_scoring="every")
LEADER = TorresRules(unspent_ap_scores=0, start_player="leader")
LEFT = TorresRules(unspent_ap_scores=0, start_player="left")
BY_PLAYER = TorresRules(unspent_ap_scores=0, scoring_order="player")
LOOSE_LEADER = TorresRules(unspent_ap_scores=0, unique_scores=False, start_player="leader")

# ---- castles

# Castle of area 5 around d3, castle of area 2 at g6, the king alone on a8.
CASTLES = """
    1.......
    ......1.
    ......1.
    ........
    ..11....
    ..211...
    ........
    ........
"""


@pytest.mark.parametrize(
    ("rules", "own", "other", "expected"),
    [
        # Rules section 5, step 1. highest: 5*2 + 2*1; every: 5*2 + 5*1 + 2*1.
        (NO_AP_POINTS, "c3 d3 g6", "e3 h1", [12, 5]),
        (EVERY, "c3 d3 g6", "e3 h1", [17, 5]),
        # Two knights on the same level of one castle: once, or twice.
        (NO_AP_POINTS, "d3 e3", "h1", [5, 0]),
        (EVERY, "d3 e3", "h1", [10, 0]),
        # Two castles, each its own highest: 5*1 + 2*1 in both ways.
        (NO_AP_POINTS, "d4 g7", "h1", [7, 0]),
        (EVERY, "d4 g7", "h1", [7, 0]),
        # The ground counts nothing; a foreign higher knight does not matter.
        (NO_AP_POINTS, "b3 d3", "c3", [5, 10]),
        (NO_AP_POINTS, "b3 f6", "h1", [0, 0]),
    ],
)
@pytest.mark.parametrize("phase", [1, 2, 3])
def test_castle_scoring(rules, own, other, expected, phase):
    state = scored(CASTLES, own, other, king="a8", rules=rules, phase=phase)
    assert points(state) == expected


@pytest.mark.parametrize(
    ("board", "own", "expected"),
    [
        ("c3:1 d3:3 e3:1 a8:1", "c3", 3),  # Rules section 5: the level of the knight, not of the highest cell
        ("c3:1 d3:3 e3:3 a8:1", "d3", 9),  # Rules section 1: area is the number of cells: 3 * level 3
        ("c3:1 d4:1 a8:1", "c3 d4", 2),  # Rules section 1: orthogonally connected: two castles
    ],
)
def test_area_and_level(board, own, expected):
    assert points(scored(board, own, "h1", king="a8")) == [expected, 0]


# ---- king's bonus

# The king's castle has area 6 with levels 3 (c3), 2 (d3, e4) and 1; another castle on a7, a8.
KING = """
    1.......
    1.......
    ........
    ........
    ..112...
    ..321...
    ........
    ........
"""
KING_LEVEL = TorresRules(unspent_ap_scores=0, king_bonus="king_level")


@pytest.mark.parametrize(
    ("rules", "phase", "king", "own", "expected"),
    [
        # Rules section 5, step 2, phase_level: level exactly p, 5*p, once.
        (NO_AP_POINTS, 1, "e4", "e3", 6 * 1 + 5),
        (NO_AP_POINTS, 1, "e4", "d3", 6 * 2),
        (NO_AP_POINTS, 1, "e4", "d3 e3", 6 * 2 + 5),  # the lower knight is on level 1
        (NO_AP_POINTS, 1, "e4", "e3 d4", 6 * 1 + 5),
        (NO_AP_POINTS, 2, "e4", "e3", 6 * 1),
        (NO_AP_POINTS, 2, "e4", "d3", 6 * 2 + 10),
        (NO_AP_POINTS, 2, "c4", "c3", 6 * 3),
        (NO_AP_POINTS, 2, "c4", "c3 d3 e4", 6 * 3 + 10),
        (NO_AP_POINTS, 3, "e4", "c3", 6 * 3 + 15),
        (NO_AP_POINTS, 3, "c4", "d3", 6 * 2),
        # Another castle at the right level, or the ground beside the king: nothing.
        (NO_AP_POINTS, 1, "e4", "a7", 2),
        (NO_AP_POINTS, 1, "e4", "e5", 0),
        # king_level: the king's own level, in every phase 5*p.
        (KING_LEVEL, 1, "e4", "d3", 6 * 2 + 5),
        (KING_LEVEL, 1, "e4", "e3", 6 * 1),
        (KING_LEVEL, 2, "c4", "e3", 6 * 1 + 10),
        (KING_LEVEL, 2, "c4", "e3 d4", 6 * 1 + 10),  # once
        (KING_LEVEL, 2, "c4", "d3", 6 * 2),
        (KING_LEVEL, 3, "e4", "d3", 6 * 2 + 15),
        (KING_LEVEL, 3, "e4", "c3", 6 * 3),
        (KING_LEVEL, 3, "c3", "d3 e4 d4", 6 * 2),
        (KING_LEVEL, 3, "e4", "d3 c3", 6 * 3 + 15),
    ],
)
def test_kings_bonus(rules, phase, king, own, expected):
    assert points(scored(KING, own, "h1", king=king, rules=rules, phase=phase)) == [expected, 0]


def test_every_player_can_have_the_kings_bonus():
    # Rules section 5, step 2: once per player, not once per game. 6+5 and 6+5, unique: 12.
    assert points(scored(KING, "e3", "d4", king="e4")) == [11, 12]
    assert points(scored(KING, "e3", "d4", king="e4", rules=LOOSE)) == [11, 11]


def test_digest_scoring():
    # Rules section 7, digest: every knight, the king's own level (2), no AP points: 6*3 + 6*2 + 6*1 + 5.
    assert points(scored(KING, "c3 d3 e3", "h1", king="e4", rules="digest")) == [41, 0]


# ---- order of scoring and unique scores

# b2 is 3 high, the rest of the castle (area 5) 1: p0 on b2 scores 15, on c2 5; e2/f2 score 5. King on h8.
ROW = "b2:3 c2:1 d2:1 e2:1 f2:1 h8:1"


@pytest.mark.parametrize(
    ("rules", "start_player", "expected"),
    [
        # Rules section 5, phase 1: in turn order from the starting player of the round; both score 5.
        (NO_AP_POINTS, 0, [5, 6]),
        (LEADER, 1, [6, 5]),
        (LEFT, 1, [6, 5]),
        (LOOSE, 0, [5, 5]),
    ],
)
def test_phase_1_is_scored_in_turn_order(rules, start_player, expected):
    state = scored(ROW, "c2", "f2", king="h8", rules=rules, start_player=start_player)
    assert points(state) == expected


def test_three_players_in_turn_order():
    # Start player_1: player_1 5, player_2 6, player_0 7.
    state = scored(ROW, "c2", "d2", "f2", king="h8", rules=LEADER, start_player=1)
    assert points(state) == [7, 5, 6]


@pytest.mark.parametrize(
    ("phase", "scores", "expected"),
    [
        # p0 scores 15, p1 scores 5. Phase 1: p0 first (25), p1 25 -> 26.
        (1, [10, 20], [25, 26]),
        # Later phases: the highest score before the scoring first: p1 25, p0 25 -> 26.
        (2, [10, 20], [26, 25]),
        (3, [10, 20], [26, 25]),  # and phase 3 is scored before the game ends
    ],
)
def test_order_by_score_in_later_phases(phase, scores, expected):
    assert points(scored(ROW, "b2", "f2", king="h8", phase=phase, scores=scores)) == expected


def test_ties_in_later_phases_go_in_turn_order():
    # Both on 0, both score 5.
    assert points(scored(ROW, "c2", "f2", king="h8", phase=2)) == [5, 6]
    state = scored(ROW, "c2", "f2", king="h8", phase=2, rules=LEADER, start_player=1)
    assert points(state) == [6, 5]


def test_ap_points_come_before_the_scoring():
    # Rules section 5: "before this scoring" is after the AP points: p1 7 + 5 = 12 > 10 is scored first:
    # 12 + 3 = 15; then p0 10 + 5 = 15 -> 16.
    board = ROW + " f6:1 g6:1 f7:1"
    state = scored(board, "c2", "f6", king="h8", phase=2, rules="standard", scores=[10, 7])
    assert points(state) == [16, 15]


def test_marker_moves_on_past_occupied_numbers():
    # Rules section 5, unique_scores: 5 and 6 are taken by players who score nothing: 7.
    for others in ([5, 6], [6, 5]):
        assert points(scored(ROW, "c2", "b7", "c7", king="h8", scores=[0, *others])) == [7, *others]


def test_markers_of_players_still_to_be_scored_count():
    # p0 0 + 5 -> 6 (p1 stands on 5); then p1 5 + 1 = 6 -> 7.
    state = scored(ROW + " g6:1", "c2", "g6", king="h8", scores=[0, 5])
    assert points(state) == [6, 7]


@pytest.mark.parametrize(("rules", "expected"), [(NO_AP_POINTS, [11, 5]), (BY_PLAYER, [10, 5])])
def test_where_markers_rest_between_castles_and_king(rules, expected):
    # Rules section 5. steps: 5 is taken, so 6, then 6 + 5. player: steps 1 and 2 together, 5 + 5.
    assert points(scored(ROW, "c2", "b7", king="d2", scores=[0, 5], rules=rules)) == expected


def test_several_castles_are_one_step():
    # 5 + 1 = 6 with 5 taken: no stop in between.
    state = scored(ROW + " g6:1", "c2 g6", "b7", king="h8", scores=[0, 5])
    assert points(state) == [6, 5]


@pytest.mark.parametrize(("rules", "expected"), [(NO_AP_POINTS, [12, 11]), (BY_PLAYER, [11, 12])])
def test_a_step_is_done_for_all_before_the_next(rules, expected):
    # Phase 1, king on d2. p0: a5 on the border, 2 and 2 once more. p1: f2, castle 5, bonus 5.
    # steps: p1 1 + 5 = 6, p1 6 + 5 = 11, p0 7 + 4 = 11 -> 12. player: p0 7 + 4 = 11, p1 1 + 10 = 11 -> 12.
    rules = dataclasses.replace(rules, master_card=True)
    state = scored(ROW, "a5", "f2", king="d2", rules=rules, master_card="border", scores=[7, 1])
    assert points(state) == expected


@pytest.mark.parametrize("rules", [NO_AP_POINTS, BY_PLAYER])
def test_a_step_that_gives_nothing_moves_nobody(rules):
    # Nobody scores, and a position may have two markers on one number: they stay.
    assert points(scored(ROW, "b7", "c7", "d7", king="h8", scores=[5, 5, 6], rules=rules)) == [5, 5, 6]
    # p0 comes to 5 by the castle and moves on past both; p1's missing bonus moves nobody.
    assert points(scored(ROW, "c2", "b7", "c7", king="h8", scores=[0, 5, 5], rules=rules)) == [6, 5, 5]


# The king's castle on g6, h6, h7 is 3 high everywhere: a knight there scores 3 * 3 = 9, and in phase 3 the bonus of 15.
# The other castle has area 5 and b2 is 5 high: 5 * 5 = 25.
DECIDED = "b2:5 c2:1 d2:1 e2:1 f2:1 g6:3 h6:3 h7:3"


@pytest.mark.parametrize(
    ("order", "expected", "winner"),
    [
        # p0 has more and is first. Castles: p0 30 + 9 = 39, p1 29 + 25 = 54. Bonus: p0 39 + 15 = 54 -> 55.
        ("steps", [55, 54], 0),
        # p0 30 + 9 + 15 = 54; p1 29 + 25 = 54 -> 55.
        ("player", [54, 55], 1),
    ],
)
def test_order_of_steps_decides_for_the_first(order, expected, winner):
    rules = TorresRules(unspent_ap_scores=0, scoring_order=order)
    state = scored(DECIDED, "g6", "b2", king="h7", phase=3, rules=rules, scores=[30, 29])
    assert state.is_terminal() and points(state) == expected
    assert groups(state)[0] == [winner]


@pytest.mark.parametrize(
    ("order", "expected", "winner"),
    [
        # Order: p2, p0, p1. Castles: p2 none; p0 42 + 9 = 51; p1 41 + 9 = 50 -> 51 -> 52. Bonus: p0 66, p1 67.
        ("steps", [66, 67, 50], 1),
        # p0 42 + 24 = 66; p1 41 + 24 = 65: it passes both others without a stop.
        ("player", [66, 65, 50], 0),
    ],
)
def test_order_of_steps_decides_for_the_second(order, expected, winner):
    rules = TorresRules(unspent_ap_scores=0, scoring_order=order)
    state = scored(DECIDED, "g6", "h6", "a1", king="h7", phase=3, rules=rules, scores=[42, 41, 50])
    assert state.is_terminal() and points(state) == expected
    assert groups(state)[0] == [winner]


def test_master_card_is_a_step_of_its_own():
    # Rules section 5, step 3: 5 -> 6 (taken); border: one knight 2, strictly the most 2: 10.
    rules = TorresRules(unspent_ap_scores=0, master_card=True)
    state = scored(ROW, "c2 a5", "b7", king="h8", rules=rules, master_card="border", scores=[0, 5])
    assert points(state) == [10, 5]
    # After step 3 too: 0 + 4 = 4 is taken.
    state = scored(ROW, "a5", "b7", king="h8", rules=rules, master_card="border", scores=[0, 4])
    assert points(state) == [5, 4]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [([0, 5], [6, 5]), ([0, 4], [5, 4]), ([10, 15], [16, 15]), ([0, 0], [5, 0])],
)
def test_ap_points_are_unique(scores, expected):
    # Rules section 5, unique_scores: after the AP points of a turn (5 here).
    assert points(play(at(ROW, "c2", "f2", king="h8", scores=scores), "END")) == expected


def test_shared_numbers():
    # Rules section 5, unique_scores: a space other than 0; not in digest.
    assert points(scored(ROW, "b7", "c7", "d7", king="h8")) == [0, 0, 0]
    assert points(scored(ROW, "c2", "f2", king="h8", rules="digest")) == [5, 5]


# ---- the king between the phases


@pytest.mark.parametrize("phase", [1, 2])
@pytest.mark.parametrize(
    ("scores", "start_player", "mover"),
    [
        # Rules section 5: the fewest points; ties: the last of them in turn order.
        ([3, 7], 0, 0),
        ([7, 3], 0, 1),
        ([0, 0], 0, 1),
        ([0, 0], 1, 0),
        ([0, 0, 5], 0, 1),
        ([0, 5, 0], 0, 2),
        ([5, 0, 0], 2, 1),  # turn order 2, 0, 1
        ([0, 5, 0], 2, 0),
        ([0, 0, 0, 0], 1, 0),
        ([4, 9, 2, 7], 0, 2),
    ],
)
def test_who_moves_the_king(phase, scores, start_player, mover):
    knights = ["b7", "c7", "d7", "e7"][: len(scores)]
    more = {"phase": phase, "rules": LEADER, "scores": scores, "start_player": start_player}
    state = scored(ROW, *knights, king="h8", **more)
    assert state.current_player() == mover
    assert points(state) == scores
    position = state.position()
    assert position["pending"]["kind"] == "king" and position["to_move"] == mover
    assert (position["phase"], position["ap"], position["turn_stack"]) == (phase, 0, 0)
    assert [list(s) for s in position["stacks"]] == [[] for _ in scores]
    assert {text.split()[0] for text in legal(state)} == {"K"}


def test_where_the_king_may_go():
    # The fewest points after the scoring: p0 3 + 5 = 8 > 4, the king goes to p1.
    assert scored(ROW, "c2", "b7", king="h8", scores=[3, 4]).current_player() == 1
    # Rules section 5: any unoccupied castle block; K on its own cell leaves it there.
    state = scored("c3:1 d3:2 e3:1 f6:1", "c3", "b7", king="f6")
    assert only(state, "K") == words("d3 e3 f6") and legal(state) == {"K d3", "K e3", "K f6"}


@pytest.mark.parametrize("target", ["d3", "f6"])
def test_next_phase(target):
    # Rules section 4: then the next phase with new stacks; player_0 starts (fixed).
    state = play(scored("c3:1 d3:2 e3:1 f6:1", "c3", "b7", king="f6", supply=14), "K " + target)
    position = state.position()
    assert position["king"] == target and position["pending"] is None
    assert (position["phase"], position["round"], position["to_move"], position["ap"]) == (2, 1, 0, 5)
    assert position["turn_stack"] == 3 and position["supply"] == 14
    assert [list(s) for s in position["stacks"]] == [[3, 3, 3], [3, 3, 3, 3]]


@pytest.mark.parametrize(
    ("n", "phase", "turn_stack", "first", "others"),
    [
        (3, 1, 3, [3, 2], [3, 3, 2]),
        (3, 2, 3, [3, 2], [3, 3, 2]),
        (4, 1, 2, [2, 2], [2, 2, 2]),
        (4, 2, 2, [2, 2], [2, 2, 2]),
    ],
)
def test_stacks_of_later_phases(n, phase, turn_stack, first, others):
    # Rules section 2, table, phases 2 and 3.
    state = play(scored(ROW, *["b7", "c7", "d7", "e7"][:n], king="h8", phase=phase), "K h8")
    position = state.position()
    assert position["phase"] == phase + 1 and position["turn_stack"] == turn_stack
    assert [list(s) for s in position["stacks"]] == [first] + [others] * (n - 1)


# ---- starting player


@pytest.mark.parametrize(
    ("rules", "scores", "start_player", "next_start"),
    [
        # Rules section 4, leader: the most points at that moment.
        (LEADER, [3, 8], 0, 1),
        (LEADER, [8, 3], 1, 0),
        (LEADER, [1, 2, 3], 0, 2),
        # Ties: the first of them clockwise from the previous starting player, that player included.
        (LEADER, [0, 0], 1, 1),
        (LEADER, [0, 0], 0, 0),
        (LOOSE_LEADER, [7, 7, 3], 2, 0),
        (LOOSE_LEADER, [7, 7, 3], 1, 1),
        (LOOSE_LEADER, [7, 3, 7], 1, 2),
        (LOOSE_LEADER, [3, 7, 7], 0, 1),
        # fixed: always player_0.
        (NO_AP_POINTS, [3, 8], 0, 0),
        # left: the next one clockwise, whatever the points.
        (LEFT, [8, 3], 0, 1),
        (LEFT, [3, 8], 1, 0),
        (LEFT, [1, 2, 3], 1, 2),
        (LEFT, [1, 2, 3], 2, 0),
    ],
)
def test_next_start_player(rules, scores, start_player, next_start):
    n = len(scores)
    knights = ["b7", "c7", "d7"][:n]
    last = (start_player - 1) % n
    more = {"rules": rules, "scores": scores, "start_player": start_player, "to_move": last}
    state = play(at(ROW, *knights, king="h8", round=2, **more), "END")
    position = state.position()
    assert (position["round"], position["to_move"], position["start_player"]) == (3, next_start, next_start)
    for k in range(1, n):  # clockwise from there
        play(state, "END")
        assert state.current_player() == (next_start + k) % n and state.position()["round"] == 3


def test_leader_counts_the_ap_points_of_the_last_turn():
    # "at that moment": p1 3 + 5 = 8 > 4.
    rules = TorresRules(start_player="leader")
    assert play(at(ROW, "c2", "f2", king="h8", rules=rules, scores=[4, 3], to_move=1), "END").current_player() == 1


def test_leader_starts_the_next_phase():
    # Rules section 4: every round but the game's first. p0 has fewer points, moves the king; p1 starts.
    state = scored(ROW, "b7", "c7", king="h8", rules=LEADER, scores=[3, 8])
    assert state.current_player() == 0
    play(state, "K h8")
    position = state.position()
    assert (position["phase"], position["round"], position["to_move"], position["start_player"]) == (2, 1, 1, 1)
    assert [list(s) for s in position["stacks"]] == [[3, 3, 3, 3], [3, 3, 3]]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_left_goes_on_through_the_phases(players):
    # Rules section 4: the game's first round is player_0's, and the round after k others that of seat k mod n.
    state, starts = new_game(players, TorresRules(start_player="left")), []
    while not state.is_terminal():
        position = state.position()
        if position["pending"]:
            play(state, "K " + position["king"])
            continue
        if len(starts) == 0 or starts[-1][:2] != (position["phase"], position["round"]):
            starts.append((position["phase"], position["round"], state.current_player()))
            assert position["start_player"] == state.current_player()
        play(state, "END")
    assert len(starts) == {2: 12, 3: 10, 4: 10}[players]
    assert [seat for _, _, seat in starts] == [k % players for k in range(len(starts))]


# ---- end and ranking


@pytest.mark.parametrize(
    ("scores", "hands", "ranking", "returns"),
    [
        # Rules sections 5 and 9: points, then action cards in hand, then shared.
        ([30, 20], [0, 0], [[0], [1]], [1, -1]),
        ([20, 30], [0, 0], [[1], [0]], [-1, 1]),
        ([20, 20], [0, 0], [[0, 1]], [0, 0]),
        ([20, 20], [1, 2], [[1], [0]], [-1, 1]),
        ([20, 20], [2, 2], [[0, 1]], [0, 0]),
        ([21, 20], [0, 3], [[0], [1]], [1, -1]),
        ([30, 20, 10], [0, 0, 0], [[0], [1], [2]], [1, 0, -1]),
        ([30, 30, 10], [0, 0, 0], [[0, 1], [2]], [0.5, 0.5, -1]),
        ([10, 30, 10], [0, 0, 0], [[1], [0, 2]], [-0.5, 1, -0.5]),
        ([10, 30, 10], [1, 0, 0], [[1], [0], [2]], [0, 1, -1]),
        ([5, 5, 5], [0, 0, 0], [[0, 1, 2]], [0, 0, 0]),
        ([40, 30, 20, 10], [0, 0, 0, 0], [[0], [1], [2], [3]], [1, 1 / 3, -1 / 3, -1]),
        ([10, 20, 20, 40], [0, 0, 0, 0], [[3], [1, 2], [0]], [-1, 0, 0, 1]),
        ([9, 9, 9, 1], [0, 0, 0, 0], [[0, 1, 2], [3]], [1 / 3, 1 / 3, 1 / 3, -1]),
    ],
)
def test_end_of_the_game(scores, hands, ranking, returns):
    knights = ["b7", "c7", "d7", "e7"][: len(scores)]
    cards = [["ap6", "ap7", "jump"][:k] for k in hands]
    state = scored(ROW, *knights, king="h8", phase=3, rules=LOOSE, scores=scores, hands=cards)
    assert state.is_terminal() and state.current_player() == -4
    assert state.position()["to_move"] is None and legal(state) == set()
    assert points(state) == scores
    assert groups(state) == ranking
    assert [float(x) for x in state.returns()] == pytest.approx(returns)
    assert Rewards(GAME, "outcome").pay(state) == pytest.approx(returns, abs=1e-5)  # what the kernel pays


def test_only_cards_in_hand_break_ties():
    # Rules section 5, End: neither the deck nor the discard pile.
    more = {"decks": [["ap6", "ap7"], []], "discards": [["jump"], []], "hands": [[], ["door"]]}
    state = scored(ROW, "b7", "c7", king="h8", phase=3, rules=LOOSE, **more)
    assert groups(state) == [[1], [0]]


def test_last_turn_is_a_turn():
    # The last player may still build: area 6, p1 on f2 scores 6.
    state = play(last_turn(ROW, "b7", "f2", king="h8", turn_stack=1), "B g2", "END")
    assert points(state) == [0, 6]
