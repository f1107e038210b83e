"""The turn: AP, END, automatic ends, stacks, buying cards, who is next (Rules sections 3 and 4)."""

import pytest
from positions import at, legal, new_game, only, play, points

from torres_env import TorresRules, TorresState

# p0 on c3, p1 on d3 (one castle of area 2), the king on f6.
BASE = "c3:1 d3:1 f6:1"
DECK = ["jump", "ap6", "door", "under", "extra"]


def base(**more):
    return at(BASE, "c3", "d3", king="f6", **more)


# ---------------------------------------------------------------- action points


def test_all_actions_of_a_plain_turn():
    # Rules section 3, table. B: around the two castles. N: beside c3, height <= 1. M: steps down.
    expected = {"B " + c for c in "b3 c2 c4 d2 d4 e3 e6 g6 f5 f7".split()}
    expected |= {"N b3", "N c2", "N c4", "M c3 b3", "M c3 c2", "M c3 c4", "END"}
    assert legal(base(hands=[[], ["ap6"]])) == expected
    assert legal(base(hands=[["ap7"], []], decks=[DECK, []])) == expected | {"PLAY ap7", "BUY"}


def test_with_one_ap():
    # Rules section 3: B and M cost 1, N costs 2.
    assert {text.split()[0] for text in legal(base(ap=1))} == {"B", "M", "END"}


@pytest.mark.parametrize(
    ("actions", "ap"),
    [
        (["B b3"], 4),
        (["N b3"], 3),
        (["M c3 b3"], 4),
        (["BUY", "PICK ap6"], 4),
        (["PLAY ap7"], 7),  # 0 AP, +2 by the card
        (["B b3", "M c3 b3", "B c2"], 2),  # in any order
        (["N b3", "N a3"], 1),
        (["B b3", "N c2", "M c2 c1"], 1),
    ],
)
def test_costs(actions, ap):
    state = play(base(decks=[DECK, []], hands=[["ap7"], []]), *actions)
    assert state.position()["ap"] == ap and state.current_player() == 0


@pytest.mark.parametrize(
    ("actions", "gain"),
    [([], 5), (["B b3"], 4), (["N b3"], 3), (["N b3", "M b3 a3", "B b3"], 1), (["PLAY ap6"], 6), (["PLAY ap7"], 7)],
)
def test_end_scores_the_ap_left(actions, gain):
    # Rules section 3, END: 1 point for each AP left, cards included.
    state = play(base(hands=[["ap6", "ap7"], []], scores=[20, 40]), *actions, "END")
    assert points(state) == [20 + gain, 40]
    assert state.current_player() == 1 and state.position()["ap"] == 5


@pytest.mark.parametrize(("per_ap", "gain"), [(0, 0), (1, 4), (2, 8), (3, 12)])
def test_points_per_ap_left(per_ap, gain):
    # Rules sections 3 and 7, unspent_ap_scores.
    state = play(base(rules=TorresRules(unspent_ap_scores=per_ap)), "B b3", "END")
    assert points(state) == [gain, 0]


# ---------------------------------------------------------------- automatic ends


def test_automatic_end_without_ap():
    # Rules section 3: END as the only legal action comes by itself, with the same effect.
    state = play(base(), "M c3 c2", "M c2 c1", "M c1 b1", "M b1 a1")
    assert state.current_player() == 0 and state.position()["ap"] == 1
    play(state, "M a1 a2")
    position = state.position()
    assert (position["to_move"], position["ap"], points(state)) == (1, 5, [0, 0])
    assert position["supply"] == 15  # the three blocks that were not placed, as with END


def test_automatic_end_scores_the_ap_left():
    # Rules section 3: p0 is shut in on a1 and has no block: END is all there is, 1 AP is left.
    state = at("f6:1", "a1", "a2 b1", king="f6", ap=1, turn_stack=0)
    position = state.position()
    assert (position["to_move"], position["ap"], points(state)) == (1, 5, [1, 0])


def test_automatic_end_when_the_last_possibility_is_used():
    # As above with one block: after it nothing is left, 4 AP score.
    state = at("f6:1", "a1", "a2 b1", king="f6", turn_stack=1)
    assert legal(state) == {"B e6", "B g6", "B f5", "B f7", "END"}
    play(state, "B e6")
    assert state.current_player() == 1 and points(state) == [4, 0]


def test_no_automatic_end_while_a_card_can_be_played():
    # Rules section 3: without end_when_spent a playable card keeps the turn open at 0 AP.
    state = play(base(ap=1, hands=[["ap6"], []]), "M c3 b3")
    assert state.current_player() == 0 and legal(state) == {"PLAY ap6", "END"}
    play(state, "PLAY ap6")
    assert state.position()["ap"] == 1 and only(state, "M")


def test_automatic_end_with_an_unplayable_card():
    # jump has no target here (nothing is exactly 2 higher), so END is the only action at 0 AP.
    state = play(base(ap=1, hands=[["jump"], []]), "M c3 b3")
    assert state.current_player() == 1


@pytest.mark.parametrize("rules", ["digest", TorresRules(end_when_spent=True)])
def test_end_when_spent(rules):
    # Rules section 3, end_when_spent: at 0 AP the turn ends although ap6 could be played.
    state = play(base(ap=1, hands=[["ap6"], []], rules=rules), "M c3 b3")
    assert state.current_player() == 1
    assert list(state.position()["hands"][0]) == ["ap6"]


def test_end_when_spent_waits_for_the_pick():
    # Rules section 3, end_when_spent: nothing may be pending.
    state = play(base(ap=1, decks=[DECK, []], rules=TorresRules(end_when_spent=True)), "BUY")
    assert state.current_player() == 0 and only(state, "PICK") == {"jump", "ap6", "door"}
    play(state, "PICK door")
    assert state.current_player() == 1
    assert list(state.position()["hands"][0]) == ["door"]


def test_end_when_spent_not_before_the_ap_are_gone():
    state = play(base(ap=2, hands=[["ap6"], []], rules="digest"), "M c3 b3", "PLAY ap6")
    assert state.current_player() == 0 and state.position()["ap"] == 2
    play(state, "N c3")  # the last 2 AP: the turn ends at once
    assert state.current_player() == 1


def test_end_when_spent_after_recruit():
    # The N of recruit costs the last 2 AP; the card is then done and the turn ends.
    state = play(base(ap=2, hands=[["recruit"], []], rules="digest"), "PLAY recruit")
    assert state.current_player() == 0
    play(state, "N b3")
    assert state.current_player() == 1


def test_bought_card_does_not_keep_the_turn_open():
    # Rules section 3, Buy: it cannot be played this turn, so END is the only action.
    state = play(base(ap=1, decks=[DECK, []]), "BUY", "PICK ap6")
    assert state.current_player() == 1 and points(state) == [0, 0]


def test_history_omits_automatic_ends():
    # interfaces.md section 1, history.
    state = TorresState(num_players=2, rules="standard", seed=7)
    actions = ["N d1", "N c3", "K e8", "M d1 d2", "M d2 d1", "M d1 d2", "M d2 d1", "M d1 e1"]
    play(state, *actions)
    assert state.current_player() == 1
    play(state, "END")
    seats = [0, 1, 1, 0, 0, 0, 0, 0]
    expected = list(zip(seats, actions, strict=True)) + [(1, "END")]
    assert [(int(seat), text) for seat, text in state.history()] == expected


# ---------------------------------------------------------------- stacks


@pytest.mark.parametrize(
    ("stacks", "turn_stack", "placed", "after", "returned"),
    [
        # Rules section 3, stack of the turn: block by block onto the tallest other stack lower than 3.
        ([3, 3], 3, 3, [3, 3], 0),
        ([3, 3], 3, 0, [3, 3], 3),
        ([3, 3], 3, 2, [3, 3], 1),
        ([2, 1], 2, 0, [3, 2], 0),
        ([2, 1], 3, 0, [3, 3], 0),
        ([3, 2], 3, 0, [3, 3], 2),
        ([2, 2], 2, 1, [3, 2], 0),
        ([1, 0], 3, 1, [3, 0], 0),
        ([0, 0], 2, 0, [2, 0], 0),
        ([2, 0], 3, 0, [3, 2], 0),
        ([1, 0], 3, 3, [1, 0], 0),
        ([3, 0], 1, 0, [3, 1], 0),
        ([2, 0], 0, 0, [2, 0], 0),
    ],
)
def test_leftover_blocks(stacks, turn_stack, placed, after, returned):
    state = base(stacks=[stacks, [3, 3, 3]], turn_stack=turn_stack)
    play(state, *["B b3", "B b4", "B b5"][:placed], "END")
    position = state.position()
    assert list(position["stacks"][0]) == after
    assert position["supply"] == 12 + returned
    assert list(position["stacks"][1]) == [3, 3] and position["turn_stack"] == 3


def test_leftovers_in_the_last_round_go_to_the_supply():
    # Rules section 3: no other stack of this phase is left.
    state = play(base(round=4, turn_stack=2), "END")
    assert state.position()["supply"] == 14
    assert list(state.position()["stacks"][0]) == []


@pytest.mark.parametrize(
    ("stacks", "turn_stack", "rest"),
    [([3, 2, 0], 3, [2, 0]), ([1, 0, 0], 1, [0, 0]), ([0, 0, 0], 0, [0, 0]), ([2, 2, 1], 2, [2, 1])],
)
def test_tallest_stack_is_next(stacks, turn_stack, rest):
    # Rules section 3: the tallest stack becomes the stack of the turn; a stack of height 0 has its turn too.
    state = play(base(stacks=[[3, 3], stacks]), "END")
    position = state.position()
    assert position["to_move"] == 1 and position["turn_stack"] == turn_stack
    assert list(position["stacks"][1]) == rest


def test_turn_without_blocks():
    state = play(base(stacks=[[3, 3], [0, 0, 0]]), "END")
    assert only(state, "B") == set() and only(state, "M") and state.position()["ap"] == 5


def test_refilled_stack_is_used_later():
    # Rules section 3: leftovers can refill a stack of height 0.
    state = play(base(round=3, stacks=[[0], [3, 3]], turn_stack=2), "END", "END")
    position = state.position()
    assert (position["round"], position["to_move"], position["turn_stack"]) == (4, 0, 2)
    assert list(position["stacks"][0]) == []


# ---------------------------------------------------------------- rounds


def test_rounds_go_clockwise_from_the_start_player():
    # Rules section 4: every player has one turn a round; player_0 starts every round (fixed).
    state = new_game(3)
    seen = []
    for _ in range(7):
        position = state.position()
        seen.append((position["round"], position["to_move"]))
        play(state, "END")
    assert seen == [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0)]


@pytest.mark.parametrize(("n", "rounds"), [(2, (4, 4, 4)), (3, (4, 3, 3)), (4, (4, 3, 3))])
def test_number_of_rounds(n, rounds):
    # Rules section 4: phase p has as many rounds as stacks; the king after phases 1 and 2 only.
    state = new_game(n)
    seen = {}
    while not state.is_terminal():
        position = state.position()
        if position["pending"]:
            assert position["pending"]["kind"] == "king" and position["round"] == rounds[position["phase"] - 1]
            assert position["phase"] in (1, 2)
            play(state, "K " + position["king"])
        else:
            seen[position["phase"]] = seen.get(position["phase"], 0) + 1
            play(state, "END")
    assert seen == {p: rounds[p - 1] * n for p in (1, 2, 3)}


# ---------------------------------------------------------------- buying


def test_buy_and_pick():
    # Rules section 3, Buy: the top three; the others, in the order drawn, under the deck.
    state = play(base(decks=[DECK, []]), "BUY")
    position = state.position()
    assert position["pending"]["kind"] == "pick" and list(position["pending"]["cards"]) == ["jump", "ap6", "door"]
    assert list(position["decks"][0]) == ["under", "extra"] and position["ap"] == 4
    assert list(position["hands"][0]) == []
    assert legal(state) == {"PICK jump", "PICK ap6", "PICK door"}  # only PICK
    play(state, "PICK ap6")
    position = state.position()
    assert position["pending"] is None and position["ap"] == 4
    assert list(position["hands"][0]) == ["ap6"]
    assert list(position["decks"][0]) == ["under", "extra", "jump", "door"]
    assert only(state, "PLAY") == set() and "BUY" in legal(state)


def test_second_buy_and_the_limit():
    # Rules section 3: two a turn; the hand is listed in the order of the card table.
    state = play(base(decks=[DECK, []]), "BUY", "PICK ap6", "BUY")
    assert list(state.position()["pending"]["cards"]) == ["under", "extra", "jump"]
    play(state, "PICK extra")
    position = state.position()
    assert list(position["decks"][0]) == ["door", "under", "jump"]
    assert list(position["hands"][0]) == ["ap6", "extra"] and position["ap"] == 3
    assert "BUY" not in legal(state)
    play(state, "END", "END")
    assert "BUY" in legal(state)  # a new turn


@pytest.mark.parametrize(
    ("draw_choice", "deck", "shown"),
    [
        (3, ["door", "ap6"], ["door", "ap6"]),  # fewer if fewer are left
        (3, ["door"], ["door"]),  # PICK even with one card
        (2, ["door", "ap6", "under"], ["door", "ap6"]),
        (2, ["door"], ["door"]),
        (5, DECK, DECK),
    ],
)
def test_pick_from_short_decks(draw_choice, deck, shown):
    state = play(base(decks=[deck, []], rules=TorresRules(draw_choice=draw_choice)), "BUY")
    assert list(state.position()["pending"]["cards"]) == shown
    assert legal(state) == {"PICK " + c for c in shown}
    play(state, "PICK door")
    rest = [c for c in shown if c != "door"]
    assert list(state.position()["decks"][0]) == deck[len(shown) :] + rest


def test_draw_choice_one_takes_the_top_card():
    # Rules section 3, draw_choice=1: no PICK.
    state = play(base(decks=[DECK, []], rules="classic"), "BUY")
    position = state.position()
    assert position["pending"] is None and position["ap"] == 4
    assert list(position["hands"][0]) == ["jump"] and list(position["decks"][0]) == DECK[1:]
    play(state, "BUY")
    assert list(state.position()["hands"][0]) == ["ap6", "jump"]
    assert "BUY" not in legal(state) and only(state, "PLAY") == set()


def test_no_buy_limit_in_digest():
    # Rules section 7, buys_per_turn: no limit; the fifth card takes the last AP and ends the turn.
    state = play(base(decks=[DECK, []], rules="digest"), *["BUY"] * 5)
    assert sorted(state.position()["hands"][0]) == sorted(DECK)
    assert list(state.position()["decks"][0]) == [] and state.current_player() == 1


@pytest.mark.parametrize(
    ("more", "ok"),
    [
        ({"decks": [DECK, []]}, True),
        ({"decks": [DECK, []], "buys": 1}, True),
        ({"decks": [DECK, []], "buys": 2}, False),
        ({"decks": [[], DECK]}, False),  # empty deck
        ({"decks": [DECK, []], "ap": 1}, True),
        ({"decks": [DECK, []], "ap": 0, "hands": [["ap7"], []]}, False),
    ],
)
def test_when_buy_is_legal(more, ok):
    assert ("BUY" in legal(base(**more))) is ok


# ---------------------------------------------------------------- limits on playing


def test_one_card_a_turn():
    # Rules section 3, table; section 6: onto the own discard pile, in the order played.
    state = play(base(hands=[["ap6", "ap7"], []], discards=[["door"], []]), "PLAY ap6")
    assert only(state, "PLAY") == set() and state.position()["ap"] == 6
    play(state, "END", "END")
    assert only(state, "PLAY") == {"ap7"}
    play(state, "PLAY ap7")
    assert list(state.position()["discards"][0]) == ["door", "ap6", "ap7"]
    assert list(state.position()["hands"][0]) == []


def test_bought_card_waits_a_turn():
    # Rules section 3, Buy.
    state = play(base(decks=[["ap7"], []], hands=[["ap6"], []]), "BUY", "PICK ap7")
    assert only(state, "PLAY") == {"ap6"}
    play(state, "END", "END")
    assert only(state, "PLAY") == {"ap6", "ap7"}


def test_constructed_limits():
    hands = [["ap6", "ap7"], []]
    assert only(base(hands=hands, bought=["ap7"], buys=1), "PLAY") == {"ap6"}
    assert only(base(hands=hands, card_played=True), "PLAY") == set()
    assert only(base(hands=hands), "PLAY") == {"ap6", "ap7"}


def test_limits_start_anew_for_the_next_player():
    state = base(hands=[["ap7"], ["ap6"]], decks=[DECK, ["door"]])
    play(state, "PLAY ap7", "BUY", "PICK jump", "BUY", "PICK under", "END")
    assert only(state, "PLAY") == {"ap6"} and "BUY" in legal(state)
    assert state.position()["ap"] == 5
