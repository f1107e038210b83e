"""The Chinese rule text of the market game, first part: aim, setup, a turn, building. Preset ``base`` follows it."""

import pytest
from market_positions import Table, W, held, in_pile, legal, owned, play, tokens_of
from statements import statement, without_meaning

from market_env import MarketBatch, MarketState

FULL = ("1a", "1b", "3a", "3c", "1e")
"""Circles with what W asks for."""
RICH = {"green": 12, "blue": 12, "red": 6}


def new(players=2, rules="base", seed=7):
    return MarketState(players, rules, seed)


def total(tokens):
    return sum(tokens.values())


# ----------------------------------------------------------------------------------------------------------- aim
without_meaning("C1", "The king wants a tower, and you are not the only builder", "a story")
without_meaning("C2", "Be the first to top it out and be rewarded", "a story; what it takes is C4")


@statement("C3", "Gems buy materials, and materials build towers")
def test_gems_materials_towers():
    state = Table().asks(0, **W).take(0, *FULL[:4]).tokens(0, green=2, red=1).state()
    assert "BUILD" not in legal(state)
    play(state, "BUY 1e", "BUILD", "RETURN 1a", "RETURN 3a")
    assert state.position()["towers"] == [1, 0] and held(state, 0) == {} and owned(state, 0) == {}


@statement("C4", "The first to put up its three towers has won")
def test_three_towers_win():
    def built(towers):
        return play(Table().asks(0, **W).take(0, *FULL).set(towers=towers).state(), "BUILD", "RETURN 1a", "RETURN 3a")

    state = built([2, 2])
    assert state.is_terminal() and state.ranking() == [[0], [1]] and state.returns().tolist() == [1, -1]
    assert not built([1, 2]).is_terminal()


# --------------------------------------------------------------------------------------------------------- setup
@statement(
    "C5", "The first player is drawn by lot (player_0 starts; environments draw the learner's seat)", "reconstructed"
)
def test_who_starts():
    assert {new(3, seed=seed).current_player() for seed in range(20)} == {0}
    assert set(MarketBatch(64, opponents="passive", seat="random", seed=1).learner.tolist()) == {0, 1}


@statement("C6", "90 gems and 10 passes are mixed in a bag")
def test_bag():
    for rules in ("base", "full"):
        position = new(rules=rules).position()
        there = [position["bag"], position["pile"], *position["tokens"]]
        assert sum(total(tokens) - tokens["pass"] for tokens in there) == 90
        assert sum(tokens["pass"] for tokens in there) == 10


@statement("C7", "The palace and as many markets as fit the number of players make the city (4, 5, 6)", "reconstructed")
def test_markets():
    assert [len(new(players).position()["circles"]) for players in (2, 3, 4)] == [4, 5, 6]


without_meaning("C8", "The order in which the markets lie does not matter", "about the table")


@statement("C9", "Materials lie on the circles as printed (what is printed is a component set)", "reconstructed")
def test_materials_lie_as_printed():
    rules = Table().rules
    names, printed = rules.components.materials, rules.components.markets
    for players in (2, 3, 4):
        assert new(players).position()["circles"] == [
            [names[circle.material] for circle in market.circles] for market in printed[: players + 2]
        ]


@statement("C10", "Building lists and black-market cards are shuffled apart and lie face down")
def test_decks():
    one, other = new(seed=1).position(), new(seed=2).position()
    for deck in ("list_deck", "card_deck"):
        assert one[deck] != other[deck]
        assert new(seed=1).position(0)[deck] == ["?"] * len(one[deck])
    assert len(one["list_deck"]) == 20 - 2 and len(one["card_deck"]) == 24


@statement("C11", "The tax collector stands beside the city: with nothing")
def test_the_pile_is_empty():
    assert total(new(4).position()["pile"]) == 0


@statement("C12", "Everybody gets a board, a worker, and three towers of one colour")
def test_what_everybody_gets():
    position = new(4).position()
    assert position["workers"] == [None] * 4 and position["towers"] == [0] * 4
    with pytest.raises(ValueError, match="towers"):
        Table().set(towers=[4, 0]).state()


@statement("C13", "Everybody draws a building list, open to all")
def test_open_lists():
    state = new(3)
    lists = state.position()["lists"]
    assert len(set(lists)) == 3
    assert [state.position(seat)["lists"] for seat in range(3)] == [lists] * 3


@statement("C14", "Two players keep their lists to themselves")
def test_closed_lists_of_two():
    state = new(2)
    first, second = state.position()["lists"]
    assert state.position(0)["lists"] == [first, "?"] and state.position(1)["lists"] == ["?", second]


# ---------------------------------------------------------------------------------------------------------- turn
@statement("C15", "A turn has three parts: draw, actions, building")
def test_three_parts():
    state = Table().asks(1, **W).take(1, *FULL).acted().state()
    play(state, "END")
    assert tokens_of(state, 1) == 3  # drawn before anything is asked
    play(state, "BUILD", "RETURN 1a", "RETURN 3a", "LIST 1")
    assert state.current_player() == 0  # nothing follows the building


@statement("C16", "Three gems are drawn from the bag at random")
def test_draw():
    drawn = set()
    for seed in range(30):
        state = play(Table().acted().set(rng=seed).state(), "END")
        assert tokens_of(state, 1) == 3
        drawn.add(tuple(sorted(held(state, 1).items())))
    assert len(drawn) > 5


@statement("C17", "Then any of the actions, or all")
def test_any_or_all_actions():
    start = Table().asks(0, **W).tokens(0, green=9, blue=2, passes=1).pile(blue=5).hand(0, "bribe").take(0, *FULL[1:])
    assert {text.split()[0] for text in legal(start.state())} == {"BUY", "TRADE", "ENTER", "CARD", "END"}
    for order in (["BUY 1a", "TRADE 1"], ["TRADE 1", "BUY 1a"], []):
        state = play(start.state(), *order)
        assert "END" in legal(state) and "ENTER pass" in legal(state)
    state = play(start.state(), "CARD bribe", "TRADE 1", "ENTER pass", "LOOK")
    play(state, min(legal(state, "KEEP")), "BUY 1a", "BUILD")
    assert legal(state) == {"RETURN 1a", "RETURN 1b"}


@statement("C18", "The worker goes to a market, and gems pay for one material there or several")
def test_several_purchases_at_one_market():
    state = play(Table().asks(0, **W).tokens(0, green=5, blue=1, red=1).state(), "BUY 1a", "BUY 1b", "BUY 1e")
    assert state.position()["workers"] == [1, None] and owned(state, 0) == {"wood": 2, "glass": 1}
    assert held(state, 0) == {} and in_pile(state) == {"green": 5, "blue": 1, "red": 1}
    # What cannot be paid cannot be bought: two green gems buy the cheapest wood only.
    assert legal(Table().asks(0, **W).tokens(0, green=2).state(), "BUY") == {"BUY 1a"}


@statement("C19", "One market a turn")
def test_one_market_a_turn():
    state = Table().asks(0, **W).tokens(0, **RICH).state()
    assert {text[4] for text in legal(state, "BUY")} == set("1234")
    assert {text[4] for text in legal(play(state, "BUY 1a"), "BUY")} == {"1"}


@statement("C20", "Nothing is bought that the player has no use for")
def test_no_useless_purchase():
    materials = Table().rules.components.materials
    state = Table().asks(0, **W).take(0, "1a").tokens(0, **RICH).state()
    circles = state.position()["circles"]
    bought = {circles[int(text[4]) - 1]["abcdef".index(text[5])] for text in legal(state, "BUY")}
    assert bought == {"wood", "stone", "glass"} < set(materials)
    enough = Table().asks(0, **W).take(0, "1a", "1b").tokens(0, **RICH).state()
    assert "BUY 4f" in legal(state) and "BUY 4f" not in legal(enough)  # a third wood


@statement("C21", "Gems paid lie beside the tax collector")
def test_payment_goes_to_the_pile():
    assert in_pile(play(Table().asks(0, **W).tokens(0, **RICH).state(), "BUY 1b")) == {"green": 1, "blue": 1}


@statement("C22", "Gems may be traded with the collector")
def test_trade():
    state = play(Table().tokens(0, green=2).pile(blue=1).state(), "TRADE 1")
    assert held(state, 0) == {"blue": 1} and in_pile(state) == {"green": 2}


@statement("C23", "One visit to the black market, and its cards")
def test_black_market_and_cards():
    state = Table().tokens(0, passes=2).hand(0, "bribe").state()
    play(state, "ENTER pass", "LOOK")
    play(state, min(legal(state, "KEEP")))
    assert legal(state, "ENTER") == set() and "CARD bribe" in legal(state)


# ------------------------------------------------------------------------------------------------------ building
@statement("C24", "A list that is met goes back to empty places of the markets, of the player's choice")
def test_building_gives_back():
    assert "BUILD" not in legal(Table().asks(0, **W).take(0, *FULL[:4]).state())
    state = play(Table().asks(0, **W).take(0, *FULL).state(), "BUILD")
    assert legal(state) == {"RETURN 1a", "RETURN 1b"}
    play(state, "RETURN 1b")
    assert legal(state) == {"RETURN 3a", "RETURN 3c"}
    play(state, "RETURN 3c")
    assert owned(state, 0) == {} and all(all(market) for market in state.position()["circles"])


def builder():
    return Table().asks(0, **W).take(0, *FULL)


BUILD = ("BUILD", "RETURN 1a", "RETURN 3a")


@statement("C25", "A tower goes up on the palace")
def test_a_tower_goes_up():
    assert play(builder().state(), *BUILD).position()["towers"] == [1, 0]


@statement("C26", "The list is discarded")
def test_the_list_is_discarded():
    start = builder()
    assert play(start.state(), *BUILD).position()["list_discard"] == [start.position["lists"][0]]


@statement("C27", "Of three new lists one is kept and two are discarded")
def test_three_new_lists():
    start = builder()
    own, top = start.position["lists"][0], start.position["list_deck"][:3]
    state = play(start.state(), *BUILD)
    assert legal(state) == {"LIST 1", "LIST 2", "LIST 3"}
    position = play(state, "LIST 3").position()
    assert position["lists"][0] == top[2] and position["list_discard"] == [own, *top[:2]]


@statement("C28", "A list deck that runs out is made of its discard pile, shuffled")
def test_list_deck_runs_out():
    def drawn(seed):
        start = builder()
        others = [number for number in range(20) if number not in start.position["lists"]]
        start.list_deck(others[0], discard=tuple(others[1:])).set(rng=seed)
        position = play(start.state(), *BUILD).position()
        assert position["pending"]["lists"][0] == others[0] and position["list_discard"] == []
        assert len(position["list_deck"]) == 17 - 2 + 1  # with the own list
        return tuple(position["pending"]["lists"])

    assert len({drawn(seed) for seed in range(10)}) > 5


@statement("C29", "Then the turn is over, and the player to the left goes on")
def test_the_next_player():
    assert play(builder().state(), *BUILD, "LIST 1").current_player() == 1
    state, seats = Table(3).acted().state(), []
    for _ in range(4):
        seats.append(state.current_player())
        play(state, "END")
    assert seats == [0, 1, 2, 0]


@statement(
    "C30", "A player that can do none of that draws two gems at the end (read: no BUY, BUILD, ENTER, CARD)", "reading"
)
def test_idle_draw():
    def drawn(start, *before):
        state = play(start.state(), *before)
        had = tokens_of(state, 0)
        return tokens_of(play(state, "END"), 0) - had

    assert drawn(Table().asks(0, **W)) == 2
    assert drawn(Table().asks(0, **W).tokens(0, green=1)) == 2  # too little for any price
    assert drawn(Table().asks(0, **W).tokens(0, green=2)) == 0  # wood on 1a
    assert drawn(Table().asks(0, **W).take(0, *FULL)) == 0  # it could build
    assert drawn(Table().asks(0, **W).tokens(0, passes=1)) == 0  # the black market is open to it
    assert drawn(Table().asks(0, **W).hand(0, "curfew")) == 0  # a card without a fee
    poor = Table().asks(0, wood=2, brick=2, glass=1).tokens(0, blue=1).pile(green=1)
    assert legal(poor.state()) == {"TRADE 4", "END"}
    assert drawn(poor) == 2  # a trade alone is not counted among them
    assert drawn(poor, "TRADE 4") == 0  # but it has done something
