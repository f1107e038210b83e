"""The ten action cards (Rules section 6)."""

import pytest
from positions import at, height, legal, only, play, words

from torres_env import TorresRules

BASE = "c3:1 d3:1 f6:1"  # p0 on c3, p1 on d3, the king on f6
BASE_BLOCKS = words("b3 c2 c4 d2 d4 e3 e6 g6 f5 f7")


def card(name, board, *knights, king, hand=(), **more):
    """p0 holds the card (and `hand`)."""
    return at(board, *knights, king=king, hands=[[name, *hand], *[[] for _ in knights[1:]]], **more)


def can_play(state) -> bool:
    return bool(only(state, "PLAY"))


def test_cards_lie_on_the_discard_pile_at_once():
    # Rules section 3, Play: before what follows; interfaces.md: pending has the card's name as kind.
    state = play(card("extra", BASE, "c3", "d3", king="f6", discards=[["door"], []]), "PLAY extra")
    position = state.position()
    assert list(position["discards"][0]) == ["door", "extra"] and list(position["hands"][0]) == []
    assert position["pending"]["kind"] == "extra" and position["ap"] == 5
    assert {text.split()[0] for text in legal(state)} == {"B"}  # no END, no M, no BUY


# ---------------------------------------------------------------- ap6, ap7


@pytest.mark.parametrize(("name", "gain"), [("ap6", 1), ("ap7", 2)])
@pytest.mark.parametrize("ap", [0, 1, 5])
def test_extra_action_points(name, gain, ap):
    state = play(card(name, BASE, "c3", "d3", king="f6", ap=ap), "PLAY " + name)
    assert state.position()["ap"] == ap + gain and state.position()["pending"] is None
    assert play(state, "END").position()["ap"] == 5  # this turn only


# ---------------------------------------------------------------- jump

# c3 2, c4 1, d3 3, d2 1: area 4.
JUMP = "c3:2 c4:1 d3:3 d2:1 g7:1"


@pytest.mark.parametrize(
    ("own", "other", "king", "expected"),
    [
        # Exactly 2 higher: c2 (0) -> c3 (2), d2 (1) -> d3 (3). Not c4 -> c3 (1 higher), not e3 -> d3 (3 higher).
        ("c2 c4 e3 d2", "h8", "g7", "c2 c3|d2 d3"),
        ("c2 c4 e3 d2", "c3", "g7", "d2 d3"),
        ("c2 c4 e3 d2", "h8", "d3", "c2 c3"),
        ("c2 c4 e3 d2", "c3", "d3", ""),  # unoccupied cells only
        ("c4 e3 h1", "h8", "g7", ""),
        ("b3 c4", "h8", "g7", "b3 c3"),
        ("b2 d4", "h8", "g7", ""),  # b2 touches c3 diagonally; d4 (0) to d3 is 3, to c4 is 1
        ("c3", "h8", "g7", ""),  # not downwards
    ],
)
def test_jump(own, other, king, expected):
    state = card("jump", JUMP, own, other, king=king)
    assert can_play(state) is bool(expected)
    if expected:
        play(state, "PLAY jump")
        assert legal(state) == {"M " + text for text in expected.split("|")}


def test_jump_is_free():
    state = play(card("jump", JUMP, "c2", "h8", king="g7", ap=0), "PLAY jump", "M c2 c3")
    # 0 AP left and nothing to play: the turn is over.
    assert state.current_player() == 1 and list(state.position()["knights"][0]) == ["c3"]
    state = play(card("jump", JUMP, "c2 h1", "h8", king="g7"), "PLAY jump", "M c2 c3")
    assert state.position()["ap"] == 5 and list(state.position()["knights"][0]) == ["c3", "h1"]
    assert state.position()["pending"] is None


# ---------------------------------------------------------------- diagonal

# One castle of area 6 with c3 1, d3 1, d4 2, b3 1, b4 3, d2 1.
DIAGONAL = "c3:1 d3:1 d4:2 b3:1 b4:3 d2:1 g7:1"


@pytest.mark.parametrize(
    ("own", "other", "king", "expected"),
    [
        # c3 (1): b2 down, d2 level, d4 up 1; b4 is 2 higher. a1: b2. h8: only g7, where the king stands.
        ("c3 a1 h8", "h1", "g7", "c3 b2|c3 d2|c3 d4|a1 b2"),
        ("c3", "d2", "d4", "c3 b2"),
        ("a8 h8", "b7", "g7", ""),
        ("b4", "h1", "g7", "b4 a3|b4 c3|b4 a5|b4 c5"),  # down 2 and 3
        ("h4", "h1", "g7", "h4 g3|h4 g5"),  # rows do not wrap around
    ],
)
def test_diagonal(own, other, king, expected):
    state = card("diagonal", DIAGONAL, own, other, king=king)
    assert can_play(state) is bool(expected)
    if expected:
        play(state, "PLAY diagonal")
        assert legal(state) == {"M " + text for text in expected.split("|")}


def test_diagonal_is_free():
    state = play(card("diagonal", DIAGONAL, "c3", "h1", king="g7"), "PLAY diagonal", "M c3 d4")
    assert state.position()["ap"] == 5 and list(state.position()["knights"][0]) == ["d4"]


# ---------------------------------------------------------------- door

DOOR_ROW = "b3:1 c3:2 d3:1 e3:2 f3:1 g7:1"


@pytest.mark.parametrize("doors", ["connected", "straight", "descending"])
@pytest.mark.parametrize(
    ("board", "own", "other", "king", "expected"),
    [
        # In by c3 (2 >= 1 + 1). Out where a neighbour in the castle is higher than the cell: d3, f3 and the ground
        # around; not c3, e3 (nothing higher beside) and not b3 itself.
        (DOOR_ROW, "b3", "h8", "g7", "d3 f3 a3 b2 b4 c2 c4 d2 d4 e2 e4 f2 f4 g3"),
        (DOOR_ROW, "b3", "f3 g3", "d3", "a3 b2 b4 c2 c4 d2 d4 e2 e4 f2 f4"),
        # From the ground b3 (1) is an entry; out on level 1 too, whatever the level inside.
        (DOOR_ROW, "a3", "h8", "g7", "b3 d3 f3 b2 b4 c2 c4 d2 d4 e2 e4 f2 f4 g3"),
        # From a top no neighbour is higher: no entry.
        (DOOR_ROW, "c3", "h8", "g7", ""),
        # Between two castles either can be entered; exits belong to the castle entered.
        ("c3:1 d3:2 f3:1 h6:1", "e3", "h8", "h6", "b3 c3 c2 c4 d2 d4 f2 f4 g3"),
        # b3 can enter the castle of c3 only: the doors of e3 further on stay closed.
        ("c3:1 e3:1 h6:1", "b3", "h8", "h6", "c2 c4 d3"),
        # Pieces inside do not matter, a foreign knight on the only higher neighbour neither.
        ("c3:2 d3:1 h6:1", "b3", "c3", "h6", "c2 c4 d3 d2 d4 e3"),
        ("c3:2 d3:2 h6:1", "c3", "h8", "h6", ""),  # an entry must be higher
        ("h6:1", "a1", "h8", "h6", ""),
    ],
)
def test_door(board, own, other, king, expected, doors):
    state = card("door", board, own, other, king=king, rules=TorresRules(doors=doors))
    assert can_play(state) is bool(expected)
    if expected:
        play(state, "PLAY door")
        assert only(state, "M") == {f"{own} {target}" for target in expected.split()}
        assert legal(state) == {"M " + text for text in only(state, "M")}


def test_door_is_free():
    state = play(card("door", DOOR_ROW, "b3", "h8", king="g7"), "PLAY door", "M b3 f3")
    assert state.position()["ap"] == 5 and list(state.position()["knights"][0]) == ["f3"]
    assert state.position()["pending"] is None


# ---------------------------------------------------------------- under

# Castle c3, d3, e3 (area 3, d3 is 3 high) and castle g3; f3 lies between them.
UNDER = "c3:1 d3:3 e3:1 g3:1"


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        # c3 1 -> 2 <= 3; d3 3 -> 4 > 3; e4 on the ground beside one castle; f3 beside two; h8 founds one.
        ("c3 d3 e4 f3 h8", "c3 e4 h8"),
        ("d3 f3", ""),
        ("h4", "h4"),  # touches g3 only diagonally: founds a castle
        ("g4", "g4"),
    ],
)
def test_under(own, expected):
    state = card("under", UNDER, own, "e3", king="g3")
    assert can_play(state) is bool(expected)
    if expected:
        play(state, "PLAY under")
        assert legal(state) == {"B " + c for c in expected.split()}


def test_under_raises_the_knight():
    state = play(card("under", UNDER, "c3 h8", "e3", king="g3"), "PLAY under", "B h8")
    position = state.position()
    assert height(state, "h8") == 1 and list(position["knights"][0]) == ["c3", "h8"]
    assert (position["ap"], position["turn_stack"], position["supply"]) == (5, 3, 12)
    assert [list(s) for s in position["stacks"]] == [[3, 2], [3, 3, 3]]
    assert position["pending"] is None
    play(state, "B d2", "B c4", "B b3")  # all three blocks of the turn are still there
    assert state.position()["turn_stack"] == 0


@pytest.mark.parametrize(
    ("stacks", "turn_stack", "stacks_after", "turn_after"),
    [
        # The lowest other stack that has one, or else the stack of the turn.
        ([3, 2], 3, [3, 1], 3),
        ([3, 0], 3, [2, 0], 3),
        ([1, 0], 2, [0, 0], 2),
        ([2, 1], 0, [2, 0], 0),
        ([0, 0], 3, [0, 0], 2),
        ([0, 0], 1, [0, 0], 0),
    ],
)
def test_block_for_under(stacks, turn_stack, stacks_after, turn_after):
    state = card("under", UNDER, "c3", "e3", king="g3", stacks=[stacks, [3, 3, 3]], turn_stack=turn_stack)
    position = play(state, "PLAY under", "B c3").position()
    assert list(position["stacks"][0]) == stacks_after and position["turn_stack"] == turn_after
    assert height(state, "c3") == 2


def test_under_in_the_last_round_takes_the_turn_stack():
    state = card("under", UNDER, "c3", "e3", king="g3", round=4, turn_stack=2)
    assert play(state, "PLAY under", "B c3").position()["turn_stack"] == 1


def test_under_needs_an_own_block():
    # A block from the own stacks; neither the general supply nor the others' stacks help.
    assert not can_play(card("under", UNDER, "c3", "e3", king="g3", stacks=[[0, 0], [3, 3, 3]], turn_stack=0))


# ---------------------------------------------------------------- extra


@pytest.mark.parametrize(
    "more", [{}, {"turn_stack": 0}, {"supply": 1}, {"ap": 0}, {"turn_stack": 0, "stacks": [[0, 0], [0, 0, 0]]}]
)
def test_extra(more):
    state = play(card("extra", BASE, "c3", "d3", king="f6", **more), "PLAY extra")
    before = state.position()
    assert legal(state) == {"B " + c for c in BASE_BLOCKS}
    play(state, "B b3")
    position = state.position()
    assert height(state, "b3") == 1 and position["supply"] - before["supply"] in ([-1, 2] if "ap" in more else [-1])
    if "ap" not in more:  # else the turn is over
        assert (position["ap"], position["turn_stack"]) == (before["ap"], before["turn_stack"])
        assert position["stacks"] == before["stacks"]


def test_extra_needs_the_supply():
    assert not can_play(card("extra", BASE, "c3", "d3", king="f6", supply=0))


def test_extra_comes_on_top_of_the_turn_stack():
    state = play(card("extra", BASE, "c3", "d3", king="f6"), "PLAY extra", "B b3", "B b4", "B b5", "B b6")
    position = state.position()
    assert (position["turn_stack"], position["ap"], position["supply"]) == (0, 2, 11)


# ---------------------------------------------------------------- recruit

TIER = "c4:2 b3:1 c3:2 d3:3 c2:1 g7:1"


@pytest.mark.parametrize("entry_level", [None, 1])
@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        # Up to 1 higher than the highest own knight beside it; entry_level does not count.
        ("c3", "h8", "b3 c4 c2 d3"),
        ("d4", "h8", "d5 e4"),
        ("c3 d4", "h8", "b3 c4 c2 d3 d5 e4"),
        ("b2", "h8", "a2 b1 b3 c2"),
        ("b3", "h8", "a3 b2 b4 c3"),
        ("c3", "d3 c4", "b3 c2"),
        ("a1", "a2 b1", ""),  # no free cell beside
    ],
)
def test_recruit(own, other, expected, entry_level):
    state = card("recruit", TIER, own, other, king="g7", rules=TorresRules(entry_level=entry_level))
    assert can_play(state) is bool(expected)
    if expected:
        play(state, "PLAY recruit")
        assert legal(state) == {"N " + c for c in expected.split()}


def test_recruit_costs_two_ap():
    state = play(card("recruit", TIER, "c3", "h8", king="g7"), "PLAY recruit", "N d3")
    assert state.position()["ap"] == 3 and list(state.position()["knights"][0]) == ["c3", "d3"]
    state = card("recruit", TIER, "c3", "h8", king="g7", ap=2)
    assert state.position()["ap"] == 2 and can_play(state)
    assert not can_play(card("recruit", TIER, "c3", "h8", king="g7", ap=1))


def test_recruit_needs_a_knight_in_reserve():
    assert not can_play(card("recruit", TIER, "c3 a8 b8 c8 d8 e8", "h8", king="g7"))


# ---------------------------------------------------------------- encore


def encore(discards, board=BASE, knights=("c3", "d3"), king="f6", hand=(), **more):
    hands = [[*hand, "encore"], []]  # encore is the last of the card table
    return at(board, *knights, king=king, hands=hands, discards=discards, **more)


@pytest.mark.parametrize(
    ("discards", "more", "expected"),
    [
        ([["ap7"], []], {}, "ap7"),
        ([["ap7", "jump", "ap6"], ["extra"]], {}, "ap7 ap6"),  # jump has no target; not the other's pile
        ([["jump"], []], {}, ""),
        ([[], ["ap7"]], {}, ""),
        ([["extra"], []], {"supply": 0}, ""),
        ([["extra", "recruit"], []], {"ap": 1}, "extra"),
        ([["recruit"], []], {"ap": 1}, ""),
        ([["recruit"], []], {"ap": 2}, "recruit"),
        # c3 stands higher than all around it (diagonal: down); under: 1 + 1 <= 2; relocate: c3, d3, f6 are occupied.
        ([["diagonal", "door", "under", "relocate"], []], {}, "diagonal under"),
    ],
)
def test_encore_offers_possible_cards(discards, more, expected):
    state = encore(discards, **more)
    assert can_play(state) is bool(expected)
    if expected:
        play(state, "PLAY encore")
        assert state.position()["pending"]["kind"] == "encore"
        assert legal(state) == {"PLAY " + name for name in expected.split()}


def test_encore_of_a_card_without_follow_up():
    # The inner card stays; encore lies on top; no further card this turn.
    state = play(encore([["ap7", "jump"], []], hand=["ap6"]), "PLAY encore", "PLAY ap7")
    position = state.position()
    assert position["ap"] == 7 and position["pending"] is None
    assert list(position["discards"][0]) == ["ap7", "jump", "encore"] and list(position["hands"][0]) == ["ap6"]
    assert not can_play(state)


def test_encore_of_extra():
    state = play(encore([["extra"], []]), "PLAY encore", "PLAY extra")
    assert state.position()["pending"]["kind"] == "extra"
    assert legal(state) == {"B " + c for c in BASE_BLOCKS}
    position = play(state, "B b3").position()
    assert (position["supply"], position["turn_stack"], position["ap"]) == (11, 3, 5)
    assert list(position["discards"][0]) == ["extra", "encore"]


def test_encore_of_recruit_costs_ap():
    state = play(encore([["recruit"], []], board=TIER, knights=("c3", "h8"), king="g7"), "PLAY encore", "PLAY recruit")
    assert only(state, "N") == words("b3 c4 c2 d3")
    assert play(state, "N d3").position()["ap"] == 3


def test_encore_of_under_takes_the_lowest_stack():
    state = encore([["under"], []], board=UNDER, knights=("c3", "e3"), king="g3", stacks=[[3, 1], [3, 3, 3]])
    assert list(play(state, "PLAY encore", "PLAY under", "B c3").position()["stacks"][0]) == [3, 0]


def test_encore_of_relocate():
    board = "c3:1 d3:1 e3:1 h8:1"
    state = encore([["relocate"], []], board=board, knights=("a1", "b1"), king="h8")
    play(state, "PLAY encore", "PLAY relocate", "T c3", "B g5")
    assert height(state, "c3") == 0 and height(state, "g5") == 1
    assert list(state.position()["discards"][0]) == ["relocate", "encore"]


# ---------------------------------------------------------------- limits


def test_several_playable_cards():
    # One hand, judged card by card; board BASE: nothing to jump to, no door above c3, nothing to relocate.
    hand = ["ap7", "jump", "diagonal", "door", "under", "extra", "relocate", "recruit", "encore"]
    state = card("ap6", BASE, "c3", "d3", king="f6", hand=hand)
    assert only(state, "PLAY") == words("ap6 ap7 diagonal under extra recruit")
