"""Games in worker processes: a player that hangs or crashes loses its game, and its process is replaced."""

from __future__ import annotations

import contextlib
import json
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

from tower_core.players.protocol import must_play
from tower_core.players.specs import label_of, make_player, own_name, player_maker, register_all, registered
from tower_core.registry import get_game
from train.arena.isolation import isolate
from train.arena.play import READY_SECONDS, Outcome, Watch, faulted, play_match
from train.arena.results import read_outcome
from train.arena.schedule import Match
from train.arena.settings import ArenaSettings

_SPAWN = multiprocessing.get_context("spawn")
_NO_SEAT, _ALL_SEATS = -1, -2  # instead of the seat that is thinking; all: the players are being made
_GRACE = 0.5  # seconds beyond the limit before a process is killed
_STARTS = 3  # processes in a row that may end before they play
_LONGEST_MESSAGE = 16_000_000
_REPORTED = {"refused": ValueError, "defect": RuntimeError}  # kinds of messages other than outcomes


def play_all(
    settings: ArenaSettings, matches: Sequence[Match], jobs: int, memory: int | None = None
) -> Generator[Outcome]:
    """Outcomes of *matches*, in the order in which they end. Closing the iterator ends the processes.

    With 0 jobs this process plays, without a time limit for a player that hangs. *memory*: isolate the processes, with this
    many bytes for players. ValueError names a player that can't be sent to other processes, or says why isolated ones can't
    play.
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
                workers.append(_Worker(settings, memory))
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
                full = outcome is not None and outcome.fault is not None and "MemoryError" in outcome.fault.message
                if waiting and outcome is not None and worker.process.is_alive() and not full:
                    worker.give(waiting.pop())
                else:
                    worker.end()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.end()


class _Deadline:
    """The seat that is thinking in a worker process, and its deadline, in shared memory."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._shared = _SPAWN.RawArray("d", [_NO_SEAT, 0.0])

    def set(self, seat: int, seconds: float) -> None:
        self._shared[1] = time.monotonic() + seconds
        self._shared[0] = seat

    def seat(self) -> int:
        value = self._shared[0]  # a player may have written anything
        return int(value) if value in range(_ALL_SEATS, self._players) else _NO_SEAT

    def late(self) -> float:
        """Seconds past the deadline; below 0 before it, and while no player is thinking."""
        return time.monotonic() - self._shared[1] if self.seat() != _NO_SEAT else -1.0


class _Worker:
    """A worker process and its current game, as the arena sees them."""

    match: Match

    def __init__(self, settings: ArenaSettings, memory: int | None) -> None:
        self.deadline = _Deadline(settings.players)
        self.pipe, theirs = _SPAWN.Pipe()
        named = registered(list(settings.specs.values()))
        self.process: BaseProcess = _SPAWN.Process(
            target=_serve, args=(settings, named, theirs, self.deadline, memory), daemon=True
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

        Also None if the process ended while no player was thinking. RuntimeError or ValueError if the process reports one.
        """
        error: Exception | None = None
        try:
            if self.pipe.poll():
                kind, content = json.loads(self.pipe.recv_bytes(_LONGEST_MESSAGE))
                if kind == "outcome":
                    return self._checked(content)
                error = _REPORTED[kind](content)
        except (EOFError, OSError):
            self.process.join(_GRACE)
            self._kill()
        except (LookupError, TypeError, ValueError, RecursionError):  # a player wrote to the pipe
            self._kill()
        if error is not None:
            raise error
        seat = self.deadline.seat()
        if seat == _ALL_SEATS and (self.deadline.late() > _GRACE or not self.process.is_alive()):
            ended = f"its process ended with exit status {self.process.exitcode}"
            late = f"it isn't ready after {READY_SECONDS:g} s"
            raise ValueError(f"a player can't be made: {late if self.process.is_alive() else ended}")
        if not self.process.is_alive() and seat != _NO_SEAT:
            return faulted(self.match, seat, "died", f"its process ended with exit status {self.process.exitcode}")
        # Within the grace period the process reports a late answer itself.
        if self.process.is_alive() and self.deadline.late() > _GRACE:
            self._kill()
            return faulted(self.match, seat, "timeout", "no answer in time: its process was killed")
        return None

    def _checked(self, content: Any) -> Outcome:
        """The outcome that the process has sent. ValueError if it doesn't fit the match: then a player sent it."""
        outcome = read_outcome(content, len(self.match.seats))
        if (outcome.seed, tuple(outcome.seats)) != (self.match.seed, self.match.seats):
            raise ValueError("the outcome of another match")
        return outcome

    def _kill(self) -> None:
        self.process.kill()
        self.process.join()

    def end(self) -> None:
        self._kill()
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


def must_be_makeable(settings: ArenaSettings) -> None:
    """Make every player once, so that a missing file, or games that it can't play, are reported before the first game.

    ValueError if one fails.
    """
    for spec in settings.specs.values():
        must_play(make_player(spec, settings.game_object), settings.players, settings.rules)


def load_own(settings: ArenaSettings) -> None:
    """Load the game and the suite's players: an isolated process can't write compiled code to the cache."""
    game = settings.game_object
    game.state_class()(settings.players, settings.rules, 0)
    for spec in settings.specs.values():
        if isinstance(spec, str) and (name := own_name(spec, game)):
            with contextlib.suppress(ValueError):  # it needs options
                make_player(name, game)


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


def _serve(
    settings: ArenaSettings, named: dict[Any, Any], pipe: Connection, deadline: _Deadline, memory: int | None
) -> None:
    """The main function of a worker process; *named*: registered players."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Several workers share the cores: libraries with a thread per core would slow all of them down.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

    def send(kind: str, content: Any) -> None:
        pipe.send_bytes(json.dumps([kind, content]).encode())  # a pickle from a player could run code in the arena

    try:
        register_all(named)
        if memory is not None:
            load_own(settings)
            deadline.set(_ALL_SEATS, READY_SECONDS)
            try:
                isolate(memory)
                must_be_makeable(settings)
            except ValueError as error:
                send("refused", str(error))
                return
            deadline.set(_NO_SEAT, 0.0)
        play = _match_player(settings)
        while True:
            send("outcome", play(pipe.recv(), deadline.set).to_dict())
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:  # a defect of the arena or of a game: the parent process raises it
        send("defect", f"{type(error).__name__}: {error}")
