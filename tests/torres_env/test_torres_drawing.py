"""The picture of Torres: it holds what the position holds, in every theme, view and width, and nothing hidden."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from torres_env import TorresState
from torres_env.rules import CELL_NAMES

LOOKS = [
    (theme, view, narrow) for theme in ("light", "dark") for view in ("flat", "isometric") for narrow in (False, True)
]


def played(players, rules, seed, moves):
    state, chance = TorresState(players, rules, seed), random.Random(seed)
    for _ in range(moves):
        if state.is_terminal():
            break
        legal = [a for a in state.legal_actions() if a] or state.legal_actions()
        state.apply_action(chance.choice(legal))
    return state


def texts(root):
    return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


def heights(root):
    return {element.get("data-cell"): element.get("data-height") for element in root.iter() if element.get("data-cell")}


@pytest.mark.parametrize(("theme", "view", "narrow"), LOOKS)
@pytest.mark.parametrize(
    ("players", "rules", "moves"),
    [(2, "standard", 0), (2, "standard", 40), (4, "digest", 90), (3, "master", 60), (4, "master", 5000)],
)
def test_what_a_picture_holds(theme, view, narrow, players, rules, moves):
    state = played(players, rules, 5, moves)
    position = state.position()
    root = ElementTree.fromstring(state.to_svg(theme, view=view, narrow=narrow))
    assert heights(root) == dict(zip(CELL_NAMES, map(str, position["height"]), strict=True))
    words = texts(root)
    for seat in range(players):
        assert f"player_{seat}" in words
        knights = len(position["knights"][seat])
        assert words.count("ABCD"[seat]) == 1 + knights
        assert str(position["scores"][seat]) in words
        for card in position["hands"][seat] + position["discards"][seat]:
            assert card in words
    if position["ap"]:
        assert f"{position['ap']} AP" in words
    if moves:
        seat, action = state.history()[-1]
        assert f"last: player_{seat} {action}" in words
    assert float(root.get("width")) < 560 or not narrow
    assert any("Game over" in word for word in words) == state.is_terminal()


@pytest.mark.parametrize("rules", ["standard", "master"])
def test_all_frames_of_a_game_have_one_size(rules):
    """Libraries that make films ask for that."""
    sizes = set()
    for moves in range(0, 200, 20):
        root = ElementTree.fromstring(played(4, rules, 2, moves).to_svg())
        sizes.add((root.get("width"), root.get("height")))
    assert len(sizes) == 1


@pytest.mark.parametrize("view", ["flat", "isometric"])
def test_tall_castles_stay_in_the_picture(view):
    state = TorresState(2, seed=1)
    position = state.position()
    position["height"][56] = 13  # a8, the far corner
    position["supply"] -= 12
    from torres_env.drawing.picture import draw

    root = ElementTree.fromstring(draw(position, view=view))
    assert heights(root)["a8"] == "13"
    tops = [e.get("d").split("l")[0] for e in root.iter() if e.get("data-cell") and e.get("d")]
    assert all(float(top.split(",")[1]) > -40 for top in tops), "the header is 50 pixels high"


def test_the_last_pick_is_hidden_from_others():
    state = TorresState(2, seed=4)
    while not (state.history() and state.history()[-1][1].startswith("PICK")):
        buy = [a for a in state.legal_actions() if state.action_to_string(a)[:3] in ("BUY", "PIC")]
        state.apply_action((buy or [a for a in state.legal_actions() if a])[0])
    seat, action = state.history()[-1]
    assert f"last: player_{seat} {action}" in state.to_svg(seat=seat)
    assert f"last: player_{seat} ?" in state.to_svg(seat=1 - seat)
