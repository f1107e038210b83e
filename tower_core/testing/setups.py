"""Shared by all checks: setups, sample states, and failure reports."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tower_core.game import Game
from tower_core.state import State

LONGEST = 20_000
"""Number of random actions after which a game counts as endless."""


class CheckFailed(AssertionError):
    """A game fails a check; the message is one sentence."""


def require(true: Any, sentence: str) -> None:
    """Raise CheckFailed with *sentence* unless *true*."""
    if not true:
        raise CheckFailed(sentence)


@dataclass(frozen=True)
class Setup:
    """A game with a number of players and rules."""

    game: Game
    players: int
    rules: Any

    def __str__(self) -> str:
        name = next((name for name, rules in self.game.rules.presets().items() if rules == self.rules), "own")
        return f"{self.game.name}, {self.players} player{'s' * (self.players > 1)}, rules {name}"

    def state(self, seed: int = 0) -> State:
        return self.game.state_class()(self.players, self.rules, seed)  # type: ignore[no-any-return]

    def samples(self, games: int = 2, most: int = 6, seed: int = 0) -> Iterator[State]:
        """States of random play: starts, ends, and up to *most* states between for each of some games."""
        for game in range(games):
            chance, state, actions = random.Random(seed + game), self.state(seed + game), []
            while not state.is_terminal():
                actions.append(chance.choice(state.legal_actions()))
                require(len(actions) <= LONGEST, f"a random game is not over after {LONGEST} actions")
                state.apply_action(actions[-1])
            plies = range(len(actions) + 1)
            moments = {0, len(actions), *chance.sample(plies, min(most, len(plies)))}
            state = self.state(seed + game)
            for ply in plies:
                if ply in moments:
                    yield state.clone()
                if ply < len(actions):
                    state.apply_action(actions[ply])


def setups_of(game: Game) -> list[Setup]:
    """Every preset with its smallest number of players, and the default rules with every number of players."""
    found: dict[tuple[int, str], Setup] = {}
    for preset in (game.default_rules, *game.presets):
        rules = game.resolve_rules(preset)
        for players in game.seats:
            try:
                game.make_record(players, rules)
            except ValueError:
                continue
            found[players, preset] = Setup(game, players, rules)
            if preset != game.default_rules:
                break
    return list(found.values())


def play(state: State, chance: random.Random, moves: int = LONGEST + 1) -> int:
    """Random play to the end, or for *moves* moves; returns the number of moves played."""
    for move in range(moves):
        if state.is_terminal():
            return move
        require(move < LONGEST, f"a random game is not over after {LONGEST} actions")
        state.apply_action(chance.choice(state.legal_actions()))
    return moves


def everything(state: State) -> dict[str, Any]:
    """All observable properties of a state."""
    seats = range(state.num_players)
    return {
        "position()": state.position(),
        "legal_actions()": state.legal_actions(),
        "history()": state.history(),
        "current_player()": state.current_player(),
        "is_terminal()": (state.is_terminal(), state.is_truncated()),
        "scores()": state.scores(),
        "ranking()": state.ranking(),
        "returns()": state.returns().tolist(),
        "to_text()": str(state),
        **{f"observation({seat})": observed(state, seat) for seat in seats},
        **{f"position({seat})": state.position(seat) for seat in seats},
    }


def observed(state: State, seat: int) -> dict[str, Any]:
    return {name: part.tolist() for name, part in state.observation(seat).items()}


def differences(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Names of the entries in which two dicts differ; empty if they are equal."""
    return ", ".join(name for name in one if one[name] != other.get(name))


def equal(one: Any, other: Any) -> bool:
    """Whether two observations or arrays are equal, including shapes and dtypes."""
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(equal(one[k], other[k]) for k in one)
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and one.dtype == other.dtype and bool((one == other).all())


def digest(*seen: Any) -> str:
    """A hash of nested values and arrays."""
    found = hashlib.blake2b(digest_size=12)
    _feed(found, seen)
    return found.hexdigest()


def _feed(found: Any, seen: Any) -> None:
    if isinstance(seen, dict):
        for name in sorted(seen):
            _feed(found, (name, seen[name]))
    elif isinstance(seen, (tuple, list)):
        for part in seen:
            _feed(found, part)
    elif isinstance(seen, np.ndarray) and seen.dtype != object:
        found.update(f"{seen.dtype}{seen.shape}".encode() + seen.tobytes())
    elif isinstance(seen, np.ndarray):
        _feed(found, seen.tolist())
    else:
        found.update(f"{seen!r};".encode())


def one_line(error: BaseException, what: str) -> None:
    """Errors that users read must be one non-empty line."""
    text = str(error)
    require(text and len(text.splitlines()) == 1, f"{what}: the error must be one line, not {text[:80]!r}")
