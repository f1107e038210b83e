"""Drawing, buying, trading and waiting (sections 2, 3 and 4 of the rules)."""

import pytest
from market_positions import Table, W, held, in_pile, legal, owned, play, tokens_of

from market_env import MarketState
from tower_core.engine.random import SplitMix64

RICH = {"green": 9, "blue": 9, "red": 9}
TOWER = ("1a", "1b", "3a", "3c", "1e")  # what W asks for


# --- the draw ---
def test_a_turn_begins_with_three_tokens_counted_green_blue_red_pass():
    stream = SplitMix64(5)
    state = Table().bag(green=2, blue=1, red=1, passes=1).acted().set(rng=5).state()
    bag = ["green", "green", "blue", "red", "pass"]
    drawn = [bag.pop(stream.below(len(bag))) for _ in range(3)]
    play(state, "END")
    assert held(state, 1) == {kind: drawn.count(kind) for kind in set(drawn)} and tokens_of(state, 0) == 0


# --- buying ---
def test_a_purchase_pays_the_pile_takes_the_material_and_puts_the_worker_there():
    state = Table().asks(0, **W).tokens(0, green=4, blue=1).state()
    play(state, "BUY 1b")
    position = state.position()
    assert in_pile(state) == {"green": 1, "blue": 1} and held(state, 0) == {"green": 3}
    assert owned(state, 0) == {"wood": 1} and position["circles"][0][1] is None
    assert position["workers"] == [1, None] and position["turn_state"]["acted"]


def test_what_can_be_bought_is_payable_and_of_use_and_equal_circles_count_once():
    state = Table().asks(0, **W).tokens(0, green=4, blue=3, red=2).state()
    # No brick, no iron; of 1e = 1f, 2e = 2f, 3a = 3b, 3c = 3d the first.
    assert legal(state, "BUY") == {f"BUY {c}" for c in ("1a", "1b", "1e", "2e", "3a", "3c", "4d", "4e", "4f")}
    state = Table().asks(0, **W).tokens(0, green=2).state()
    assert legal(state, "BUY") == {"BUY 1a"}


def test_an_equal_circle_is_offered_when_the_first_is_empty():
    state = Table().asks(0, **W).take(1, "1e").tokens(0, green=2, red=1).state()
    assert "BUY 1f" in legal(state)


def test_circles_of_one_price_with_different_materials_are_not_equal():
    table = Table(rules="advanced").asks(0, **W).tokens(0, green=2, red=1)
    first = table.position["circles"][0]
    first[0], first[4] = first[4], first[0]  # 1e holds wood now, 1f glass, for the same price
    assert {"BUY 1e", "BUY 1f"} <= legal(table.state())


def test_a_material_that_the_list_does_not_lack_is_of_no_use():
    state = Table().asks(0, **W).take(0, "1a", "1b").tokens(0, **RICH).state()
    assert not {"BUY 4f", "BUY 2a"} & legal(state) and "BUY 3a" in legal(state)


def test_one_market_a_turn():
    state = Table().asks(0, **W).tokens(0, **RICH).state()
    assert {text[4] for text in legal(state, "BUY")} == {"1", "2", "3", "4"}
    play(state, "BUY 1a")
    assert legal(state, "BUY") == {"BUY 1b", "BUY 1e"}


def test_a_worker_stays_until_its_owner_is_on_turn_again():
    table = Table(3).asks(0, **W).asks(1, **W | {"stone": 1, "brick": 1}).asks(2, wood=2, brick=2, glass=1)
    state = table.tokens(0, green=2).tokens(1, green=8, blue=4).tokens(2, green=8, blue=4).state()
    play(state, "BUY 1a", "END")
    for _ in range(2):
        assert "BUY 4f" in legal(state) and "BUY 1b" not in legal(state) and state.position()["workers"][0] == 1
        play(state, "END")
    assert state.position()["workers"] == [None] * 3


@pytest.mark.parametrize("figure", ["worker", "stand-in", "runner", "npc", "own curfew", "other's curfew"])
def test_what_keeps_a_player_out_of_a_market(figure):
    table = Table(2, apprentices=True, npc=True).asks(0, **W).tokens(0, **RICH)
    if figure == "worker":
        table.worker(1, 3)
    elif figure == "npc":
        table.worker(2, 3)
    elif figure == "own curfew":
        table.curfew(0, 3)
    elif figure == "other's curfew":
        table.curfew(1, 3)
    else:
        table.with_apprentice(1, figure, 3)
    assert {text[4] for text in legal(table.state(), "BUY")} == {"1", "2", "4", "5"}


def test_own_stand_in_and_the_guard_keep_nobody_out_of_a_market():
    table = Table(2, apprentices=True, guard=True).asks(0, **W).tokens(0, **RICH).set(guard=1)
    state = table.with_apprentice(0, "stand-in", 3).state()
    assert {text[4] for text in legal(state, "BUY")} == {"1", "2", "3", "4"}


def test_where_the_worker_stands_only_price_and_use_count():
    table = Table().asks(0, **W).tokens(0, **RICH).worker(0, 1).worker(1, 1).acted()
    assert legal(table.state(), "BUY") == {"BUY 1a", "BUY 1b", "BUY 1e"}


# --- the tax collector ---
def test_a_trade_gives_the_left_side_and_gets_the_right():
    state = play(Table().tokens(0, green=3).pile(blue=1, red=1).state(), "TRADE 1")
    assert held(state, 0) == {"green": 1, "blue": 1} and in_pile(state) == {"green": 2, "red": 1}
    assert state.position()["turn_state"]["acted"]


def test_a_trade_needs_both_sides_before_it_is_made():
    assert legal(Table().tokens(0, red=1, green=1).pile(blue=1).state(), "TRADE") == set()
    state = Table().tokens(0, red=1, green=1).pile(blue=1, green=1).state()
    assert legal(state, "TRADE") == {"TRADE 5"}  # one red for blue and green, which both lie there
    assert legal(Table().tokens(0, green=1).pile(blue=1).state(), "TRADE") == set()
    assert legal(Table().tokens(0, **RICH).pile(passes=9).state(), "TRADE") == set()


def test_trades_may_be_made_any_number_of_times():
    state = play(Table().tokens(0, green=6).pile(blue=3).state(), "TRADE 1", "TRADE 1", "TRADE 1")
    assert held(state, 0) == {"blue": 3}


def test_any_action_or_all_in_any_order():
    start = Table().asks(0, **W).tokens(0, green=9, blue=2, passes=1).pile(blue=5).hand(0, "bribe").take(0, *TOWER[1:])
    assert {text.split()[0] for text in legal(start.state())} == {"BUY", "TRADE", "ENTER", "CARD", "END"}
    for order in (["BUY 1a", "TRADE 1"], ["TRADE 1", "BUY 1a"], []):
        assert {"END", "ENTER pass"} <= legal(play(start.state(), *order))
    state = play(start.state(), "CARD bribe", "TRADE 1", "ENTER pass", "LOOK")
    play(state, min(legal(state, "KEEP")), "BUY 1a", "BUILD")
    assert legal(state) == {"RETURN 1a", "RETURN 1b"}


# --- the end of a turn ---
@pytest.mark.parametrize(
    ("idle_draw", "green", "drawn"), [("unable", 0, 2), ("unable", 9, 0), ("always", 9, 2), ("always", 0, 2)]
)
def test_who_has_done_nothing_draws_two(idle_draw, green, drawn):
    state = Table(idle_draw=idle_draw).asks(0, **W).tokens(0, green=green).state()
    play(state, "END")
    assert tokens_of(state, 0) == green + drawn


@pytest.mark.parametrize(
    ("table", "possible", "drawn"),
    [
        # Each alone keeps the player from the draw: BUY, BUILD, ENTER, CARD.
        (Table().asks(0, **W).tokens(0, green=2), {"BUY 1a"}, 0),
        (Table().asks(0, **W).take(0, *TOWER), {"BUILD"}, 0),
        (Table().asks(0, **W).tokens(0, passes=1), {"ENTER pass"}, 0),
        (Table().asks(0, **W).hand(0, "curfew"), {"CARD curfew"}, 0),
        # TRADE, STEAL, PARDON and HIRE do not.
        (Table().asks(0, **W).tokens(0, blue=1).pile(green=1), {"TRADE 4"}, 2),
        (Table(guard=True).asks(0, **W).pile(green=2), {"STEAL"}, 2),
        (Table(guard=True).asks(0, brick=2, stone=2, iron=1).tokens(0, red=1).flags("wanted", 0).worker(1, 2)
         .curfew(1, 3), {"PARDON"}, 2),
        (Table(apprentices=True).asks(0, **W).tokens(0, green=1), {"HIRE stand-in"}, 2),
        # Nor do entries where there is no card, and a card that has no effect now.
        (Table().asks(0, **W).tokens(0, passes=1).card_deck(), set(), 2),
        (Table().asks(0, **W).hand(0, "levy"), set(), 2),
    ],
)  # fmt: skip
def test_what_keeps_a_player_from_the_draw_for_waiting(table, possible, drawn):
    state = table.state()
    assert legal(state) == {"END", *possible}
    tokens = tokens_of(state, 0)
    assert tokens_of(play(state, "END"), 0) == tokens + drawn


def test_it_is_the_moment_of_end_that_counts():
    # A hired stand-in takes the gem that could have bought something.
    state = Table(apprentices=True).asks(0, **W).tokens(0, green=2).state()
    assert legal(state, "BUY") == {"BUY 1a"}
    play(state, "HIRE stand-in", "MARKET 2")
    assert legal(state) == {"END"}
    assert tokens_of(play(state, "END"), 0) == 1 + 2


@pytest.mark.parametrize("idle_draw", ["unable", "always"])
def test_who_has_acted_draws_nothing(idle_draw):
    for before in (
        ["TRADE 1"],
        ["ENTER pass", "LOOK", "KEEP bribe"],
        ["CARD smuggler", "PAY green", "PAY green"],
        ["BUY 1a"],
    ):
        table = Table(idle_draw=idle_draw).asks(0, **W).tokens(0, green=2, blue=1, passes=1).pile(blue=1)
        state = play(table.hand(0, "smuggler").card_deck("bribe").state(), *before)
        tokens = tokens_of(state, 0)
        assert tokens_of(play(state, "END"), 0) == tokens, before


def test_pardon_and_hire_alone_leave_the_idle_draw():
    state = Table(guard=True).tokens(0, red=1).flags("wanted", 0).asks(0, brick=2, stone=2, iron=1).state()
    assert tokens_of(play(state, "PARDON", "END"), 0) == 2
    state = Table(apprentices=True, idle_draw="always").tokens(0, red=1).state()
    assert tokens_of(play(state, "HIRE runner", "END"), 0) == 2


def test_end_is_said_even_when_nothing_else_is_legal():
    state = MarketState.from_position(Table().state().position())
    assert legal(state) == {"END"} and state.current_player() == 0
