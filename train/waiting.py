"""How the threads of the networks wait for each other. To be said before the library that starts them is loaded.

Nothing here is imported that loads PyTorch.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Threads that wait by spinning, as PyTorch's do, take the core from whoever has work: on a busy machine that makes
# training three times slower. Those that sleep at once must be woken for each of the hundreds of operations of a gradient
# step. A thousand turns lie between, and cost a quiet machine a tenth (docs/training.md).
_BRIEFLY = {"GOMP_SPINCOUNT": "1000", "OMP_WAIT_POLICY": "PASSIVE"}  # of GNU's library; other libraries know the second
_AS_USUAL = "TOWERS_WAITS_AS_USUAL"  # tells processes started from here that it is no oversight


def wait_briefly() -> None:
    """Let this process and those that it starts wait that way, unless the user said how.

    A process that Python started for another does as it was told by that one, though it imports the same main module.
    """
    if not any(name in os.environ for name in (*_BRIEFLY, _AS_USUAL)):
        os.environ.update(_BRIEFLY)


def wait_as_suits(threads: int) -> None:
    """Undo :func:`wait_briefly` where *threads* (0: one per core) and what else is running just now have a core each."""
    cores = os.cpu_count() or 1
    if _chosen_here() and (threads or cores) + _others_running() <= cores:
        _forget()


@contextmanager
def usual_waiting() -> Iterator[None]:
    """Processes that are started inside wait as if :func:`wait_briefly` had never been called."""
    ours = _chosen_here()
    if ours:
        _forget()
    try:
        yield
    finally:
        if ours:
            del os.environ[_AS_USUAL]
            os.environ.update(_BRIEFLY)


def _chosen_here() -> bool:
    return all(os.environ.get(name) == value for name, value in _BRIEFLY.items())


def _forget() -> None:
    for name in _BRIEFLY:
        del os.environ[name]
    os.environ[_AS_USUAL] = "1"


def _others_running(looks: int = 11, pause: float = 0.005) -> int:
    """Threads of others that run or want to, most of the time of some looks; as many as there are cores where unknown."""
    counts = []
    for _ in range(looks):
        try:
            running = Path("/proc/loadavg").read_text().split()[3].split("/")[0]
            counts.append(int(running) - 1)  # who looks is running too
        except (OSError, LookupError, ValueError):
            return os.cpu_count() or 1
        time.sleep(pause)
    return int(statistics.median(counts))
