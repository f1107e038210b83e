"""Any command line: help, work, or one line on stderr and status 2; nothing is written where it is refused."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from towers.cli import run
from train.config import TrainArgs

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = [f"--{name.replace('_', '-')}" for name in TrainArgs.__dataclass_fields__]
OPTIONS += "--games --seconds --json --help -h --version -- - --no-json --decisions=7 --minutes=".split()
WORDS = "torres market chess 0 1 2 -1 3.5 nan inf 1e400 standard full random random:1 greedy:3,passive:1 random: : ,".split()
WORDS += "checkpoint: checkpoint:x no.zip . / /dev/null /proc/self/mem é [1] {} true None ' \" %s $HOME ../.. *".split()
WORDS += ["9" * 40, "", " ", "a\nb", "\0"]
texts = st.sampled_from(WORDS) | st.sampled_from(OPTIONS) | st.text(max_size=6)
lines = st.builds(
    lambda command, rest: [command, *rest],
    st.sampled_from(["info", "train", "evaluate", "bench", "nothing", ""]),
    st.lists(texts, max_size=6),
)


@pytest.fixture(scope="module", autouse=True)
def elsewhere(tmp_path_factory):
    """A folder with one file that is no checkpoint; and commands that do everything but their long work."""
    folder = tmp_path_factory.mktemp("lines")
    (folder / "no.zip").write_text("no zip")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("train.run.Run.fit", lambda self: [])
        patch.setattr("towers.bench.measure", lambda *args, **kwargs: {})
        patch.setattr("towers.bench.show", lambda *args, **kwargs: None)
        yield folder


@given(lines)
@settings(max_examples=150)
def test_any_command_line(arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(arguments)
    assert status in (0, 2)
    if status == 2:
        assert out.getvalue() == ""
        assert err.getvalue().startswith("towers: ")
        assert err.getvalue().count("\n") == 1
        assert len(err.getvalue().splitlines()) == 1
    else:
        assert err.getvalue() == ""
    assert os.listdir() == ["no.zip"], "something was written"


@pytest.mark.parametrize("arguments", [[b"bench", b"\xff"], [b"replay", b"\x80.txt"]])
def test_bytes_that_are_no_text(arguments):
    """What the shell hands over need not be UTF-8."""
    done = subprocess.run(
        [sys.executable, "-m", "towers", *arguments],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=240,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"towers: ")
    assert done.stderr.count(b"\n") == 1
