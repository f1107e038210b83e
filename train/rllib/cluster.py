"""The Ray cluster of a run: its own one on this machine, or an existing one."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Otherwise Ray sends usage statistics.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.exceptions import RayError

_STORE_BYTES = 200_000_000  # object store of a local cluster; more is spilled to disk
_TRIES = 3
_REFUSAL = "refuses this process: if it needs a token, export RAY_AUTH_MODE=token and copy the head's ~/.ray/auth_token"


def connect(address: str, workers: int) -> None:
    """Join the cluster at *address* or at RAY_ADDRESS (set by ``ray job submit``), or else start one on this machine.

    ValueError if no cluster answers or can be started, or if it has fewer CPUs than *workers*.
    """
    address = address or os.environ.get("RAY_ADDRESS", "")
    where = "on this machine" if address == "auto" else f"at {address}"
    no_answer = f"no Ray cluster answers {where}: start one with ray start --head"
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if not address:
        _start({"num_cpus": workers, "num_gpus": 0, "object_store_memory": _STORE_BYTES, **quiet})
        return
    if address != "auto":
        _must_answer(address, no_answer)
    try:
        ray.init(address=address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        # _must_answer has connected to a given address.
        raise ValueError(no_answer if address == "auto" else f"the Ray cluster {where} {_REFUSAL}") from error
    cpus = int(ray.cluster_resources().get("CPU", 0))
    if cpus < workers:
        disconnect()
        raise ValueError(f"--num-workers {workers} needs {workers} CPUs, but the cluster has {cpus}")


def _start(options: dict[str, Any]) -> None:
    """Start a cluster on this machine. Ray's half minute for its processes is too short on a busy one: try again."""
    for left in reversed(range(_TRIES)):
        try:
            ray.init(address="local", include_dashboard=False, **options)
            return
        except Exception as error:  # Ray raises nothing finer
            disconnect()
            if not left:
                reason = str(error).partition(". ")[0]
                raise ValueError(f"Ray can't start a cluster on this machine: {reason}") from error


def _must_answer(address: str, no_answer: str) -> None:
    """ValueError if nothing listens at HOST:PORT, for which Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise ValueError(f"--address must be 'auto' or HOST:PORT, not {address!r}")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        raise ValueError(no_answer) from error


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Reduce a worker's error, which comes with tracebacks of several machines, to its last line (ValueError)."""
    try:
        yield
    except RayError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise ValueError(f"a worker failed: {lines[-1] if lines else type(error).__name__}") from error


def disconnect() -> None:
    """Leave the cluster; a local one ends."""
    ray.shutdown()
