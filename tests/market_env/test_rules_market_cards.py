"""Black-market cards: fees, effects and when they are possible (the table of section 4)."""

import pytest
from market_positions import Table, W, held, in_pile, legal, owned, play

from tower_core.engine.random import SplitMix64


def cards(state):
    return {text.split()[1] for text in legal(state, "CARD")}


# --- fees ---
def test_the_fee_is_paid_gem_by_gem_in_any_colours_and_never_with_passes():
    state = play(Table().tokens(0, green=1, red=1, blue=1, passes=1).hand(0, "smuggler").state(), "CARD smuggler")
    assert legal(state) == {"PAY green", "PAY blue", "PAY red"}
    assert state.position()["hands"][0] == [] and state.position()["card_discard"] == []
    play(state, "PAY red")
    assert legal(state) == {"PAY green", "PAY blue"}
    play(state, "PAY green")
    assert in_pile(state) == {"green": 1, "red": 1} and state.position()["card_discard"] == ["smuggler"]
    assert cards(Table().tokens(0, green=1, passes=5).hand(0, "smuggler").state()) == set()


def test_a_fee_with_one_answer_is_paid_without_asking():
    state = play(
        Table().tokens(0, green=1, blue=1).bag(red=9).hand(0, "smuggler").state(), "CARD smuggler", "PAY green"
    )
    assert held(state, 0) == {"red": 3} and legal(state, "END")  # the blue one was paid by itself


def test_only_cards_of_the_own_hand_are_played():
    state = Table().tokens(0, green=9).hand(0, "bribe", "architect").hand(1, "curfew").state()
    assert cards(state) == {"bribe", "architect"}


# --- smuggler ---
def test_smuggler_is_possible_with_the_fee_alone():
    state = Table().tokens(0, green=2).bag().hand(0, "smuggler").state()
    play(state, "CARD smuggler")
    assert held(state, 0) == {"green": 2}
    free = Table().rules.components.to_dict()
    next(card for card in free["black_market_card"] if card["name"] == "smuggler")["fee"] = 0
    assert cards(Table(components=free).bag().hand(0, "smuggler").state()) == set()
    assert cards(Table(components=free).bag(passes=1).hand(0, "smuggler").state()) == {"smuggler"}


# --- levy ---
def test_levy_takes_two_gems_of_the_pile_which_must_hold_two_before_the_fee():
    assert cards(Table().tokens(0, green=2).pile(red=1, passes=3).hand(0, "levy").state()) == set()
    state = play(Table().tokens(0, green=2).pile(red=2, passes=3).hand(0, "levy").state(), "CARD levy")
    assert legal(state) == {"TAKE green", "TAKE red"}  # the fee's gems may be taken
    play(state, "TAKE green", "TAKE red")
    assert held(state, 0) == {"green": 1, "red": 1} and state.position()["card_discard"] == ["levy"]


def test_take_is_asked_even_with_one_answer():
    state = play(Table().tokens(0, red=2).pile(red=2).hand(0, "levy").state(), "CARD levy")
    assert legal(state) == {"TAKE red"}


def test_levy_is_not_for_a_wanted_player():
    assert cards(Table(guard=True).tokens(0, red=2).pile(red=2).hand(0, "levy").flags("wanted", 0).state()) == set()


# --- pickpocket ---
def test_pickpocket_takes_a_random_gem_of_another_player():
    table = Table(3).tokens(1, green=2, red=3, passes=4).tokens(2, passes=2).hand(0, "pickpocket")
    state = table.set(rng=17).state()
    play(state, "CARD pickpocket")
    assert legal(state) == {"TARGET player_1"}  # player_2 has passes only
    play(state, "TARGET player_1")
    gem = ["green", "green", "red", "red", "red"][SplitMix64(17).below(5)]
    assert held(state, 0) == {gem: 1}
    assert cards(Table(2, npc=True).tokens(1, passes=1).hand(0, "pickpocket").state()) == set()


def test_target_is_a_seat_by_name_whoever_speaks():
    table = Table(3).tokens(0, red=1).tokens(1, red=1).tokens(2, red=1).hand(1, "pickpocket").set(to_move=1)
    state = play(table.state(), "CARD pickpocket")
    assert legal(state) == {"TARGET player_0", "TARGET player_2"}
    play(state, "TARGET player_0")
    assert [held(state, seat) for seat in range(3)] == [{}, {"red": 2}, {"red": 1}]


# --- sabotage ---
def test_sabotage_sends_a_material_of_another_seat_back_to_the_city():
    table = Table(2, npc=True).tokens(0, green=1).take(1, "1a", "2a", "2c").take(2, "3a").hand(0, "sabotage")
    state = play(table.state(), "CARD sabotage")
    assert legal(state) == {"TARGET player_1", "TARGET npc"}
    play(state, "TARGET player_1")
    assert legal(state) == {"MATERIAL wood", "MATERIAL brick"}
    play(state, "MATERIAL brick")
    assert legal(state) == {"RETURN 2a", "RETURN 2c"}
    play(state, "RETURN 2c")
    assert owned(state, 1) == {"wood": 1, "brick": 1} and state.position()["circles"][1][2] == "brick"
    assert state.position()["card_discard"] == ["sabotage"] and legal(state, "END")


def test_sabotage_asks_for_target_and_material_even_with_one_answer_but_not_for_the_circle():
    table = Table().tokens(0, green=1).take(0, "4a").take(1, "1a").hand(0, "sabotage")
    state = play(table.state(), "CARD sabotage")
    assert legal(state) == {"TARGET player_1"}
    assert legal(play(state, "TARGET player_1")) == {"MATERIAL wood"}
    play(state, "MATERIAL wood")
    assert state.position()["circles"][0][0] == "wood" and owned(state, 0) == {"iron": 1}
    assert cards(Table().tokens(0, green=1).take(0, "4a").hand(0, "sabotage").state()) == set()


# --- permit ---
def test_permit_opens_every_usable_circle_without_price_worker_or_visit():
    table = Table(2, guard=True).asks(0, **W).tokens(0, red=2).hand(0, "permit").acted()
    table.worker(1, 1).curfew(1, 3).flags("wanted", 0).set(guard=4)
    state = play(table.state(), "CARD permit")
    # Everything of wood, stone and glass, equal circles once.
    assert legal(state) == {f"BUY {c}" for c in ("1a", "1b", "1e", "2e", "3a", "3c", "4d", "4e", "4f")}
    play(state, "BUY 3a")
    position = state.position()
    assert owned(state, 0) == {"stone": 1} and position["workers"] == [None, 1] and in_pile(state) == {"red": 2}
    assert position["card_discard"] == ["permit"]


def test_permit_serves_whoever_has_placed_the_worker_too():
    table = Table().asks(0, **W).tokens(0, red=2).hand(0, "permit").worker(0, 2).acted()
    state = play(table.state(), "CARD permit", "BUY 1a")
    assert state.position()["workers"][0] == 2 and owned(state, 0) == {"wood": 1}


def test_permit_needs_a_circle_of_use():
    table = Table().asks(0, **W).take(0, "1a", "1b", "3a", "3b", "1e").tokens(0, red=2).hand(0, "permit")
    assert cards(table.state()) == set()
    short = Table().asks(0, **W).take(0, "3a", "3b", "1e").take(1, "1a", "1b", "4f").tokens(0, red=2).hand(0, "permit")
    assert cards(short.state()) == {"permit"}  # a stand-in


# --- bribe ---
def test_bribe_lets_the_worker_in_where_other_figures_stand():
    table = Table().asks(0, **W).tokens(0, green=4).worker(1, 1).hand(0, "bribe")
    state = table.state()
    assert "BUY 1a" not in legal(state)
    play(state, "CARD bribe")
    assert "BUY 1a" in legal(state)
    play(state, "BUY 1a")
    assert state.position()["workers"] == [1, 1] and state.position()["card_discard"] == ["bribe"]


def test_bribe_does_not_get_around_curfew_or_guard_and_serves_before_the_worker_is_placed():
    table = Table(guard=True).asks(0, **W).tokens(0, green=9, blue=9, red=9).hand(0, "bribe").set(guard=4)
    state = play(table.curfew(1, 3).worker(1, 1).flags("wanted", 0).state(), "CARD bribe")
    assert {text[4] for text in legal(state, "BUY")} == {"1", "2"}
    assert cards(Table().worker(0, 1).acted().hand(0, "bribe").state()) == set()


def test_bribe_ends_with_the_turn():
    table = Table().asks(0, **W).tokens(0, green=4).worker(1, 1).hand(0, "bribe")
    state = play(table.state(), "CARD bribe", "END")
    assert not state.position()["turn_state"]["bribed"]


# --- architect ---
def test_architect_draws_three_lists_for_one_of_them_or_the_own():
    table = Table().hand(0, "architect")
    own, drawn = table.position["lists"][0], table.position["list_deck"][:3]
    state = play(table.state(), "CARD architect")
    assert legal(state) == {"LIST 1", "LIST 2", "LIST 3", "LIST keep"} and state.position()["lists"][0] == own
    kept = play(state.clone(), "LIST keep").position()
    assert kept["lists"][0] == own and kept["list_discard"] == drawn and kept["card_discard"] == ["architect"]
    changed = play(state, "LIST 3").position()
    assert changed["lists"][0] == drawn[2] and changed["list_discard"] == [own, *drawn[:2]]
    assert state.current_player() == 0 and legal(state, "END")


def test_architect_takes_fewer_lists_where_there_are_no_more_and_needs_one():
    table = Table().hand(0, "architect")
    deck = table.position["list_deck"]
    state = play(table.list_deck(deck[0], discard=(deck[1],)).state(), "CARD architect")
    assert legal(state) == {"LIST 1", "LIST 2", "LIST keep"}
    assert state.position()["pending"]["lists"] == deck[:2]
    assert cards(table.list_deck().state()) == set()


# --- curfew ---
def test_curfew_goes_on_a_market_without_figures_and_curfew_and_keeps_everybody_out():
    table = Table(3, apprentices=True).asks(0, **W).tokens(0, green=4).worker(1, 1).curfew(1, 2).worker(0, 3).acted()
    state = play(table.with_apprentice(2, "stand-in", 4).hand(0, "curfew").state(), "CARD curfew")
    assert legal(state) == {"MARKET 5"}
    play(state, "MARKET 5")
    assert state.position()["figures"]["curfew"] == [[5], [2], []]
    table = Table().asks(0, **W).tokens(0, green=4, blue=2).hand(0, "curfew")
    state = play(table.state(), "CARD curfew", "MARKET 1")
    assert "BUY 3c" in legal(state) and "BUY 1a" not in legal(state)  # the own curfew too


def test_curfew_is_lifted_when_the_next_turn_of_its_player_begins():
    state = play(Table().hand(0, "curfew").state(), "CARD curfew", "MARKET 2", "END")
    assert state.position()["figures"]["curfew"] == [[2], []]
    play(state, "END")
    assert state.position()["figures"]["curfew"] == [[], []]


@pytest.mark.parametrize("guard", [None, 2])
def test_the_guard_is_no_figure_for_a_curfew(guard):
    table = Table(guard=True).hand(0, "curfew").worker(1, 1).curfew(1, 3, 4).set(guard=guard)
    assert legal(play(table.state(), "CARD curfew")) == {"MARKET 2"}
    assert cards(table.curfew(1, 2, 3, 4).state()) == set()
