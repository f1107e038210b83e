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

# Threads that wait by spinning, as PyTorch's do, take cores from threads that have work: on a busy machine that makes
# training three times slower. Those that sleep at once must be woken for each of the hundreds of operations of a gradient
# step. A thousand turns lie between, and cost a quiet machine a tenth (docs/training.md).
_BRIEFLY = {"GOMP_SPINCOUNT": "1000", "OMP_WAIT_POLICY": "PASSIVE"}  # of GNU's library; other libraries know the second
_USERS = (*_BRIEFLY, "KMP_BLOCKTIME", "KMP_LIBRARY")  # by which a user may have said how
_CHOSEN = "TOWERS_WAITING"  # what was chosen here, "briefly" or "usual", for this process and those that it starts


def wait_briefly() -> None:
    """Let this process and those that it starts wait that way, unless the user said how.

    A process started by another keeps the choice of that one, though it imports the same main module.
    """
    if _CHOSEN not in os.environ and not any(name in os.environ for name in _USERS):
        os.environ.update(_BRIEFLY | {_CHOSEN: "briefly"})


def wait_as_suits(threads: int) -> None:
    """Undo :func:`wait_briefly` where *threads* (0: one per core) and what else is running just now have a core each."""
    cores = _cores()
    if _is_brief() and (threads or cores) + _others_running() <= cores:
        _wait_as_usual()


@contextmanager
def usual_waiting() -> Iterator[None]:
    """Processes that are started inside wait as if :func:`wait_briefly` had never been called."""
    brief = _is_brief()
    if brief:
        _wait_as_usual()
    try:
        yield
    finally:
        if brief:
            os.environ.update(_BRIEFLY | {_CHOSEN: "briefly"})


def _is_brief() -> bool:
    return os.environ.get(_CHOSEN) == "briefly"


def _wait_as_usual() -> None:
    for name in _BRIEFLY:
        os.environ.pop(name, None)
    os.environ[_CHOSEN] = "usual"


def _cores() -> int:
    """Cores that this process may use, by affinity and by the share of a container."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return cores if quota == "max" else min(cores, max(1, int(quota) // int(period)))
    except (OSError, ValueError):
        return cores


def _others_running(looks: int = 11, pause: float = 0.005) -> int:
    """Threads of others that run or want to, most of the time of some looks; as many as there are cores where unknown."""
    counts = []
    for _ in range(looks):
        try:
            running = Path("/proc/loadavg").read_text().split()[3].split("/")[0]
            counts.append(int(running) - 1)  # who looks is running too
        except (OSError, LookupError, ValueError):
            return _cores()
        time.sleep(pause)
    return int(statistics.median(counts))
