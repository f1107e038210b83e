"""The clock, progress bar and learning curve of a run, and the callback that updates them."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections import deque
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import msgspec
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from tower_core.files import replacing
from tower_core.schema import read
from train.evaluate import Result
from train.statistics import percent


class Clock:
    """Time and steps of a run over all its sessions, and its limits. Ctrl-C sets ``interrupted``."""

    def __init__(
        self,
        steps: int,
        minutes: float,
        *,
        steps_before: int = 0,
        seconds_before: float = 0.0,
        seconds_free: float = 0.0,
    ) -> None:
        """*seconds_free* of *seconds_before* do not count towards the time limit."""
        self.limit_steps, self.limit_seconds = steps, 60 * minutes
        self.steps = self.steps_before = steps_before
        self.seconds_before, self.seconds_free = seconds_before, seconds_free
        self._start = time.perf_counter()
        self.interrupted = False
        self._previous: dict[int, Any] = {}

    @property
    def seconds(self) -> float:
        return self.seconds_before + time.perf_counter() - self._start

    @property
    def share(self) -> float:
        """Share of the run that is done, 0 to 1."""
        by_steps = self.steps / self.limit_steps if self.limit_steps else 0.0
        by_time = (self.seconds - self.seconds_free) / self.limit_seconds if self.limit_seconds else 0.0
        return min(1.0, max(by_steps, by_time))

    @property
    def late(self) -> bool:
        """Whether the time limit has passed."""
        return bool(self.limit_seconds) and self.seconds - self.seconds_free >= self.limit_seconds

    @property
    def rate(self) -> float:
        """Steps per second in this session."""
        return (self.steps - self.steps_before) / max(time.perf_counter() - self._start, 1e-9)

    @property
    def over(self) -> bool:
        return self.interrupted or self.share >= 1

    def catch_interrupts(self) -> None:
        """The first Ctrl-C or SIGTERM ends the run in order; a second Ctrl-C aborts it."""

        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread may handle signals

        def stop(number: int, frame: FrameType | None) -> None:
            self.interrupted = True
            signal.signal(signal.SIGINT, signal.default_int_handler)

        self._previous = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}

    def release_interrupts(self) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._previous = {}


class _Against(msgspec.Struct):
    rate: Annotated[float, msgspec.Meta(ge=0, le=1)]


class _Row(msgspec.Struct):
    """What every row of a learning curve has."""

    steps: Annotated[int, msgspec.Meta(ge=0, le=2**62)]
    results: dict[str, _Against]


class Curve:
    """The learning curve: a file with one JSON object per evaluation."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, steps: int, seconds: float, results: list[Result], league: dict[str, Any] | None = None) -> None:
        """Append an evaluation; *league*: the report of the league."""
        row: dict[str, Any] = {
            "steps": steps,
            "seconds": round(seconds, 1),
            "results": {
                r.against: {"rate": r.rate, "games": r.games, "score": r.score, "their_score": r.their_score}
                for r in results
            },
        }
        if league is not None:
            row["league"] = league
        with self.path.open("a") as file:
            file.write(json.dumps(row) + "\n")

    def rows(self) -> list[dict[str, Any]]:
        """All evaluations, oldest first. ValueError names a damaged line."""
        return self._parsed(self.path.read_text("utf-8", errors="replace") if self.path.exists() else "")

    def _parsed(self, text: str) -> list[dict[str, Any]]:
        rows = []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                try:
                    row = json.loads(line)
                    read(_Row, row, "row")
                except (ValueError, RecursionError) as error:
                    raise ValueError(f"{self.path}, line {number}: not a row of a learning curve") from error
                rows.append(row)
        return rows

    def cut(self, steps: int) -> None:
        """Drop the evaluations after *steps* decisions, and an incomplete last line.

        A killed run may have been evaluated after its last checkpoint; once resumed, it gets to that evaluation again.
        """
        if not self.path.exists():
            return
        text = self.path.read_text()
        rows = self._parsed(text[: text.rfind("\n") + 1])
        kept = "".join(json.dumps(row) + "\n" for row in rows if row["steps"] <= steps)
        if kept != text:
            with replacing(self.path) as partial:
                partial.write_text(kept)


class Bar:
    """The progress bar: phase, progress, speed, time left."""

    def __init__(self, console: Console, clock: Clock) -> None:
        self.clock = clock
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[detail]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("starting", total=1.0, detail="")

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, what: str, detail: str) -> None:
        rate = f"{self.clock.steps:,} decisions, {self.clock.rate:,.0f}/s"
        self._progress.update(
            self._task, completed=self.clock.share, description=what, detail=f"{rate}{', ' if detail else ''}{detail}"
        )


class RecentGames:
    """Points and wins of the learner in its last 500 games."""

    def __init__(self) -> None:
        self._games: deque[tuple[float, bool]] = deque(maxlen=500)

    def add(self, score: float, won: bool) -> None:
        self._games.append((score, won))

    def log(self, logger: Logger) -> str:
        """Record the means; returns them as text ("" without games)."""
        if not self._games:
            return ""
        score, won = np.mean(self._games, axis=0).tolist()
        logger.record("games/score", score)
        logger.record("games/won", won)
        return f"{score:.0f} points, {percent(won)} won"


class RunCallback(BaseCallback):
    """Updates the clock and the bar while MaskablePPO plays; breaks off a rollout when the time is over.

    A step limit ends a run between two updates only, so that an interrupted run ends like an uninterrupted one.
    """

    def __init__(self, clock: Clock, bar: Bar) -> None:
        super().__init__()
        self.clock, self.bar = clock, bar
        self._games = RecentGames()

    def _on_step(self) -> bool:
        self.clock.steps += self.training_env.num_envs
        for info in self.locals["infos"]:
            if end := info.get("episode"):
                self._games.add(end["score"], end["utility"] == 1)
        return not (self.clock.interrupted or self.clock.late)

    def _on_rollout_end(self) -> None:
        self.bar.show("learning", self._games.log(self.logger))
