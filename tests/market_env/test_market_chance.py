"""Chance in the market game told as text and forced again: what fits comes about, what doesn't leaves the state alone."""

from __future__ import annotations

import pytest

from market_env import MarketRules, MarketState, chance
from market_env.component_files import default_components
from market_env.record import RECORD
from tower_core.records.scripted import Script, ScriptError, play


def state_of(rules="base", players=2, **changes):
    """A game in which player_0 is to move, with the position changed."""
    position = MarketState(players, rules, seed=1).position()
    for name, value in changes.items():
        position[name] = value
    return MarketState.from_position(position)


def tokens(green=0, blue=0, red=0, passes=0):
    return {"green": green, "blue": blue, "red": red, "pass": passes}


def refused(state, text, told, reason):
    """The results don't fit: ValueError, and nothing has changed."""
    before = state.to_bytes()
    with pytest.raises(ValueError, match=reason):
        chance.play(state, state.string_to_action(text), told)
    assert state.to_bytes() == before
    assert state._record["script"][0] == 0


# ---------------------------------------------------------------------------------------------- tokens
def test_tokens_come_as_told():
    state = state_of(bag=tokens(5, 5, 5, 5), tokens=[tokens(), tokens()])
    # Nothing could be bought, so player_0 draws two first.
    chance.play(state, state.string_to_action("END"), ["draw player_0 pass blue", "draw player_1 red pass red"])
    assert state.position()["tokens"] == [tokens(0, 1, 0, 1), tokens(0, 0, 2, 1)]
    assert state.position()["bag"] == tokens(5, 4, 3, 3)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ([], "a chance outcome is missing"),
        (["draw player_1 red red"], "a chance outcome is missing"),
        (["draw player_1 red red blue blue"], "'draw player_1 blue' is impossible here"),
        (["draw player_0 red red blue"], "'draw player_0 red' is impossible here"),
        (["draw player_1 red red red"], "'draw player_1 red' is impossible here"),  # the bag has two
        (["draw player_1 red pass blue"], "'draw player_1 pass' is impossible here"),  # and no pass
        (["gem player_1 red"], "'gem player_1 red' is impossible here"),
        (["draw player_1 red", "draw player_1 red blue"], "must be written 'draw player_1 red red blue'"),
        (["draw player_1 gold"], "'gold' must be one of green, blue, red, pass"),
        (["draw player_5 red"], "is not a chance outcome"),
        (["draw"], "is not a chance outcome"),
        ([""], "is not a chance outcome"),
        (["die 7"], "'7' must be one of 1"),
    ],
)
def test_tokens_that_cannot_come(told, reason):
    state = state_of(bag=tokens(5, 5, 2), tokens=[tokens(20), tokens()])
    refused(state, "END", told, reason)


def test_the_pile_is_poured_in_on_the_way():
    state = state_of(bag=tokens(1), pile=tokens(0, 0, 2), tokens=[tokens(20), tokens()])
    refused(state, "END", ["draw player_1 red green red"], "'draw player_1 red' is impossible here")
    chance.play(state, state.string_to_action("END"), ["draw player_1 green red red"])
    assert state.position()["bag"] == state.position()["pile"] == tokens()


def test_a_gem_taken_at_random():
    position = MarketState(seed=1).position()
    position["card_deck"].remove("pickpocket")
    state = state_of(
        hands=[["pickpocket"], []], card_deck=position["card_deck"], tokens=[tokens(9), tokens(1, 1)], bag=tokens(9)
    )
    state.apply_action(state.string_to_action("CARD pickpocket"))
    while "TARGET player_1" not in [state.action_to_string(action) for action in state.legal_actions()]:
        state.apply_action(state.legal_actions()[0])
    refused(state, "TARGET player_1", ["gem player_0 red"], "'gem player_0 red' is impossible here")
    refused(state, "TARGET player_1", ["gem player_1 blue"], "is impossible here")
    other = state.clone()
    chance.play(state, state.string_to_action("TARGET player_1"), ["gem player_0 blue"])
    chance.play(other, other.string_to_action("TARGET player_1"), ["gem player_0 green"])
    assert state.position()["tokens"][1] == tokens(1)
    assert other.position()["tokens"][1] == tokens(0, 1)


# ---------------------------------------------------------------------------------------------- die, circles, decks
def test_the_die():
    """Two seats have four markets in play, and the set has six."""
    state = state_of("guard", wanted=[False, True], tokens=[tokens(9), tokens()], bag=tokens(30))
    refused(state, "END", ["die 5", "draw player_1 green green green"], "'die 5' is impossible here")
    refused(state, "END", ["draw player_1 green green green"], "is impossible here")
    refused(state, "END", ["die 1"], "a chance outcome is missing")
    chance.play(state, state.string_to_action("END"), ["die 3", "draw player_1 green green green"])
    assert state.position()["guard"] == 3


def test_the_npc_lays_its_materials_where_it_is_told():
    rules = MarketRules.preset("solo")
    position = MarketState(1, rules, seed=1).position()
    asked = default_components().lists[position["lists"][1]]
    taken = []
    for material, number in zip(default_components().materials, asked, strict=True):
        places = [(m, k) for m, row in enumerate(position["circles"]) for k, held in enumerate(row) if held == material]
        for m, k in places[:number]:
            position["circles"][m][k] = None
            taken.append((material, f"{m + 1}{'abcdef'[k]}"))
        position["materials"][1][material] = number
    position["bag"] = tokens(30)
    position["tokens"] = [tokens(9), tokens()]
    state = MarketState.from_position(position)
    circles = [circle for _, circle in taken]
    end = ["die 1", f"circle {' '.join(circles)}", "draw player_0 green green green"]
    refused(state, "END", [end[0], f"circle {circles[0]} {circles[0]}", end[2]], "is impossible here")
    refused(state, "END", [end[0], "circle 1a 6f", end[2]], "is impossible here")
    drawn = chance.play(state.clone(), state.string_to_action("END"))
    assert [text.split()[0] for text in drawn] == ["die", "circle", "draw"]
    chance.play(state, state.string_to_action("END"), end)
    assert state.position()["towers"] == [0, 1]
    for material, circle in taken:
        assert state.position()["circles"][int(circle[0]) - 1]["abcdef".index(circle[1])] == material


def test_a_deck_that_is_refilled():
    position = MarketState(seed=1).position()
    deck = [card for card in position["card_deck"] if card in ("levy", "permit")]
    assert sorted(deck) == ["levy"] * 3 + ["permit"] * 3
    state = state_of(card_deck=[], card_discard=deck, tokens=[tokens(0, 0, 0, 3), tokens()], bag=tokens(9))
    state.apply_action(state.string_to_action("ENTER pass"))
    for wrong in ("levy", "levy levy levy levy permit permit", "levy permit levy permit levy bribe"):
        refused(state, "LOOK", [f"cards {wrong}"], "is impossible here|is missing")
    chance.play(state, state.string_to_action("LOOK"), ["cards permit permit levy levy permit levy"])
    assert state.position()["pending"]["cards"] == ["permit", "permit", "levy"]
    assert state.position()["card_deck"] == ["levy", "permit", "levy"]


def test_the_start():
    rules = MarketRules.preset("advanced")
    state, told = chance.deal(rules, 2, 5)
    assert state.to_bytes() == MarketState(2, rules, seed=5).to_bytes()
    other, drawn = chance.deal(rules, 2, 6, told)
    found, expected = other.position(), state.position()
    assert found.pop("rng") != expected.pop("rng")
    assert found == expected
    assert drawn != told and [text.split()[0] for text in drawn] == ["circles", "lists", "cards", "draw"]
    for wrong in (told[:-1], [*told, "die 1"], [told[1], told[0], *told[2:]], [told[0] + " wood", *told[1:]]):
        with pytest.raises(ValueError, match="is impossible here|is missing"):
            chance.deal(rules, 2, 5, wrong)


# ---------------------------------------------------------------------------------------------- the script
def after(state, action):
    other = state.clone()
    other.apply_action(action)
    return other


def test_more_results_than_the_first_room():
    """Players in jail who draw nothing and can't pay: rounds go by until the end without a question."""
    components = default_components().to_dict()
    components["rules"] |= {"draw": 0, "max_turns_per_player": 3000}
    rules = MarketRules(guard=True, components=components)
    position = MarketState(2, rules, seed=1).position()
    position |= {"wanted": [True, True], "workers": [1, None], "jailed": [False, True]}
    position["turn_state"] |= {"at_start": False, "acted": True}
    state = MarketState.from_position(position)
    action = state.string_to_action("END")
    while not after(state, action).is_terminal():  # until a stream comes by which the guard catches player_0 too
        state.reseed(state.position()["rng"] + 1)
    other = state.clone()
    told = chance.play(state, action)
    assert state.is_truncated()
    assert len(told) > 5000
    assert {text.split()[0] for text in told} == {"die"}
    assert chance.play(other, action, told) == told
    assert other.to_bytes() == state.to_bytes()


def test_an_illegal_action_says_why():
    state = MarketState(seed=1)
    before = state.to_bytes()
    with pytest.raises(ValueError, match="BUILD"):
        chance.play(state, 1)
    assert state.to_bytes() == before
    assert state._record["script"][0] == 0


def test_the_place_of_what_does_not_fit():
    state = state_of(tokens=[tokens(9), tokens()], bag=tokens(9))
    end = state.string_to_action("END")
    rows = play(state.clone(), end)
    for place, wrong in ((0, []), (2, [*rows[:2], (99, 0)]), (3, [*rows, rows[0]]), (2, rows[:2])):
        with pytest.raises(ScriptError) as error:
            play(state, end, wrong)
        assert error.value.place == place
    assert play(state, end, rows) == rows


def test_scripts_leave_no_trace():
    state = MarketState(seed=1)
    chance.play(state, state.string_to_action("END"))
    plain = MarketState(seed=1)
    plain.apply_action(plain.string_to_action("END"))
    assert state._record.tobytes() == plain._record.tobytes()
    assert "script" in RECORD.names
    assert Script([]).used == 0 and not Script([]).failed
