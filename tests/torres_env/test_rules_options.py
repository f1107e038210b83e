"""TorresRules: presets, the effect of every field, and what is rejected (Rules section 7)."""

import dataclasses

import pytest
from positions import (
    CARDS,
    MASTER_CARDS,
    START,
    SplitMix64,
    at,
    castles,
    heights,
    legal,
    new_game,
    only,
    play,
    points,
    shuffled,
)

from torres_env import TorresRules, TorresState

BASE = "c3:1 d3:1 f6:1"
TABLE = {
    # field: standard, classic, digest, master (Rules section 7, table; "-" where the table gives none)
    "doors": ("connected", "straight", "connected", "connected"),
    "entry_level": (None, None, 1, None),
    "draw_choice": (3, 1, 1, "-"),
    "end_when_spent": (False, False, True, False),
    "buys_per_turn": (2, 2, None, "-"),
    "hands_open": (False, False, False, True),
    "start_hand": ("none", "none", "none", "all"),
    "castle_scoring": ("highest", "highest", "every", "highest"),
    "king_bonus": ("phase_level", "phase_level", "king_level", "phase_level"),
    "unspent_ap_scores": (1, 1, 0, 1),
    "unique_scores": (True, True, False, True),
    "king_setup": ("last_player", "last_player", "random", "last_player"),
    "start_player": ("fixed", "fixed", "fixed", "leader"),
    "scoring_order": ("steps", "steps", "steps", "steps"),
    "castle_setup": ("printed", "printed", "printed", "players"),
    "master_card": (False, False, False, True),
    # the same in all presets
    "stacks": (None,) * 4,
    "max_stack": (3,) * 4,
    "action_points": (5,) * 4,
    "knights_per_player": (6,) * 4,
    "starting_cells": (START,) * 4,
    "card_list": (CARDS,) * 4,
}
PRESETS = ("standard", "classic", "digest", "master")


def base(rules, **more):
    return at(BASE, "c3", "d3", king="f6", rules=rules, **more)


# ---------------------------------------------------------------- presets


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("field", TABLE)
def test_presets(preset, field):
    expected = TABLE[field][PRESETS.index(preset)]
    if expected != "-":
        value = getattr(TorresRules.preset(preset), field)
        assert (tuple(value) if isinstance(value, (tuple, list)) else value) == expected


@pytest.mark.parametrize("field", TABLE)
def test_digest_master_is_digest_with_open_full_hands_and_without_chance(field):
    changed = {"hands_open": True, "start_hand": "all", "king_setup": "last_player"}
    expected = changed.get(field, TABLE[field][2])
    assert getattr(TorresRules.preset("digest_master"), field) == expected


def test_defaults_are_standard():
    assert TorresRules() == TorresRules.preset("standard")
    with pytest.raises(dataclasses.FrozenInstanceError):
        TorresRules().doors = "straight"


def test_one_field_can_be_overridden():
    rules = TorresRules.preset("classic", doors="connected")
    assert dataclasses.replace(rules, doors="straight") == TorresRules.preset("classic")
    assert (rules.doors, rules.draw_choice) == ("connected", 1)


def test_digest_master_game():
    # Rules section 7: full open hands, no BUY; nothing is drawn: the last player puts the king.
    state = play(TorresState(num_players=2, rules="digest_master", seed=4), "N d1", "N c3")
    assert state.position()["rng"] == 4 and state.position()["king"] is None
    assert state.current_player() == 1 and legal(state) == {f"K {cell}" for cell in START[2:]}
    position = play(state, "K h4").position()
    assert position["king"] == "h4" and position["master_card"] is None
    assert [list(h) for h in position["hands"]] == [list(CARDS)] * 2
    assert "BUY" not in legal(state)


# ---------------------------------------------------------------- every field has its effect


@pytest.mark.parametrize(("limit", "bought"), [(1, 1), (3, 3), (None, 4)])
def test_buys_per_turn(limit, bought):
    rules = TorresRules(buys_per_turn=limit, draw_choice=1)
    state = base(rules, decks=[["door", "ap6", "jump", "ap7"], []])
    for _ in range(bought):
        play(state, "BUY")
    assert "BUY" not in legal(state) and state.current_player() == 0
    assert len(state.position()["hands"][0]) == bought


@pytest.mark.parametrize("hands_open", [False, True])
def test_hands_open(hands_open):
    # Rules section 1: the cards in a hand are hidden where hands are closed; their number is not.
    rules = TorresRules(hands_open=hands_open)
    one = base(rules, hands=[[], ["ap6"]], decks=[[], ["door", "jump"]])
    two = base(rules, hands=[[], ["jump"]], decks=[[], ["ap6", "door"]])
    assert (one.position(0) == two.position(0)) is not hands_open
    assert one.position(1) != two.position(1)
    if hands_open:
        assert list(one.position(0)["hands"][1]) == ["ap6"]
    assert list(one.position(1)["hands"][1]) == ["ap6"]


def test_what_a_buyer_and_the_others_know():
    # Rules section 1: a player knows the cards it put under its own deck; the others do not see what was bought.
    deck = ["door", "ap6", "jump", "ap7", "extra", "under"]
    state = play(base(TorresRules(), decks=[deck, []]), "BUY", "PICK ap6")
    own, other = [], []
    for seed in range(20):
        position = state.resample_hidden(0, seed).position()
        own.append(tuple(position["decks"][0]))
        assert list(position["hands"][0]) == ["ap6"]
        position = state.resample_hidden(1, seed).position()
        other.append(tuple(position["hands"][0]))
        assert sorted([*position["hands"][0], *position["decks"][0]]) == sorted(deck)
    assert {cards[3:] for cards in own} == {("door", "jump")}
    assert all(sorted(cards[:3]) == ["ap7", "extra", "under"] for cards in own) and len(set(own)) > 1
    assert all(len(cards) == 1 for cards in other) and len(set(other)) > 1


def test_start_hand():
    # Rules section 7, start_hand "all": all ten; no BUY.
    state = new_game(2, TorresRules(start_hand="all"))
    assert [list(h) for h in state.position()["hands"]] == [list(CARDS)] * 2
    assert [list(d) for d in state.position()["decks"]] == [[], []]
    assert "BUY" not in legal(state) and "PLAY ap6" in legal(state)
    assert "BUY" in legal(new_game(2, TorresRules()))


def test_master_card():
    assert TorresState(num_players=2, rules=TorresRules(), seed=1).position()["master_card"] is None
    drawn = {
        TorresState(num_players=2, rules=TorresRules(master_card=True), seed=k).position()["master_card"]
        for k in range(100)
    }
    assert drawn == set(MASTER_CARDS)


def test_stacks():
    # Rules section 7: the same for all players; 92 - 8 - 2 * (3 + 3 + 6) = 60. The tallest stack first.
    state = new_game(2, TorresRules(stacks=((1, 2), (3,), (3, 3))))
    position = state.position()
    assert position["turn_stack"] == 2 and [list(s) for s in position["stacks"]] == [[1], [2, 1]]
    assert position["supply"] == 60
    play(state, "END", "END")  # two blocks left over each: 1 -> 3
    assert state.position()["turn_stack"] == 3 and list(state.position()["stacks"][1]) == [3]
    play(state, "END", "END")
    position = state.position()
    assert position["pending"]["kind"] == "king" and (position["phase"], position["round"]) == (1, 2)
    assert position["supply"] == 66


def test_max_stack():
    # Leftovers fill the tallest other stack that is lower than max_stack.
    state = play(base(TorresRules(max_stack=4), stacks=[[3, 1], [3, 3, 3]], turn_stack=2), "END")
    assert list(state.position()["stacks"][0]) == [4, 2]
    rules = TorresRules(max_stack=2, stacks=((2, 2, 2, 2),) * 3)
    state = play(base(rules, stacks=[[2, 1], [2, 2, 2]], turn_stack=2), "END")
    assert list(state.position()["stacks"][0]) == [2, 2] and state.position()["supply"] == 13


def test_action_points():
    state = new_game(2, TorresRules(action_points=3))
    assert state.position()["ap"] == 3
    assert points(play(state, "END")) == [3, 0] and state.position()["ap"] == 3


def test_knights_per_player():
    # One knight is placed in the setup.
    state = new_game(2, TorresRules(knights_per_player=1))
    assert only(state, "N") == set()
    state = new_game(2, TorresRules(knights_per_player=2))
    play(state, "N d2")
    assert only(state, "N") == set() and state.position()["ap"] == 3


def test_starting_cells():
    # Three castles; 92 - 3 - 72 = 17.
    cells = ("h8", "a1", "d4")
    state = TorresState(num_players=2, rules=TorresRules(starting_cells=cells), seed=1)
    assert list(state.position()["height"]) == heights(castles(*cells)) and only(state, "N") == set(cells)
    play(state, "N a1", "N d4", "K h8")
    assert state.position()["supply"] == 17


@pytest.mark.parametrize("seed", range(4))
def test_card_list(seed):
    # interfaces.md section 2: shuffled from the order of the card table, whatever the order of card_list.
    stream = SplitMix64(seed)
    expected = [shuffled(stream, ("ap6", "door", "encore")) for _ in range(2)]
    rules = TorresRules(card_list=("encore", "ap6", "door"))
    position = TorresState(num_players=2, rules=rules, seed=seed).position()
    assert [list(d) for d in position["decks"]] == expected


def test_no_cards():
    # Rules section 7: () is the game without action cards.
    state = new_game(2, TorresRules(card_list=()))
    assert [list(d) for d in state.position()["decks"]] == [[], []]
    assert {text.split()[0] for text in legal(state)} == {"B", "N", "M", "END"}
    full = new_game(2, TorresRules(card_list=("encore", "ap6"), start_hand="all"))
    assert list(full.position()["hands"][1]) == ["ap6", "encore"]


# ---------------------------------------------------------------- what is rejected


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        *[({name: 0}, name) for name in ("draw_choice", "action_points", "knights_per_player", "max_stack")],
        ({"starting_cells": ()}, "starting_cells"),
        ({"starting_cells": ("a1", "c1")}, "starting_cells"),  # 2 players need 3
        ({"starting_cells": ("a1", "a2", "d4", "g7")}, "starting_cells"),  # touch
        ({"starting_cells": ("a1", "d4", "g7", "a1")}, "starting_cells"),  # repeat
        *[({"starting_cells": ("a1", "d4", bad)}, "starting_cells") for bad in ("a9", "", "a10")],
        ({"stacks": ((3, 3, 3, 3, 3), (3, 3, 3, 3, 3), (3, 3, 3, 3, 1))}, "stacks"),  # 2 * 43 = 86 > 92 - 8
        ({"stacks": ((4,), (3,), (3,))}, "stack"),  # above max_stack
        ({"max_stack": 2}, "stack"),  # the table of section 2 has stacks of 3
        ({"stacks": ((-1,), (3,), (3,))}, "stacks"),
        ({"stacks": ((3,), (3,))}, "stacks"),
        ({"stacks": ((3,), (3,), (3,), (3,))}, "stacks"),
        ({"stacks": ((3,), (), (3,))}, "stacks"),
        ({"stacks": ()}, "stacks"),
        ({"card_list": ("ap6", "joker")}, "card_list"),
        ({"card_list": ("ap6", "door", "ap6")}, "card_list"),
        ({"king_setup": "random", "castle_setup": "players"}, "king_setup|castle_setup"),
    ],
)
def test_rejected(fields, message):
    with pytest.raises(ValueError, match=message):
        TorresState(num_players=2, rules=TorresRules(**fields), seed=1)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_number_of_starting_cells(n):
    # Players + 1 at least.
    cells = ("a1", "c1", "e1", "g1", "a3")
    TorresState(num_players=n, rules=TorresRules(starting_cells=cells[: n + 1]), seed=1)
    with pytest.raises(ValueError, match="starting_cells"):
        TorresState(num_players=n, rules=TorresRules(starting_cells=cells[:n]), seed=1)


def test_blocks_depend_on_the_players():
    # 14 blocks a phase: 2 * 42 = 84 = 92 - 8, nothing for the supply; three players would need 126.
    rules = TorresRules(stacks=((3, 3, 3, 3, 2),) * 3)
    assert new_game(2, rules).position()["supply"] == 0
    with pytest.raises(ValueError, match="stacks"):
        TorresState(num_players=3, rules=rules, seed=1)
    many = tuple(c + r for k, r in enumerate("12345678") for c in ("aceg", "bdfh")[k % 2])[:21]
    with pytest.raises(ValueError, match="starting_cells|stacks"):  # 72 + 21 = 93
        TorresState(num_players=2, rules=TorresRules(starting_cells=many), seed=1)
    TorresState(num_players=2, rules=TorresRules(starting_cells=many[:20]), seed=1)


def test_max_stack_two_is_fine_for_four_players():
    # The table of section 2 has only stacks of 2 for four players.
    assert new_game(4, TorresRules(max_stack=2)).position()["turn_stack"] == 2


def test_diagonal_starting_cells_do_not_touch():
    # Rules section 1: contact is orthogonal.
    TorresState(num_players=2, rules=TorresRules(starting_cells=("a1", "b2", "c3")), seed=1)
