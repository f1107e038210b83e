"""Running an arena: schedule the games, skip those in the results file, play the others, count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from train.arena.play import Outcome
from train.arena.results import ResultsFile
from train.arena.schedule import schedule
from train.arena.settings import ArenaSettings
from train.arena.tally import Tally, tally
from train.arena.workers import load_own, must_be_makeable, play_all

Progress = Callable[[int, int], None]
"""Called after each game with the number of games played and the number of all games."""


def run_arena(
    settings: ArenaSettings,
    results: Path | None = None,
    jobs: int = 1,
    progress: Progress = lambda played, games: None,
    about: Mapping[str, str] = {},
    memory: int | None = None,
) -> Tally:
    """Play the games of *settings* that are not in the file *results* yet, append them, and count all games.

    *jobs* processes play; with 0 this process plays, without a time limit for players that hang. After Ctrl-C
    (KeyboardInterrupt) the file holds all finished games. *about*: more entries for a new file's first line.
    *memory*: isolate the processes, with this many bytes for players (train.arena.isolation).
    ValueError if the settings or the file are wrong.
    """
    import openskill.models  # noqa: F401 (fail before hours of games, not after)

    matches = schedule(settings)
    if memory is None:
        must_be_makeable(settings)
    elif jobs < 1:
        raise ValueError("isolated players need processes of their own: play with jobs=1 or more")
    else:
        load_own(settings)
    labels = list(settings.specs)
    if results is None:
        outcomes: list[Outcome] = []
        for outcome in play_all(settings, matches, jobs, memory):
            outcomes.append(outcome)
            progress(len(outcomes), len(matches))
        order = {(match.seed, match.seats): place for place, match in enumerate(matches)}
        outcomes.sort(key=lambda outcome: order[outcome.seed, tuple(outcome.seats)])
        return tally(outcomes, labels, settings.players)
    with ResultsFile(results, settings, about) as file:
        played = file.of(matches)
        done = {(outcome.seed, tuple(outcome.seats)) for outcome in played}
        rest = [match for match in matches if (match.seed, match.seats) not in done]
        progress(len(played), len(matches))
        for count, outcome in enumerate(play_all(settings, rest, jobs, memory), start=len(played) + 1):
            file.add(outcome)
            progress(count, len(matches))
        return tally(file.of(matches), labels, settings.players)


def count_results(settings: ArenaSettings, results: Path) -> Tally:
    """Count the games of *settings* that are in the file *results*; nothing is played."""
    with ResultsFile(results, settings) as file:
        return tally(file.of(schedule(settings)), list(settings.specs), settings.players)
