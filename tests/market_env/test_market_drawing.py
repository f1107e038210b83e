"""The picture of the market game: it holds what the position holds, in every theme and width, and nothing hidden."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from market_env import MarketState
from market_env.rules import MarketRules


def played(players, rules, seed, moves):
    state, chance = MarketState(players, rules, seed), random.Random(seed)
    for _ in range(moves):
        if state.is_terminal():
            break
        legal = [a for a in state.legal_actions() if a] or state.legal_actions()
        state.apply_action(chance.choice(legal))
    return state


def found(root, name):
    return [element.get(f"data-{name}") for element in root.iter() if element.get(f"data-{name}") is not None]


def texts(root):
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("players", "rules", "moves"),
    [(2, "base", 0), (2, "full", 60), (4, "full", 200), (1, "solo", 40), (3, "guard", 90)],
)
def test_what_a_picture_holds(theme, narrow, players, rules, moves):
    state = played(players, rules, 5, moves)
    position = state.position()
    root = ElementTree.fromstring(state.to_svg(theme, narrow=narrow))
    markets = [str(m + 1) for m in range(len(position["circles"]))]
    assert found(root, "market") == markets
    assert found(root, "circle") == [market + letter for market in markets for letter in "abcdef"]
    assert found(root, "trade") == [str(i + 1) for i in range(len(state.rules.components.rates))]
    words = texts(root)
    for row in position["circles"]:
        for material in filter(None, row):
            assert material in words
    figures = found(root, "figure")
    workers = [worker for worker in position["workers"][:players] if worker]
    assert figures.count("worker") == len(workers)
    assert figures.count("guard") == (position["guard"] is not None)
    assert found(root, "card") == [card for hand in position["hands"][:players] for card in hand]
    for seat in range(players):
        assert f"player_{seat}" in words
    if moves:
        seat, action = state.history()[-1]
        assert f"last: player_{seat} {action}" in words
    assert float(root.get("width")) < 570 or not narrow


def test_all_frames_of_a_game_have_one_size():
    """Libraries that make films ask for that."""
    state, chance = MarketState(3, "full", seed=2), random.Random(2)
    sizes = set()
    for _ in range(150):
        root = ElementTree.fromstring(state.to_svg())
        sizes.add((root.get("width"), root.get("height")))
        legal = [a for a in state.legal_actions() if a] or state.legal_actions()
        state.apply_action(chance.choice(legal))
    assert len(sizes) == 1


def test_lists_to_choose_from_can_be_clicked():
    for seed in range(40):
        state, chance = MarketState(2, "base", seed), random.Random(seed)
        while not state.is_terminal():
            if (state.position()["pending"] or {}).get("kind") == "list":
                count = len(state.position()["pending"]["lists"])
                assert found(ElementTree.fromstring(state.to_svg()), "list") == [str(i + 1) for i in range(count)]
                return
            build = [a for a in state.legal_actions() if state.action_to_string(a) == "BUILD"]
            buys = [a for a in state.legal_actions() if state.action_to_string(a).startswith(("BUY", "RETURN"))]
            state.apply_action(chance.choice(build or buys or state.legal_actions()))
    raise AssertionError("nobody built")


def test_the_end_is_told():
    state = MarketState(2, MarketRules.preset("base", max_turns=1), seed=1)
    while not state.is_terminal():
        state.apply_action(0)
    assert "Game over: the limit of turns is reached" in texts(ElementTree.fromstring(state.to_svg()))
