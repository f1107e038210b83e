"""A visit to the black market (section 4)."""

import pytest
from market_positions import Table, held, in_pile, legal, play, tokens_of

from tower_core.engine.random import SplitMix64

MANY = {"green": 12, "blue": 8, "red": 4, "passes": 3}


@pytest.mark.parametrize(
    ("entry", "price"), [("pass", {"pass": 1}), ("green", {"green": 6}), ("blue", {"blue": 4}), ("red", {"red": 2})]
)
def test_an_entry_is_paid_to_the_pile(entry, price):
    ((kind, number),) = price.items()
    state = Table().tokens(0, **{"passes" if kind == "pass" else kind: number}).state()
    assert legal(state, "ENTER") == {f"ENTER {entry}"}
    play(state, f"ENTER {entry}")
    assert held(state, 0) == {} and in_pile(state) == price
    poor = Table().tokens(0, **{"passes" if kind == "pass" else kind: number - 1}).state()
    assert legal(poor, "ENTER") == set()


def test_after_the_first_entry_only_enter_and_look_are_legal():
    state = Table(guard=True, apprentices=True).tokens(0, **MANY).pile(green=5).hand(0, "bribe").state()
    play(state, "ENTER pass")
    assert legal(state) == {"LOOK", "ENTER pass", "ENTER green", "ENTER blue", "ENTER red"}


def test_at_most_three_entries_of_any_kinds():
    state = play(Table().tokens(0, **MANY).state(), "ENTER pass", "ENTER green", "ENTER red")
    assert legal(state) == {"LOOK"}


@pytest.mark.parametrize(("deck", "discard", "most"), [(1, 1, 2), (0, 1, 1), (2, 0, 2), (0, 3, 3)])
def test_no_more_entries_than_cards_in_deck_and_discard_pile(deck, discard, most):
    cards = ["bribe", "levy", "curfew"]
    state = Table().tokens(0, **MANY).card_deck(*cards[:deck], discard=tuple(cards[deck : deck + discard])).state()
    for _ in range(most):
        assert legal(state, "ENTER")
        play(state, "ENTER pass" if held(state, 0).get("pass") else "ENTER green")
    assert legal(state) == {"LOOK"}
    assert legal(Table().tokens(0, **MANY).card_deck().state(), "ENTER") == set()


def test_one_visit_a_turn_without_a_worker_as_an_action():
    state = Table().tokens(0, **MANY).card_deck("bribe", "levy", "curfew").state()
    play(state, "ENTER pass", "LOOK", "KEEP levy")
    position = state.position()
    assert legal(state, "ENTER") == set() and position["workers"] == [None, None]
    assert position["turn_state"]["acted"] and position["turn_state"]["visited_black_market"]
    play(state, "END", "END")
    assert legal(state, "ENTER")


def test_who_looks_keeps_one_card_for_each_entry_and_the_others_go_back_in_their_order():
    table = Table().tokens(0, **MANY).card_deck("bribe", "levy", "curfew", "permit")
    state = play(table.state(), "ENTER pass", "LOOK")
    assert legal(state) == {"KEEP bribe", "KEEP levy", "KEEP curfew"}
    play(state, "KEEP levy")
    assert state.position()["card_deck"] == ["bribe", "curfew", "permit"] and state.position()["hands"][0] == ["levy"]
    state = play(table.state(), "ENTER pass", "ENTER pass", "LOOK", "KEEP curfew")
    assert legal(state) == {"KEEP bribe", "KEEP levy"}
    play(state, "KEEP bribe")
    assert state.position()["card_deck"] == ["levy", "permit"]


def test_of_two_equal_cards_the_upper_is_kept():
    state = Table().tokens(0, passes=1).card_deck("bribe", "levy", "bribe").state()
    play(state, "ENTER pass", "LOOK")
    assert legal(state) == {"KEEP bribe", "KEEP levy"}
    play(state, "KEEP bribe")
    assert state.position()["card_deck"] == ["levy", "bribe"]


def test_the_discard_pile_is_shuffled_into_the_deck_only_when_that_runs_out():
    table = Table().tokens(0, passes=1).card_deck("bribe", "levy", "permit", discard=("curfew",))
    state = play(table.state(), "ENTER pass", "LOOK")
    assert state.position()["card_discard"] == ["curfew"]
    table = Table().tokens(0, passes=1).card_deck("bribe", discard=("curfew", "levy", "permit"))
    state = play(table.set(rng=3).state(), "ENTER pass", "LOOK")
    position = state.position()
    assert position["pending"]["cards"][0] == "bribe" and position["card_discard"] == []
    expected = ["curfew", "levy", "permit"]  # from the first discarded on
    SplitMix64(3).shuffle(expected)
    assert position["pending"]["cards"][1:] + position["card_deck"] == expected


def test_fewer_are_shown_where_there_are_no_more_and_keep_is_asked_for_even_one():
    state = play(Table().tokens(0, passes=1).card_deck("bribe").state(), "ENTER pass", "LOOK")
    assert legal(state) == {"KEEP bribe"}


def test_a_full_hand_drops_a_card_before_each_keep():
    table = Table().tokens(0, passes=2).hand(0, "levy", "levy", "curfew").card_deck("bribe", "permit", "smuggler")
    state = play(table.state(), "ENTER pass", "ENTER pass", "LOOK")
    assert legal(state) == {"DROP levy", "DROP curfew"}
    play(state, "DROP levy")
    assert legal(state) == {"KEEP bribe", "KEEP permit", "KEEP smuggler"}
    play(state, "KEEP bribe")
    assert legal(state) == {"DROP levy", "DROP curfew", "DROP bribe"}  # also one kept in this visit
    play(state, "DROP bribe", "KEEP smuggler")
    position = state.position()
    assert position["card_discard"] == ["levy", "bribe"] and position["card_deck"] == ["permit"]
    assert sorted(position["hands"][0]) == ["curfew", "levy", "smuggler"]


def test_the_hand_becomes_full_during_the_visit():
    table = Table().tokens(0, passes=2).hand(0, "levy", "curfew").card_deck("bribe", "permit", "smuggler")
    state = play(table.state(), "ENTER pass", "ENTER pass", "LOOK")
    assert legal(state, "KEEP") and not legal(state, "DROP")
    play(state, "KEEP bribe")
    assert legal(state) == {"DROP levy", "DROP curfew", "DROP bribe"}


def test_a_dropped_card_does_not_come_into_the_deck_before_the_visit_ends():
    table = Table().tokens(0, passes=2).hand(0, "levy", "levy", "curfew").card_deck("bribe", "permit")
    state = play(table.state(), "ENTER pass", "ENTER pass", "LOOK")
    assert state.position()["pending"]["cards"] == ["bribe", "permit"]
    play(state, "DROP levy", "KEEP bribe", "DROP levy", "KEEP permit")
    assert state.position()["card_deck"] == [] and state.position()["card_discard"] == ["levy", "levy"]


def test_a_card_got_in_this_turn_may_be_played_at_once_any_number_of_cards_a_turn():
    table = Table().tokens(0, passes=2, green=4).card_deck("smuggler", "smuggler", "levy")
    state = play(table.state(), "ENTER pass", "ENTER pass", "LOOK", "KEEP smuggler", "KEEP smuggler")
    play(state, "CARD smuggler")  # both gems of the fee are green: nothing is asked
    assert held(state, 0).get("green", 0) >= 2 and tokens_of(state, 0) == 5
    assert legal(state, "CARD") == {"CARD smuggler"}


def test_set_with_other_entries_and_limits():
    components = Table().rules.components.to_dict()
    components["black_market_entry"] = [{"blue": 1}]
    components["rules"] |= {"black_market_offer": 2, "black_market_hand": 1}
    table = (
        Table(components=components).tokens(0, blue=3, green=9, red=9, passes=3).card_deck("bribe", "levy", "permit")
    )
    state = play(table.state(), "ENTER blue", "ENTER blue")
    assert legal(state) == {"LOOK"}
    play(state, "LOOK", "KEEP levy")
    assert legal(state) == {"DROP levy"}
    play(state, "DROP levy", "KEEP bribe")
    assert state.position()["hands"][0] == ["bribe"]
