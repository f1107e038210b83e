"""What a published figure must name: benchmark, seeds, version, machine; and the sentence to cite."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

from tower_core.records.model import installed_version
from train.arena.benchmarks import Benchmark, benchmark_settings
from train.arena.report import per_turn
from train.arena.schedule import schedule
from train.arena.settings import SEED_SETS, ArenaSettings, rules_name
from train.arena.tally import Tally, WinRate
from train.provenance import machine
from train.statistics import percent, percents


@dataclass(frozen=True)
class Origin:
    """Where the games of an arena come from; *benchmark* is None if they belong to none."""

    settings: ArenaSettings
    benchmark: Benchmark | None = None
    version: str = field(default_factory=installed_version)
    machine: str = field(default_factory=machine)

    @property
    def name(self) -> str:
        """The benchmark's name; without one, game, players and rules."""
        if self.benchmark is not None:
            return self.benchmark.name
        game = self.settings.game_object
        return f"{game.title}, {self.settings.players} players, {rules_name(game, self.settings.rules)}"

    @property
    def seeds(self) -> str:
        """The set of seeds, or the first seed."""
        names = {first: f"{name} seeds" for name, first in SEED_SETS.items()}
        return names.get(self.settings.first_seed, f"seeds from {self.settings.first_seed}")

    def header(self) -> dict[str, str]:
        """Entries for the first line of a results file."""
        named = {"benchmark": self.benchmark.name} if self.benchmark is not None else {}
        return {**named, "seeds": self.seeds, "version": self.version, "machine": self.machine}

    def as_in(self, head: dict[str, Any]) -> Self:
        """The same with version and machine of a results file's first line, if it has them."""
        return replace(
            self, version=str(head.get("version", self.version)), machine=str(head.get("machine", self.machine))
        )

    def __str__(self) -> str:
        return f"{self.name}, {self.seeds}, towers {self.version}, {self.machine}"

    def differences(self, played: int | None = None) -> list[str]:
        """What makes a run of a benchmark unofficial; *played*: number of games, if the arena has ended."""
        if self.benchmark is None:
            return []
        it, settings, found = self.benchmark, self.settings, []
        of_users = settings.entrants != it.entrants or settings.anchors
        official = benchmark_settings(it, settings.entrants if of_users else ())
        if settings.first_seed != official.first_seed:
            found.append(f"{self.seeds} instead of test seeds")
        if settings.games != official.games:
            found.append(f"{settings.games} games per pairing instead of {official.games}")
        if settings.anchors != official.anchors:
            found.append(f"other anchors than {', '.join(map(str, official.anchors))}")
        if settings.timeout != official.timeout:
            found.append(f"{settings.timeout:g} s per action instead of {official.timeout:g} s")
        if played is not None and played < len(schedule(settings)):
            found.append(f"stopped after {played} of {len(schedule(settings))} games")
        return found

    def citations(self, tally: Tally) -> list[str]:
        """A line with the headline figure of each player that is not an anchor alone; empty without a benchmark."""
        if self.benchmark is None:
            return []
        own = list(self.settings.specs)[: len(self.settings.entrants)]
        rates = [
            rate
            for (player, against), rate in tally.win_rates.items()
            if against == self.benchmark.headline and (player in own or player not in self.benchmark.anchors)
        ]
        return [self._sentence(rate, tally) for rate in rates]

    def _sentence(self, rate: WinRate, tally: Tally) -> str:
        low_high, reasons = percents(*rate.interval), self.differences(tally.games)
        copies = "" if tally.players == 2 else f"{tally.players - 1} copies of "
        return (
            f"{'unofficial' if reasons else 'cite'}: {rate.player} wins {percent(rate.rate, 1)} of {rate.games} games against "
            f"{copies}{rate.against} (95 % interval {low_high}; {per_turn(tally, rate.player)} per turn); {self}"
            + (f"; differs from the benchmark: {', '.join(reasons)}" if reasons else "")
        )
