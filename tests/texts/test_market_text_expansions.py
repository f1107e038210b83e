"""The Chinese rule text of the market game, third part: apprentices, guard, NPC, solo. Presets of these names follow it."""

import pytest
from market_positions import Table, W, die_first, held, in_pile, legal, owned, play, tokens_of
from statements import statement

from market_env import MarketState

RICH = {"green": 9, "blue": 9, "red": 9}
FULL = ("1a", "1b", "3a", "3c", "1e")


def markets(state):
    return {int(text[4]) for text in legal(state, "BUY")}


# --------------------------------------------------------------------------------------------------- apprentices
def hiring(players=2, **more):
    return Table(players, "apprentices", **more).asks(0, **W)


@statement("C51", "Three apprentices: figures for stand-in and runner, none for the bully", preset="apprentices")
def test_apprentices_and_their_figures():
    position = MarketState(2, "apprentices").position()
    assert set(position["apprentices"]["with"]) == {"stand-in", "bully", "runner"}
    assert set(position["figures"]) - {"curfew"} == {"stand-in", "runner"}
    assert legal(hiring().tokens(0, **RICH).worker(1, 1).state(), "HIRE") == {
        "HIRE stand-in",
        "HIRE bully",
        "HIRE runner",
    }
    assert legal(Table().tokens(0, **RICH).worker(1, 1).state(), "HIRE") == set()


@statement("C52", "The stand-in costs any one gem", preset="apprentices")
def test_price_of_the_stand_in():
    state = play(hiring().tokens(0, green=1, blue=1, red=1).state(), "HIRE stand-in")
    assert legal(state) == {"PAY green", "PAY blue", "PAY red"}
    assert in_pile(play(state, "PAY blue")) == {"blue": 1}
    assert "HIRE stand-in" not in legal(hiring().tokens(0, passes=5).state())


@statement("C53", "It stands on any empty market until its player's next turn", preset="apprentices")
def test_the_stand_in():
    start = hiring(3).asks(1, wood=2, brick=2, glass=1).tokens(0, green=1).tokens(1, **RICH).worker(2, 2)
    state = play(start.state(), "HIRE stand-in")
    assert legal(state) == {"MARKET 1", "MARKET 3", "MARKET 4", "MARKET 5"}
    play(state, "MARKET 3", "END")
    assert 3 not in markets(state) and 1 in markets(state)
    play(state, "END", "END")
    assert state.position()["figures"]["stand-in"] == [None] * 3


@statement("C54", "The bully costs a blue or a red gem", preset="apprentices")
def test_price_of_the_bully():
    state = play(hiring().tokens(0, green=2, blue=1, red=1).worker(1, 1).state(), "HIRE bully")
    assert legal(state) == {"PAY blue", "PAY red"}
    assert "HIRE bully" not in legal(hiring().tokens(0, green=9).worker(1, 1).state())


@statement("C55", "It drives a player out of a market to buy there (read: all figures there)", "reading", "apprentices")
def test_the_bully():
    start = hiring(3).tokens(0, green=2, blue=1).worker(1, 1).worker(2, 3)
    assert "BUY 1a" not in legal(start.state())
    state = play(start.state(), "HIRE bully", "MARKET 1")
    assert state.position()["workers"] == [None, None, 3] and legal(state) == {"BUY 1a"}
    assert play(state, "BUY 1a").position()["workers"] == [1, None, 3]


@statement("C56", "The runner costs a red gem", preset="apprentices")
def test_price_of_the_runner():
    assert held(play(hiring().tokens(0, red=1, blue=1).state(), "HIRE runner"), 0) == {"blue": 1}
    assert "HIRE runner" not in legal(hiring().tokens(0, green=9, blue=9).state())


@statement("C57", "It lets its player buy at two empty markets, and stays until the next turn", preset="apprentices")
def test_the_runner():
    start = hiring().asks(1, wood=2, brick=2, glass=1).tokens(0, **RICH).tokens(1, green=9, blue=9)
    state = play(start.state(), "BUY 1a")
    assert markets(state) == {1}
    play(state, "HIRE runner", "BUY 3a")
    assert markets(state) == {1, 3} and state.position()["figures"]["runner"] == [3, None]
    play(state, "END")
    assert markets(state) == {2, 4}
    play(state, "END")
    assert state.position()["figures"]["runner"] == [None, None]
    taken = play(hiring(3).tokens(0, **RICH).worker(1, 3).state(), "HIRE runner", "BUY 1a")
    assert 3 not in markets(taken)


@statement("C58", "One apprentice a turn", preset="apprentices")
def test_one_apprentice_a_turn():
    state = play(hiring().tokens(0, **RICH).worker(1, 1).state(), "HIRE runner")
    assert legal(state, "HIRE") == set()


@statement("C59", "One apprentice in the whole game (for each player)", "reading", "apprentices")
def test_one_apprentice_a_game():
    state = play(hiring().tokens(0, red=3).tokens(1, red=3).state(), "HIRE runner", "END")
    assert legal(state, "HIRE") != set()  # the other player has its own
    play(state, "END")
    assert legal(state, "HIRE") == set()


@statement("C60", "Until the next turn others cannot hire (read: this apprentice)", "reading", "apprentices")
def test_nobody_else_can_hire():
    start = hiring(3).tokens(0, red=1).tokens(1, red=3).tokens(2, red=3)
    state = play(start.state(), "HIRE runner", "END")
    assert "HIRE runner" not in legal(state) and "HIRE stand-in" in legal(state)
    play(state, "END")
    assert "HIRE runner" not in legal(state)
    play(state, "END", "END")  # player_0's next turn lies in between
    assert "HIRE runner" in legal(state)


@statement("C61", "Hiring is possible at any time among the actions, for its price", preset="apprentices")
def test_when_to_hire():
    start = hiring().tokens(0, **RICH).pile(blue=3)
    for before in ([], ["BUY 1a"], ["TRADE 1"]):
        assert "HIRE runner" in legal(play(start.state(), *before))
    assert legal(play(start.tokens(0, passes=1, red=1).state(), "ENTER pass"), "HIRE") == set()


@statement("C62", "Its card and figure go to the player, and it acts at once", preset="apprentices")
def test_who_has_it():
    state = play(hiring().tokens(0, green=1).state(), "HIRE stand-in")  # the only gem is the fee
    assert state.position()["apprentices"]["with"]["stand-in"] == 0 and legal(state, "MARKET") == legal(state)


# --------------------------------------------------------------------------------------------------------- guard
def guarded(players=2, **more):
    return Table(players, "guard", **more).asks(0, **W)


@statement("C63", "A guard begins in the jail, and nobody has a warrant", preset="guard")
def test_the_guard_begins_in_jail():
    position = MarketState(3, "guard").position()
    assert position["guard"] is None and position["wanted"] == [False] * 3 and position["jailed"] == [False] * 3


@statement("C64", "At the start of the actions a player may steal two gems from the collector", preset="guard")
def test_stealing():
    start = guarded().tokens(0, green=2).pile(blue=1, red=1, passes=4)
    state = play(start.state(), "STEAL")
    assert legal(state) == {"TAKE blue", "TAKE red"}
    assert held(play(state, "TAKE red", "TAKE blue"), 0) == {"green": 2, "blue": 1, "red": 1}
    assert "STEAL" not in legal(play(start.state(), "BUY 1a"))
    assert "END" in legal(start.state())  # it need not
    assert "STEAL" not in legal(Table().pile(green=9).state())


@statement("C65", "A thief gets a warrant", preset="guard")
def test_a_warrant():
    state = guarded().pile(green=2).state()
    assert play(state, "STEAL", "TAKE green", "TAKE green").position()["wanted"] == [True, False]


@statement("C66", "A wanted player neither steals again nor trades", preset="guard")
def test_no_stealing_and_trading_with_a_warrant():
    start = guarded().tokens(0, green=2).pile(blue=3)
    assert {"STEAL", "TRADE 1"} <= legal(start.state())
    assert not {"STEAL", "TRADE 1"} & legal(start.flags("wanted", 0).state())


@statement("C67", "A wanted player is hunted at the end of every turn", preset="guard")
def test_hunted_every_turn():
    state = guarded(3).flags("wanted", 0).acted().set(rng=5).state()
    for _ in range(3):
        before = state.position()
        play(state, "END")
        assert state.position()["guard"] is not None and before["rng"] != state.position()["rng"]


@statement("C68", "A wanted player cannot go to the market with the guard; others can", preset="guard")
def test_the_guards_market():
    start = guarded().tokens(0, **RICH).set(guard=1)
    assert markets(start.state()) == {1, 2, 3, 4}
    assert markets(start.flags("wanted", 1).state()) == {1, 2, 3, 4}
    assert markets(start.flags("wanted", 0).state()) == {2, 3, 4}


@statement("C69", "Otherwise the turn goes as usual", preset="guard")
def test_otherwise_as_usual():
    state = guarded().flags("wanted", 0).tokens(0, green=2, passes=1).take(0, *FULL[1:]).hand(0, "curfew").state()
    assert {"BUY 1a", "ENTER pass", "CARD curfew", "END"} <= legal(state)
    assert "BUILD" in legal(play(state, "BUY 1a"))


# ---------------------------------------------------------------------------------------------------------- hunt
@statement("C70", "The guard moves unless nobody has a warrant", preset="guard")
def test_no_warrant_no_hunt():
    assert play(guarded().acted().state(), "END").position()["guard"] is None
    assert play(guarded().flags("wanted", 1).acted().state(), "END").position()["guard"] is not None


@statement("C71", "At the end of every player's turn a die says to which market it goes", preset="guard")
def test_the_die():
    for market in (1, 2, 3, 4):
        state = play(guarded().flags("wanted", 1).acted().set(rng=die_first(market)).state(), "END")
        assert state.position()["guard"] == market


@statement("C72", "With fewer than four players, markets not in use are rolled again", preset="guard")
def test_the_die_is_rolled_again():
    for unused in (5, 6):
        state = play(guarded().flags("wanted", 1).acted().set(rng=die_first(unused)).state(), "END")
        assert state.position()["guard"] in (1, 2, 3, 4)
    four = play(guarded(4).flags("wanted", 1).acted().set(rng=die_first(6)).state(), "END")
    assert four.position()["guard"] == 6


@statement("C73", "Where it meets a player with a warrant, that one goes to jail at once", preset="guard")
def test_arrest():
    start = guarded(3).flags("wanted", 1, 2).acted().worker(1, 2).worker(2, 4).set(rng=die_first(4))
    position = play(start.state(), "END").position()
    assert position["jailed"] == [False, False, True] and position["workers"] == [None, None, None]
    innocent = play(guarded(3).flags("wanted", 1).acted().worker(2, 4).set(rng=die_first(4)).state(), "END").position()
    assert innocent["jailed"] == [False] * 3 and innocent["workers"][2] == 4


@statement("C74", "A player that catches an opponent gets a gem (read: nothing for its own arrest)", "reading", "guard")
def test_reward_for_an_arrest():
    start = guarded(3).flags("wanted", 2).acted().worker(2, 4).set(rng=die_first(4))
    assert tokens_of(play(start.state(), "END"), 0) == 1
    missed = guarded(3).flags("wanted", 2).acted().worker(2, 3).set(rng=die_first(4))
    assert tokens_of(play(missed.state(), "END"), 0) == 0
    own = guarded(3).flags("wanted", 0).acted().worker(0, 4).set(rng=die_first(4))
    state = play(own.state(), "END")
    assert state.position()["jailed"][0] and tokens_of(state, 0) == 0


@statement(
    "C75", "To leave jail costs three gems before the next actions (read: or the player stays)", "reading", "guard"
)
def test_jail():
    # Three tokens are drawn before; with a bag of nothing else they are green.
    def turn(kind):
        start = guarded().flags("wanted", 1).flags("jailed", 1).acted().bag(**{kind: 3}).set(rng=1)
        return play(start.state(), "END")

    state = turn("green")
    assert state.current_player() == 1 and not state.position()["jailed"][1]
    assert tokens_of(state, 1) == 0
    state = turn("passes")  # no gems: player_1's turn has passed
    assert state.current_player() == 0 and state.position()["jailed"][1]


@statement("C76", "Before the actions a red gem buys the warrant back", preset="guard")
def test_pardon():
    start = guarded().flags("wanted", 0).tokens(0, red=1, green=2)
    state = play(start.state(), "PARDON")
    assert (
        state.position()["wanted"] == [False, False] and held(state, 0) == {"green": 2} and in_pile(state) == {"red": 1}
    )
    assert "PARDON" not in legal(play(start.state(), "BUY 1a"))
    assert "PARDON" not in legal(start.tokens(0, green=9, blue=9).state())


@statement("C77", "Leaving jail ends the warrant too", preset="guard")
def test_leaving_jail_ends_the_warrant():
    start = guarded().flags("wanted", 1).flags("jailed", 1).acted().tokens(1, blue=3).bag(passes=3)
    state = play(start.state(), "END")
    assert state.current_player() == 1 and state.position()["wanted"] == [False, False]


# ----------------------------------------------------------------------------------------------------------- NPC
NEEDS = {"wood": 2, "brick": 1, "iron": 1, "glass": 1}


def with_npc(players=2, only=None, **more):
    """The last player's turn; the NPC follows. Curfews leave it the market *only*."""
    start = (
        Table(players, "base", npc=True, **more).asks(0, **W).asks(players, **NEEDS).acted().set(to_move=players - 1)
    )
    if only:
        start.curfew(players - 1, *(m for m in range(1, len(start.position["circles"]) + 1) if m != only))
    return start


@statement("C78", "An NPC joins one, two or three players; the setup is that of two, three or four", preset="npc=True")
def test_setup_with_the_npc():
    for players in (1, 2, 3):
        position = with_npc(players).position
        assert len(position["circles"]) == players + 3
    with pytest.raises(ValueError, match="num_players"):
        with_npc(4)


@statement("C79", "A building list is drawn for it at the start", preset="npc=True")
def test_the_npcs_list():
    position = MarketState(1, "solo").position()
    assert len(set(position["lists"])) == 2 and None not in position["lists"]


@statement("C80", "Its turn, the last, has no draw", preset="npc=True")
def test_the_npc_draws_nothing():
    state = play(with_npc(2, only=1).state(), "END")
    assert held(state, 2) == {} and owned(state, 2) != {}  # it has had its turn after the last player
    assert state.current_player() == 0 and state.position()["turn"] == 2


@statement("C81", "A die says where it goes", preset="npc=True")
def test_the_npcs_die():
    for market in (1, 2, 4):  # each holds something that it needs
        state = play(with_npc(2).set(rng=die_first(market)).state(), "END")
        assert state.position()["workers"][2] == market


@statement("C82", "Where somebody is, or where no market is in use, it is rolled again", preset="npc=True")
def test_the_npcs_die_is_rolled_again():
    taken = play(with_npc(2).worker(0, 1).set(rng=die_first(1)).state(), "END")
    assert taken.position()["workers"][2] != 1
    unused = play(with_npc(2).set(rng=die_first(6)).state(), "END")  # five markets, each with something for it
    assert unused.position()["workers"][2] in (1, 2, 3, 4, 5)


@statement("C83", "It takes the cheapest of what it needs there, and the market is occupied", preset="npc=True")
def test_the_npc_takes_the_cheapest():
    # Market 1: wood for 2 green on 1a is the cheapest of wood, iron and glass.
    state = play(with_npc(2).tokens(0, **RICH).set(rng=die_first(1)).state(), "END")
    assert owned(state, 2) == {"wood": 1} and state.position()["circles"][0][0] is None
    assert state.position()["workers"][2] == 1 and in_pile(state) == {}
    assert 1 not in markets(state) and 3 in markets(state)


@statement("C84", "If nothing there is needed it lies down, and the market is not occupied", preset="npc=True")
def test_the_npc_lies_down():
    start = with_npc(2).tokens(0, **RICH).take(2, "2a").set(rng=die_first(3))  # market 3: stone and brick only
    state = play(start.state(), "END")
    assert owned(state, 2) == {"brick": 1} and state.position()["workers"][2] is None
    assert 3 in markets(state)


@statement("C85", "If its list is met its materials go back, and a new list is drawn", preset="npc=True")
def test_the_npc_builds():
    start = with_npc(2, only=4).take(2, "1a", "2a", "1c", "1e")  # wood on 4f is what it lacks
    own, top = start.position["lists"][2], start.position["list_deck"][0]
    state = play(start.state(), "END")
    position = state.position()
    assert owned(state, 2) == {} and position["lists"][2] == top and position["list_discard"] == [own]
    assert position["towers"] == [0, 0, 0]
    assert all(all(market) for market in position["circles"])


@statement("C86", "Black-market cards may be used against it (which ones is made up)", "reconstructed", "npc=True")
def test_cards_against_the_npc():
    start = Table(1, "solo").tokens(0, green=1).hand(0, "sabotage").asks(1, **NEEDS).take(1, "1a")
    state = play(start.state(), "CARD sabotage")
    while legal(state, "PAY", "TARGET", "MATERIAL", "RETURN") == legal(state):
        play(state, min(legal(state)))
    assert owned(state, 1) == {} and state.position()["circles"][0][0] == "wood"


# ---------------------------------------------------------------------------------------------------------- solo
@statement("C87", "Solo the NPC can put up towers; all else is the same", preset="solo")
def test_solo():
    start = with_npc(1, only=4).take(1, "1a", "2a", "1c", "1e").set(towers=[0, 2])
    state = play(start.state(), "END")
    assert state.position()["towers"] == [0, 3] and state.is_terminal() and state.returns().tolist() == [-1]
    won = Table(1, "solo").asks(0, **W).take(0, *FULL).set(towers=[2, 2]).state()
    assert play(won, "BUILD", "RETURN 1a", "RETURN 3a").returns().tolist() == [1]


@statement("C88", "Harder: win before it has its second tower, or its first", preset="solo")
def test_levels():
    for limit in (3, 2, 1):
        for before in range(limit):
            start = with_npc(1, only=4, solo_npc_towers=limit).take(1, "1a", "2a", "1c", "1e").set(towers=[2, before])
            assert play(start.state(), "END").is_terminal() == (before + 1 == limit)
