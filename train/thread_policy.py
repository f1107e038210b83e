"""How PyTorch's threads wait for each other. It must be set before PyTorch is loaded, so nothing here imports PyTorch."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# PyTorch's threads wait by spinning, which takes cores from threads that have work: on a busy machine training is three
# times slower. Threads that sleep at once must be woken for each of the hundreds of operations of a gradient step. Spinning
# a thousand times before sleeping is a compromise that costs a tenth on an idle machine (docs/training.md).
_BRIEFLY = {"GOMP_SPINCOUNT": "1000", "OMP_WAIT_POLICY": "PASSIVE"}  # GNU's library; the second is OpenMP's standard
_USERS = (*_BRIEFLY, "KMP_BLOCKTIME", "KMP_LIBRARY")  # variables by which users choose
_CHOSEN = "TOWERS_WAITING"  # the choice made here, "briefly" or "usual", for this process and its children


def wait_briefly() -> None:
    """Let this process and its children spin briefly, unless the user or the parent process has chosen."""
    if _CHOSEN not in os.environ and not any(name in os.environ for name in _USERS):
        os.environ.update(_BRIEFLY | {_CHOSEN: "briefly"})


def wait_as_suits(threads: int) -> None:
    """Undo :func:`wait_briefly` if *threads* (0: one per core) and all other running threads have a core each."""
    cores = _cores()
    if _is_brief() and (threads or cores) + _others_running() <= cores:
        _wait_as_usual()


@contextmanager
def usual_waiting() -> Iterator[None]:
    """Processes started inside wait as if :func:`wait_briefly` had not been called."""
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
    """Cores that this process may use, by its affinity and its container's quota."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return cores if quota == "max" else min(cores, max(1, int(quota) // int(period)))
    except (OSError, ValueError):
        return cores


def _others_running(looks: int = 11, pause: float = 0.005) -> int:
    """Median number of other runnable threads over some samples; the number of cores if unknown."""
    counts = []
    for _ in range(looks):
        try:
            running = Path("/proc/loadavg").read_text().split()[3].split("/")[0]
            counts.append(int(running) - 1)  # without this thread
        except (OSError, LookupError, ValueError):
            return _cores()
        time.sleep(pause)
    return int(statistics.median(counts))
