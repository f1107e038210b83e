"""A guessing game of two players with hidden numbers, whose rules choose a fault: each preset but the first has one.

A player calls a number, not the last one again, and has a point where it is the other's secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tower_core import drawing, options, position
from tower_core.actions import ActionTable, Verb
from tower_core.envs.faces import make_faces
from tower_core.envs.registration import register_game
from tower_core.game import Game
from tower_core.kernels import OVER, U64, allow, below, forbid_all, game_record, implement, jit, store_byte
from tower_core.observation import Block, Layout, Part

FAULTS = (
    "sound", "past the row", "gap in the row", "above high", "past the record", "bit beyond", "nothing legal", "same seat",
    "legal after refresh", "derived", "seen", "own secret", "stream", "reward", "position", "svg", "crash", "mutates",
)  # fmt: skip
(_SOUND, PAST_ROW, GAP, HIGH, PAST_RECORD, BEYOND, STUCK, NO_SEAT, REFRESHED, DERIVED, SEEN, OWN, STREAM, REWARD, POSITION,
 SVG, CRASH, MUTATES) = range(len(FAULTS))  # fmt: skip
CALLS, SECRETS, LENGTH = 7, 6, 8


@dataclass(frozen=True)
class Rules(options.Rules):
    """Which fault the game has."""

    fault: int = 0
    """Place in the list of faults; the record's field says which numbers there are."""

    @classmethod
    def presets(cls) -> dict[str, Rules]:
        return {name: cls(i) for i, name in enumerate(FAULTS)}


RECORD = game_record(
    CALLS, 2, [("secret", "u1", (2,)), ("calls", "u1"), ("last", "i1"), ("fault", "u1"), ("odd", "u1")]
)


@jit
def settle(s: Any) -> None:
    forbid_all(s)
    if s.calls == LENGTH:
        s.to_move = OVER
        return
    s.to_move = s.calls % 2
    for call in range(CALLS):
        if call != s.last:
            allow(s, call)
    if s.fault == BEYOND:
        s.legal[0] |= U64(1 << CALLS)
    if s.fault == STUCK and s.calls == 3:
        forbid_all(s)
    if s.fault == NO_SEAT:
        s.to_move = 2


@jit
def refresh(s: Any) -> None:
    settle(s)
    s.odd = s.calls % 2
    if s.fault == REFRESHED and s.to_move >= 0 and s.last >= 0:
        allow(s, s.last)


@jit
def new_game(s: Any, seed: Any) -> None:
    s.rng = seed
    for seat in range(2):
        s.score[seat] = 0
        s.secret[seat] = below(s, np.int64(SECRETS))
    s.calls, s.last = 0, -1
    refresh(s)


@jit
def apply(s: Any, action: Any) -> None:
    s.score[s.to_move] += action == s.secret[1 - s.to_move]
    s.last = action
    s.calls += 1
    settle(s)
    if s.fault != DERIVED:
        s.odd = s.calls % 2
    if s.fault == PAST_RECORD:
        s.legal[8] = U64(1)


@jit
def observe(s: Any, seat: Any, at: Any) -> None:
    store_byte(at, np.int64(s.secret[seat]))
    store_byte(at + 1, np.int64(200 if s.fault == HIGH else s.calls))
    store_byte(at + 2, np.int64(s.last + 1))
    store_byte(at + 3, np.int64(s.score[seat]))
    if s.fault != GAP:
        store_byte(at + 4, np.int64(s.secret[1 - seat] if s.fault == SEEN else s.score[1 - seat]))
    if s.fault == PAST_ROW:
        store_byte(at + 7, np.int64(1))


@jit
def resample(s: Any, seat: Any, seed: Any) -> None:
    stream = s.rng
    s.rng = seed
    s.secret[seat if s.fault == OWN else 1 - seat] = below(s, np.int64(SECRETS))
    if s.fault == STREAM:
        s.rng = stream


@jit
def terminal_reward(s: Any, seat: Any, kind: Any) -> Any:
    lead = np.int64(s.score[seat]) - np.int64(s.score[1 - seat])
    value = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    return -value if s.fault == REWARD else value


implement(
    RECORD,
    new_game=new_game,
    apply=apply,
    observe=observe,
    refresh=refresh,
    resample=resample,
    terminal_reward=terminal_reward,
)


def to_position(game: Game, record: Any, rules: Rules, seat: int | None = None) -> dict[str, Any]:
    told = position.to_position(game, record, rules, seat)
    if seat is not None and rules.fault != POSITION:
        told["secret"] = [number if owner == seat else "?" for owner, number in enumerate(told["secret"])]
    return told


def from_position(game: Game, given: Mapping[str, Any]) -> Any:
    record, rules = position.from_position(game, given)
    if rules.fault == CRASH:
        raise IndexError("of a list")
    if rules.fault == MUTATES:
        given["last"] = 0  # type: ignore[index]
    for name, most in (("secret", SECRETS - 1), ("calls", LENGTH), ("last", CALLS - 1), ("score", LENGTH)):
        if (record[name] > most).any() or (record[name] < -(name == "last")).any():
            raise ValueError(f"{name}: at most {most}")
    if (record["last"] < 0).any() != (record["calls"] == 0).any():
        raise ValueError("last: is -1 before the first call only")
    return record, rules


def text(position: Mapping[str, Any]) -> str:
    return (
        f"calls {position['calls']}, last {position['last']}, secrets {position['secret']}, score {position['score']}"
    )


def draw(position: Mapping[str, Any], theme: str, view: str, narrow: bool, last: Any) -> str:
    drawing.chosen("view", view, {"flat": None})
    if position["rules"]["fault"] == SVG:
        return "<svg><g></svg>"
    return drawing.text_sheet("Calls", [text(position)], last, drawing.PAPER[theme])


LAYOUT = Layout(
    [
        Block("secret", 1, "own number", high=SECRETS),
        Block("calls", 1, "calls so far", high=LENGTH),
        Block("last", 1, "the last call and one", high=CALLS),
        Block("score", 2, "points, own first", high=LENGTH),
    ]
)
GAME = Game(
    name="faulty_calls",
    title="Faulty Calls",
    package="faulty_calls",
    prefix="FaultyCalls",
    kernels="faulty_calls",
    faces="faulty_calls",
    drawing="faulty_calls",
    record=RECORD,
    actions=ActionTable([Verb("CALL", (tuple("0123456"),), "calls {0}")]),
    observation=(Part("numbers", LAYOUT, (LAYOUT.size,)),),
    rules=Rules,
    default_rules="sound",
    seats=range(2, 3),
    hidden=True,
    derived=frozenset({"odd"}),
    to_position=to_position,
    from_position=from_position,
)
FaultyCallsState, FaultyCallsBatch, FaultyCallsEnv, FaultyCallsVectorEnv, raw_env, env = make_faces(GAME, __name__)
register_game(GAME.gym_id, __name__)
