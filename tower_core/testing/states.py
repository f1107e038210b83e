"""Invariants of every state: turns, legal actions, the end, copies, positions."""

from __future__ import annotations

import copy
import json
import pickle
import random
from itertools import pairwise
from typing import Any

import numpy as np

from tower_core.engine.loops import TERMINAL_REWARD
from tower_core.state import State
from tower_core.testing.setups import Setup, differences, everything, one_line, play, require

COPIES: dict[str, Any] = {
    "clone()": lambda state: state.clone(),
    "from_bytes(to_bytes())": lambda state: type(state).from_bytes(state.to_bytes()),
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def check_turns_and_returns(setup: Setup) -> None:
    """Turns match the history; returns, ranking and terminal reward agree."""
    for seed in range(3):
        state, chance = setup.state(seed), random.Random(seed)
        movers: list[int] = []
        while not state.is_terminal():
            mover = state.current_player()
            require(0 <= mover < setup.players, f"current_player() is {mover} before the end")
            require(not state.returns().any(), "returns() are not 0 before the end")
            require(len(state.scores()) == setup.players, "scores() must have one entry per player")
            require(not state.is_truncated(), "is_truncated() before the end")
            movers.append(mover)
            play(state, chance, 1)
        require([seat for seat, _ in state.history()] == movers, "history() has other seats than those that moved")
        _check_end(state, setup)
    one, other = setup.state(5), setup.state(5)
    require(not differences(everything(one), everything(other)), "two games of one seed differ")


def _check_end(state: State, setup: Setup) -> None:
    utilities, groups = state.returns(), state.ranking()
    require(state.current_player() == -4, f"current_player() is {state.current_player()} at the end, not -4")
    require(state.legal_actions() == [], "actions are legal after the end")
    seats = sorted(seat for group in groups for seat in group)
    require(seats == list(range(setup.players)), f"ranking() holds the seats {seats}")
    require(utilities.shape == (setup.players,), f"returns() has the shape {utilities.shape}")
    require(np.abs(utilities).max() <= 1, f"returns() are not between -1 and 1: {utilities}")
    if setup.players > 1:
        require(abs(utilities.sum()) < 1e-9, f"returns() don't sum to 0: {utilities}")
        for better, worse in pairwise(groups):
            require(utilities[better[0]] > utilities[worse[0]], "returns() and ranking() disagree")
        for group in groups:
            require(len({utilities[seat] for seat in group}) == 1, "seats of equal rank have different returns()")
    for seat, utility in enumerate(utilities):
        paid = state._entry(TERMINAL_REWARD, state._address, seat, 0) / 1e6
        require(abs(paid - utility) < 1e-5, f"terminal_reward of seat {seat} is {paid}, but returns() give {utility}")
    try:
        state.apply_action(0)
    except ValueError as error:
        one_line(error, "an action after the end")
    else:
        require(False, "an action after the end is not rejected")


def check_actions(setup: Setup) -> None:
    """Exactly the legal actions don't raise; each has a unique text that parses back to it, and a description."""
    table = setup.game.actions
    require(len(table.to_markdown().splitlines()) >= len(table.verbs), "actions: to_markdown() lacks rows")
    for state in setup.samples():
        mask, legal, before = state.legal_actions_mask(), state.legal_actions(), state._record.tobytes()
        require(
            mask.shape == (len(table),) and mask.dtype == np.bool_, f"legal_actions_mask() is {mask.dtype} {mask.shape}"
        )
        require(np.flatnonzero(mask).tolist() == legal, "legal_actions() and legal_actions_mask() disagree")
        texts = [state.action_to_string(action) for action in legal]
        require(len(set(texts)) == len(texts), "two legal actions have the same text")
        for action, text in zip(legal, texts, strict=True):
            require(state.string_to_action(text) == action, f"string_to_action({text!r}) is not action {action}")
            meaning = table.describe(text, state.position(state.current_player()))
            require(meaning and "{" not in meaning, f"describe({text!r}) gives {meaning!r}")
        illegal = np.flatnonzero(~mask).tolist()
        for wrong in (*random.Random(1).sample(illegal, min(len(illegal), 25)), -1, len(table), 10**30, -(10**30)):
            _refused(wrong, state.apply_action)
        strange: tuple[Any, ...] = (None, 1.5, "0", True, [0], float("nan"))
        for thing in strange:
            _refused(thing, state.apply_action)
        no_texts: tuple[Any, ...] = ("", "NO SUCH ACTION", "\0", f"{table.example} {table.example}", 5, None)
        for thing in no_texts:
            _refused(thing, state.string_to_action)
        require(state._record.tobytes() == before, "a rejected action has changed the state")
        for action in legal[:20]:
            other = state.clone()
            other.apply_action(action)
            require(state._record.tobytes() == before, "an action of a clone has changed the original")


def _refused(wrong: Any, call: Any) -> None:
    try:
        call(wrong)
    except ValueError as error:
        one_line(error, f"{call.__name__}({wrong!r})")
    else:
        require(False, f"{call.__name__}({wrong!r}) is not rejected")


def check_copies(setup: Setup) -> None:
    """Clones, copies, bytes and pickles are equal and continue identically; the original stays unchanged."""
    for state in setup.samples():
        seen, written, ends = everything(state), state.to_bytes(), {}
        for name, make in COPIES.items():
            other = make(state)
            wrong = differences(seen, everything(other))
            require(not wrong, f"{name}: {wrong} differs")
            require(other.to_bytes() == written, f"{name}: to_bytes() differ")
            play(other, random.Random(2), 40)
            ends[name] = everything(other)
            wrong = differences(ends["clone()"], ends[name])
            require(not wrong, f"{name}: {wrong} differs some moves later")
        require(state.to_bytes() == written, "playing with a copy changes the original")
    one, other = setup.state(1), setup.state(1)
    one.reseed(9)
    require(one.position()["rng"] != other.position()["rng"], "reseed() doesn't start a new random stream")


def check_positions(setup: Setup) -> None:
    """Positions are JSON and restore the same state; refresh recomputes what play has maintained."""
    for state in setup.samples():
        position = state.position()
        again = type(state).from_position(json.loads(json.dumps(position)))
        seen, found = everything(state), everything(again)
        wrong = differences({**seen, "history()": []}, found)
        require(not wrong, f"from_position(position()): {wrong} differs")
        for name in ("legal", *sorted(setup.game.derived)):
            same = (state._record[name] == again._record[name]).all()
            require(same, f"refresh computes a different {name} than play")
        for seat in range(setup.players):
            known = state.position(seat)
            require(json.loads(json.dumps(known)) == known, f"position({seat}) changes in a JSON round trip")
            require("rng" not in known, f"position({seat}) reveals the random stream")
        one = state.clone()
        play(one, random.Random(3), 30)
        play(again, random.Random(3), 30)
        wrong = differences(one.position(), again.position())
        require(not wrong, f"from_position(position()) continues with a different {wrong}")
