"""Replay the games of an entry: results must follow from the moves, and the anchors must choose the recorded moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from tower_core.players.protocol import Player
from tower_core.players.specs import player_maker
from tower_core.records.model import installed_version
from tower_core.schema import shown
from train.arena.play import Maker, Outcome, play_match
from train.arena.schedule import Match
from train.arena.settings import ArenaSettings
from train.leaderboard.entry import Entry, EntryError


class _Seat:
    """A seat of a replayed game: plays the recorded moves, or those of an anchor, and advances in the record."""

    def __init__(self, moves: Iterator[int], anchor: Player | None = None) -> None:
        self._moves, self._anchor = moves, anchor

    def act(self, state: Any) -> int:
        if self._anchor is None:
            return next(self._moves)  # StopIteration where the record ends
        next(self._moves, None)
        return self._anchor.act(state)


def check_entry(entry: Entry, progress: Callable[[], object] = lambda: None) -> None:
    """Replay every game. EntryError names the first whose result doesn't follow from its moves, or in which an anchor of this
    version chooses another move.

    The entry's player is not executed, and its times are not checked. *progress* is called after each game.
    """
    if entry.head.get("version") != installed_version():
        there = str(entry.head.get("version"))[:40]
        raise EntryError(f"{entry.path}: was played with towers {there!r}, and this is {installed_version()!r}")
    settings = entry.settings
    anchors = {label: player_maker(label, settings.game_object) for label in entry.benchmark.anchors}
    for count, outcome in enumerate(entry.outcomes, start=1):
        try:
            _must_follow(outcome, entry.name, settings, anchors)
        except ValueError as error:
            raise EntryError(f"{entry.path}: line {count + 1}, seed {outcome.seed}: {error}") from None
        progress()


def _must_follow(outcome: Outcome, name: str, settings: ArenaSettings, anchors: dict[str, Maker]) -> None:
    """ValueError unless the moves of an outcome lead to it; *name*: the player that is not an anchor."""
    if outcome.fault is not None and outcome.seats[outcome.fault.seat] != name:
        raise ValueError(f"an anchor lost by a fault ({outcome.fault.kind}): play the game again")
    if outcome.actions is None and outcome.fault is None:
        raise ValueError("the game has no moves")
    moves = iter(outcome.actions or ())

    def maker(label: str) -> Maker:
        return lambda seed: _Seat(moves, anchors[label](seed) if label in anchors else None)

    match = Match(outcome.seed, tuple(outcome.seats))
    makers = [maker(label) for label in outcome.seats]
    again = play_match(settings.game_object, settings.rules, match, makers, math.inf, record=True)
    if outcome.actions is not None:
        _must_be_moves(outcome, again)
    if again.fault is not None and outcome.fault is None:
        raise ValueError("the moves don't lead to the end of the game")
    for field in ("places", "scores", "truncated", *(() if outcome.fault is not None else ("moves", "turns"))):
        there, here = getattr(outcome, field), getattr(again, field)
        if there != here:
            raise ValueError(f"{field}: the record has {there}, and the game gives {here}")


def _must_be_moves(outcome: Outcome, again: Outcome) -> None:
    """ValueError unless the replayed game has the moves of the record."""
    there, here = outcome.actions or [], again.actions or []
    for number, (one, other) in enumerate(zip(there, here, strict=False), start=1):
        if one != other:
            raise ValueError(f"move {number}: the record has action {shown(one)}, and the anchor plays {other}")
    if len(there) > len(here) and again.fault is not None:
        raise ValueError(f"move {len(here) + 1}: {again.fault.message}")
    if len(there) != len(here):
        raise ValueError(f"the record has {len(there)} moves, and the game {len(here)}")
