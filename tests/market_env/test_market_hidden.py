"""Hidden information: what a seat may know, and states that it can't tell apart (sections 2 and 12)."""

from collections import Counter

import pytest
from market_positions import Table, W, legal, play

from market_env import MarketRules, MarketState
from market_env.components import CARDS


# --- single things ---
def test_others_hands_and_deck_orders_are_hidden_and_numbers_are_not():
    state = Table(2).hand(0, "levy", "bribe").hand(1, "curfew").state()
    view = state.position(0)
    assert view["hands"] == [["levy", "bribe"], ["?"]] and set(view["card_deck"]) == set(view["list_deck"]) == {"?"}
    assert len(view["card_deck"]) == 21 and len(view["list_deck"]) == 18 and "rng" not in view
    assert state.position()["hands"] == [["levy", "bribe"], ["curfew"]]


def test_what_somebody_else_looks_at_is_hidden():
    table = Table(2).tokens(0, passes=1).card_deck("bribe", "levy", "permit")
    state = play(table.state(), "ENTER pass", "LOOK")
    assert state.position(0)["pending"]["cards"] == ["bribe", "levy", "permit"]
    assert state.position(1)["pending"] == {"kind": "keep", "for": "visit", "entries": 1, "cards": ["?", "?", "?"]}


@pytest.mark.parametrize(("players", "rules", "hidden"), [(2, "base", True), (3, "base", False), (3, "advanced", True)])
def test_lists_that_somebody_else_chooses_among_are_hidden_where_lists_are_closed(players, rules, hidden):
    state = play(Table(players, rules).hand(0, "architect").state(), "CARD architect")
    drawn = state.position(0)["pending"]["lists"]
    assert drawn == state.position()["pending"]["lists"] and len(drawn) == 3
    assert state.position(1)["pending"]["lists"] == (["?"] * 3 if hidden else drawn)


def test_who_builds_shows_the_list():
    state = play(Table(2).asks(0, **W).take(0, "1a", "1b", "3a", "3c", "1e").state(), "BUILD")
    assert state.position(1)["lists"][0] == state.position()["lists"][0]
    for seed in range(5):
        assert state.resample_hidden(1, seed).position()["lists"][0] == state.position()["lists"][0]


def test_said_choices_of_cards_and_closed_lists_are_hidden():
    table = Table(2).tokens(0, passes=1).card_deck("architect", "levy", "permit")
    state = play(table.state(), "ENTER pass", "LOOK", "KEEP architect", "CARD architect", "LIST 2", "END")
    told = [text for _, text in state.resample_hidden(1, 3).history()]
    assert told == ["ENTER pass", "LOOK", "?", "CARD architect", "?", "END"]
    assert [text for _, text in state.resample_hidden(0, 3).history()] == [text for _, text in state.history()]
    three = play(Table(3).hand(0, "architect").state(), "CARD architect", "LIST keep")
    assert three.resample_hidden(1, 3).history()[-1] == (0, "LIST keep")  # open lists


# --- the known top of the deck ---
def visit(passes=2):
    table = Table(2).tokens(0, passes=passes).tokens(1, passes=passes)
    return play(table.state(), "ENTER pass", "LOOK")


def test_cards_put_back_stay_known_to_who_put_them_back():
    state = visit()
    shown = state.position()["pending"]["cards"]
    play(state, f"KEEP {shown[0]}")
    assert state.position()["known_cards"] == {"seat": 0, "count": 2}
    assert state.position(0)["card_deck"][:3] == [*shown[1:], "?"]
    assert state.position(1)["card_deck"][:2] == ["?", "?"]
    for seed in range(20):
        assert state.resample_hidden(0, seed).position()["card_deck"][:2] == shown[1:]
    assert len({tuple(state.resample_hidden(1, seed).position()["card_deck"][:2]) for seed in range(20)}) > 5


def test_the_top_is_known_until_it_changes():
    state = visit()
    play(state, f"KEEP {state.position()['pending']['cards'][0]}", "END")
    assert state.position(0)["card_deck"][0] != "?"
    play(state, "ENTER pass")
    assert state.position(0)["card_deck"][0] != "?"
    play(state, "LOOK")
    assert set(state.position(0)["card_deck"]) == {"?"} and state.position()["known_cards"] is None
    play(state, min(legal(state)))
    assert set(state.position(0)["card_deck"]) == {"?"} and state.position()["known_cards"]["seat"] == 1


# --- questions that tell something ---
def test_a_permit_in_play_tells_that_it_could_be_used():
    # player_1 has all that most lists ask for; few lists lack something that still lies on a circle.
    table = Table(2).asks(0, **W).tokens(1, red=2).set(to_move=1).hand(1, "permit")
    table.take(1, "1a", "1b", "2a", "2b", "3a", "3b", "1c", "1d", "1e").asks(
        1, wood=1, brick=1, stone=1, iron=1, glass=1
    )
    assert "CARD permit" not in legal(table.state())
    state = play(table.asks(1, wood=1, stone=2, iron=2).state(), "END")
    assert state.current_player() == 0
    table.asks(1, wood=1, brick=2, stone=2, iron=1)
    possible = Table(2).asks(0, **W).tokens(1, green=1, red=2).set(to_move=1).hand(1, "permit")
    possible.take(1, "1a", "2a", "2b", "3a", "3b", "1c", "1d", "1e").asks(1, wood=2, brick=2, glass=1)
    state = play(possible.state(), "CARD permit")
    for seed in range(60):
        other = state.resample_hidden(0, seed)
        text = min(legal(other))
        assert text.startswith("PAY") and legal(play(other, text), "BUY")


def test_a_bully_at_work_tells_that_it_serves():
    table = Table(2, "apprentices").asks(0, **W).tokens(1, green=2, blue=1, red=1).set(to_move=1).worker(0, 1)
    state = play(table.asks(1, wood=2, brick=2, glass=1).state(), "HIRE bully")
    assert legal(state) == {"PAY blue", "PAY red"}
    lists = set()
    for seed in range(60):
        other = state.resample_hidden(0, seed)
        assert legal(other) == {"PAY blue", "PAY red"} and legal(play(other, "PAY blue")) == {"MARKET 1"}
        lists.add(other.position()["lists"][1])
    asked = [dict(zip(table.rules.components.materials, table.rules.components.lists[i], strict=True)) for i in lists]
    assert all(one["wood"] for one in asked) and len(lists) > 5


# --- uniform ---
def test_hands_are_dealt_uniformly_from_the_cards_not_seen():
    table = Table(2).hand(0, "levy", "levy", "levy").hand(1, "bribe")
    state = table.card_deck("bribe", "bribe", "curfew", discard=("curfew", "permit")).state()
    dealt = Counter(state.resample_hidden(0, seed).position()["hands"][1][0] for seed in range(1000))
    assert set(dealt) == {"bribe", "curfew"} and 700 < dealt["bribe"] < 800  # 3 of 4
    decks = [state.resample_hidden(1, seed).position()["card_deck"] for seed in range(20)]
    assert any("levy" in deck for deck in decks)  # player_0's hand is unknown to player_1


def test_lists_are_dealt_uniformly_and_independently_of_what_they_are():
    state = Table(2).state()
    own = state.position()["lists"][0]
    drawn = [state.resample_hidden(0, seed).position() for seed in range(1900)]
    dealt = Counter(position["lists"][1] for position in drawn)
    tops = Counter(position["list_deck"][0] for position in drawn)
    for found in (dealt, tops):  # 100 of each of 19
        assert len(found) == 19 and own not in found and min(found.values()) > 60 and max(found.values()) < 140


def test_open_lists_and_discard_piles_stay():
    table = Table(3, max_turns=5)
    spare = table.position["list_deck"]
    state = table.list_deck(*spare[4:], discard=tuple(spare[:4])).hand(1, *CARDS[:3]).state()
    for seed in range(10):
        other = state.resample_hidden(0, seed).position()
        assert other["lists"] == table.position["lists"] and other["list_discard"] == spare[:4]
        assert sorted(other["list_deck"]) == sorted(spare[4:])


def test_a_wrong_seat_is_refused():
    state = MarketState(1, MarketRules.preset("solo"))
    for call in (state.observation, state.position, lambda seat: state.resample_hidden(seat, 1)):
        with pytest.raises(ValueError, match="seat must be"):
            call(1)  # the NPC has no view
