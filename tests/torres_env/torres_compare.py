"""Playing the same game of Torres in the package and in the naive reference, and comparing everything after every move."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
from reference.torres import NaiveTorres
from torres_late import late_state
from torres_seen import TorresSeen

from torres_env import TorresRules, TorresState
from torres_env.rules import CARDS, PRESETS

STYLES = ("random", "builder", "climber")


def random_rules(chance: random.Random, num_players: int) -> TorresRules:
    """Some preset with fields replaced at random, that this number of players can play."""
    while True:
        try:
            rules = TorresRules.preset(chance.choice(list(PRESETS)), **_overrides(chance))
            rules.for_players(num_players)
        except ValueError:
            continue
        return rules


def _overrides(chance: random.Random) -> dict[str, Any]:
    values: dict[str, Any] = {
        "doors": chance.choice(("connected", "straight", "descending")),
        "entry_level": chance.choice((None, 0, 1, 2)),
        "draw_choice": chance.randint(1, len(CARDS)),
        "end_when_spent": chance.random() < 0.5,
        "buys_per_turn": chance.choice((None, 0, 1, 2, 3)),
        "hands_open": chance.random() < 0.5,
        "start_hand": chance.choice(("none", "all")),
        "castle_scoring": chance.choice(("highest", "every")),
        "king_bonus": chance.choice(("phase_level", "king_level")),
        "unspent_ap_scores": chance.randint(0, 3),
        "unique_scores": chance.random() < 0.5,
        "start_player": chance.choice(("fixed", "leader", "left")),
        "scoring_order": chance.choice(("steps", "player")),
        "master_card": chance.random() < 0.5,
        "action_points": chance.randint(1, 12),
        "knights_per_player": chance.randint(1, 6),
        "card_list": tuple(chance.sample(CARDS, chance.randint(0, len(CARDS)))),
        "stacks": tuple(tuple(chance.randint(0, 3) for _ in range(chance.randint(1, 4))) for _ in range(3)),
        "max_stack": chance.randint(3, 6),
        "starting_cells": _starting_cells(chance),
    }
    chosen = {name: value for name, value in values.items() if chance.random() < 0.25}
    if chance.random() < 0.3:
        by_players = chance.random() < 0.5
        chosen["castle_setup"] = "players" if by_players else "printed"
        chosen["king_setup"] = "last_player" if by_players else "random"
        if by_players and chance.random() < 0.3:  # more than there is room for
            chosen["starting_cells"] = tuple("abcdefgh"[i % 8] + str(i // 8 + 1) for i in range(0, 64, 2) if i // 8 % 2)
    return chosen


def _starting_cells(chance: random.Random) -> tuple[str, ...]:
    """Four to twenty cells that do not touch."""
    cells: list[tuple[int, int]] = []
    wanted = chance.choice((4, 6, 8, 9, 10, 20))
    for place in chance.sample(range(64), 64):
        x, y = place % 8, place // 8
        if len(cells) < wanted and all(abs(x - a) + abs(y - b) > 1 for a, b in cells):
            cells.append((x, y))
    return tuple("abcdefgh"[x] + str(y + 1) for x, y in cells)


def reference_of(state: TorresState, seed: int) -> NaiveTorres:
    """The naive game of the same players, rules and seed."""
    return NaiveTorres(state.num_players, fields_of(state.rules), seed)


def fields_of(rules: TorresRules) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in rules.__dataclass_fields__}


def compare_game(
    num_players: int,
    rules: str | TorresRules,
    seed: int,
    style: str,
    checks: float = 0.02,
    seen: TorresSeen | None = None,
) -> int:
    """Play one game of a seed in both and compare; AssertionError tells where they part. Returns the number of moves.

    With probability *checks* a move is followed by :func:`check_copies`. *seen* counts the rules that were exercised.
    """
    state = TorresState(num_players, rules, seed)
    return play_both(state, reference_of(state, seed), seed, style, checks, seen)


def compare_late(num_players: int, rules: TorresRules, seed: int, style: str, seen: TorresSeen | None = None) -> int:
    """The same from a drawn position near the end of a phase, for some turns. Returns the number of moves."""
    state = late_state(num_players, rules, random.Random(seed))
    naive = NaiveTorres.from_position(fields_of(state.rules), state.position())
    return play_both(state, naive, seed, style, 0.02, seen, most=25)


def play_both(
    state: TorresState,
    naive: NaiveTorres,
    seed: int,
    style: str,
    checks: float,
    seen: TorresSeen | None,
    most: int = 10**6,
) -> int:
    """Play on in both until the game is over or *most* moves are made; returns the number of moves."""
    chance = random.Random(seed)
    start, moves = state.position(), 0
    if seen is not None:
        seen.start(naive)
    try:
        while True:
            texts = compare(state, naive)
            if not texts or moves == most:
                if seen is not None and not texts:
                    seen.end()
                return moves
            text = choose(sorted(texts), naive, chance, style)
            assert state.string_to_action(text) == texts[text]
            state.apply_action(texts[text])
            if seen is not None:
                seen.move(naive.position(), text)
            naive.apply(text)
            moves += 1
            if chance.random() < checks:
                state = check_copies(state, chance)
    except AssertionError as error:
        raise AssertionError(f"{error}\nseed {seed}, {style}, from {start}, after {state.history()}") from error


def compare(state: TorresState, naive: NaiveTorres) -> dict[str, int]:
    """Assert that both are in the same position; returns the legal actions, text to number (none at the end)."""
    found, expected = state.position(), naive.position()
    assert {key: found[key] for key in expected} == expected
    assert state.current_player() == naive.current_player()
    assert state.is_terminal() == naive.is_terminal()
    assert state.scores() == naive.scores()
    assert state.ranking() == naive.ranking()
    assert [round(value, 9) for value in state.returns().tolist()] == [round(value, 9) for value in naive.returns()]
    actions = state.legal_actions()
    texts = {state.action_to_string(action): action for action in actions}
    assert len(texts) == len(actions)
    legal = naive.legal()
    assert set(texts) == legal, f"only here {set(texts) - legal}, only there {legal - set(texts)}"
    assert bool(texts) != state.is_terminal()
    return texts


def choose(texts: list[str], naive: NaiveTorres | list[int], chance: random.Random, style: str) -> str:
    """A random legal action that rarely ends the turn.

    A builder plays cards and piles blocks high; a climber sends its knights up. (*naive*: the game, or its heights.)
    """
    height = naive if isinstance(naive, list) else naive.height
    if style == "builder" and chance.random() < 0.7:
        wanted = [text for text in texts if text.startswith(("B ", "PLAY"))]
        if wanted:
            few = chance.sample(wanted, min(3, len(wanted)))
            by_height = chance.random() < 0.7
            return max(few, key=lambda text: _height_at(text, height) if by_height else 0)
    if style == "climber" and chance.random() < 0.6:
        wanted = [text for text in texts if text.startswith(("N ", "M "))]
        if wanted:
            return max(chance.sample(wanted, min(8, len(wanted))), key=lambda text: _height_at(text, height))
    others = [text for text in texts if text != "END" or chance.random() < 0.2]
    return chance.choice(others or texts)


def _height_at(text: str, height: list[int]) -> int:
    """Height of the cell that a text ends with; 0 for a text without one."""
    return (
        height[8 * (int(text[-1]) - 1) + "abcdefgh".index(text[-2])] if text[-1].isdecimal() and text[1] == " " else 0
    )


def same(a: TorresState, b: TorresState) -> None:
    """Assert that two states are one and the same game."""
    assert a.position() == b.position()
    assert a.legal_actions() == b.legal_actions()
    assert a.history() == b.history()
    assert a.current_player() == b.current_player()
    for seat in range(a.num_players):
        equal_arrays(a.observation(seat), b.observation(seat))


def equal_arrays(a: dict[str, Any], b: dict[str, Any]) -> None:
    assert a.keys() == b.keys()
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def play_random(state: TorresState, chance: random.Random, moves: int) -> None:
    for _ in range(moves):
        if state.is_terminal():
            return
        state.apply_action(chance.choice(state.legal_actions()))


def check_copies(state: TorresState, chance: random.Random) -> TorresState:
    """Bytes, positions, clones and resampled states of a state; returns an equal state that was read from bytes."""
    written = state.to_bytes()
    again = TorresState.from_bytes(written)
    same(state, again)
    assert again.to_bytes() == written
    placed = TorresState.from_position(json.loads(json.dumps(state.position())))
    assert placed.position() == state.position()
    assert placed.legal_actions() == state.legal_actions()
    clone = state.clone()
    play_random(clone, chance, 5)
    assert state.to_bytes() == written, "playing on in a clone changed the original"
    for seat in range(state.num_players):
        check_resampled(state, seat, chance.getrandbits(64))
    assert state.to_bytes() == written, "resampling changed the original"
    return again


def check_resampled(state: TorresState, seat: int, seed: int) -> None:
    """A seat can't tell a state from one whose hidden cards were drawn anew, and no card appears or vanishes."""
    other = state.resample_hidden(seat, seed)
    equal_arrays(state.observation(seat), other.observation(seat))
    assert other.position(seat) == state.position(seat)
    if state.current_player() == seat:
        assert other.legal_actions() == state.legal_actions()
    if not state.is_terminal():
        assert other.legal_actions(), "nobody can go on"
    found, expected = other.position(), state.position()
    for p in range(state.num_players):
        assert _cards_of(found, p) == _cards_of(expected, p)
        assert len(found["hands"][p]) == len(expected["hands"][p])
    again = state.resample_hidden(seat, seed)
    assert again.position() == found, "the same seed gives the same cards"


def _cards_of(position: dict[str, Any], seat: int) -> list[str]:
    cards = [*position["hands"][seat], *position["decks"][seat], *position["discards"][seat]]
    if position["to_move"] == seat and position["pending"] is not None:
        cards += position["pending"].get("cards", [])
    return sorted(cards)
