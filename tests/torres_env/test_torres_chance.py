"""Chance in Torres told as text and forced again: all of it comes before the first move."""

from __future__ import annotations

import pytest

from torres_env import TorresRules, TorresState, chance
from torres_env.rules import CARDS, PRESETS


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_start_as_told(preset, players):
    rules = TorresRules.preset(preset)
    state, told = chance.deal(rules, players, 5)
    assert state.to_bytes() == TorresState(players, rules, 5).to_bytes()
    assert chance.deal(rules, players, 5, told)[0].to_bytes() == state.to_bytes()
    other, drawn = chance.deal(rules, players, 6, told)
    found, expected = other.position(), state.position()
    assert found.pop("rng") == TorresState(players, rules, 6).position()["rng"]
    del expected["rng"]
    assert found == expected
    assert drawn == chance.deal(rules, players, 6)[1]


def test_what_is_told():
    rules = TorresRules.preset("digest", master_card=True)
    state, told = chance.deal(rules, 2, 7)
    position = state.position()
    assert told == [
        f"king {position['king']}",
        f"deck player_0 {' '.join(position['decks'][0])}",
        f"deck player_1 {' '.join(position['decks'][1])}",
        f"master {position['master_card']}",
    ]
    assert chance.deal(TorresRules(card_list=("jump",)), 2, 7)[1] == [], "a deck of one card leaves nothing to chance"
    assert chance.deal(TorresRules.preset("master"), 2, 7)[1][0].startswith("master ")


GOOD = ["king d1", f"deck player_0 {' '.join(CARDS)}", f"deck player_1 {' '.join(CARDS)}", "master line"]


@pytest.mark.parametrize(
    ("place", "text", "reason"),
    [
        (0, "king a1", "the king must be on one of d1, c3"),
        (0, "king", "must be an outcome such as 'king"),
        (0, "king d1 d1", "must be an outcome such as 'king"),
        (0, "master line", "must be an outcome such as 'king"),
        (1, "deck player_0", "the cards of the deck, each once"),
        (1, f"deck player_1 {' '.join(CARDS)}", "must be 'deck player_0'"),
        (1, f"deck player_0 {' '.join(CARDS[1:])} jump", "each once"),
        (1, f"deck player_0  {' '.join(CARDS)}", "each once"),
        (3, "master circle", "master_card"),
        (3, "master", "must be an outcome such as 'master"),
        (3, "", "must be an outcome such as 'master"),
    ],
)
def test_what_cannot_be(place, text, reason):
    rules = TorresRules.preset("digest", master_card=True)
    assert chance.deal(rules, 2, 1, GOOD)[0].position()["king"] == "d1"
    wrong = [*GOOD[:place], text, *GOOD[place + 1 :]]
    with pytest.raises(ValueError, match=reason):
        chance.deal(rules, 2, 1, wrong)


@pytest.mark.parametrize("told", [[], GOOD[:3], [*GOOD, "king d1"]])
def test_too_few_and_too_many(told):
    with pytest.raises(ValueError, match=f"expected 4 chance outcomes at the start, not {len(told)}"):
        chance.deal(TorresRules.preset("digest", master_card=True), 2, 1, told)


def test_no_chance_in_play():
    state = TorresState(seed=1)
    before = state.to_bytes()
    with pytest.raises(ValueError, match="Torres has no chance after the start"):
        chance.play(state, state.string_to_action("N c3"), ["king d1"])
    assert state.to_bytes() == before
    assert chance.play(state, state.string_to_action("N c3")) == []
    assert state.history() == [(0, "N c3")]
