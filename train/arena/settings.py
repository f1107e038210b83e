"""Settings of an arena: game, players, seeds, number of games."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from tower_core.game import Game
from tower_core.players.loading import PlayerSource
from tower_core.players.specs import by_label, label_of, meaning_of
from tower_core.registry import get_game

# First seeds of the published sets (seeds/README.md).
SEED_SETS = {"development": 10_000_000, "test": 20_000_000}
SEEDS_IN_SET = 1_000_000
_LONGEST_VALUE = 60


@dataclass(frozen=True)
class Guest:
    """A player too slow to meet everyone: it plays *games* games (rounded up as all are) against copies of *against*."""

    spec: str
    against: str
    games: int


@dataclass(frozen=True)
class ArenaSettings:
    """One arena. ValueError names what is wrong.

    *entrants* are specs of players, or classes, functions and players (which play with ``jobs=0``, or where they can be sent to
    other processes); one named twice plays against itself. Without *anchors* all entrants meet each other, with *anchors* each
    entrant meets the anchors only. *games* is per pairing, rounded up to whole sets of seat orders.
    *guests* have their own opponents and numbers of games. *timeout* is in seconds per action. *seeds* is the number of
    seeds from *first_seed* on. *cpu*: keep the CPU time of every turn. An arena looks its players up when it runs.
    """

    game: str
    entrants: tuple[str | PlayerSource, ...]
    players: int = 2
    rules: Any = None
    games: int = 400
    anchors: tuple[str | PlayerSource, ...] = ()
    first_seed: int = SEED_SETS["development"]
    seeds: int = SEEDS_IN_SET
    timeout: float = 60.0
    record: bool = True
    guests: tuple[Guest, ...] = ()
    cpu: bool = False

    def __post_init__(self) -> None:
        game = self.game_object
        object.__setattr__(self, "rules", game.resolve_rules(game.default_rules if self.rules is None else self.rules))
        if self.players < 2:
            raise ValueError(
                f"an arena game needs at least 2 players, not {self.players}; one-player games: towers evaluate"
            )
        self.rules.for_players(self.players)
        if self.games < 1:
            raise ValueError(f"games must be at least 1, not {self.games}")
        if not 0 <= self.first_seed <= 2**64 - SEEDS_IN_SET:
            raise ValueError(f"the first seed must be from 0 to 2^64 - {SEEDS_IN_SET:,}, not {self.first_seed}")
        if not (math.isfinite(self.timeout) and self.timeout > 0):
            raise ValueError(f"timeout must be above 0 seconds, not {self.timeout}")
        if not self.entrants:
            raise ValueError("name the players to compare, such as random greedy")
        if len(self.entrants) == 1 and all(anchor == self.entrants[0] for anchor in self.anchors):
            raise ValueError(f"{label_of(self.entrants[0])!r} needs an opponent: name another player")
        for guest in self.guests:
            if guest.games < 1:
                raise ValueError(f"games of {guest.spec!r} must be at least 1, not {guest.games}")
            if guest.spec in (guest.against, *self.entrants, *self.anchors):
                raise ValueError(f"{guest.spec!r}: a guest can't be an entrant, an anchor or its own opponent too")
        by_label(self._named)

    @property
    def game_object(self) -> Game:
        return get_game(self.game)

    @property
    def specs(self) -> dict[str, str | PlayerSource]:
        """Specs by label: entrants, anchors, guests. A repeated entrant's label has a number. ValueError if a label means two
        players.
        """
        return by_label(self._named)

    @property
    def _named(self) -> list[str | PlayerSource]:
        guests = [spec for guest in self.guests for spec in (guest.spec, guest.against)]
        others: list[str | PlayerSource] = []
        for spec in (*self.anchors, *guests):
            if spec not in (*self.entrants, *others):
                others.append(spec)
        return [*self.entrants, *others]

    @property
    def meanings(self) -> dict[str, str]:
        """The players that labels stand for, as text."""
        return {label: meaning_of(spec) for label, spec in self.specs.items()}

    def identity(self) -> dict[str, Any]:
        """What all games of one results file share, as JSON values."""
        return {
            "game": self.game,
            "players": self.players,
            "rules": json.loads(json.dumps(self.rules.to_dict())),
            "timeout": self.timeout,
        }


def first_seed(seed_set: str, seed: int | None = None) -> int:
    """The first seed of a published set, or *seed* instead. ValueError lists the sets."""
    if seed_set not in SEED_SETS:
        raise ValueError(f"--seed-set must be one of {', '.join(SEED_SETS)}, not {seed_set!r}")
    return SEED_SETS[seed_set] if seed is None else seed


def rules_name(game: Game, rules: Any) -> str:
    """The preset's name, or the fields that differ from the default preset."""
    for preset in game.presets:
        if game.resolve_rules(preset) == rules:
            return preset
    usual, own = game.resolve_rules(game.default_rules).to_dict(), rules.to_dict()
    changed = {name: repr(value) for name, value in own.items() if value != usual[name]}
    return ", ".join(f"{name}={text if len(text) <= _LONGEST_VALUE else '…'}" for name, text in changed.items())
