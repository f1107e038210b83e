"""Printing never loses a result: terminals of any encoding, closed pipes, full disks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from torres_env import TorresState
from tower_core.records import write_records

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-c", "from towers.__main__ import main; main()"]
ARENA = "arena torres random passive --games 2 --jobs 0 --out games.jsonl --markdown games.md"
# The commands one after the other in one process, which loads the libraries once.
EVERY = """
import sys
from towers.terminal import set_up
from towers.cli import run
set_up()
for line in sys.argv[1:]:
    if status := run(line.split()):
        sys.exit(f"{line} failed: {status}")
"""
TRAIN = "train torres --decisions 300 --minutes 0 --envs 16 --rollout 8 --width 2 --blocks 0 --batch-size 64 --epochs 1"
TRAIN += " --threads 1 --evaluate-games 2 --final-games 4 --against random --opponents passive --run mine"


def environment(**more):
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp932"])
def test_any_encoding(encoding, tmp_path):
    write_records(tmp_path / "record.txt", [TorresState(seed=1).to_record(["Zoë", "Ωmega"])])
    commands = ["info", "info torres", "info market", "replay record.txt --list", "replay record.txt --move 0"]
    parts = ["Zo", "unfinished: 0, 0", "18x8x8" if encoding == "ascii" else "18×8×8"]
    if encoding == "ascii":
        commands += [ARENA, TRAIN, "evaluate mine --against random --games 2"]
        parts += ["results: games.jsonl", "run directory: mine", "95 % interval", "passive - random"]
    done = subprocess.run(
        [sys.executable, "-c", EVERY, *commands],
        capture_output=True,
        cwd=tmp_path,
        env=environment(PYTHONIOENCODING=encoding),
        check=False,
    )
    assert (done.returncode, done.stderr.decode(encoding)) == (0, "")
    out = done.stdout.decode(encoding)
    assert [part for part in parts if part not in out] == []


@pytest.mark.parametrize("output", ["closed pipe", "full disk", "none"])
def test_the_files_are_written_where_nothing_can_be_printed(output, tmp_path):
    read, write = os.pipe()
    os.close(read)
    full = os.open("/dev/full", os.O_WRONLY)
    streams = {"closed pipe": write, "full disk": full, "none": None}
    close = (lambda: os.close(1)) if output == "none" else None
    done = subprocess.run(
        [*PROGRAM, *ARENA.split()],
        stdout=streams[output],
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment(),
        check=False,
        preexec_fn=close,
    )
    os.close(write)
    os.close(full)
    said = "towers: can't print everything: No space left on device\n" if output == "full disk" else ""
    assert (done.returncode, done.stderr) == (0, said)
    assert {"games.jsonl", "games.md", "games.png"} <= set(os.listdir(tmp_path))


@pytest.mark.parametrize("command", ["info", "--help"])
def test_a_reader_that_stops_early(command, tmp_path):
    line = f"{sys.executable} -c 'from towers.__main__ import main; main()' {command} | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


def test_unbuffered_streams_print_each_line_at_once():
    """Stdout and stderr share a pipe, so late lines would change places."""
    code = """
import sys; from towers.terminal import set_up; set_up()
for i in range(4): print(i, file=(sys.stdout, sys.stderr)[i % 2])"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(PYTHONUNBUFFERED="1"),
        check=True,
    )
    assert done.stdout.split() == [b"0", b"1", b"2", b"3"]
