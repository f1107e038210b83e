"""The bag is never left empty while the pile holds tokens (section 3): positions worked by hand."""

import json

import pytest
from market_positions import Table, W, die_first, held, in_pile, legal, play, tokens_of

from market_env import MarketState


def in_bag(state) -> dict[str, int]:
    return {kind: number for kind, number in state.position()["bag"].items() if number}


def thieves(players=2, **rules) -> Table:
    return Table(players, guard=True, **rules).asks(0, **W)


def without_draw() -> dict:
    """The default set, but turns begin without tokens: what lies where after a turn can be seen."""
    components = Table().rules.components.to_dict()
    components["rules"]["draw"] = 0
    return components


# --- draws ---
def test_the_pile_is_poured_in_the_middle_of_a_draw():
    # player_1 draws the green gem. The bag is empty: the five red ones are poured in, and two of them are drawn.
    state = play(Table().pile(red=5).bag(green=1).acted().state(), "END")
    assert held(state, 1) == {"green": 1, "red": 2}
    assert in_bag(state) == {"red": 3} and in_pile(state) == {}


def test_the_pile_is_poured_as_soon_as_the_last_token_leaves_the_bag():
    # The third token that player_1 draws is the bag's last: the collector has nothing when player_1 acts.
    state = play(thieves().tokens(1, green=3).pile(blue=5, passes=1).bag(green=3).acted().state(), "END")
    assert held(state, 1) == {"green": 6}
    assert in_bag(state) == {"blue": 5, "pass": 1} and in_pile(state) == {}
    assert legal(state, "TRADE", "STEAL") == set()
    # With one more token in the bag the pile stays, and the collector trades.
    state = play(thieves().tokens(1, green=3).pile(blue=5, passes=1).bag(green=4).acted().state(), "END")
    assert in_bag(state) == {"green": 1} and in_pile(state) == {"blue": 5, "pass": 1}
    assert legal(state, "TRADE", "STEAL") == {"TRADE 1", "STEAL"}


def test_the_draw_for_waiting_pours_too():
    # player_0 draws the two green gems, four red ones are poured in, and player_1 draws three of them.
    state = play(Table().pile(red=4).bag(green=2).state(), "END")
    assert held(state, 0) == {"green": 2} and held(state, 1) == {"red": 3}
    assert in_bag(state) == {"red": 1} and in_pile(state) == {}


def test_nothing_is_drawn_where_bag_and_pile_are_empty():
    state = play(Table().bag().acted().state(), "END")
    assert held(state, 1) == {} and in_bag(state) == {} and state.current_player() == 1
    # Two tokens for three: the pile's one follows the bag's one.
    state = play(Table().pile(green=1).bag(blue=1).acted().state(), "END")
    assert held(state, 1) == {"green": 1, "blue": 1} and in_bag(state) == in_pile(state) == {}


# --- payments ---
def test_a_price_is_poured_into_the_empty_bag_as_a_whole():
    state = play(Table().asks(0, **W).tokens(0, green=4, red=1).bag().state(), "BUY 1e")
    assert in_bag(state) == {"green": 2, "red": 1} and in_pile(state) == {}
    play(state, "BUY 1a")  # the bag is no longer empty, so the next price stays in the pile
    assert in_bag(state) == {"green": 2, "red": 1} and in_pile(state) == {"green": 2}


def test_each_entry_is_a_payment():
    state = play(Table().tokens(0, red=2, passes=1).bag().state(), "ENTER pass")
    assert in_bag(state) == {"pass": 1} and in_pile(state) == {}
    play(state, "ENTER red")
    assert in_bag(state) == {"pass": 1} and in_pile(state) == {"red": 2}


def test_a_fee_is_poured_after_its_last_gem():
    # smuggler costs two: after one the pile holds it and the bag nothing. Both go into the bag, and both are drawn.
    state = Table().tokens(0, green=1, blue=1, red=1).bag().hand(0, "smuggler").state()
    play(state, "CARD smuggler", "PAY green")
    assert in_pile(state) == {"green": 1} and in_bag(state) == {} and legal(state) == {"PAY blue", "PAY red"}
    state = MarketState.from_position(json.loads(json.dumps(state.position())))
    play(state, "PAY red")
    assert held(state, 0) == {"green": 1, "blue": 1, "red": 1} and in_bag(state) == in_pile(state) == {}


def test_the_fee_of_levy_stays_in_the_pile():
    # Its pile holds two gems, so the bag is not empty.
    state = Table().tokens(0, green=2).pile(red=2).bag(passes=1).hand(0, "levy").state()
    play(state, "CARD levy", "TAKE red", "TAKE green")
    assert held(state, 0) == {"green": 1, "red": 1}
    assert in_pile(state) == {"green": 1, "red": 1} and in_bag(state) == {"pass": 1}


def test_what_a_prisoner_pays_is_poured_after_the_third_gem():
    table = thieves().flags("wanted", 1).flags("jailed", 1).acted().tokens(1, green=1, blue=2, red=2).bag()
    state = play(table.state(), "END", "PAY green", "PAY red")
    assert in_pile(state) == {"green": 1, "red": 1} and in_bag(state) == {}
    play(state, "PAY red")
    assert in_pile(state) == {} and in_bag(state) == {"green": 1, "red": 2}
    assert held(state, 1) == {"blue": 2} and "STEAL" not in legal(state)  # the collector has nothing again


def test_a_pardon_is_poured_so_that_nothing_can_be_stolen_after_it():
    state = play(thieves().tokens(0, red=2).flags("wanted", 0).bag().state(), "PARDON")
    assert in_bag(state) == {"red": 1} and in_pile(state) == {} and "STEAL" not in legal(state)
    # Beside a bag that is not empty the red gem makes the second one.
    state = play(thieves().tokens(0, red=2).flags("wanted", 0).pile(green=1).bag(green=1).state(), "PARDON")
    assert in_pile(state) == {"green": 1, "red": 1} and "STEAL" in legal(state)


@pytest.mark.parametrize(
    ("tokens", "said", "bag", "pile"),
    [
        ({"green": 1, "blue": 1}, ["HIRE stand-in", "PAY blue", "MARKET 1"], {"blue": 1}, {}),
        ({"red": 1}, ["HIRE runner"], {"red": 1}, {}),
        # The fee has one answer and is poured; the price of 1a follows when the bag is no longer empty.
        ({"green": 2, "blue": 1}, ["HIRE bully", "MARKET 1", "BUY 1a"], {"blue": 1}, {"green": 2}),
    ],
)
def test_the_price_of_an_apprentice_is_poured(tokens, said, bag, pile):
    table = Table(apprentices=True).asks(0, **W).tokens(0, **tokens).worker(1, 1).bag()
    if "MARKET 1" in said and "HIRE stand-in" in said:
        table.set(workers=[None, None])
    state = play(table.state(), *said)
    assert in_bag(state) == bag and in_pile(state) == pile


# --- trades ---
def test_nobody_trades_while_the_bag_is_empty():
    # An empty bag means an empty pile, and every rate of the default set takes something out of it.
    assert legal(Table().tokens(0, green=9, blue=9, red=9).bag().state(), "TRADE") == set()


def test_a_rate_that_gives_nothing_pours_into_the_empty_bag():
    components = Table().rules.components.to_dict()
    components["rate"] = [{"give": {"green": 1}, "get": {}}]
    state = play(Table(components=components).tokens(0, green=2).bag().state(), "TRADE 1")
    assert in_bag(state) == {"green": 1} and in_pile(state) == {}
    play(state, "TRADE 1")
    assert in_bag(state) == {"green": 1} and in_pile(state) == {"green": 1} and held(state, 0) == {}


# --- the guard ---
def test_stolen_gems_are_no_longer_there_to_be_poured():
    # STEAL takes out of the pile and leaves the bag alone: the bag is not empty, or there were nothing to steal.
    table = thieves().pile(red=2, passes=1).bag(green=1)
    state = play(table.state(), "STEAL", "TAKE red", "TAKE red")
    assert in_bag(state) == {"green": 1} and in_pile(state) == {"pass": 1}
    # player_1 draws the green gem; the pass is poured in and drawn; the third draw draws nothing.
    play(state, "END")
    assert held(state, 1) == {"green": 1, "pass": 1} and in_bag(state) == in_pile(state) == {}
    # Without the theft two of red, red, pass are drawn after the green one, and one stays in the bag.
    state = play(table.acted().state(), "END")
    assert tokens_of(state, 1) == 3 and held(state, 1)["green"] == 1
    assert sum(in_bag(state).values()) == 1 and in_pile(state) == {}


def test_a_stolen_purse_pours_nothing():
    state = Table().tokens(1, green=1).bag().hand(0, "pickpocket").state()
    play(state, "CARD pickpocket", "TARGET player_1")
    assert held(state, 0) == {"green": 1} and in_bag(state) == in_pile(state) == {}


@pytest.mark.parametrize(
    ("pile", "bag", "reward", "left_in_bag", "left_in_pile"),
    [
        # The reward is the bag's last token: the pile is poured in after it.
        ({"green": 4}, {"red": 1}, {"red": 1}, {"green": 4}, {}),
        # A pass stays in the bag, so the pile stays too.
        ({"green": 4}, {"red": 1, "passes": 1}, {"red": 1}, {"pass": 1}, {"green": 4}),
        # No gem in the bag: the pile is poured in before, and its only gem is the reward.
        ({"red": 1}, {"passes": 1}, {"red": 1}, {"pass": 1}, {}),
        ({"passes": 2}, {"passes": 1}, {}, {"pass": 3}, {}),
        ({}, {}, {}, {}, {}),
    ],
)
def test_the_reward_for_an_arrest(pile, bag, reward, left_in_bag, left_in_pile):
    table = thieves(3, components=without_draw()).flags("wanted", 2).acted().worker(2, 4)
    state = play(table.pile(**pile).bag(**bag).set(rng=die_first(4)).state(), "END")
    assert state.position()["jailed"] == [False, False, True]
    assert held(state, 0) == reward and in_bag(state) == left_in_bag and in_pile(state) == left_in_pile


# --- smuggler ---
def test_a_smuggler_goes_on_into_the_pile_and_its_own_fee():
    # The fee of two green gems lies in the pile with the red one. The blue gem is drawn, the pile is poured in, two of
    # its three gems are drawn, and the third stays in the bag.
    state = Table().tokens(0, green=2).pile(red=1).bag(blue=1).hand(0, "smuggler").state()
    play(state, "CARD smuggler")
    assert held(state, 0)["blue"] == 1 and tokens_of(state, 0) == 3
    assert sum(in_bag(state).values()) == 1 and in_pile(state) == {}


def test_a_smuggler_who_draws_the_last_token_leaves_a_full_bag():
    state = Table().tokens(0, green=2).pile(red=1).bag(blue=3).hand(0, "smuggler").state()
    play(state, "CARD smuggler")
    assert held(state, 0) == {"blue": 3} and in_bag(state) == {"green": 2, "red": 1} and in_pile(state) == {}


# --- positions ---
def test_positions_keep_to_it():
    with pytest.raises(
        ValueError, match="bag: must not be empty while the pile holds 2 tokens, which would be poured into it"
    ):
        Table().pile(green=1, passes=1).bag().state()
    # While a fee is paid, the pile may hold what has been paid of it, and no more.
    state = Table().tokens(0, green=1, blue=1, red=1).bag().hand(0, "smuggler").state()
    position = play(state, "CARD smuggler", "PAY green").position()
    assert MarketState.from_position(position).position() == position
    position["pile"]["blue"] = 1
    with pytest.raises(ValueError, match="bag: must not be empty while the pile holds 2 tokens"):
        MarketState.from_position(position)
