"""Running an arena: schedule the games, skip those in the results file, play the others, count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, nullcontext
from pathlib import Path

from train.arena.play import Outcome
from train.arena.results import ResultsFile
from train.arena.schedule import schedule
from train.arena.settings import ArenaSettings
from train.arena.sprt import SequentialTest
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
    test: SequentialTest | None = None,
) -> Tally:
    """Play the games of *settings* that are not in the file *results* yet, append them, and count all games.

    *jobs* processes play; with 0 this process plays, without a time limit for players that hang. After Ctrl-C
    (KeyboardInterrupt) the file holds all finished games. *about*: more entries for a new file's first line.
    *memory*: isolate the processes, with this many bytes for players (train.arena.isolation). *test* ends the arena when it
    decides; only its games are counted. ValueError if the settings or the file are wrong.
    """
    matches = schedule(settings)
    if memory is None:
        must_be_makeable(settings)
    elif jobs < 1:
        raise ValueError("isolated players need processes of their own: play with jobs=1 or more")
    else:
        load_own(settings)
    with nullcontext() if results is None else ResultsFile(results, settings, about) as file:
        outcomes = [] if file is None else file.of(matches)
        if test:
            for outcome in outcomes:
                test.add(outcome)
        done = {(outcome.seed, tuple(outcome.seats)) for outcome in outcomes}
        rest = [match for match in matches if (match.seed, match.seats) not in done]
        progress(len(outcomes), len(matches))
        with closing(play_all(settings, [] if test and test.decision else rest, jobs, memory)) as played:
            for outcome in played:
                if file is not None:
                    file.add(outcome)
                outcomes.append(outcome)
                if test:
                    test.add(outcome)
                progress(len(outcomes), len(matches))
                if test and test.decision:
                    break
    order = {(match.seed, match.seats): place for place, match in enumerate(matches)}
    outcomes.sort(key=lambda outcome: order[outcome.seed, tuple(outcome.seats)])
    return _counted(outcomes, settings, test)


def _counted(outcomes: Iterable[Outcome], settings: ArenaSettings, test: SequentialTest | None) -> Tally:
    counted = [outcome for outcome in outcomes if test is None or test.counts(outcome)]
    return tally(counted, list(settings.specs), settings.players)


def count_results(settings: ArenaSettings, results: Path, test: SequentialTest | None = None) -> Tally:
    """Count the games of *settings* that are in the file *results*; nothing is played."""
    return _counted(played_games(settings, results), settings, test)


def played_games(settings: ArenaSettings, results: Path) -> list[Outcome]:
    """The games of *settings* that are in the file *results*."""
    with ResultsFile(results, settings) as file:
        return file.of(schedule(settings))
