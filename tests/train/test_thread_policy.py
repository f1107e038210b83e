"""How threads wait: briefly, unless the user said otherwise or the machine is otherwise idle."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from train import thread_policy

NAMES = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
OTHERS = ("TOWERS_WAITING", "KMP_BLOCKTIME", "KMP_LIBRARY")


@pytest.fixture(autouse=True)
def unset(monkeypatch):
    for name in (*NAMES, *OTHERS):
        monkeypatch.delenv(name, raising=False)


def said() -> list[str | None]:
    return [os.environ.get(name) for name in NAMES]


def test_briefly_unless_the_user_said_how(monkeypatch):
    thread_policy.wait_briefly()
    assert said() == ["1000", "PASSIVE"]
    for name in (*NAMES, *OTHERS):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    thread_policy.wait_briefly()
    assert said() == [None, "ACTIVE"]
    monkeypatch.delenv("OMP_WAIT_POLICY")
    monkeypatch.setenv("KMP_BLOCKTIME", "0")
    thread_policy.wait_briefly()
    assert said() == [None, None]


@pytest.mark.parametrize(
    ("cores", "threads", "others", "briefly"),
    [(2, 0, 0, False), (2, 0, 1, True), (2, 1, 1, False), (2, 1, 2, True), (16, 8, 8, False), (16, 8, 9, True)],
)
def test_as_pytorch_does_where_everybody_has_a_core(monkeypatch, cores, threads, others, briefly):
    monkeypatch.setattr(thread_policy, "_cores", lambda: cores)
    monkeypatch.setattr(thread_policy, "_others_running", lambda: others)
    thread_policy.wait_briefly()
    thread_policy.wait_as_suits(threads)
    assert said() == (["1000", "PASSIVE"] if briefly else [None, None])


@pytest.mark.parametrize("words", [["7", None], ["1000", "PASSIVE"]])
def test_what_the_user_said_stays(monkeypatch, words):
    """Also where it is what would have been chosen."""
    monkeypatch.setattr(thread_policy, "_others_running", lambda: 0)
    for name, word in zip(NAMES, words, strict=True):
        if word is not None:
            monkeypatch.setenv(name, word)
    thread_policy.wait_briefly()
    thread_policy.wait_as_suits(1)
    with thread_policy.usual_waiting():
        assert said() == words
    assert said() == words


@pytest.mark.parametrize(("text", "cores"), [("max 100000", 8), ("250000 100000", 2), ("50000 100000", 1), ("?", 8)])
def test_a_containers_share(monkeypatch, text, cores):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(thread_policy.Path, "read_text", lambda self: text + "\n")
    assert thread_policy._cores() == cores


def test_a_run_that_goes_on_has_its_own_threads(tmp_path):
    from towers.commands.train import _threads
    from train.config import TrainArgs

    (tmp_path / "args.json").write_text(TrainArgs(threads=3).to_json())
    assert _threads(TrainArgs(resume=str(tmp_path))) == 3
    assert _threads(TrainArgs(threads=2)) == 2
    assert _threads(TrainArgs(resume=str(tmp_path / "none"))) == 0


def test_usual_waiting_ends():
    thread_policy.wait_briefly()
    with thread_policy.usual_waiting():
        assert said() == [None, None]
    assert said() == ["1000", "PASSIVE"]


def test_who_else_is_running(monkeypatch, tmp_path):
    """Of some looks at how many threads run, the one in the middle, without the one that looks."""
    looks = iter(["1", "9", "4", "4", "1"])
    monkeypatch.setattr(thread_policy.Path, "read_text", lambda self: f"0.50 0.40 0.30 {next(looks)}/345 6789\n")
    assert thread_policy._others_running(looks=5, pause=0) == 3


def test_where_it_is_not_known(monkeypatch):
    def none(self):
        raise FileNotFoundError(str(self))

    monkeypatch.setattr(thread_policy.Path, "read_text", none)
    assert thread_policy._others_running() == thread_policy._cores()
    thread_policy.wait_briefly()
    thread_policy.wait_as_suits(1)
    assert said() == ["1000", "PASSIVE"]


def test_a_process_of_the_command_line_does_as_it_was_told(tmp_path):
    """It imports the main module, which says how to wait, once more."""
    script = tmp_path / "script.py"
    script.write_text("""
import multiprocessing, os
import towers.__main__
from train.thread_policy import usual_waiting

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
