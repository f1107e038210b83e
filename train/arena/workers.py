"""Games in several processes: a player that hangs or dies costs its game and a process, which is replaced."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from tower_core.players.specs import player_maker
from tower_core.registry import get_game
from train.arena.play import Outcome, Watch, faulted, play_match
from train.arena.schedule import Match
from train.arena.settings import ArenaSettings

_SPAWN = multiprocessing.get_context("spawn")
_NOBODY = -1
_GRACE = 0.5  # seconds beyond the limit before a process is ended
_STARTS = 3  # how often a process may end before it could play at all


def play_all(settings: ArenaSettings, matches: Sequence[Match], jobs: int) -> Iterator[Outcome]:
    """Outcomes of *matches*, in the order in which they end. With 0 jobs they are played here, where nobody watches the
    time of a player that hangs. Leaving the iterator ends the processes.
    """
    if jobs == 0:
        play = _player_of_matches(settings)
        yield from (play(match, lambda seat, seconds: None) for match in matches)
        return
    waiting = list(reversed(matches))
    workers: list[_Worker] = []
    failed_starts = 0
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                workers.append(_Worker(settings))
                workers[-1].give(waiting.pop())
            wait([worker.pipe for worker in workers], timeout=0.2)
            for worker in list(workers):
                outcome = worker.result()
                if outcome is None and worker.process.is_alive():
                    continue
                if outcome is None:  # it ended while nobody was asked
                    failed_starts += 1
                    if failed_starts >= _STARTS:
                        raise RuntimeError(
                            f"processes end before they play (exit status {worker.process.exitcode}); a script that"
                            " starts an arena must do so under `if __name__ == '__main__':`"
                        )
                    waiting.append(worker.match)
                else:
                    failed_starts = 0
                    yield outcome
                if waiting and outcome is not None and worker.process.is_alive():
                    worker.give(waiting.pop())
                else:
                    worker.end()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.end()


class _Asked:
    """Whom a process is asking, and until when: two numbers in memory that both sides see."""

    def __init__(self) -> None:
        self._shared = _SPAWN.RawArray("d", [_NOBODY, 0.0])

    def say(self, seat: int, seconds: float) -> None:
        self._shared[1] = time.monotonic() + seconds
        self._shared[0] = seat

    def seat(self) -> int:
        return int(self._shared[0])

    def late(self) -> float:
        """Seconds since somebody should have answered; below 0 before that, and where nobody is being asked."""
        return time.monotonic() - self._shared[1] if self.seat() != _NOBODY else -1.0


class _Worker:
    """One process and the game that it plays, as the arena sees it."""

    match: Match

    def __init__(self, settings: ArenaSettings) -> None:
        self.asked = _Asked()
        self.pipe, theirs = _SPAWN.Pipe()
        self.process: BaseProcess = _SPAWN.Process(target=_serve, args=(settings, theirs, self.asked), daemon=True)
        with _deaf_to_ctrl_c():
            self.process.start()
        theirs.close()

    def give(self, match: Match) -> None:
        self.match = match
        with contextlib.suppress(OSError):  # a dead process is noticed where its result is looked for
            self.pipe.send(match)

    def result(self) -> Outcome | None:
        """The game's outcome, also where its player hung or ended the process; None while it is being played, and where
        the process ended while nobody was asked.
        """
        try:
            if self.pipe.poll():
                outcome = self.pipe.recv()
                if isinstance(outcome, str):
                    raise RuntimeError(outcome)
                return outcome  # type: ignore[no-any-return]
        except (EOFError, OSError):
            self.process.join()
        seat = self.asked.seat()
        if not self.process.is_alive() and seat != _NOBODY:
            return faulted(self.match, seat, "died", f"its process ended with exit status {self.process.exitcode}")
        # A little grace: a late answer is reported by its own process.
        if self.process.is_alive() and self.asked.late() > _GRACE:
            self.process.kill()
            self.process.join()
            return faulted(self.match, seat, "timeout", "no answer in time: its process was ended")
        return None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C: the arena handles it and ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _player_of_matches(settings: ArenaSettings) -> Callable[[Match, Watch], Outcome]:
    """A function that plays a match; all specs are looked up before the first."""
    game = get_game(settings.game)
    makers = {label: player_maker(spec, game) for label, spec in settings.specs.items()}

    def play(match: Match, watch: Watch) -> Outcome:
        seats = [makers[label] for label in match.seats]
        return play_match(game, settings.rules, match, seats, settings.timeout, settings.record, watch)

    return play


def _serve(settings: ArenaSettings, pipe: Connection, asked: _Asked) -> None:
    """The work of a process: games for as long as it is given some."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Each process is one of several: libraries that would take all cores for one player slow all of them down.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        play = _player_of_matches(settings)
        while True:
            pipe.send(play(pipe.recv(), asked.say))
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:  # a defect of the arena or a game: report it to the parent process
        pipe.send(f"{type(error).__name__}: {error}")
