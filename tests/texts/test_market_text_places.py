"""The Chinese rule text of the market game, second part: markets, black market, collector, materials, the advanced game."""

import pytest
from market_positions import Table, W, held, in_pile, legal, owned, play, tokens_of
from statements import statement

from market_env import MarketState

FULL = ("1a", "1b", "3a", "3c", "1e")
RICH = {"green": 12, "blue": 12, "red": 6}
SHOWN = ("bribe", "levy", "curfew", "permit")


# ------------------------------------------------------------------------------------------------------- markets
@statement("C31", "One player at a time occupies a market")
def test_a_market_is_occupied():
    start = Table(3).asks(0, **W).tokens(0, **RICH)
    assert "BUY 1a" in legal(start.state())
    assert {text[4] for text in legal(start.worker(1, 1).worker(2, 3).state(), "BUY")} == {"2", "4", "5"}


@statement("C32", "A worker that enters a market must buy")
def test_no_entering_without_buying():
    state = Table().asks(0, **W).state()
    assert legal(state) == {"END"} and state.position()["workers"][0] is None
    state = play(Table().asks(0, **W).tokens(0, green=2).state(), "BUY 1a")
    assert state.position()["workers"][0] == 1 and owned(state, 0) == {"wood": 1}


# -------------------------------------------------------------------------------------------------- black market
@statement("C33", "The black market is no market: no worker goes there")
def test_no_worker_at_the_black_market():
    state = play(
        Table().asks(0, **W).tokens(0, green=2, passes=1).card_deck(*SHOWN).state(), "ENTER pass", "LOOK", "KEEP levy"
    )
    assert state.position()["workers"] == [None, None] and "BUY 1a" in legal(state)
    state = play(Table().asks(0, **W).tokens(0, green=2, passes=1).state(), "BUY 1a")
    assert "ENTER pass" in legal(state)


@statement("C34", "It takes a pass, or six green, four blue or two red gems")
def test_entries():
    for entry, kind, number in (("pass", "passes", 1), ("green", "green", 6), ("blue", "blue", 4), ("red", "red", 2)):
        state = Table().tokens(0, **{kind: number}).state()
        assert legal(state, "ENTER") == {f"ENTER {entry}"}
        assert tokens_of(play(state, f"ENTER {entry}"), 0) == 0
        assert legal(Table().tokens(0, **{kind: number - 1}).state(), "ENTER") == set()


@statement("C35", "Three cards are drawn, one is chosen in secret, two go back on top of the deck")
def test_a_visit():
    state = play(Table().tokens(0, passes=1).card_deck(*SHOWN).state(), "ENTER pass", "LOOK")
    assert legal(state) == {"KEEP bribe", "KEEP levy", "KEEP curfew"}
    play(state, "KEEP levy")
    position = state.position()
    assert position["hands"] == [["levy"], []] and position["card_deck"] == ["bribe", "curfew", "permit"]
    assert state.position(1)["hands"] == [["?"], []] and "levy" not in str(state.position(1)["card_deck"])


@statement("C36", "Two or three cards cost two or three entries, paid before; three cards are drawn all the same")
def test_several_entries():
    for entries in (1, 2, 3):
        state = Table().tokens(0, passes=2, green=6).card_deck(*SHOWN).state()
        play(state, *["ENTER pass", "ENTER green", "ENTER pass"][:entries], "LOOK")
        assert legal(state, "ENTER") == set() and len(legal(state, "KEEP")) == 3
        play(state, *["KEEP bribe", "KEEP levy", "KEEP curfew"][:entries])
        assert len(state.position()["hands"][0]) == entries and legal(state, "KEEP") == set()


@statement("C37", "A hand holds three cards at most; for a new one, one of them is discarded")
def test_hand_limit():
    start = Table().tokens(0, passes=1).hand(0, "levy", "levy", "curfew").card_deck("bribe", "permit", "smuggler")
    state = play(start.state(), "ENTER pass", "LOOK")
    assert legal(state) == {"DROP levy", "DROP curfew"}
    position = play(state, "DROP curfew", "KEEP bribe").position()
    assert sorted(position["hands"][0]) == ["bribe", "levy", "levy"] and position["card_discard"] == ["curfew"]
    with pytest.raises(ValueError, match="hands"):
        Table().hand(0, "levy", "levy", "curfew", "bribe").state()


@statement(
    "C38", "Any number of cards a turn, for the fee on each, in gems of any colours (fees are made up)", "reconstructed"
)
def test_cards_and_fees():
    state = Table().tokens(0, green=2, blue=1, red=1).hand(0, "smuggler", "smuggler", "curfew").state()
    play(state, "CARD smuggler")
    assert legal(state) == {"PAY green", "PAY blue", "PAY red"}
    play(state, "PAY red", "PAY blue")
    assert in_pile(state) == {"red": 1, "blue": 1} and tokens_of(state, 0) == 2 + 3
    assert "CARD curfew" in legal(state)
    play(state, "CARD curfew", "MARKET 2")
    assert "CARD smuggler" not in legal(Table().tokens(0, green=1, passes=9).hand(0, "smuggler").state())


@statement("C39", "Cards used are discarded; a deck that runs out is made of its discard pile, shuffled")
def test_card_deck_runs_out():
    state = play(Table().hand(0, "curfew").state(), "CARD curfew", "MARKET 1")
    assert state.position()["card_discard"] == ["curfew"] and state.position()["hands"][0] == []
    tops = set()
    for seed in range(20):
        start = Table().tokens(0, passes=1).card_deck("bribe", discard=("levy", "curfew", "permit")).set(rng=seed)
        position = play(start.state(), "ENTER pass", "LOOK").position()
        assert position["pending"]["cards"][0] == "bribe" and position["card_discard"] == []
        tops.add(position["pending"]["cards"][1])
    assert tops == {"levy", "curfew", "permit"}


@statement("C40", "One visit to the black market a turn")
def test_one_visit_a_turn():
    state = Table().tokens(0, passes=3).card_deck(*SHOWN).state()
    play(state, "ENTER pass", "LOOK", "KEEP levy")
    assert legal(state, "ENTER") == set()
    assert "ENTER pass" in legal(play(state, "END", "END"))


# ----------------------------------------------------------------------------------------------------- collector
@statement("C41", "All gems paid in the game lie beside the collector")
def test_all_payments():
    state = (
        Table(apprentices=True)
        .asks(0, **W)
        .tokens(0, green=4, red=1, passes=1)
        .hand(0, "sabotage")
        .take(1, "4a")
        .state()
    )
    play(state, "BUY 1a", "HIRE runner", "CARD sabotage")  # the fee is green
    assert in_pile(state) == {"green": 3, "red": 1}


@statement(
    "C42", "Rates are read from left to right; without the gem there is no trade (rates are made up)", "reconstructed"
)
def test_rates():
    # Rate 4: one blue for one green. The way back is no rate, and the pile must hold the green gem.
    assert "TRADE 4" in legal(Table().tokens(0, blue=1).pile(green=1).state())
    assert "TRADE 4" not in legal(Table().tokens(0, blue=1).pile(red=1).state())
    assert legal(Table().tokens(0, green=1).pile(blue=9).state(), "TRADE") == set()


@statement("C43", "Trading is possible at any time (read: among the own actions, not in the middle of one)", "reading")
def test_when_to_trade():
    start = Table().asks(0, **W).tokens(0, green=9, blue=4, passes=1).pile(blue=4, green=4, red=2).hand(0, "smuggler")
    state = start.state()
    for action in ("TRADE 1", "BUY 1a"):
        assert legal(state, "TRADE")
        play(state, action)
    assert legal(state, "TRADE")
    assert legal(play(state.clone(), "ENTER pass"), "TRADE") == set()
    assert legal(play(state.clone(), "CARD smuggler"), "TRADE") == set()
    other = play(start.tokens(1, green=9).state(), "END")
    assert other.current_player() == 1  # player_0 is asked nothing in the other's turn


@statement("C44", "The collector gives no passes")
def test_no_passes():
    rates = Table().rules.components.rates
    assert all(len(rate.get) == 3 for rate in rates)  # green, blue, red
    state = Table().tokens(0, green=9, blue=9, red=9).pile(passes=9).state()
    assert legal(state, "TRADE") == set()


@statement("C45", "When the bag has been emptied, the collector's gems are poured into it")
def test_the_pile_is_poured():
    bag = lambda state: {kind: number for kind, number in state.position()["bag"].items() if number}  # noqa: E731
    # The last token leaves the bag with the third draw: poured at once.
    state = play(Table().pile(green=10).bag(green=3).acted().state(), "END")
    assert tokens_of(state, 1) == 3 and in_pile(state) == {} and bag(state) == {"green": 10}
    # In the middle of the draw: the third token comes from what was poured.
    state = play(Table().pile(red=10).bag(green=2).acted().state(), "END")
    assert held(state, 1) == {"green": 2, "red": 1} and in_pile(state) == {} and bag(state) == {"red": 9}
    # With more in the bag nothing is poured.
    state = play(Table().pile(green=10).bag(blue=4).acted().state(), "END")
    assert in_pile(state) == {"green": 10} and bag(state) == {"blue": 1}
    # A payment while the bag is empty goes through the pile into the bag, as a whole.
    state = play(Table().asks(0, **W).tokens(0, green=1, blue=1).bag().state(), "BUY 1b")
    assert in_pile(state) == {} and bag(state) == {"green": 1, "blue": 1}


# ----------------------------------------------------------------------------------------------------- materials
@statement("C46", "What no player can buy others replace, until somebody builds (read: no circle holds it)", "reading")
def test_shortage():
    # With two players wood lies on 1a, 1b and 4f only.
    start = Table().asks(0, **W).take(0, "3a", "3b", "1e", "2a", "2b").take(1, "1a", "1b", "4f")
    state = start.state()
    assert "BUILD" in legal(state)  # two bricks stand in for two wood
    some = Table().asks(0, **W).take(0, "3a", "3b", "1e", "2a", "2b").take(1, "1a", "1b").state()
    assert "BUILD" not in legal(some)  # 4f has wood, whatever it costs
    one = Table().asks(0, **W).take(0, "3a", "3b", "1e", "2a").take(1, "1a", "1b", "4f").tokens(0, green=1, blue=1)
    assert "BUILD" not in legal(one.state()) and "BUY 2b" in legal(one.state())
    # Until somebody builds and wood comes back.
    other = start.asks(1, wood=2, brick=2, glass=1).take(1, "2c", "2d", "4d").set(to_move=1, tokens=[{}, {}])
    state = play(other.state(), "BUILD")
    while legal(state, "RETURN", "LIST"):
        play(state, min(legal(state)))
    assert state.current_player() == 0 and "BUILD" not in legal(state)


# ------------------------------------------------------------------------------------------------------- the end
@statement("C47", "The first to complete its third tower has won")
def test_the_end():
    start = Table(3).asks(0, **W).take(0, *FULL).set(towers=[2, 2, 0])
    state = play(start.state(), "BUILD", "RETURN 1a", "RETURN 3a")
    assert state.is_terminal() and state.scores() == [3, 2, 0] and state.ranking() == [[0], [1], [2]]
    assert legal(state) == set()


# ------------------------------------------------------------------------------------------------- advanced game
@statement("C48", "Advanced: lists stay closed", preset="advanced")
def test_advanced_lists():
    state = MarketState(4, "advanced", 7)
    lists = state.position()["lists"]
    for seat in range(4):
        assert state.position(seat)["lists"] == [lists[p] if p == seat else "?" for p in range(4)]


@statement("C49", "Advanced: materials begin on places drawn at random", preset="advanced")
def test_advanced_places():
    printed = sum(MarketState(2, "base").position()["circles"], [])
    layouts = {tuple(sum(MarketState(2, "advanced", seed).position()["circles"], [])) for seed in range(10)}
    assert len(layouts) == 10 and all(sorted(layout) == sorted(printed) for layout in layouts)


@statement("C50", "Advanced: materials go back to places of the player's choice", preset="advanced")
def test_advanced_returns():
    state = Table(2, "advanced").asks(0, **W).take(0, *FULL).take(1, "2a").state()
    assert legal(play(state, "BUILD")) == {f"RETURN {circle}" for circle in ("1a", "1b", "1e", "2a", "3a", "3c")}
    base = Table().asks(0, **W).take(0, *FULL).take(1, "2a").state()
    assert legal(play(base, "BUILD")) == {"RETURN 1a", "RETURN 1b"}
