"""The royal guard: stealing, pardon, hunt and jail (section 8)."""

import pytest
from market_positions import Table, W, die_first, held, in_pile, legal, owned, play, tokens_of

from tower_core.engine.random import SplitMix64


def table(players=2, **rules):
    return Table(players, guard=True, **rules).asks(0, **W)


# --- stealing ---
def test_stealing_takes_two_gems_of_the_players_choice_and_makes_wanted():
    state = play(table().pile(green=1, red=1, passes=3).state(), "STEAL")
    assert legal(state) == {"TAKE green", "TAKE red"} and state.position()["wanted"] == [False, False]
    play(state, "TAKE red")
    assert legal(state) == {"TAKE green"}
    play(state, "TAKE green")
    position = state.position()
    assert held(state, 0) == {"green": 1, "red": 1} and position["wanted"] == [True, False]
    assert position["turn_state"] == {"at_start": False, "acted": True, "visited_black_market": False, "bribed": False}


def test_stealing_needs_two_gems_in_the_pile_and_the_guards_rules():
    assert "STEAL" not in legal(table().pile(green=1, passes=9).state())
    assert "STEAL" not in legal(Table().pile(green=9).state())
    assert "STEAL" in legal(table().pile(green=2).state())


@pytest.mark.parametrize("first", ["TRADE 1", "BUY 1a", "CARD bribe", "ENTER pass", "HIRE runner", "STEAL"])
def test_stealing_and_pardon_are_only_possible_at_the_start(first):
    start = table(apprentices=True).tokens(0, green=4, red=1, passes=1).pile(green=4, blue=4).hand(0, "bribe")
    state = play(start.state(), first)
    if first == "ENTER pass":
        play(state, "LOOK", min(legal(play(state.clone(), "LOOK"))))
    if first == "STEAL":
        play(state, "TAKE green", "TAKE green")
    assert not {"STEAL", "PARDON"} & legal(state) and "END" in legal(state)


# --- being wanted ---
def test_pardon_costs_a_red_gem_and_stealing_may_follow_but_not_the_other_way_round():
    start = table().tokens(0, red=1, green=2).pile(green=1, blue=1).flags("wanted", 0)
    assert "STEAL" not in legal(start.state())
    state = play(start.state(), "PARDON")
    assert state.position()["wanted"] == [False, False] and in_pile(state) == {"green": 1, "blue": 1, "red": 1}
    assert "STEAL" in legal(state) and "PARDON" not in legal(state)
    play(state, "STEAL", "TAKE red", "TAKE blue")
    assert "PARDON" not in legal(state)
    assert "PARDON" not in legal(table().tokens(0, green=9, blue=9).flags("wanted", 0).state())
    assert "PARDON" not in legal(table().tokens(0, red=2).state())


def test_a_wanted_player_cannot_trade():
    start = table().tokens(0, green=4).pile(blue=1)
    assert "TRADE 1" in legal(start.state())
    assert legal(start.flags("wanted", 0).state(), "TRADE") == set()


def test_a_wanted_player_cannot_buy_where_the_guard_stands_but_others_can():
    start = table().tokens(0, green=9, blue=9, red=9).set(guard=1)
    assert "BUY 1a" in legal(start.state())
    wanted = legal(start.flags("wanted", 0).state(), "BUY")
    assert {text[4] for text in wanted} == {"2", "3", "4"}
    other = table().tokens(0, green=9).set(guard=1).flags("wanted", 1)
    assert "BUY 1a" in legal(other.state())


def test_a_wanted_player_acts_as_usual_otherwise():
    start = table().flags("wanted", 0).tokens(0, green=2, passes=1).take(0, "1b", "3a", "3c", "1e").hand(0, "curfew")
    state = start.state()
    assert {"BUY 1a", "ENTER pass", "CARD curfew", "END"} <= legal(state)
    assert "BUILD" in legal(play(state, "BUY 1a"))


# --- the hunt ---
def test_the_guard_moves_at_the_end_of_a_turn_if_anybody_is_wanted():
    start = table(3).flags("wanted", 1).acted().tokens(0, green=1).worker(2, 4)
    position = play(start.set(rng=die_first(4)).state(), "END").position()
    assert position["guard"] == 4
    assert position["workers"][2] == 4 and not any(position["jailed"])  # player_2 is not wanted
    state = play(table(3).acted().set(rng=die_first(4)).state(), "END")
    assert state.position()["guard"] is None


def test_the_die_is_rolled_until_it_shows_a_market_in_play():
    stream = SplitMix64(die_first(6))  # market 6 isn't in play with two seats
    rolls = iter(lambda: stream.below(6) + 1, 0)
    first = next(roll for roll in rolls if roll <= 4)
    state = play(table().flags("wanted", 1).acted().set(rng=die_first(6)).state(), "END")
    assert state.position()["guard"] == first


def test_wanted_workers_where_the_guard_comes_are_arrested():
    start = table(4, apprentices=True).flags("wanted", 1, 2, 3).acted().tokens(2, green=1)
    start.worker(1, 4).with_apprentice(2, "stand-in", 4).worker(3, 2).set(rng=die_first(4))
    start.tokens(1).position["bag"] = {"green": 9}
    state = play(start.state(), "END")
    position = state.position()
    # player_1 has drawn three gems in its turn and pays them for its freedom: all green, so nothing is asked.
    assert position["jailed"] == [False] * 4 and position["wanted"] == [False, False, True, True]
    assert position["workers"] == [None, None, None, 2] and state.current_player() == 1


def test_who_arrests_another_gets_a_gem_of_the_bag():
    seed = die_first(4)
    start = table(3).flags("wanted", 1).acted().worker(1, 4).set(rng=seed)
    stream = SplitMix64(seed)
    stream.next()
    bag = ["green"] * 45 + ["blue"] * 30 + ["red"] * 15  # passes are not counted
    gem = bag[stream.below(90)]
    assert held(play(start.state(), "END"), 0) == {gem: 1}


def test_no_reward_for_the_own_arrest():
    state = play(table().flags("wanted", 0).acted().worker(0, 4).set(rng=die_first(4)).state(), "END")
    position = state.position()
    assert position["jailed"] == [True, False] and position["workers"] == [None, None] and held(state, 0) == {}


def test_a_hunt_follows_a_building_too():
    start = table(3).take(0, "1a", "1b", "3a", "3c", "1e").flags("wanted", 2).set(rng=die_first(4)).worker(2, 4)
    state = play(start.state(), "BUILD", "RETURN 1a", "RETURN 3a")
    assert state.position()["guard"] is None
    play(state, "LIST 1")
    assert state.position()["guard"] == 4 and state.position()["jailed"][2] and tokens_of(state, 0) == 1


# --- the jail ---
def jailed(tokens, bag, **rules):
    """player_0 is about to end; player_1 sits in jail."""
    start = table(**rules).flags("wanted", 1).flags("jailed", 1).acted().tokens(1, **tokens)
    return start.bag(**bag)


def test_a_jailed_player_with_three_gems_pays_them_and_is_free():
    state = play(jailed({"green": 1, "blue": 2}, {"red": 9}).state(), "END")
    assert state.current_player() == 1 and legal(state) == {"PAY green", "PAY blue", "PAY red"}
    assert state.position()["pending"] == {"kind": "pay", "for": "jail", "left": 3}
    play(state, "PAY green", "PAY red")
    assert legal(state) == {"PAY blue", "PAY red"} and state.position()["jailed"] == [False, True]
    play(state, "PAY red")
    position = state.position()
    assert position["jailed"] == position["wanted"] == [False, False] and in_pile(state) == {"green": 1, "red": 2}
    assert position["turn_state"]["at_start"] and "STEAL" in legal(state) and not position["turn_state"]["acted"]


def test_a_jailed_player_who_cannot_pay_is_asked_nothing():
    start = jailed({"green": 2}, {"passes": 9}, apprentices=True).curfew(1, 1).with_apprentice(1, "stand-in", 2)
    state = play(start.set(rng=die_first(1)).state(), "END")
    position = state.position()
    assert state.current_player() == 0 and position["turn"] == 2
    assert held(state, 1) == {"green": 2, "pass": 3}  # the draw, and no idle draw
    assert position["jailed"] == position["wanted"] == [False, True]
    assert position["figures"]["stand-in"] == [None, None] and position["figures"]["curfew"] == [[], []]
    assert state.history() == [(0, "END")]


def test_the_hunt_takes_place_in_the_turn_of_a_jailed_player_and_can_reward_it():
    seed = next(s for s in range(1000) if _dice(s)[0] not in (3, 5, 6) and _dice(s)[1] == 3)
    start = table(3).flags("wanted", 1, 2).flags("jailed", 1).acted().worker(2, 3).tokens(1, red=1)
    # player_1 draws three passes, the second die catches player_2, and the reward is the green gem poured in.
    state = play(start.pile(green=1).bag(passes=9).set(rng=seed).state(), "END")
    assert state.position()["jailed"][2] or state.current_player() == 2
    assert held(state, 1) == {"red": 1, "pass": 3, "green": 1}


def _dice(seed):
    """The first die, and the one after three draws."""
    stream = SplitMix64(seed)
    first = stream.below(6) + 1
    for _ in range(3):
        stream.next()
    return first, stream.below(6) + 1


def test_a_building_is_possible_right_after_the_jail():
    start = jailed({"green": 3}, {"passes": 9}).asks(1, wood=2, brick=2, glass=1).take(1, "1a", "1b", "2a", "2c", "1e")
    state = play(start.state(), "END")
    assert in_pile(state) == {"green": 3} and "BUILD" in legal(state) and owned(state, 1)["wood"] == 2
