"""Apprentices (section 7)."""

import pytest
from market_positions import Table, W, held, in_pile, legal, play, tokens_of

RICH = {"green": 9, "blue": 9, "red": 9}


def table(players=2, **rules):
    return Table(players, apprentices=True, **rules).asks(0, **W)


def markets(state):
    return {int(text[4]) for text in legal(state, "BUY")}


def test_nobody_is_hired_without_the_rule():
    assert legal(Table().tokens(0, **RICH).state(), "HIRE") == set()


# --- all of them ---
def test_one_hire_in_the_whole_game():
    state = play(table().tokens(0, **RICH).state(), "HIRE runner")
    assert legal(state, "HIRE") == set()
    play(state, "END", "END")
    assert state.position()["apprentices"] == {
        "with": {"stand-in": None, "bully": None, "runner": None}, "has_hired": [True, False]
    }  # fmt: skip
    assert legal(state, "HIRE") == set()


def test_an_apprentice_is_with_its_player_until_that_players_next_turn():
    state = play(table().tokens(0, red=1).tokens(1, **RICH).state(), "HIRE runner", "END")
    assert "HIRE runner" not in legal(state) and "HIRE stand-in" in legal(state)
    three = play(table(3).tokens(0, red=1).tokens(1, red=3).tokens(2, red=3).state(), "HIRE runner", "END", "END")
    assert "HIRE runner" not in legal(three)
    play(three, "END", "END")
    assert "HIRE runner" in legal(three)


def test_hiring_is_no_action_but_ends_the_start():
    state = play(table(guard=True).tokens(0, red=1).pile(green=4).state(), "HIRE runner")
    turn = state.position()["turn_state"]
    assert not turn["acted"] and not turn["at_start"] and "STEAL" not in legal(state)


# --- the stand-in ---
def test_stand_in_costs_one_gem_of_any_colour_and_goes_on_a_free_market():
    state = play(
        table(3).tokens(0, green=1, red=1).worker(0, 1).worker(1, 2).curfew(2, 3).acted().state(), "HIRE stand-in"
    )
    assert legal(state) == {"PAY green", "PAY red"}
    play(state, "PAY red")
    assert legal(state) == {"MARKET 4", "MARKET 5"} and in_pile(state) == {"red": 1}
    play(state, "MARKET 4")
    assert state.position()["figures"]["stand-in"] == [4, None, None]


def test_stand_in_occupies_the_market_for_others_only():
    state = table().asks(1, wood=2, brick=2, glass=1).tokens(0, green=1, blue=2).tokens(1, green=9, blue=9).state()
    play(state, "HIRE stand-in", "PAY green", "MARKET 3")
    assert "BUY 3c" in legal(state)
    play(state, "END")
    assert markets(state) == {1, 2, 4}
    play(state, "END")
    assert state.position()["figures"]["stand-in"] == [None, None]


def test_stand_in_needs_a_gem_and_a_free_market():
    assert "HIRE stand-in" not in legal(table().tokens(0, passes=3).state())
    assert "HIRE stand-in" not in legal(table().tokens(0, green=3).worker(0, 1).curfew(1, 2, 3, 4).acted().state())
    assert legal(play(table().tokens(0, green=3).curfew(1, 2, 3, 4).state(), "HIRE stand-in")) == {"MARKET 1"}


# --- the bully ---
def test_bully_sends_others_home_and_the_player_must_buy_there():
    start = (
        table(2, npc=True)
        .tokens(0, green=4, blue=1)
        .worker(1, 1)
        .worker(2, 1)
        .asks(1, **W | {"wood": 1, "brick": 2, "stone": 1})
    )
    state = play(start.state(), "HIRE bully")  # the blue gem is the only fee
    assert legal(state) == {"MARKET 1"} and in_pile(state) == {"blue": 1}
    play(state, "MARKET 1")
    assert state.position()["workers"] == [None, None, None] and legal(state) == {"BUY 1a"}
    play(state, "BUY 1a")
    assert state.position()["workers"] == [1, None, None]
    assert state.position()["turn_state"]["acted"]


@pytest.mark.parametrize("figure", ["stand-in", "runner"])
def test_bully_sends_stand_in_and_runner_home_too(figure):
    start = table().tokens(0, green=4, blue=2).with_apprentice(1, figure, 1)
    state = play(start.state(), "HIRE bully", "MARKET 1", "BUY 1a")
    position = state.position()
    assert position["figures"][figure] == [None, None] and position["apprentices"]["with"][figure] == 1


def test_only_fees_after_which_the_player_can_buy_there_are_legal():
    assert "HIRE bully" not in legal(
        table().tokens(0, green=1, blue=1).worker(1, 1).state()
    )  # blue pays 1b or the bully
    state = play(table().tokens(0, green=1, blue=1, red=1).worker(1, 1).state(), "HIRE bully")
    assert in_pile(state) == {"red": 1} and legal(state) == {"MARKET 1"}  # only red leaves a blue gem for 1b
    state = play(table().tokens(0, green=2, blue=1, red=1).worker(1, 1).state(), "HIRE bully")
    assert legal(state) == {"PAY blue", "PAY red"}


def test_only_markets_at_which_the_player_could_buy_can_be_chosen():
    start = table(4).tokens(0, blue=3).worker(1, 1).worker(2, 3).worker(3, 4)
    state = play(start.state(), "HIRE bully")  # two blue gems are left: 3c
    assert legal(state) == {"MARKET 3"}
    curfew = table(3).tokens(0, blue=3).worker(1, 3).curfew(2, 3)
    assert "HIRE bully" not in legal(curfew.state())
    wanted = table(guard=True).tokens(0, blue=3).worker(1, 3).flags("wanted", 0)
    assert "HIRE bully" in legal(wanted.state()) and "HIRE bully" not in legal(wanted.set(guard=3).state())


def test_bully_is_of_no_use_when_the_worker_is_placed_or_nobody_stands_there():
    assert "HIRE bully" not in legal(table().tokens(0, **RICH).state())
    assert "HIRE bully" not in legal(table().tokens(0, **RICH).worker(0, 2).worker(1, 1).acted().state())
    assert "HIRE bully" not in legal(table().tokens(0, green=9).worker(1, 1).state())  # no blue, no red


# --- the runner ---
def test_runner_costs_one_red_gem_and_asks_nothing():
    state = play(table().tokens(0, red=2).state(), "HIRE runner")
    assert held(state, 0) == {"red": 1} and in_pile(state) == {"red": 1} and "END" in legal(state)
    assert "HIRE runner" not in legal(table().tokens(0, blue=9).state())


def test_runner_opens_a_second_market_and_then_both_are_open():
    state = play(table().tokens(0, **RICH).state(), "HIRE runner")
    assert markets(state) == {1, 2, 3, 4}
    play(state, "BUY 1a")
    assert markets(state) == {1, 2, 3, 4} and state.position()["workers"][0] == 1
    play(state, "BUY 3a")
    assert markets(state) == {1, 3} and state.position()["figures"]["runner"] == [3, None]
    play(state, "BUY 1b", "BUY 3b")
    assert state.position()["workers"][0] == 1 and state.position()["figures"]["runner"] == [3, None]


def test_runner_may_be_hired_after_the_worker_was_placed():
    state = play(table().tokens(0, **RICH).state(), "BUY 1a", "HIRE runner")
    assert markets(state) == {1, 2, 3, 4}


def test_the_second_market_is_free_by_the_usual_rule_and_bribe_does_not_serve_the_runner():
    start = table(3, guard=True).tokens(0, **RICH).hand(0, "bribe").worker(1, 2).curfew(2, 3)
    state = play(start.state(), "CARD bribe", "HIRE runner", "BUY 1a")
    assert markets(state) == {1, 4, 5}
    wanted = start.flags("wanted", 0).set(guard=4)
    assert markets(play(wanted.state(), "CARD bribe", "HIRE runner", "BUY 1a")) == {1, 5}


def test_runner_serves_in_the_turn_of_the_hire_only():
    state = play(table().tokens(0, **RICH).state(), "HIRE runner", "BUY 1a", "END", "END", "BUY 3a")
    assert markets(state) == {3} and state.position()["figures"]["runner"] == [None, None]


def test_runner_stays_on_its_market_until_the_next_turn_of_its_player():
    state = table().asks(1, wood=2, brick=2, glass=1).tokens(0, green=9, red=3).tokens(1, green=9, blue=9).state()
    play(state, "HIRE runner", "BUY 1a", "BUY 3a", "END")
    assert markets(state) == {2, 4} and tokens_of(state, 0) == 8
