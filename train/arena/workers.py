"""Games in worker processes: a player that hangs or crashes loses its game, and its process is replaced."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from tower_core.players.specs import label_of, player_maker, register_all, registered
from tower_core.registry import get_game
from train.arena.play import Outcome, Watch, faulted, play_match
from train.arena.schedule import Match
from train.arena.settings import ArenaSettings

_SPAWN = multiprocessing.get_context("spawn")
_NO_SEAT = -1
_GRACE = 0.5  # seconds beyond the limit before a process is killed
_STARTS = 3  # processes in a row that may end before they play


def play_all(settings: ArenaSettings, matches: Sequence[Match], jobs: int) -> Generator[Outcome]:
    """Outcomes of *matches*, in the order in which they end. Closing the iterator ends the processes.

    With 0 jobs this process plays, without a time limit for a player that hangs. ValueError names a player that can't be sent
    to other processes.
    """
    if jobs == 0:
        play = _match_player(settings)
        yield from (play(match, lambda seat, seconds: None) for match in matches)
        return
    _must_travel(settings)
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
                if outcome is None:  # the process ended, but not while a player was thinking
                    failed_starts += 1
                    if failed_starts >= _STARTS:
                        raise RuntimeError(
                            f"worker processes end before they play (exit status {worker.process.exitcode}); a script"
                            " must start an arena under `if __name__ == '__main__':`"
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


class _Deadline:
    """The seat that is thinking in a worker process, and its deadline, in shared memory."""

    def __init__(self) -> None:
        self._shared = _SPAWN.RawArray("d", [_NO_SEAT, 0.0])

    def set(self, seat: int, seconds: float) -> None:
        self._shared[1] = time.monotonic() + seconds
        self._shared[0] = seat

    def seat(self) -> int:
        return int(self._shared[0])

    def late(self) -> float:
        """Seconds past the deadline; below 0 before it, and while no player is thinking."""
        return time.monotonic() - self._shared[1] if self.seat() != _NO_SEAT else -1.0


class _Worker:
    """A worker process and its current game, as the arena sees them."""

    match: Match

    def __init__(self, settings: ArenaSettings) -> None:
        self.deadline = _Deadline()
        self.pipe, theirs = _SPAWN.Pipe()
        named = registered(list(settings.specs.values()))
        self.process: BaseProcess = _SPAWN.Process(
            target=_serve, args=(settings, named, theirs, self.deadline), daemon=True
        )
        with _ctrl_c_ignored():
            self.process.start()
        theirs.close()

    def give(self, match: Match) -> None:
        self.match = match
        with contextlib.suppress(OSError):  # `result` notices a dead process
            self.pipe.send(match)

    def result(self) -> Outcome | None:
        """The game's outcome; None while it is played. A player that hangs or ends the process has lost.

        Also None if the process ended while no player was thinking.
        """
        try:
            if self.pipe.poll():
                outcome = self.pipe.recv()
                if isinstance(outcome, str):
                    raise RuntimeError(outcome)
                return outcome  # type: ignore[no-any-return]
        except (EOFError, OSError):
            self.process.join()
        seat = self.deadline.seat()
        if not self.process.is_alive() and seat != _NO_SEAT:
            return faulted(self.match, seat, "died", f"its process ended with exit status {self.process.exitcode}")
        # Within the grace period the process reports a late answer itself.
        if self.process.is_alive() and self.deadline.late() > _GRACE:
            self.process.kill()
            self.process.join()
            return faulted(self.match, seat, "timeout", "no answer in time: its process was killed")
        return None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


@contextlib.contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C: the arena handles it and ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _match_player(settings: ArenaSettings) -> Callable[[Match, Watch], Outcome]:
    """A function that plays a match; it has looked up all specs."""
    game = get_game(settings.game)
    makers = {label: player_maker(spec, game) for label, spec in settings.specs.items()}

    def play(match: Match, watch: Watch) -> Outcome:
        seats = [makers[label] for label in match.seats]
        return play_match(game, settings.rules, match, seats, settings.timeout, settings.record, watch, settings.cpu)

    return play


def _must_travel(settings: ArenaSettings) -> None:
    """ValueError names a player, not given as a spec, that other processes can't load."""
    specs = settings.specs.values()
    objects = [(label_of(spec), spec) for spec in specs if not isinstance(spec, str)]
    objects += [(name, source) for (_, name), source in registered(list(specs)).items()]
    for label, source in objects:
        kind: Any = source if hasattr(source, "__qualname__") else type(source)
        try:
            pickle.dumps(source)
            travels = kind.__module__ != "__main__" or hasattr(sys.modules["__main__"], "__file__")
        except Exception:
            travels = False
        if not travels:
            raise ValueError(
                f"player {label!r} can't be sent to other processes: play with jobs=0, or put it into a file and name it as"
                f" 'FILE.py:{kind.__name__}'"
            )


def _serve(settings: ArenaSettings, named: dict[Any, Any], pipe: Connection, deadline: _Deadline) -> None:
    """The main function of a worker process; *named*: registered players."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Several workers share the cores: libraries with a thread per core would slow all of them down.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        register_all(named)
        play = _match_player(settings)
        while True:
            pipe.send(play(pipe.recv(), deadline.set))
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:  # a defect of the arena or of a game: the parent process raises it
        pipe.send(f"{type(error).__name__}: {error}")
