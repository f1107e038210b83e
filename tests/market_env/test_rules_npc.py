"""The NPC and the solo game (sections 9 and 10)."""

import pytest
from market_positions import Table, W, die_first, held, legal, owned, play

from tower_core.engine.random import SplitMix64

NEEDS = {"wood": 2, "brick": 1, "iron": 1, "glass": 1}
OTHER = {"wood": 2, "brick": 2, "glass": 1}


def table(players=1, rules="base", **more):
    """The NPC's turn follows the last player's END; no idle draw comes between."""
    return Table(players, rules, npc=True, **more).asks(0, **W).asks(players, **NEEDS).acted().set(to_move=players - 1)


def only(start, market):
    """Of the markets in play only this one is free for the NPC. The curfews are the last player's."""
    others = [m for m in range(1, len(start.position["circles"]) + 1) if m != market]
    return start.curfew(start.players - 1, *others)


# --- what it takes ---
def test_the_npc_takes_the_needed_material_whose_price_is_worth_least():
    # Market 1: 1a is worth 4, 1b 5, 1c 9, 1d 8, 1e and 1f 10; all of them hold something that it needs.
    state = play(only(table(2), 1).state(), "END")
    position = state.position()
    assert (
        position["circles"][0][0] is None and owned(state, 2) == {"wood": 1} and position["workers"] == [None, None, 1]
    )
    assert held(state, 2) == {} and sum(position["pile"].values()) == 0


def test_materials_that_it_has_are_passed_over_and_ties_go_to_the_first_circle():
    state = play(only(table(2).take(2, "1a", "1b"), 1).state(), "END")
    assert state.position()["circles"][0] == [None, None, "iron", None, "glass", "glass"]  # 1d is cheaper than 1c
    # Market 2: brick on 2a = 2b for 5, on 2c = 2d for 6.
    state = play(only(table(2), 2).state(), "END")
    assert state.position()["circles"][1][:2] == [None, "brick"]


def test_where_nothing_is_needed_the_figure_lies_down_and_the_market_counts_as_free():
    state = play(only(table(2).asks(0, **OTHER).asks(2, **W).take(1, "3a", "3b", "3c", "3d"), 3).state(), "END")
    assert state.position()["workers"][2] is None and owned(state, 2) == {}


def test_the_npc_wants_no_stand_ins():
    # Wood is exhausted and missing; market 3 has brick and stone only, of which it needs no more.
    start = table(2).asks(0, **OTHER).asks(2, **W).take(2, "3a", "3b").take(1, "1a", "1b", "4f", "5c")
    state = play(only(start, 3).state(), "END")
    assert owned(state, 2) == {"stone": 2} and state.position()["workers"][2] is None


# --- where it goes ---
def test_its_figure_comes_home_before_the_die_is_rolled():
    start = only(table(2).worker(2, 1), 1)
    state = play(start.state(), "END")
    assert state.position()["workers"][2] == 1  # its own old figure did not keep it out


def test_the_die_is_rolled_until_it_shows_a_market_without_figure_and_curfew():
    seed = die_first(2)
    stream = SplitMix64(seed)
    rolls = iter(lambda: stream.below(6) + 1, 0)
    target = next(roll for roll in rolls if roll in (3, 4))
    start = table(2, guard=True, apprentices=True).worker(0, 1).curfew(1, 2).with_apprentice(0, "runner", 5)
    state = play(start.set(rng=seed, guard=target).state(), "END")
    assert state.position()["workers"][2] == target  # the guard is no figure


def test_without_a_free_market_the_npc_does_nothing():
    start = table(2).take(2, "1a", "1b", "2a", "1c", "1e").curfew(1, 1, 2, 3, 4, 5)  # its list is satisfied even
    before = SplitMix64(9)
    state = play(start.set(rng=9).state(), "END")
    for _ in range(3):  # player_0's draw
        before.next()
    position = state.position()
    assert position["rng"] == before.state and sum(owned(state, 2).values()) == 5


def test_the_npcs_figure_keeps_players_out():
    start = table(2).tokens(0, green=9, blue=9).set(rng=die_first(1))
    state = play(start.state(), "END")
    assert state.position()["workers"] == [None, None, 1]
    assert not any(text.startswith("BUY 1") for text in legal(state)) and legal(state, "BUY")


# --- its buildings ---
def test_a_satisfied_list_is_returned_discarded_and_replaced_without_a_tower():
    start = only(table(2).take(2, "1a", "2a", "1c", "1e"), 4)  # wood on 4f is what it lacks
    own, top = start.position["lists"][2], start.position["list_deck"][0]
    state = play(start.state(), "END")
    position = state.position()
    assert owned(state, 2) == {} and position["towers"] == [0, 0, 0]
    assert position["lists"][2] == top and position["list_discard"] == [own]
    assert position["workers"][2] == 4
    assert sum(None in market for market in position["circles"]) == 0


def test_its_materials_go_to_circles_drawn_in_order_without_merging_equal_ones():
    start = only(table(2).asks(2, brick=2, stone=2, iron=1).take(2, "2a", "2b", "3a", "3b").take(0, "2c", "3c"), 4)
    seed = 77
    stream = SplitMix64(seed)
    while stream.below(6) != 3:  # the die, until market 4: iron on 4a
        pass
    bricks, stones = ["2a", "2b", "2c"], ["3a", "3b", "3c"]
    for circles in (bricks, bricks, stones, stones):
        circles.pop(stream.below(len(circles)))
    stream.below(1)  # the iron has one place, and one draw all the same
    after = stream.state
    state = play(start.set(rng=seed).state(), "END")
    circles = state.position()["circles"]
    assert circles[1]["abcdef".index(bricks[0][1])] is None and circles[2]["abcdef".index(stones[0][1])] is None
    for _ in range(3):
        stream.next()
    assert state.position()["rng"] == stream.state != after


def test_in_the_advanced_game_the_npc_lays_materials_anywhere():
    start = only(table(2, "advanced").take(2, "1a", "2a", "1c", "1e").take(0, "5a", "5b", "5d"), 4)
    state = play(start.state(), "END")
    position = state.position()
    holes = {f"{m + 1}{'abcdef'[k]}" for m, row in enumerate(position["circles"]) for k in range(6) if row[k] is None}
    assert len(holes) == 3 and holes <= {"1a", "2a", "1c", "1e", "4f", "5a", "5b", "5d"} and owned(state, 2) == {}


def test_the_npc_sits_last_and_no_hunt_follows_its_turn():
    start = only(table(2, guard=True).flags("wanted", 0), 1).set(rng=die_first(2))
    state = play(start.state(), "END")
    # One hunt at player_1's end, none at the NPC's: player_0 is free to move.
    assert state.current_player() == 0 and state.position()["guard"] == 2 and state.position()["turn"] == 2


# --- solo ---
def solo(**more):
    return table(1, "base", **more)


@pytest.mark.parametrize(
    ("towers_to_lose", "before", "lost"), [(3, 2, True), (3, 1, False), (1, 0, True), (2, 0, False)]
)
def test_solo_is_lost_when_the_npc_has_put_up_its_towers(towers_to_lose, before, lost):
    start = solo(solo_npc_towers=towers_to_lose).take(1, "1a", "2a", "1c", "1e").set(towers=[2, before])
    state = play(only(start, 4).state(), "END")
    assert state.position()["towers"] == [2, before + 1] and state.is_terminal() == lost
    assert state.returns().tolist() == [-1.0 if lost else 0.0] and state.ranking() == [[0]]
    if lost:
        assert state.position()["lists"][1] is None and not state.is_truncated()


def test_solo_is_won_with_the_third_tower():
    start = solo().take(0, "1a", "1b", "3a", "3c", "1e").set(towers=[2, 2])
    state = play(start.state(), "BUILD", "RETURN 1a", "RETURN 3a")
    assert state.is_terminal() and state.returns().tolist() == [1.0] and state.scores() == [3]


def test_one_player_with_the_npc_is_the_solo_game_and_truncation_gives_nothing():
    state = play(only(solo(max_turns=1), 1).state(), "END")
    assert state.is_truncated() and state.returns().tolist() == [0.0]
    assert state.position()["workers"][1] is None  # before the NPC
