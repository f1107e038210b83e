"""Positions that are impossible are refused by name; the kit takes up and copies those of play."""

import pytest
from market_positions import Table, W, die_first, play

from market_env import MarketRules, MarketState


def test_history_tells_what_was_said_and_nothing_that_came_by_itself():
    state = Table().tokens(0, green=2).bag(green=3).hand(0, "smuggler").state()
    play(state, "CARD smuggler", "END")
    assert state.history() == [(0, "CARD smuggler"), (0, "END")]


def test_what_may_be_left_out():
    position = Table().state().position()
    for name in ("game", "rules", "num_players", "turn_state", "known_cards", "rng"):
        del position[name]
    state = MarketState.from_position(position)
    assert state.num_players == 2 and state.rules == MarketRules() and state.position()["turn_state"]["at_start"]


def test_a_question_with_one_answer_is_answered_when_a_position_is_taken_up():
    table = Table().tokens(0, green=2).hand(0, "curfew").acted()
    table.position["card_deck"].remove("smuggler")
    state = table.set(pending={"kind": "pay", "for": "smuggler", "left": 2}).state()
    assert state.position()["pending"] is None and state.position()["card_discard"] == ["smuggler"]


# --- refused, by the name of the field ---
def change(path, value):
    def apply(position):
        *keys, last = path
        for key in keys:
            position = position[key]
        if value is ...:
            del position[last]
        else:
            position[last] = value

    return apply


NO_TOKENS = {"green": 0, "blue": 0, "red": 0, "pass": 0}
WRONG = [
    ("lists", change(["lists"], ...)), ("lists", change(["lists"], [0, 1, 2, 3, 4])),
    ("lists", change(["lists", 0], 20)), ("lists", change(["lists", 0], None)), ("lists", change(["lists", 0], "?")),
    ("num_players", change(["num_players"], 1)), ("game", change(["game"], "torres")),
    ("unknown preset", change(["rules"], "deluxe")), ("rng", change(["rng"], -1)),
    ("circles", change(["circles"], [])), ("circles", change(["circles", 0], ["wood"])),
    ("circles", change(["circles", 0, 0], "gold")), ("circles", change(["circles", 0, 0], "brick")),
    ("circles", change(["circles", 0, 0], ["wood"])), ("materials", change(["materials", 0], {"wood": 1})),
    ("materials", change(["materials", 0], {"gold": 1})), ("materials", change(["materials", 0], {"wood": -1})),
    ("materials", change(["materials"], [{}])), ("tokens", change(["tokens", 0], {"green": 46})),
    ("tokens", change(["tokens", 0], {"gold": 1})), ("tokens", change(["tokens", 0], [0, 0, 0, 0])),
    ("tokens", change(["tokens", 0, "red"], 1.0)), ("pile", change(["pile"], ...)),
    ("pile", change(["pile", "green"], 251)), ("bag", change(["bag", "green"], True)),
    ("workers", change(["workers", 0], 5)), ("workers", change(["workers", 0], 0)),
    ("workers", change(["workers"], [])), ("figures", change(["figures"], [])),
    ("figures", change(["figures", "bully"], [None, None])), ("stand-in", change(["figures", "stand-in", 0], 1)),
    ("curfew", change(["figures", "curfew", 0], [1, 1])), ("curfew", change(["figures", "curfew"], [[1], [1]])),
    ("curfew", change(["figures", "curfew", 0], 1)), ("list_deck", change(["list_deck"], [0, 0])),
    ("list_deck", change(["list_deck"], ["?"])), ("lists", change(["list_discard"], [*range(20)])),
    ("list_deck", change(["list_deck"], "abc")), ("hands", change(["hands", 0], ["thief"])),
    ("hands", change(["hands", 0], ["levy"] * 4)), ("hands", change(["hands", 0], ["levy"])),
    ("card_deck", change(["card_deck"], ["levy"] * 4)), ("card_deck", change(["card_deck"], ["?"])),
    ("card_discard", change(["card_discard"], ...)), ("towers", change(["towers"], [3, 0])),
    ("towers", change(["towers", 0], 4)), ("towers", change(["towers", 0], -1)),
    ("wanted", change(["wanted", 0], True)), ("wanted", change(["wanted", 0], 1)),
    ("jailed", change(["jailed", 0], True)), ("guard", change(["guard"], 1)), ("to_move", change(["to_move"], 2)),
    ("to_move", change(["to_move"], None)), ("turn", change(["turn"], 0)), ("turn", change(["turn"], 101)),
    ("turn", change(["turn"], ...)), ("turn_state", change(["turn_state", "acted"], True)),
    ("turn_state", change(["turn_state", "bribed"], True)), ("turn_state", change(["turn_state", "tired"], True)),
    ("turn_state", change(["turn_state", "at_start"], 1)), ("apprentices", change(["apprentices"], None)),
    ("apprentices", change(["apprentices", "has_hired", 0], True)),
    ("apprentices", change(["apprentices", "with", "bully"], 0)),
    ("apprentices", change(["apprentices", "with", "cook"], 0)),
    ("known_cards", change(["known_cards"], {"seat": 5, "count": 1})),
    ("known_cards", change(["known_cards"], {"seat": 0, "count": 9})), ("pending", change(["pending"], ...)),
    ("pending", change(["pending"], "pay")), ("pending", change(["pending"], {"kind": "dance", "for": "levy"})),
    ("pending", change(["pending"], {"kind": "take", "for": "permit"})),
    ("turn_state", change(["pending"], {"kind": "market", "for": "curfew"})),
]  # fmt: skip


@pytest.mark.parametrize(("field", "damage"), WRONG)
def test_wrong_fields_are_named(field, damage):
    position = Table().state().position()
    damage(position)
    with pytest.raises(ValueError) as error:
        MarketState.from_position(position)
    assert field in str(error.value) and "\n" not in str(error.value), str(error.value)


def asking(kind, cause, **more):
    """A position of the full game in which a question is open."""
    table = Table(2, "full").asks(0, **W).tokens(0, green=3, red=3).pile(green=5).acted()
    return table.set(pending={"kind": kind, "for": cause, **more})


QUESTIONS = [
    ("possible", asking("pay", "permit", left=1).take(0, "1a", "1b", "3a", "3b", "1e")),
    ("possible", asking("pay", "sabotage", left=1)), ("possible", asking("pay", "stand-in", left=1)
                                                      .with_apprentice(0, "stand-in").curfew(1, 1, 2, 3, 4)),
    ("left", asking("pay", "levy", left=3)), ("left", asking("pay", "levy")),
    ("tokens", asking("pay", "levy", left=2).tokens(0)), ("levy", asking("pay", "levy", left=1).pile()),
    ("costs nothing", asking("pay", "bribe", left=1)), ("left", asking("take", "steal", left=3)),
    ("pile", asking("take", "levy", left=2).pile(green=1)),
    ("steal", asking("take", "steal", left=1).flags("wanted", 0)), ("jail", asking("pay", "jail", left=3)),
    ("jail", asking("take", "levy", left=1).flags("wanted", 0).flags("jailed", 0)),
    ("apprentices", asking("market", "stand-in")), ("apprentices", asking("pay", "bully", left=1)),
    ("visited_black_market", asking("enter", "visit", entries=1)),
    ("entries", asking("enter", "visit", entries=4).turn(acted=True, visited_black_market=True)),
    ("cards", asking("keep", "visit", entries=1, cards=[]).turn(acted=True, visited_black_market=True)),
    ("entries", asking("keep", "visit", entries=2, cards=["levy"]).turn(acted=True, visited_black_market=True)),
    ("drop", asking("drop", "visit", entries=1, cards=["levy"]).turn(acted=True, visited_black_market=True)),
    ("hands", asking("keep", "visit", entries=1, cards=["levy"]).turn(acted=True, visited_black_market=True)),
    ("lists", asking("list", "build", lists=[0])), ("lists", asking("list", "architect", lists=[])),
    ("pieces", asking("return", "build", pieces=[])), ("pieces", asking("return", "build", pieces=["wood"])),
    ("target", asking("material", "sabotage", target=0)), ("target", asking("material", "sabotage")),
    ("possible", asking("target", "pickpocket")), ("possible", asking("material", "sabotage", target=1)),
    ("market", asking("buy", "bully", market=9).with_apprentice(0, "bully")),
    ("workers", asking("buy", "bully", market=1).with_apprentice(0, "bully").worker(0, 1)),
    ("turn_state", asking("take", "levy", left=1).turn(acted=False)),
]  # fmt: skip


@pytest.mark.parametrize(("word", "table"), QUESTIONS)
def test_questions_that_are_never_asked_are_refused(word, table):
    card = table.position["pending"]["for"]
    if card in table.position["card_deck"]:  # room for the card in play
        table.position["card_deck"].remove(card)
    with pytest.raises(ValueError) as error:
        table.state()
    assert word in str(error.value), str(error.value)


def test_the_stream_of_a_position_decides_what_comes():
    for players, market in ((2, 1), (2, 2), (2, 3), (2, 4), (4, 6)):
        table = Table(players, guard=True).flags("wanted", 1).acted().set(rng=die_first(market))
        assert play(table.state(), "END").position()["guard"] == market
