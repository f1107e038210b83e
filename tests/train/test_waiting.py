"""How threads wait: briefly, unless the user said otherwise or the machine is otherwise idle."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from train import waiting

NAMES = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")


@pytest.fixture(autouse=True)
def unset(monkeypatch):
    for name in (*NAMES, "TOWERS_WAITS_AS_USUAL"):
        monkeypatch.delenv(name, raising=False)


def said() -> list[str | None]:
    return [os.environ.get(name) for name in NAMES]


def test_briefly_unless_the_user_said_how(monkeypatch):
    waiting.wait_briefly()
    assert said() == ["1000", "PASSIVE"]
    monkeypatch.delenv("GOMP_SPINCOUNT")
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    waiting.wait_briefly()
    assert said() == [None, "ACTIVE"]


@pytest.mark.parametrize(
    ("cores", "threads", "others", "briefly"),
    [(2, 0, 0, False), (2, 0, 1, True), (2, 1, 1, False), (2, 1, 2, True), (16, 8, 8, False), (16, 8, 9, True)],
)
def test_as_pytorch_does_where_everybody_has_a_core(monkeypatch, cores, threads, others, briefly):
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.setattr(waiting, "_others_running", lambda: others)
    waiting.wait_briefly()
    waiting.wait_as_suits(threads)
    assert said() == (["1000", "PASSIVE"] if briefly else [None, None])


def test_what_the_user_said_stays(monkeypatch):
    monkeypatch.setattr(waiting, "_others_running", lambda: 0)
    monkeypatch.setenv("GOMP_SPINCOUNT", "7")
    waiting.wait_briefly()
    waiting.wait_as_suits(1)
    with waiting.usual_waiting():
        assert said() == ["7", None]
    assert said() == ["7", None]


def test_usual_waiting_ends():
    waiting.wait_briefly()
    with waiting.usual_waiting():
        assert said() == [None, None]
    assert said() == ["1000", "PASSIVE"]


def test_who_else_is_running(monkeypatch, tmp_path):
    """Of some looks at how many threads run, the one in the middle, without the one that looks."""
    looks = iter(["1", "9", "4", "4", "1"])
    monkeypatch.setattr(waiting.Path, "read_text", lambda self: f"0.50 0.40 0.30 {next(looks)}/345 6789\n")
    assert waiting._others_running(looks=5, pause=0) == 3


def test_where_it_is_not_known(monkeypatch):
    def none(self):
        raise FileNotFoundError(str(self))

    monkeypatch.setattr(waiting.Path, "read_text", none)
    assert waiting._others_running() == (os.cpu_count() or 1)
    waiting.wait_briefly()
    waiting.wait_as_suits(1)
    assert said() == ["1000", "PASSIVE"]


def test_a_process_of_the_command_line_does_as_it_was_told(tmp_path):
    """It imports the main module, which says how to wait, once more."""
    script = tmp_path / "script.py"
    script.write_text("""
import multiprocessing, os
import towers.__main__
from train.waiting import usual_waiting

def show():
    print(os.environ.get("GOMP_SPINCOUNT"), flush=True)

if __name__ == "__main__":
    start = multiprocessing.get_context("spawn").Process
    with usual_waiting():
        process = start(target=show)
        process.start()
    process.join()
    process = start(target=show)
    process.start()
    process.join()
""")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["None", "1000"]


def test_the_command_line_says_it_before_pytorch_is_loaded():
    script = "import towers.__main__, os, sys; print(os.environ['GOMP_SPINCOUNT'], 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1000", "False"]
    script = "import towers.cli, towers.commands.train, towers.commands.bench, sys; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
