"""Where a cluster can't be used or fails, one line says why."""

from __future__ import annotations

import socket

import pytest
import ray
from ray.exceptions import RayActorError, RayTaskError

from train.rllib.cluster import connect, one_line_errors


@pytest.mark.parametrize("address", ["here", "ray://here:10001", ":", "here:port", "here:0", "here:70000", ":6379"])
def test_addresses_that_are_none(address):
    with pytest.raises(ValueError, match="--address must be 'auto' or HOST:PORT, not"):
        connect(address, 2)


def test_nobody_there(monkeypatch):
    with pytest.raises(ValueError, match=r"no Ray cluster answers at 127\.0\.0\.1:1: start one with ray start --head"):
        connect("127.0.0.1:1", 2)
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")  # as ray job submit does
    with pytest.raises(ValueError, match=r"no Ray cluster answers at 127\.0\.0\.1:1"):
        connect("", 2)


def test_a_cluster_that_wants_a_token(monkeypatch):
    def refuse(**_):
        raise ConnectionError("InvalidAuthToken: Authentication token is missing or incorrect")

    monkeypatch.setattr(ray, "init", refuse)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ValueError, match=rf"cluster at {address} refuses this process: .*RAY_AUTH_MODE=token"):
            connect(address, 2)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            RayTaskError("f", "Traceback:\n  far away\nValueError: no such file\n", ValueError("no such file")),
            "no such file",
        ),
        (RayTaskError("f", "Traceback:\nKeyError: 3", KeyError(3)).as_instanceof_cause(), "KeyError: 3"),
        (RayActorError(), r"\w"),
    ],
)
def test_failures_of_workers(error, told):
    with pytest.raises(ValueError, match=f"^a worker failed: .*{told}") as caught, one_line_errors():
        raise error
    assert "\n" not in str(caught.value)


def test_other_mistakes_stay_what_they_are():
    with pytest.raises(KeyError, match="mine"), one_line_errors():
        raise KeyError("mine")


@pytest.mark.parametrize("failures", [0, 2, 3])
def test_a_start_that_takes_too_long_is_tried_again(failures, monkeypatch):
    asked = []

    def init(**options):
        asked.append(options)
        if len(asked) <= failures:
            raise Exception("The current node timed out during startup. This could happen because of much.")

    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setattr("ray.init", init)
    if failures < 3:
        connect("", 5)
    else:
        with pytest.raises(
            ValueError, match="^Ray can't start a cluster on this machine: .* timed out during startup$"
        ):
            connect("", 5)
    assert len(asked) == min(failures + 1, 3)
    assert all(options["num_cpus"] == 5 for options in asked)
