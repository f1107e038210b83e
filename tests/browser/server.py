"""A server of the browser app in a process of its own, for tests with a real browser."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

PLUGINS = Path(__file__).resolve().parents[1] / "plugins"


class Server(NamedTuple):
    process: subprocess.Popen[str]
    address: str
    """With the token."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(state: Path, port: int | None = None) -> Iterator[Server]:
    """`towers serve` until the block ends; the game of tests/plugins is installed."""
    command = [sys.executable, "-m", "towers", "serve", "--port", str(port or free_port()), "--state", str(state)]
    path = os.pathsep.join(filter(None, [str(PLUGINS), os.environ.get("PYTHONPATH", "")]))
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": path}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = re.search(r"http://\S+", line)
            assert address, f"towers serve printed {line!r}"
            wait_for(int(address[0].split(":")[2].split("/")[0]))
            yield Server(process, address[0])
        finally:
            process.terminate()


def wait_for(port: int) -> None:
    """Until somebody listens on the port."""
    for _ in range(400):
        with socket.socket() as probe:
            probe.settimeout(0.5)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")
