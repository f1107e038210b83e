"""The Ray cluster of a run: one of its own on this machine, or one that is there already."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Without this, Ray reports every start to its makers.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.exceptions import RayError

_STORE_BYTES = 200_000_000  # for what the workers hand over, on this machine; more goes to the disk
_TRIES = 3
_TURNED_AWAY = (
    "turns this process away: if it wants a token, export RAY_AUTH_MODE=token and copy the head's ~/.ray/auth_token"
)


def connect(address: str, workers: int) -> None:
    """Join the cluster at *address*, or at the one that ``ray job submit`` names, or start one on this machine.

    ValueError where no cluster answers or can be started, or it has fewer CPUs than *workers*.
    """
    address = address or os.environ.get("RAY_ADDRESS", "")
    where = "on this machine" if address == "auto" else f"at {address}"
    nobody = f"no Ray cluster answers {where}: begin one with ray start --head"
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if not address:
        _begin({"num_cpus": workers, "num_gpus": 0, "object_store_memory": _STORE_BYTES, **quiet})
        return
    if address != "auto":
        _must_answer(address, nobody)
    try:
        ray.init(address=address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        # Somebody listens at an address that was given.
        raise ValueError(nobody if address == "auto" else f"the Ray cluster {where} {_TURNED_AWAY}") from error
    cpus = int(ray.cluster_resources().get("CPU", 0))
    if cpus < workers:
        disconnect()
        raise ValueError(f"--num-workers {workers} needs {workers} CPUs, and the cluster has {cpus}")


def _begin(options: dict[str, Any]) -> None:
    """A cluster on this machine. Ray gives its processes half a minute, too little where others need the cores."""
    for left in reversed(range(_TRIES)):
        try:
            ray.init(address="local", include_dashboard=False, **options)
            return
        except Exception as error:  # Ray raises nothing finer
            disconnect()
            if not left:
                reason = str(error).partition(". ")[0]
                raise ValueError(f"Ray can't begin a cluster on this machine: {reason}") from error


def _must_answer(address: str, nobody: str) -> None:
    """ValueError where nobody listens at HOST:PORT: Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise ValueError(f"--address must be 'auto' or HOST:PORT, not {address!r}")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        raise ValueError(nobody) from error


@contextmanager
def told_in_one_line() -> Iterator[None]:
    """What goes wrong on a worker comes with traces of several machines: the last line says what it was."""
    try:
        yield
    except RayError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise ValueError(f"a worker failed: {lines[-1] if lines else type(error).__name__}") from error


def disconnect() -> None:
    """Leave the cluster; one of the run's own ends."""
    ray.shutdown()
