"""Experiments can be told again: settings from files, what a run directory says, and how fast training is."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from tower_core.registry import get_game
from towers.cli import run
from train import provenance
from train.config import TrainArgs, read_config
from train.game_defaults import with_game_defaults
from train.run import Run
from train.throughput import measure_training


# ---------------------------------------------------------------------------------------------- settings from a file
def test_settings_from_toml_and_json(tmp_path):
    toml, saved = tmp_path / "a.toml", tmp_path / "args.json"
    toml.write_text('opponents = "self:1,league:0..2"\ndecisions = 500\nentropy = 1\nrun = "there"\n')
    expected = TrainArgs(opponents="self:1,league:0..2", decisions=500, entropy=1)
    assert read_config(toml) == expected
    saved.write_text(TrainArgs(opponents="self:1,league:0..2", decisions=500, entropy=1, run="there").to_json())
    assert read_config(saved) == expected


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.toml", "decisions =", "can't be read as TOML"),
        ("a.toml", "stepz = 3", "unknown entry 'stepz'"),
        ("a.toml", 'decisions = "many"', "decisions: must be an integer of at least 0, not 'many'"),
        ("a.toml", "[deep]\ndecisions = 3", "unknown entry 'deep'"),
        ("a.json", "{", "can't be read as JSON"),
        ("a.json", "[" * 100_000, "can't be read as JSON"),
        ("a.json", "[]", "must be a dict"),
        ("a.json", b"\xff\xfe", "can't be read"),
        ("none.toml", None, "none.toml"),
    ],
)
def test_files_that_are_no_settings(tmp_path, monkeypatch, capsys, name, text, told):
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run(["train", "torres", "--config", name, "--run", "here"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert told in err
    assert not Path("here").exists()


def test_a_run_from_the_settings_of_another(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    begun = []
    monkeypatch.setattr(Run, "fit", lambda self: begun.append(self))
    Path("args.json").write_text(TrainArgs(opponents="self:1", seed=5, network="mlp", run="here").to_json())
    # What the command line says wins, also where it says the default.
    given = ["--seed", "1", "--width=8", "--run", "there"]
    assert run(["train", "torres", *given, "--config", "args.json"]) == 0
    wanted = TrainArgs(opponents="self:1", seed=1, network="mlp", width=8, run="there")
    assert begun[0].args == with_game_defaults(wanted, get_game("torres"))


# ---------------------------------------------------------------------------------------------- what a run tells
def test_the_machine_and_the_source(tmp_path):
    about = provenance.describe("torres", 7)
    assert json.loads(json.dumps(about)) == about
    assert (about["game"], about["seed"]) == ("torres", 7)
    assert {"torch", "numba", "numpy", "sb3-contrib", "openskill"} <= set(about["versions"])
    assert about["threads"] == torch.get_num_threads()
    assert provenance.revision(tmp_path) is None


def test_the_revision_of_a_checkout(tmp_path):
    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        return subprocess.run(
            ["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-q")
    assert provenance.revision(tmp_path) is None
    (tmp_path / "code.py").write_text("a")
    git("add", "code.py")
    git("commit", "-qm", "first")
    assert provenance.revision(tmp_path) == {"commit": git("rev-parse", "HEAD"), "changed": False}
    (tmp_path / "code.py").write_text("b")
    assert provenance.revision(tmp_path)["changed"] is True
    inside = tmp_path / "environment"
    inside.mkdir()
    assert provenance.revision(inside) is None


# ---------------------------------------------------------------------------------------------- speed
SMALL = {"width": 2, "blocks": 0, "epochs": 1, "opponents": "passive"}


@pytest.fixture(scope="module")
def figures():
    """A measurement on two threads."""
    threads = torch.get_num_threads()
    args = TrainArgs(network="mlp", envs=16, rollout=4, batch_size=32, threads=2, **SMALL)
    found = measure_training("torres", 0.05, args)
    assert torch.get_num_threads() == threads
    return found


def test_both_sides_of_the_measurement_do_the_same_work(figures):
    assert figures["samples"] == 64 and figures["threads"] == 2
    for which in ("ours", "plain"):
        side = figures[which]
        assert side["frames"] % 64 == 0 and side["frames"] > 0
        assert side["rate"] == pytest.approx(side["frames"] / side["seconds"])
        assert side["env"] + side["forward"] + side["update"] == pytest.approx(1)
        assert min(side["env"], side["forward"], side["update"]) > 0
    assert figures["ours"]["frames"] == figures["plain"]["frames"]
    assert figures["times_plain"] == pytest.approx(figures["ours"]["rate"] / figures["plain"]["rate"])


def test_each_side_counts_what_it_played():
    """On one thread. The plain script's eight environments can't play nine decisions."""
    figures = measure_training("torres", 0.01, TrainArgs(envs=3, rollout=3, batch_size=9, threads=1, **SMALL))
    assert figures["threads"] == 1
    assert figures["ours"]["frames"] % 9 == figures["plain"]["frames"] % 8 == 0
    assert 8 * figures["ours"]["frames"] == 9 * figures["plain"]["frames"]


def test_a_script_without_a_guard_is_told(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from train.config import TrainArgs\nfrom train.throughput import measure_training\n"
        "measure_training('torres', 0.01, TrainArgs(envs=8, rollout=2, threads=1))"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "under `if __name__ == '__main__':`" in done.stderr.splitlines()[-1]


def test_nobody_is_left_behind(tmp_path):
    """The processes end when the one that started them is ended, however that was."""
    script = tmp_path / "script.py"
    script.write_text(
        "from tower_core.registry import get_game\nfrom train.config import TrainArgs\n"
        "from train.game_defaults import with_game_defaults\nfrom train.throughput import _Side\n"
        "if __name__ == '__main__':\n"
        "    args = with_game_defaults(TrainArgs(envs=8, width=1, threads=1), get_game('torres'))\n"
        "    side = _Side('ours', 'torres', args, 8, 1)\n"
        "    print(side._process.pid, flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        child = int(parent.stdout.readline())
        os.kill(child, 0)  # it is there
        parent.kill()
    for _ in range(100):
        try:
            os.kill(child, 0)
            state = Path(f"/proc/{child}/stat")
            if state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("it is still there after ten seconds")


def test_what_one_of_the_two_complains_of_is_told(capsys):
    with pytest.raises(ValueError, match="unknown player 'nobody'"):
        measure_training("torres", 0.05, TrainArgs(envs=8, rollout=8, width=1, threads=1, opponents="nobody:1"))


FAULTS = """
import resource
import numpy as np
from train import provenance

def faults():
    np.ones(2**20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(30):
        arrays = [np.ones(2**20) for _ in range(4)]
        del arrays
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

ordinary = faults()
provenance.keep_memory()
print(ordinary, faults())
"""


def test_memory_is_kept():
    """How often a process waits for the system to hand it a page, while it takes and gives back 8 MB thirty times."""
    done = subprocess.run([sys.executable, "-c", FAULTS], capture_output=True, text=True, check=True)
    ordinary, kept = map(int, done.stdout.split())
    if platform.libc_ver()[0] == "glibc":
        assert kept < ordinary / 5
    else:
        assert kept <= 2 * ordinary


def test_the_command(capsys, monkeypatch, figures):
    asked = []
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("train.throughput.measure_training", lambda *given: asked.append(given) or figures)
    command = ["bench", "train", "torres", "--seconds", "0.01", "--width", "2", "--envs", "8", "--network", "mlp"]
    assert run(command) == 0
    assert asked == [("torres", 0.01, TrainArgs(width=2, envs=8, network="mlp"))]
    out, err = capsys.readouterr()
    assert err == ""
    for part in ("network mlp of width 2", "plain script, 8 environments", "ours over the plain script", "update"):
        assert part in out
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == figures
    monkeypatch.undo()
    for arguments, told in ((["--seconds", "0"], "--seconds"), (["--network", "conv"], "circles, mlp")):
        assert run(["bench", "train", "market", *arguments]) == 2
        assert told in capsys.readouterr().err
