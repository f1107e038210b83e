"""Checks of the naive market game: small situations worked out by hand, and random games with invariants."""

from __future__ import annotations

import copy
import itertools
import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .market import NaiveMarket
from .market_parts import GEMS, TOKENS, Seat, SplitMix64

REPOSITORY = Path(__file__).parents[2]


def find_components() -> Path:
    """The default set: the specification's copy, or the one that the package carries."""
    places = [REPOSITORY / "shared/spec", REPOSITORY.parent / "shared/spec", REPOSITORY / "market_env"]
    for place in places:
        for path in sorted(place.rglob("*.toml")):
            if path.name == "market_components.toml" or "[[black_market_card]]" in path.read_text("utf-8"):
                return path
    raise FileNotFoundError(f"no market component set under {[str(place) for place in places]}")


COMPONENTS: dict[str, Any] = tomllib.loads(find_components().read_text("utf-8"))


# --- helpers to lay a situation on the table ---------------------------------------------------------------


def new_game(num_players: int = 2, *, seed: int = 1, rules: dict[str, Any] | None = None, **flags: Any) -> NaiveMarket:
    components = copy.deepcopy(COMPONENTS)
    components["rules"].update(rules or {})
    return NaiveMarket(num_players, components=components, seed=seed, **flags)


def set_tokens(game: NaiveMarket, seat: int, **tokens: int) -> None:
    """The seat holds exactly these tokens; the difference goes to or comes from the bag."""
    owned, bag = game.play.seats[seat].tokens, game.play.bag
    for kind in TOKENS:
        bag[kind] += owned[kind] - tokens.get(kind, 0)
        owned[kind] = tokens.get(kind, 0)


def set_pile(game: NaiveMarket, **tokens: int) -> None:
    for kind in TOKENS:
        game.play.bag[kind] += game.play.pile[kind] - tokens.get(kind, 0)
        game.play.pile[kind] = tokens.get(kind, 0)


def set_list(game: NaiveMarket, seat: int, **asked: int) -> None:
    """The seat has the first free list of this content."""
    play = game.play
    index = next(
        i
        for i, one in enumerate(COMPONENTS["list"])
        if one == asked and (i in play.list_deck or i == play.seats[seat].building_list)
    )
    if index in play.list_deck:
        play.list_deck[play.list_deck.index(index)] = play.seats[seat].building_list
        play.seats[seat].building_list = index


def take(game: NaiveMarket, seat: int, *names: str) -> None:
    """The seat gets the materials of these circles for nothing."""
    for name in names:
        game.play.take_material(game.play.seats[seat], int(name[0]) - 1, "abcdef".index(name[1]))


def set_hand(game: NaiveMarket, seat: int, *cards: str) -> None:
    for card in cards:
        game.play.card_deck.remove(card)
        game.play.seats[seat].hand.append(card)


def buys(game: NaiveMarket) -> set[str]:
    return {text for text in game.legal() if text.startswith("BUY")}


# --- by hand -----------------------------------------------------------------------------------------------


def test_splitmix64_published_values() -> None:
    stream = SplitMix64(1234567)
    assert [stream.next() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_set_up_uses_the_stream_in_the_stated_order() -> None:
    game = new_game(3, seed=99, advanced=True, first_tokens=[0, 1, 2])
    stream = SplitMix64(99)
    pieces = [circle["material"] for market in COMPONENTS["market"][:5] for circle in market["circles"]]
    lists = list(range(20))
    cards = [card["name"] for card in COMPONENTS["black_market_card"] for _ in range(3)]
    for items in (pieces, lists, cards):
        stream.shuffle(items)
    position = game.position()
    assert sum(position["circles"], []) == pieces
    assert position["lists"] == lists[:3] and position["list_deck"] == lists[3:]
    assert position["card_deck"] == cards
    left = ["green"] * 45 + ["blue"] * 30 + ["red"] * 15 + ["pass"] * 10
    drawn = [left.pop(stream.below(len(left))) for _ in range(6)]
    owned = [Counter(drawn[3:]), Counter(drawn[:1]), Counter(drawn[1:3])]  # player_0's turn comes last
    assert [Counter(tokens) for tokens in position["tokens"]] == owned


def test_equal_circles_are_offered_once_and_useless_pieces_not() -> None:
    game = new_game()
    set_tokens(game, 0, green=4, blue=3, red=2)
    set_list(game, 0, wood=2, stone=2, glass=1)
    # No brick, no iron; of 1e = 1f, 2e = 2f, 3a = 3b, 3c = 3d the first.
    assert buys(game) == {f"BUY {name}" for name in ("1a", "1b", "1e", "2e", "3a", "3c", "4d", "4e", "4f")}
    game.apply("BUY 1e")
    assert buys(game) == {"BUY 1a", "BUY 1b"}  # one market, and glass is no longer needed
    game.apply("END")
    set_tokens(game, 1, green=9, blue=9)
    assert not any(text.startswith("BUY 1") for text in buys(game))


def test_shortage_lets_surplus_stand_in_and_returns_it() -> None:
    game = new_game()
    set_list(game, 0, wood=2, stone=2, glass=1)
    take(game, 1, "1a", "1b", "4f")  # all the wood there is with four markets
    set_tokens(game, 0, blue=8, red=8)
    take(game, 0, "3a", "3c", "2a")  # two stone, and one brick too many
    game.play.seats[0].worker = 2
    assert buys(game) == {"BUY 3b", "BUY 3d", "BUY 3e"}  # one more surplus piece
    game.apply("BUY 3b")
    assert buys(game) == set() and "BUILD" not in game.legal()  # the glass is missing and not exhausted
    take(game, 0, "4e")
    game.apply("BUILD")
    # Brick (the stand-in) first; of the empty circles only 2a is brick's: no question.
    assert game.position()["materials"][0]["brick"] == 0
    # Stone: 3a = 3b count once, 3c.
    assert game.legal() == {"RETURN 3a", "RETURN 3c"}
    game.apply("RETURN 3c")
    # The two left are both for 3a = 3b, the glass goes to 4e: none is asked.
    assert game.legal() == {"LIST 1", "LIST 2", "LIST 3"}
    assert sum(game.position()["materials"][0].values()) == 0


def test_surplus_is_used_only_as_far_as_needed() -> None:
    game = new_game()
    set_list(game, 0, wood=2, stone=2, glass=1)
    take(game, 1, "1a", "1b")
    take(game, 0, "4f", "3a", "3b", "3c", "4d", "2a")  # one wood missing; brick and stone surplus
    assert game.play.pieces_to_return(game.play.seats[0]) == ["wood", "brick", "stone", "stone", "glass"]
    game.play.circles[0][0] = "wood"
    assert "BUILD" not in game.legal()  # wood is no longer exhausted


def test_return_choices_base_and_advanced() -> None:
    for advanced, expected in ((False, {"2a", "2c"}), (True, {"1a", "2a", "2c", "2e"})):
        game = new_game(advanced=advanced)
        play = game.play
        for market, printed in enumerate(COMPONENTS["market"][:4]):
            play.circles[market] = [circle["material"] for circle in printed["circles"]]
        take(game, 1, "1a", "2a", "2b", "2c", "2d", "2e")
        assert {f"{m + 1}{'abcdef'[n]}" for m, n in play.merged_return_circles("brick")} == expected


def test_black_market_limit_drop_before_keep_and_order_back() -> None:
    game = new_game()
    set_tokens(game, 0, **{"pass": 2, "green": 6, "blue": 4})
    set_hand(game, 0, "bribe", "bribe", "levy")
    play = game.play
    play.card_discard = play.card_deck[2:]
    play.card_deck = ["curfew", "smuggler"]
    assert {"ENTER pass", "ENTER green", "ENTER blue"} <= game.legal() and "ENTER red" not in game.legal()
    game.apply("ENTER pass")
    assert game.legal() == {"LOOK", "ENTER pass", "ENTER green", "ENTER blue"}
    game.apply("ENTER green")
    game.apply("LOOK")
    third = game.position()["pending"]["shown_cards"][2]
    assert game.legal() == {"DROP bribe", "DROP levy"}
    game.apply("DROP bribe")
    assert game.legal() == {f"KEEP {name}" for name in ("curfew", "smuggler", third)}
    game.apply("KEEP smuggler")
    assert game.legal() == {"DROP bribe", "DROP levy", "DROP smuggler"}
    game.apply("DROP smuggler")
    game.apply("KEEP curfew")
    position = game.position()
    assert position["card_deck"][0] == third and position["card_discard"] == ["bribe", "smuggler"]
    assert sorted(position["hands"][0]) == ["bribe", "curfew", "levy"]
    assert not any(text.startswith("ENTER") for text in game.legal())  # one visit a turn


def test_no_more_entries_than_cards() -> None:
    game = new_game()
    set_tokens(game, 0, **{"pass": 3})
    set_hand(game, 1, *game.play.card_deck[1:])
    game.apply("ENTER pass")
    assert game.legal() == {"LOOK"}
    game.apply("LOOK")
    assert len(game.legal()) == 1 and game.current_player() == 0  # KEEP is asked although there is one answer


def test_refilled_deck_is_shuffled_from_the_first_discarded_on() -> None:
    game = new_game()
    play = game.play
    play.card_deck, play.card_discard = [], ["levy", "bribe", "permit", "curfew"]
    expected, stream = list(play.card_discard), SplitMix64(0)
    stream.state = play.random.state
    stream.shuffle(expected)
    assert play.draw_from(play.card_deck, play.card_discard) == expected[0]
    assert play.card_deck == expected[1:] and play.card_discard == []


def test_pay_answers_itself_and_levy_may_take_the_fee() -> None:
    game = new_game()
    set_tokens(game, 0, green=2)
    set_pile(game, red=1)
    set_hand(game, 0, "levy", "permit")
    assert "CARD levy" not in game.legal()  # one gem in the pile before the fee
    set_pile(game, red=2)
    game.apply("CARD levy")  # both fees are green
    assert game.legal() == {"TAKE green", "TAKE red"}
    game.apply("TAKE green")
    game.apply("TAKE red")
    set_list(game, 0, wood=2, stone=2, glass=1)
    game.play.seats[1].curfews = [0]
    game.apply("CARD permit")
    assert game.legal() == {"PAY green", "PAY red"}
    game.apply("PAY red")  # then green is paid without asking
    assert game.position()["tokens"][0] == {"green": 0, "blue": 0, "red": 0, "pass": 0}
    assert "BUY 1a" in game.legal()  # the curfew does not matter
    game.apply("BUY 1a")
    assert game.position()["workers"] == [None, None]
    assert game.position()["card_discard"] == ["levy", "permit"]


def test_curfew_until_the_owner_is_on_turn_again() -> None:
    game = new_game()
    set_tokens(game, 0, green=4)
    set_tokens(game, 1, green=9)
    set_list(game, 0, wood=2, stone=2, glass=1)
    set_hand(game, 0, "curfew")
    game.apply("BUY 1a")
    game.apply("CARD curfew")
    assert game.legal() == {"MARKET 2", "MARKET 3", "MARKET 4"}  # the own worker is a figure
    game.apply("MARKET 3")
    game.apply("END")
    set_tokens(game, 1, blue=4, red=4)
    set_list(game, 1, brick=2, stone=2, glass=1)
    assert {text[4] for text in buys(game)} == {"2", "4"}
    game.apply("END")
    assert game.position()["figures"]["curfew"] == [[], []] and game.position()["workers"] == [None, None]


def test_bully_looks_ahead() -> None:
    game = new_game(apprentices=True)
    set_list(game, 0, wood=2, stone=2, glass=1)
    game.play.seats[1].worker = 0
    set_tokens(game, 0, green=1, blue=1)
    assert "HIRE bully" not in game.legal()  # the blue gem can pay the bully or 1b, not both
    set_tokens(game, 0, green=1, blue=1, red=1)
    game.apply("HIRE bully")  # only red leaves a gem for 1b: not asked
    assert game.position()["tokens"][0]["red"] == 0
    assert game.legal() == {"MARKET 1"}
    game.apply("MARKET 1")
    assert game.position()["workers"] == [None, None] and game.legal() == {"BUY 1b"}
    game.apply("BUY 1b")
    assert game.position()["workers"] == [0 + 1, None] and not any(t.startswith("HIRE") for t in game.legal())


def test_runner_opens_one_free_market_and_bribe_does_not_serve_it() -> None:
    game = new_game(apprentices=True)
    set_list(game, 0, wood=2, stone=2, glass=1)
    set_tokens(game, 0, green=6, blue=6, red=6)
    set_hand(game, 0, "bribe")
    game.play.seats[1].worker = 2
    assert "BUY 3a" not in game.legal()
    game.apply("CARD bribe")
    assert "BUY 3a" in game.legal()
    game.apply("BUY 1a")
    game.apply("HIRE runner")
    assert {text[4] for text in buys(game)} == {"1", "2", "4"}
    game.apply("BUY 4d")
    assert buys(game) == {"BUY 1b", "BUY 4f"}
    position = game.position()
    assert position["workers"][0] == 1 and position["figures"]["runner"][0] == 4


def test_stand_in_blocks_others_only() -> None:
    game = new_game(apprentices=True)
    for seat in (0, 1):
        set_list(
            game,
            seat,
            **({"wood": 2, "stone": 2, "glass": 1} if seat == 0 else {"wood": 2, "brick": 2, "glass": 1}),
        )
    set_tokens(game, 0, green=1, red=1)
    game.apply("HIRE stand-in")
    assert game.legal() == {"PAY green", "PAY red"}
    game.apply("PAY green")
    game.apply("MARKET 3")
    assert buys(game) == {"BUY 3a"}
    game.apply("END")
    set_tokens(game, 1, green=9, blue=9, red=9)
    assert not any(text.startswith("BUY 3") for text in game.legal())
    assert {"HIRE bully", "HIRE runner"} <= game.legal() and "HIRE stand-in" not in game.legal()


def test_steal_pardon_order() -> None:
    game = new_game(guard=True)
    set_pile(game, green=2, red=1)
    set_tokens(game, 0, red=2)
    game.play.seats[0].wanted = True
    assert "PARDON" in game.legal() and "STEAL" not in game.legal()
    assert not any(text.startswith("TRADE") for text in game.legal())
    game.apply("PARDON")
    assert "STEAL" in game.legal() and "PARDON" not in game.legal()
    game.apply("STEAL")
    assert game.legal() == {"TAKE green", "TAKE red"}
    game.apply("TAKE red")
    game.apply("TAKE red")
    assert game.position()["wanted"] == [True, False]
    assert not {"PARDON", "STEAL"} & game.legal()


def test_hunt_arrest_reward_and_jail() -> None:
    game = new_game(3, guard=True, seed=5)
    play = game.play
    rolled = SplitMix64(0)
    rolled.state = play.random.state
    market = next(m for m in iter(lambda: rolled.below(6), None) if m < 5)
    set_tokens(game, 0, green=2, blue=2, red=1)
    set_tokens(game, 1, green=2)
    # The bag: passes only. The pile: all other gems.
    set_pile(game, green=41, blue=28, red=14)
    for seat in (1, 2):
        play.seats[seat].wanted = True
    play.seats[1].worker, play.seats[2].stand_in = market, market
    play.turn.stolen_or_acted = True
    gems = ["green"] * 41 + ["blue"] * 28 + ["red"] * 14
    reward = gems[rolled.below(len(gems))]
    game.apply("END")
    position = game.position()
    assert position["guard"] == market + 1
    gained = {gem: position["tokens"][0][gem] - before for gem, before in zip(GEMS, (2, 2, 1), strict=True)}
    assert gained == {gem: int(gem == reward) for gem in GEMS}
    # player_1 sits in jail and has drawn three tokens; player_2 was not caught, a stand-in is no worker.
    assert position["workers"] == [None, None, None] and not position["jailed"][2]
    left = gems + ["pass"] * 10
    left.sort(key=TOKENS.index)
    left.remove(reward)
    drawn = [left.pop(rolled.below(len(left))) for _ in range(3)]
    owned = Counter(drawn) + Counter(green=2)
    assert sum(owned[gem] for gem in GEMS) >= 3 and game.current_player() == 1
    paid = 0
    while (game.position()["pending"] or {}).get("kind") == "pay":
        game.apply(min(game.legal()))
        paid += 1
    position = game.position()
    assert paid <= 3 and sum(position["pile"][gem] for gem in GEMS) == 3
    assert not position["jailed"][1] and not position["wanted"][1]
    assert "STEAL" in game.legal()  # the start of the actions is still to come


def test_own_arrest_brings_no_reward() -> None:
    game = new_game(guard=True, seed=5)
    play = game.play
    rolled = SplitMix64(0)
    rolled.state = play.random.state
    market = next(m for m in iter(lambda: rolled.below(6), None) if m < 4)
    play.seats[0].wanted, play.seats[0].worker = True, market
    play.turn.stolen_or_acted = True
    before = sum(play.seats[0].tokens.values())
    game.apply("END")
    assert play.seats[0].jailed and sum(play.seats[0].tokens.values()) == before


def test_jailed_player_without_three_gems_is_asked_nothing() -> None:
    game = new_game(guard=True)
    seat = game.play.seats[1]
    seat.wanted = seat.jailed = True
    set_tokens(game, 1)
    set_tokens(game, 0, green=45, blue=30, red=15)  # only passes are left to draw
    game.play.turn.stolen_or_acted = True
    game.apply("END")
    position = game.position()
    assert game.current_player() == 0 and position["turn"] == 2
    assert position["tokens"][1]["pass"] == 3 and position["jailed"][1] and position["wanted"][1]


def test_wanted_player_keeps_away_from_the_guard() -> None:
    game = new_game(guard=True, apprentices=True)
    set_list(game, 0, wood=2, stone=2, glass=1)
    set_tokens(game, 0, green=9, blue=9, red=9)
    game.play.guard = 0
    assert "BUY 1a" in game.legal()
    game.play.seats[0].wanted = True
    game.play.turn.bribed = True
    game.play.seats[1].worker = 0
    assert not any(text.startswith("BUY 1") for text in game.legal()) and "HIRE bully" not in game.legal()


def test_npc_takes_the_cheapest_needed_piece() -> None:
    game = new_game(1, npc=True)
    npc = game.play.seats[1]
    set_list(game, 1, wood=2, brick=1, iron=1, glass=1)
    game.play.seats[0].curfews = [1, 2, 3]  # only market 1 is left for the NPC
    game.apply("END")
    position = game.position()  # 1a is worth 4, 1b 5, 1c 9, 1d 8, 1e 10
    assert position["circles"][0][0] is None and position["materials"][1]["wood"] == 1
    assert position["workers"] == [None, 1] and npc.towers == 0
    assert not any(text.startswith("BUY 1") for text in game.legal())
    game.play.seats[0].curfews = [1, 2, 3]
    game.apply("END")
    assert game.position()["materials"][1]["wood"] == 2
    for name in ("2a", "1d", "1e"):
        take(game, 1, name)
    npc.materials["brick"] -= 1
    game.play.circles[1][0] = "brick"
    game.play.seats[0].curfews = [0, 2, 3]
    old_list = npc.building_list
    game.apply("END")  # the NPC gets its brick and builds
    position = game.position()
    assert npc.towers == 1 and sum(position["materials"][1].values()) == 0
    assert position["list_discard"] == [old_list]
    assert [market.count(None) for market in position["circles"]] == [0, 0, 0, 0]


def test_npc_lies_down_and_rests_where_nothing_is_free() -> None:
    game = new_game(1, npc=True)
    set_list(game, 1, brick=2, stone=2, glass=1)
    game.play.circles[0] = ["wood", "wood", "iron", "iron", None, None]
    game.play.seats[0].curfews = [1, 2, 3]
    game.apply("END")
    assert game.position()["workers"][1] is None and sum(game.position()["materials"][1].values()) == 0
    game.play.seats[0].curfews = [0, 1, 2, 3]
    before = SplitMix64(0)
    game.play.turn.stolen_or_acted = True
    before.state = game.play.random.state
    game.apply("END")
    for _ in range(3):  # player_0's draw only: no die was rolled
        before.next()
    assert before.state == game.play.random.state


def test_solo_is_won_and_lost() -> None:
    game = new_game(1, solo=True, solo_npc_towers=1)
    npc = game.play.seats[1]
    set_list(game, 1, wood=2, stone=2, glass=1)
    take(game, 1, "1b", "3a", "3b", "4d")
    game.play.seats[0].curfews = [1, 2, 3]
    game.apply("END")
    assert game.is_terminal() and game.current_player() == -4 and not game.is_truncated()
    assert npc.towers == 1 and game.returns() == [-1.0] and game.ranking() == [[0]]


def test_third_tower_wins_at_once() -> None:
    game = new_game(3, guard=True)
    seats = game.play.seats
    seats[0].towers, seats[1].towers, seats[2].wanted = 2, 1, True
    set_list(game, 0, wood=2, stone=2, glass=1)
    take(game, 0, "1a", "1b", "3a", "3b", "1e")
    before = game.play.random.state
    game.apply("BUILD")  # every piece has one place to go: 1a and 1b differ in price, so wood is asked
    assert game.legal() == {"RETURN 1a", "RETURN 1b"}
    game.apply("RETURN 1b")
    assert game.is_terminal() and game.play.random.state == before
    assert game.towers() == [3, 1, 0] and game.returns() == [1.0, 0.0, -1.0]
    assert game.position()["lists"][0] is None and game.position()["guard"] is None


def test_own_list_is_discarded_before_three_are_drawn() -> None:
    game = new_game()
    play = game.play
    own = play.seats[0].building_list
    seats_lists = {seat.building_list for seat in play.seats}
    play.list_deck, play.list_discard = [], []
    set_hand(game, 0, "architect")
    assert "CARD architect" not in game.legal()
    play.list_deck = [i for i in range(20) if i not in seats_lists][:2]
    first, second = play.list_deck
    game.apply("CARD architect")
    assert game.legal() == {"LIST 1", "LIST 2", "LIST keep"}
    game.apply("LIST 2")
    assert play.list_discard == [own, first] and play.seats[0].building_list == second
    for material, number in play.asked(play.seats[0]).items():
        play.seats[0].materials[material] = number
    # The pieces come from the table.
    for material, number in play.seats[0].materials.items():
        for _ in range(number):
            market = next(m for m in play.circles if material in m)
            market[market.index(material)] = None
    game.apply("BUILD")
    while not any(text.startswith("LIST") for text in game.legal()):
        game.apply(min(game.legal()))
    assert sorted(play.drawn_lists) == sorted([own, first, second]) and play.list_discard == []


def test_idle_draw() -> None:
    for idle_draw, tokens, expected in (("unable", 0, 2), ("unable", 9, 0), ("always", 9, 2)):
        game = new_game(idle_draw=idle_draw)
        set_tokens(game, 0, green=tokens)
        set_list(game, 0, wood=2, stone=2, glass=1)
        game.apply("END")
        assert sum(game.position()["tokens"][0].values()) == tokens + expected


def test_idle_draw_looks_at_four_kinds_of_actions() -> None:
    for tokens, pile, possible, expected in (
        ({"pass": 1}, {}, "ENTER pass", 0),
        ({"blue": 1}, {"green": 1}, "TRADE 4", 2),
    ):
        game = new_game()
        set_tokens(game, 0, **tokens)
        set_pile(game, **pile)
        set_list(game, 0, wood=2, stone=2, glass=1)
        assert game.legal() == {"END", possible}
        game.apply("END")
        assert sum(game.position()["tokens"][0].values()) == 1 + expected
    game = new_game()
    set_tokens(game, 0)
    game.play.seats[0].hand = ["curfew"]
    game.apply("END")
    assert sum(game.position()["tokens"][0].values()) == 0


def test_bag_is_never_empty_while_the_pile_holds_tokens() -> None:
    game = new_game()
    set_tokens(game, 0, green=4)
    play = game.play
    play.pile = dict(play.bag)
    play.bag = dict.fromkeys(TOKENS, 0)
    play.pile["green"] -= 3
    play.bag["green"] += 3
    play.turn.stolen_or_acted = True
    before = dict(play.pile)
    game.apply("END")  # seat 1 draws the last three, and the pile follows
    assert game.position()["tokens"][1]["green"] == 3 and play.bag == before and sum(play.pile.values()) == 0
    # A payment into the empty bag.
    play.bag = dict.fromkeys(TOKENS, 0)
    set_list(game, 1, wood=2, stone=2, glass=1)
    game.apply("BUY 1a")
    assert play.bag == dict.fromkeys(TOKENS, 0) | {"green": 2} and sum(play.pile.values()) == 0


def test_truncation_before_the_npc() -> None:
    game = new_game(2, npc=True, rules={"max_turns_per_player": 1})
    game.apply("END")
    game.play.turn.stolen_or_acted = True
    before = game.play.random.state
    game.apply("END")
    assert game.is_terminal() and game.is_truncated() and game.play.random.state == before
    assert game.ranking() == [[0, 1]] and game.returns() == [0.0, 0.0]
    with pytest.raises(ValueError):
        game.apply("END")


def test_trade_needs_the_pile_before_the_trade() -> None:
    game = new_game()
    set_tokens(game, 0, red=1, green=1)
    set_pile(game, blue=1)
    assert "TRADE 5" not in game.legal()  # red to blue and green
    set_pile(game, blue=1, green=1)
    game.apply("TRADE 5")
    assert game.position()["tokens"][0] == {"green": 2, "blue": 1, "red": 0, "pass": 0}
    assert game.position()["pile"] == {"green": 0, "blue": 0, "red": 1, "pass": 0}


def test_sabotage_pickpocket_and_smuggler() -> None:
    game = new_game(1, npc=True)
    set_tokens(game, 0, blue=3)
    set_hand(game, 0, "sabotage", "pickpocket", "smuggler")
    assert {text for text in game.legal() if text.startswith("CARD")} == {"CARD smuggler"}  # the NPC has no gems
    take(game, 1, "1a", "1b")
    game.apply("CARD sabotage")
    assert game.legal() == {"TARGET npc"}
    game.apply("TARGET npc")
    assert game.legal() == {"MATERIAL wood"}
    game.apply("MATERIAL wood")
    assert game.legal() == {"RETURN 1a", "RETURN 1b"}
    game.apply("RETURN 1b")
    assert game.position()["materials"][1]["wood"] == 1 and game.position()["circles"][0][:2] == [
        None,
        "wood",
    ]
    game.apply("CARD smuggler")
    assert sum(game.position()["tokens"][0].values()) == 3


# --- random games ------------------------------------------------------------------------------------------


def check(game: NaiveMarket, lists: list[int], cards: Counter, materials: Counter) -> None:
    play, position = game.play, game.position()
    for kind in TOKENS:
        held = [
            position["bag"][kind],
            position["pile"][kind],
            *(tokens[kind] for tokens in position["tokens"]),
        ]
        assert min(held) >= 0 and sum(held) == {"green": 45, "blue": 30, "red": 15, "pass": 10}[kind]
    if not any(position["bag"].values()) and any(position["pile"].values()):
        assert position["pending"]["kind"] == "pay"  # a fee that is not yet whole
    found = Counter(material for market in position["circles"] for material in market if material)
    for owned in position["materials"]:
        assert min(owned.values()) >= 0
        found.update(owned)
    assert +found == materials
    seat_lists = [index for index in position["lists"] if index is not None]
    assert sorted([*seat_lists, *position["list_deck"], *position["list_discard"], *play.drawn_lists]) == lists
    lying = [
        *itertools.chain(*position["hands"]),
        *position["card_deck"],
        *position["card_discard"],
        *play.shown_cards,
    ]
    assert Counter(lying + [play.card_in_play] * (play.card_in_play is not None)) == cards
    assert all(len(hand) <= 3 for hand in position["hands"])
    assert all(play.has_curfew(m) + play.has_figure(m) <= 1 for m in play.markets_in_play)
    holders = [seat for seat in position["apprentices"]["with"].values() if seat is not None]
    assert len(holders) == len(set(holders))
    for seat in play.seats:
        check_seat(game, seat)


def check_seat(game: NaiveMarket, seat: Seat) -> None:
    play = game.play
    if seat.jailed:
        assert seat.wanted and seat.worker is None  # stand-in and runner stay where they are
    elif seat.wanted and seat.worker is not None:
        assert seat.worker != play.guard
    assert set(seat.figures()) <= set(play.markets_in_play)
    if seat.is_npc:
        assert not sum(seat.tokens.values()) and not seat.hand and (play.is_solo or not seat.towers)
        assert game.is_terminal() or all(seat.materials[m] <= n for m, n in play.asked(seat).items())
    if seat.stand_in is not None:
        assert play.apprentice_with["stand-in"] == seat.number
    if seat.runner is not None:
        assert play.apprentice_with["runner"] == seat.number
        # A bully or the guard may take the worker away from a player whose turn is over.
        assert seat.worker is not None or seat.number != game.current_player()


def choose(game: NaiveMarket, chance: random.Random) -> str:
    """Random, but loath to end the turn, so that things happen."""
    legal = sorted(game.legal())
    if "BUILD" in legal and chance.random() < 0.9:
        return "BUILD"
    buy = [text for text in legal if text.startswith("BUY")]
    if buy and chance.random() < 0.5:
        return chance.choice(buy)
    others = [text for text in legal if text != "END"]
    return chance.choice(others) if others and chance.random() < 0.6 else chance.choice(legal)


COMBINATIONS = [
    (players, npc, flags)
    for npc in (False, True)
    for players in ((1, 2, 3) if npc else (2, 3, 4))
    for flags in itertools.product((False, True), repeat=3)
]
ENDINGS: Counter = Counter()
SAID: Counter = Counter()


@pytest.mark.parametrize(("players", "npc", "flags"), COMBINATIONS)
def test_random_games(players: int, npc: bool, flags: tuple[bool, bool, bool]) -> None:
    advanced, apprentices, guard = flags
    for seed in range(2):
        last_turn = (100, 8)[seed]  # some games are cut off
        game = new_game(
            players,
            seed=seed,
            rules={"max_turns_per_player": last_turn},
            advanced=advanced,
            apprentices=apprentices,
            guard=guard,
            npc=npc,
            idle_draw=("unable", "always")[seed % 2],
            first_tokens=[0, 2, 3, 3][:players] if seed == 1 else None,
        )
        play = game.play
        materials = Counter(
            circle.start_material for m in play.markets_in_play for circle in play.components.markets[m]
        )
        cards = Counter(play.components.card_copies)
        chance = random.Random(seed)
        shared_by_bribe: set[int] = set()
        turn: tuple[int, int] | None = None
        while not game.is_terminal():
            check(game, list(range(20)), cards, materials)
            if turn != (play.turn_number, game.current_player()):
                turn = (play.turn_number, game.current_player())
                assert play.turn.at_start or game.position()["pending"]["kind"] == "pay"
            text = choose(game, chance)
            SAID[text.split()[0] if text.split()[0] not in ("CARD", "HIRE") else text] += 1
            bribed = play.turn.bribed
            game.apply(text)
            crowded = {m for m in play.markets_in_play if sum(m in seat.figures() for seat in play.seats) > 1}
            assert crowded <= shared_by_bribe or bribed  # two seats share a market only by bribe
            shared_by_bribe = crowded
        check(game, list(range(20)), cards, materials)
        ENDINGS["truncated" if game.is_truncated() else "won"] += 1
        assert game.legal() == set() and game.position()["to_move"] is None
        if game.is_truncated():
            assert max(game.towers()) < 3 and play.turn_number == last_turn
        else:
            assert [t for t in game.towers() if t == 3] == [3] or (play.is_solo and play.seats[-1].towers == 3)
        if players > 1:
            assert sum(game.returns()) == pytest.approx(0) and max(map(abs, game.returns())) <= 1


def test_random_games_reached_everything() -> None:
    """Runs after the games above: every verb, card and apprentice occurred, and both endings."""
    if not ENDINGS:
        pytest.skip("the random games were not run")
    assert ENDINGS["truncated"] and ENDINGS["won"]
    verbs = ["BUY", "TRADE", "ENTER", "LOOK", "KEEP", "DROP", "PAY", "TAKE", "TARGET", "MATERIAL"]
    verbs += ["RETURN", "LIST", "MARKET", "STEAL", "PARDON", "BUILD", "END"]
    named = [f"CARD {name}" for name in Counter(c["name"] for c in COMPONENTS["black_market_card"])]
    named += ["HIRE stand-in", "HIRE bully", "HIRE runner"]
    assert [text for text in (*verbs, *named) if not SAID[text]] == []
