"""What holds for every state of both games, at any moment that random play comes to."""

from __future__ import annotations

import random

import numpy as np
import pytest
from any_state import STATES, market_rules, played
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from market_env import MarketBatch, MarketState
from market_env.observation import VECTOR
from torres_env import TorresBatch, TorresRules, TorresState
from torres_env.observation import GLOBALS

seeds = st.integers(0, 2**32)


# ---------------------------------------------------------------------------------------------- actions
@given(STATES)
@settings(max_examples=30)
def test_the_mask_is_what_does_not_raise(state):
    """Every number of an action is tried. What raises has changed nothing, and whatever a clone does stays with it."""
    mask, before = state.legal_actions_mask(), state._record.tobytes()
    told, history = state.position(), state.history()
    assert mask.nonzero()[0].tolist() == state.legal_actions()
    for action in range(-1, len(mask) + 1):
        if 0 <= action < len(mask) and mask[action]:
            other = state.clone()
            other.apply_action(action)
            assert len(other.history()) == len(history) + 1
            assert other._record.tobytes() != before
        else:
            with pytest.raises(ValueError) as error:
                state.apply_action(action)
            assert len(str(error.value).splitlines()) == 1
        assert state._record.tobytes() == before
    assert state.position() == told
    assert state.history() == history
    assert mask.any() != state.is_terminal()


# ---------------------------------------------------------------------------------------------- seats
def turned(values: list, by: int) -> list:
    """What belongs to seat p belongs to seat p + by."""
    return [values[(seat - by) % len(values)] for seat in range(len(values))]


def turned_torres(position: dict, by: int) -> dict:
    n = position["num_players"]
    per_seat = ("knights", "stacks", "hands", "decks", "discards", "scores", "unseen")
    changed = {name: turned(position[name], by) for name in per_seat}
    changed |= {name: (position[name] + by) % n for name in ("to_move", "start_player")}
    return position | changed


def turned_market(position: dict, by: int) -> dict:
    n = position["num_players"]

    def seat(value):
        return None if value is None else (value + by) % n

    per_seat = ("workers", "tokens", "materials", "lists", "hands", "towers", "wanted", "jailed")
    changed = {name: turned(position[name], by) for name in per_seat}
    changed["figures"] = {name: turned(values, by) for name, values in position["figures"].items()}
    hired = position["apprentices"]
    changed["apprentices"] = {
        "with": {name: seat(holder) for name, holder in hired["with"].items()},
        "has_hired": turned(hired["has_hired"], by),
    }
    changed["to_move"] = seat(position["to_move"])
    if position["known_cards"] is not None:
        changed["known_cards"] = position["known_cards"] | {"seat": seat(position["known_cards"]["seat"])}
    if (position["pending"] or {}).get("target") is not None:
        changed["pending"] = position["pending"] | {"target": seat(position["pending"]["target"])}
    return position | changed


def same_from_other_seats(state, other, by, leave_out):
    """Everybody sees in *other*, from the seat *by* further on, what it saw in *state*."""
    n = state.num_players
    assert other.legal_actions() == state.legal_actions()
    for seat in range(n):
        seen, elsewhere = state.observation(seat), other.observation((seat + by) % n)
        for name, part in seen.items():
            keep = np.ones(part.size, bool)
            for block in leave_out.get(name, ()):
                keep[block.start : block.stop] = False
            np.testing.assert_array_equal(part.ravel()[keep], elsewhere[name].ravel()[keep], err_msg=name)


@given(st.integers(2, 4), seeds, st.integers(12, 300), st.integers(1, 3), st.sampled_from(["master", "standard"]),
       st.sampled_from(["leader", "left"]))  # fmt: skip
@settings(max_examples=60)
def test_torres_is_the_same_from_every_seat(players, seed, moves, by, preset, start_player):
    """Where no seat starts every round, none is special: the positions look alike and go on alike."""
    rules = TorresRules.preset(preset, start_player=start_player)
    state = played(TorresState(players, rules, seed), moves, random.Random(seed))
    position = state.position()
    assume(not state.is_terminal() and (position["phase"] > 1 or position["round"] > 1))
    other = TorresState.from_position(turned_torres(position, by))
    own_seat = {"globals": [block for block in GLOBALS if block.name == "seat"]}
    chance = random.Random(seed)
    for _ in range(30):
        same_from_other_seats(state, other, by, own_seat)
        assert other.scores() == turned(state.scores(), by)
        if state.is_terminal():
            break
        action = chance.choice(state.legal_actions())
        state.apply_action(action)
        other.apply_action(action)


@given(st.sampled_from(["base", "advanced", "apprentices", "guard", "full"]), st.integers(2, 4), seeds,
       st.integers(0, 250), st.integers(1, 3))  # fmt: skip
@settings(max_examples=40)
def test_the_market_game_looks_the_same_from_every_seat(preset, players, seed, moves, by):
    """The state after the next moves looks the same too, as long as the turn lasts."""
    state = played(MarketState(players, preset, seed), moves, random.Random(seed))
    assume(not state.is_terminal())
    other = MarketState.from_position(turned_market(state.position(), by))
    own_seat = {"vector": [block for block in VECTOR if block.name == "seat"]}
    chance, mover = random.Random(seed), state.current_player()
    for _ in range(12):
        # A turn can end by itself; the last seat's ends the round, and which seat that is does matter.
        if state.current_player() != mover:
            break
        same_from_other_seats(state, other, by, own_seat)
        action = chance.choice(state.legal_actions())
        if state.action_to_string(action) in ("END", "BUILD"):
            break
        state.apply_action(action)
        other.apply_action(action)


# ---------------------------------------------------------------------------------------------- batches
BATCHES = [
    (TorresBatch, 2, "standard"),
    (TorresBatch, 4, "master"),
    (TorresBatch, 3, "digest"),
    (MarketBatch, 2, "full"),
    (MarketBatch, 4, "guard"),
    (MarketBatch, 3, market_rules("full+npc")),
    (MarketBatch, 1, "solo"),
]


@given(
    st.sampled_from(BATCHES),
    st.lists(st.integers(-5, 2**64), min_size=1, max_size=12, unique_by=lambda seed: seed % 2**64),
    st.integers(1, 8),
    st.sampled_from([None, "random:1,greedy:1"]),
    st.randoms(use_true_random=False),
)
@settings(max_examples=30)
def test_a_game_does_not_know_its_batch(kind, seeds, threads, opponents, chance):
    """Whatever the number of games and threads and the order of the seeds: a seed's games are those it plays alone."""
    make, players, rules = kind
    opponents = None if players == 1 else opponents
    mixed = seeds.copy()
    chance.shuffle(mixed)
    found = {}
    for name, order, count in (("together", seeds, threads), ("mixed", mixed, 1), ("alone", seeds[:1], 1)):
        batch = make(len(order), players, rules, 0, opponents, num_threads=count)
        for slot, seed in enumerate(order):
            batch.reset_slot(slot, seed)
        for steps in (1, 180):
            batch.random_play(steps)
        batch.step(batch.sample_actions())
        arrays = (batch.games, batch.observation, batch.action_mask, batch.to_move, batch.reward, batch.final_score)
        found[name] = {seed: [array[slot].tobytes() for array in arrays] for slot, seed in enumerate(order)}
        batch.close()
    assert found["together"] == found["mixed"]
    assert found["alone"][seeds[0]] == found["together"][seeds[0]]
