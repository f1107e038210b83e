"""An arena from beginning to end: schedule, games that are there already, games that are still to be played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tower_core.players.specs import player_maker
from train.arena.play import Outcome
from train.arena.results import ResultsFile
from train.arena.schedule import schedule
from train.arena.settings import ArenaSettings
from train.arena.tally import Tally, tally
from train.arena.workers import play_all

Progress = Callable[[int, int], None]
"""Called after each game with the number of games played and of all games."""


def run_arena(
    settings: ArenaSettings,
    results: Path | None = None,
    jobs: int = 1,
    progress: Progress = lambda played, games: None,
) -> Tally:
    """Play the games of *settings* that are not in the file *results* yet, add them to it, and count all of them.

    *jobs* processes play; with 0 they are played in this one, and nobody watches over players that hang. After Ctrl-C
    (KeyboardInterrupt) the file holds all games that had ended. ValueError where settings or file are wrong.
    """
    import openskill.models  # noqa: F401 (if it is missing, that is said before hours of games, not after)

    matches = schedule(settings)
    _must_be_makeable(settings)
    labels = list(settings.specs)
    if results is None:
        outcomes: list[Outcome] = []
        for outcome in play_all(settings, matches, jobs):
            outcomes.append(outcome)
            progress(len(outcomes), len(matches))
        order = {(match.seed, match.seats): place for place, match in enumerate(matches)}
        outcomes.sort(key=lambda outcome: order[outcome.seed, tuple(outcome.seats)])
        return tally(outcomes, labels, settings.players)
    with ResultsFile(results, settings) as file:
        played = file.of(matches)
        done = {(outcome.seed, tuple(outcome.seats)) for outcome in played}
        rest = [match for match in matches if (match.seed, match.seats) not in done]
        progress(len(played), len(matches))
        for count, outcome in enumerate(play_all(settings, rest, jobs), start=len(played) + 1):
            file.add(outcome)
            progress(count, len(matches))
        return tally(file.of(matches), labels, settings.players)


def _must_be_makeable(settings: ArenaSettings) -> None:
    """Make every player once. ValueError where that fails: no game is worth beginning with a missing file."""
    for spec in settings.specs.values():
        try:
            player_maker(spec, settings.game_object)(0)
        except ValueError:
            raise
        except Exception as error:
            raise ValueError(f"player {spec!r} can't be made: {type(error).__name__}: {error}") from error


def count_results(settings: ArenaSettings, results: Path) -> Tally:
    """What the games of *settings* that are in the file *results* say so far; nothing is played."""
    with ResultsFile(results, settings) as file:
        return tally(file.of(schedule(settings)), list(settings.specs), settings.players)
