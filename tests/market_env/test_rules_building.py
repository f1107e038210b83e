"""Building lists, returning materials, and shortages (section 5; section 6 for the advanced game)."""

import pytest
from market_positions import Table, W, held, legal, owned, play

from tower_core.engine.random import SplitMix64

FULL = ("1a", "1b", "3a", "3c", "1e")
"""Circles that satisfy W: two wood, two stones of different prices, one glass."""


def builder(*circles, **rules):
    return Table(2, **rules).asks(0, **W).take(0, *circles)


def test_building_asks_for_each_piece_in_the_order_of_the_materials_and_only_where_there_is_a_choice():
    table = builder(*FULL)
    own = table.position["lists"][0]
    state = play(table.state(), "BUILD")
    assert legal(state) == {"RETURN 1a", "RETURN 1b"}  # wood; the second piece then has one place
    play(state, "RETURN 1b")
    assert legal(state) == {"RETURN 3a", "RETURN 3c"}  # stone; then the glass has one place, 1e
    play(state, "RETURN 3c")
    position = state.position()
    assert owned(state, 0) == {} and all(all(market) for market in position["circles"])
    assert position["towers"] == [1, 0] and position["list_discard"] == [own] and position["lists"][0] is None
    assert legal(state) == {"LIST 1", "LIST 2", "LIST 3"}


def test_the_list_kept_is_taken_from_three_and_the_others_are_discarded_as_drawn():
    table = builder(*FULL)
    own = table.position["lists"][0]
    top = table.position["list_deck"][:3]
    state = play(table.state(), "BUILD", "RETURN 1a", "RETURN 3a")
    assert state.position()["pending"]["lists"] == top
    play(state, "LIST 2")
    position = state.position()
    assert position["lists"][0] == top[1] and position["list_discard"] == [own, top[0], top[2]]


def test_building_ends_the_turn_without_end_and_without_an_idle_draw():
    state = play(builder(*FULL).state(), "BUILD", "RETURN 1a", "RETURN 3a", "LIST 1")
    assert state.current_player() == 1 and held(state, 0) == {}


def test_a_list_needs_every_piece():
    for missing in FULL:
        assert "BUILD" not in legal(builder(*(c for c in FULL if c != missing)).state())
    assert "BUILD" in legal(builder(*FULL).state())


def test_equal_empty_circles_are_one_answer():
    # 3a = 3b: stone goes back to one of them, whichever, so nothing is asked for stone; glass: 1e = 1f.
    state = play(builder("1a", "1b", "3a", "3b", "1e").take(1, "1f").state(), "BUILD", "RETURN 1a")
    assert legal(state) == {"LIST 1", "LIST 2", "LIST 3"}
    assert state.position()["circles"][0][4:] == ["glass", None]


def test_in_the_advanced_game_a_piece_goes_to_any_empty_circle():
    state = play(builder(*FULL, rules="advanced").take(1, "1f", "2a", "2c").state(), "BUILD")
    # 1a, 1b, 1e (= 1f, price 2 green 1 red), 2a, 2c, 3a, 3c are empty; whatever was printed on them.
    assert legal(state) == {f"RETURN {c}" for c in ("1a", "1b", "1e", "2a", "2c", "3a", "3c")}
    play(state, "RETURN 2c")
    assert state.position()["circles"][1][2] == "wood"


def test_the_third_tower_wins_at_once():
    table = builder(*FULL, guard=True).set(towers=[2, 1]).flags("wanted", 1)
    own = table.position["lists"][0]
    state = table.state()
    stream = state.position()["rng"]
    play(state, "BUILD", "RETURN 1a", "RETURN 3a")
    position = state.position()
    assert state.is_terminal() and not state.is_truncated() and state.scores() == [3, 1]
    assert position["lists"][0] is None and position["list_discard"] == [own]
    assert position["rng"] == stream and position["guard"] is None  # no list, no hunt
    assert state.returns().tolist() == [1.0, -1.0] and state.ranking() == [[0], [1]]


def test_the_own_list_is_shuffled_in_when_the_list_deck_runs_out():
    table = builder(*FULL)
    own, other = table.position["lists"]
    first, *discard = [number for number in range(20) if number not in (own, other)]
    table.list_deck(first, discard=tuple(discard)).set(rng=3)
    position = play(table.state(), "BUILD", "RETURN 1a", "RETURN 3a").position()
    expected = [*discard, own]  # from the first discarded on
    SplitMix64(3).shuffle(expected)
    assert position["pending"]["lists"] == [first, *expected[:2]]
    assert position["list_deck"] == expected[2:] and position["list_discard"] == []


def test_fewer_than_three_lists_where_there_are_no_more():
    table = builder(*FULL)
    spare = next(i for i in range(20) if i not in table.position["lists"])
    state = play(table.list_deck(discard=(spare,)).state(), "BUILD", "RETURN 1a", "RETURN 3a")
    assert legal(state) == {"LIST 1", "LIST 2"}


def test_a_list_is_asked_for_even_if_there_is_one():
    state = play(builder(*FULL).list_deck().state(), "BUILD", "RETURN 1a", "RETURN 3a")
    assert legal(state) == {"LIST 1"}


# --- shortage ---
def short_of_wood(*circles, **rules):
    """Two seats: wood lies on 1a, 1b and 4f only; player_1 has it all."""
    return builder(*circles, **rules).take(1, "1a", "1b", "4f").tokens(0, green=9, blue=9, red=9)


def test_surplus_may_be_bought_for_missing_exhausted_pieces():
    # Two wood are missing and exhausted; one surplus brick is owned, so one more piece of anything may be bought.
    state = short_of_wood("3a", "3b", "2a").state()
    bought = legal(state, "BUY")
    assert {"BUY 2b", "BUY 1c", "BUY 3c", "BUY 4a"} <= bought and "BUY 1e" in bought
    play(state, "BUY 3c")  # a third stone: two surplus pieces are enough
    assert legal(state, "BUY") == set()


def test_no_surplus_without_an_exhausted_material():
    state = builder("3a", "3b", "2a").take(1, "1a", "1b").tokens(0, green=9, blue=9, red=9).state()
    assert legal(state, "BUY") == {"BUY 1e", "BUY 4d", "BUY 4e", "BUY 4f"}  # glass, and wood on 4f


def test_only_markets_in_play_count_for_exhaustion():
    # With two seats market 5, where wood lies on 5c, isn't in play.
    state = short_of_wood("3a", "3b", "1e", "2a", "2b").state()
    assert "BUILD" in legal(state)
    three = Table(3).asks(0, **W).take(0, "3a", "3b", "1e", "2a", "2b").take(1, "1a", "1b", "4f")
    assert "BUILD" not in legal(three.state())
    assert "BUILD" in legal(three.take(2, "5c").state())


def test_a_missing_piece_that_is_not_exhausted_prevents_building():
    assert "BUILD" not in legal(short_of_wood("3a", "3b", "2a", "2b", "2c").state())  # the glass is missing
    assert "BUILD" not in legal(short_of_wood("3a", "3b", "1e", "2a").state())  # two wood, one stand-in


def test_stand_ins_are_returned_in_the_order_of_the_materials_and_the_rest_stays():
    # Missing: one wood. Surplus: one brick, one iron. The brick stands in.
    table = builder("1a", "3a", "3b", "1e", "2a", "1c").take(1, "1b", "4f")
    state = play(table.state(), "BUILD")
    assert state.position()["pending"]["pieces"] == ["wood", "brick", "stone", "stone", "glass"]
    play(state, "RETURN 4f")
    assert owned(state, 0) == {"iron": 1} and legal(state) == {"LIST 1", "LIST 2", "LIST 3"}


def test_surplus_of_a_listed_material_can_stand_in():
    # Missing: both wood. Surplus: one stone and one iron.
    table = short_of_wood("3a", "3b", "3c", "1e", "1c")
    state = play(table.state(), "BUILD")
    assert state.position()["pending"] == {
        "kind": "return",
        "for": "build",
        "pieces": ["stone"] * 3 + ["iron", "glass"],
    }
    play(state, "RETURN 3c")
    assert owned(state, 0) == {} and legal(state, "LIST")


def test_pieces_bought_in_a_shortage_stay_when_it_is_over():
    state = builder("3a", "3b", "1e", "2a", "2b").take(1, "1a", "1b").tokens(0, green=9).state()
    assert "BUILD" not in legal(state) and legal(state, "BUY") == set()  # wood on 4f costs a blue gem
    assert owned(state, 0)["brick"] == 2


def test_the_list_must_be_satisfied_at_that_moment():
    state = short_of_wood("3a", "3b", "1e", "2a", "2b").hand(0, "sabotage").state()
    assert "BUILD" in legal(state)
    play(state, "CARD sabotage", "PAY green", "TARGET player_1", "MATERIAL wood", "RETURN 1a")
    assert "BUILD" not in legal(state) and "BUY 1a" in legal(state)


@pytest.mark.parametrize(("rules", "players", "closed"), [("base", 2, True), ("base", 3, False), ("advanced", 3, True)])
def test_lists_are_closed_with_two_seats_and_in_the_advanced_game(rules, players, closed):
    table = Table(players, rules)
    lists = table.state().position(0)["lists"]
    assert lists[0] == table.position["lists"][0]
    assert (lists[1] == "?") == closed


def test_the_list_of_the_npc_is_always_open():
    table = Table(1, npc=True)
    assert table.state().position(0)["lists"] == table.position["lists"]
    table = Table(2, "advanced", npc=True)
    assert table.state().position(0)["lists"][1:] == ["?", table.position["lists"][2]]
