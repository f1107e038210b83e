"""One game of an arena: what each player sees, its time limit, and the outcome when a player fails."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tower_core.game import Game
from tower_core.imported import one_line
from tower_core.players.protocol import Player, mover_view
from train.arena.schedule import Match

FAULTS = ("illegal", "error", "timeout", "died")
_LONGEST_MESSAGE = 300
READY_SECONDS = 300.0
"""Limit for making a player before its first move: networks are loaded and code is compiled."""

Maker = Callable[[int], Player]
Watch = Callable[[int, float], None]
"""Called with the seat whose action is awaited (-1: none) and its limit in seconds."""


@dataclass
class Fault:
    """Why a player lost its game; *kind* is one of FAULTS."""

    seat: int
    kind: str
    message: str


@dataclass
class Outcome:
    """A finished game, by seat.

    *places* count from 1; tied seats share the best of their places. *seconds* is a player's thinking time, *slowest* its
    longest action. After a fault there are no scores: the offender is last and the others share first place. *specs*: the
    players of those seats whose label is not their spec.
    """

    seed: int
    seats: list[str]
    places: list[int] = field(default_factory=list)
    scores: list[int] | None = None
    moves: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    slowest: list[float] = field(default_factory=list)
    truncated: bool = False
    fault: Fault | None = None
    actions: list[int] | None = None
    specs: dict[str, str] | None = None
    cpu: list[list[float]] | None = None
    """CPU time of each turn by seat, where players have a budget of CPU time."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def places_by_label(self) -> dict[str, list[int]]:
        """The places of each player; several where copies of it sat at the table."""
        places: dict[str, list[int]] = {}
        for label, place in zip(self.seats, self.places, strict=True):
            places.setdefault(label, []).append(place)
        return places


def faulted(match: Match, seat: int, kind: str, message: str) -> Outcome:
    """The outcome of a game that *seat* lost by a fault."""
    players = len(match.seats)
    outcome = Outcome(match.seed, list(match.seats))
    outcome.places = [players if place == seat else 1 for place in range(players)]
    outcome.moves, outcome.turns = [0] * players, [0] * players
    outcome.seconds, outcome.slowest = [0.0] * players, [0.0] * players
    outcome.fault = Fault(seat, kind, " ".join(message.split())[:_LONGEST_MESSAGE])
    return outcome


def derived_seed(*parts: int) -> int:
    """A seed below 2**32 from *parts*; one-way, so that a player can't compute the game's seed from its own."""
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=4)
    return int.from_bytes(digest.digest(), "little")


def play_match(
    game: Game,
    rules: Any,
    match: Match,
    makers: Sequence[Maker],
    timeout: float,
    record: bool = False,
    watch: Watch = lambda seat, seconds: None,
    cpu: bool = False,
) -> Outcome:
    """Play one game; *makers* make each seat's player from a seed. *cpu*: keep the CPU time of this process in every turn.

    Every player, compiled ones included, sees a :func:`mover_view` drawn from its own seed and the number of the action
    alone: in games that its seat can't tell apart, it sees the same copy.
    """
    state = game.state_class()(len(makers), rules, match.seed)
    seeds = [derived_seed(match.seed, seat) for seat in range(len(makers))]
    count = len(makers)
    moves, turns, seconds, slowest = [0] * count, [0] * count, [0.0] * count, [0.0] * count
    used: list[list[float]] = [[] for _ in range(count)]
    actions: list[int] = []
    fault: tuple[int, str, str] | None = None
    table: list[Player | None] = [None] * count
    last, last_turn = -1, ()
    while not state.is_terminal():
        seat = state.current_player()
        turn = (seat, *game.turn_of(state._record))
        view = mover_view(state, derived_seed(seeds[seat], len(actions)))
        start, work = time.perf_counter(), time.process_time()
        try:
            player = table[seat]
            if player is None:
                watch(seat, READY_SECONDS)
                player = table[seat] = makers[seat](seeds[seat])
                start, work = time.perf_counter(), time.process_time()  # making the player is not part of the move
            watch(seat, timeout)
            answer = player.act(view)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the player loses its game; the arena goes on
            fault = (seat, "error", one_line(error))
            break
        finally:
            took, worked = time.perf_counter() - start, time.process_time() - work
            watch(-1, 0.0)
        seconds[seat] += took
        slowest[seat] = max(slowest[seat], took)
        moves[seat] += 1
        turns[seat] += seat != last
        used[seat] += [0.0] if turn != last_turn else []
        used[seat][-1] += worked
        last, last_turn = seat, turn
        if took > timeout:
            fault = (seat, "timeout", f"one action took {took:.3g} s; the limit is {timeout:g} s")
            break
        try:
            state.apply_action(answer)
        except ValueError as error:
            fault = (seat, "illegal", str(error))
            break
        actions.append(int(answer))
    outcome = faulted(match, *fault) if fault else Outcome(match.seed, list(match.seats))
    if not fault:
        outcome.places = _places(state.ranking(), count)
        outcome.scores = state.scores()
        outcome.truncated = state.is_truncated()
    outcome.moves, outcome.turns, outcome.seconds, outcome.slowest = moves, turns, seconds, slowest
    if cpu:
        outcome.cpu = used
    if record:
        outcome.actions = actions
    return outcome


def _places(ranking: list[list[int]], players: int) -> list[int]:
    """Places by seat, counted from 1: groups [[2], [0, 1]] give [2, 2, 1]."""
    places, place = [0] * players, 1
    for group in ranking:
        for seat in group:
            places[seat] = place
        place += len(group)
    return places
