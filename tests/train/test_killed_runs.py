"""Training runs that meet the worst: a kill without warning, a disk with no room, a stranger's files."""

from __future__ import annotations

import json
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from towers.cli import run
from train import checkpoint
from train.callbacks import Curve
from train.config import TrainArgs
from train.run import Run

ROOT = Path(__file__).resolve().parents[2]
TRAIN = (
    "train torres --envs 16 --rollout 8 --width 2 --blocks 0 --batch-size 64 --epochs 1 --threads 1 --imitate-share 0.01"
    " --evaluate-games 2 --final-games 2 --against random --opponents passive --minutes 0"
)


def start(folder: Path, *more: str, limit: int | None = None) -> subprocess.Popen[str]:
    """``towers train …`` in a process of its own; *limit*: the most bytes that a file may have."""

    def small_disk() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.Popen(
        [sys.executable, "-m", "towers", *TRAIN.split(), *more],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=small_disk,
    )


def until(found, process, seconds=240):
    end = time.monotonic() + seconds
    while not found():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The folder of a run that was killed after some evaluations, and its files at that moment."""
    folder = tmp_path_factory.mktemp("killed")
    process = start(folder, "--decisions", "1000000", "--evaluate-every", "0.005", "--run", "here")
    curve = folder / "here" / "curve.jsonl"
    until(lambda: curve.exists() and curve.read_text().count("\n") >= 4, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    return folder / "here"


def test_a_killed_run_goes_on_from_its_last_checkpoint(killed, monkeypatch, capsys):
    monkeypatch.chdir(killed.parent)
    saved = checkpoint.read_meta(killed / "latest.zip")
    before = Curve(killed / "curve.jsonl").rows() if (killed / "curve.jsonl").read_text().endswith("\n") else []
    table = (killed / "progress.csv").read_bytes()
    # As if the kill had come in the middle of the next row, after an evaluation that no checkpoint has.
    with (killed / "curve.jsonl").open("a") as file:
        file.write(json.dumps({"steps": saved["steps"] + 50, "seconds": 1.0, "results": {}}) + '\n{"steps": 12')
    steps = saved["steps"] + 1000
    assert run(["train", "torres", "--resume", "here", "--decisions", str(steps), "--minutes", "0"]) == 0
    assert capsys.readouterr().err == ""
    rows = Curve(killed / "curve.jsonl").rows()
    kept = [row for row in before if row["steps"] <= saved["steps"]]
    assert len(kept) >= 3
    assert rows[: len(kept)] == kept
    reached = [row["steps"] for row in rows]
    assert reached == sorted(set(reached)), "the curve goes back"
    assert steps <= reached[-1] < steps + 16 * 8 * 2
    assert [row["seconds"] for row in rows] == sorted(row["seconds"] for row in rows)
    assert (killed / "progress.csv").read_bytes() == table, "the table of the killed session was lost"
    assert (killed / "progress-2.csv").stat().st_size > 100
    assert checkpoint.read_meta(killed / "final.zip")["steps"] == reached[-1]


def test_a_disk_without_room_loses_no_checkpoint(killed, monkeypatch):
    """The files of this process may have no more than half of what a checkpoint needs."""
    before = {path.name: path.read_bytes() for path in killed.glob("*.zip")}
    saved = checkpoint.read_meta(killed / "latest.zip")
    limit = (killed / "latest.zip").stat().st_size // 2
    process = start(killed.parent, "--resume", "here", "--decisions", str(saved["steps"] + 200), limit=limit)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 2, out + err
    assert err.splitlines()[-1].startswith("towers: ")
    assert "File too large" in err
    assert "Traceback" not in err
    assert {path.name: path.read_bytes() for path in killed.glob("*.zip")} == before
    assert not list(killed.glob("*.partial"))


def test_the_imitated_network_is_saved_before_it_is_evaluated(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "_report", stop)
    assert run([*TRAIN.split(), "--decisions", "3000", "--run", "here"]) == 2
    assert "stopped" in capsys.readouterr().err
    assert checkpoint.read_meta(tmp_path / "here" / "latest.zip")["imitated"]


def test_a_curve_is_cut_after_the_checkpoint(tmp_path):
    curve = Curve(tmp_path / "curve.jsonl")
    curve.cut(5)
    assert not curve.path.exists()
    for steps in (100, 200, 300):
        curve.add(steps, steps / 10, [])
    whole = curve.path.read_text()
    curve.cut(300)
    assert curve.path.read_text() == whole
    curve.path.write_text(whole + '{"steps": 40')
    curve.cut(250)
    assert [row["steps"] for row in curve.rows()] == [100, 200]
    assert [path.name for path in tmp_path.iterdir()] == ["curve.jsonl"]


@pytest.mark.parametrize("line", ["x", "[]", "{}", '{"steps": "many"}', "null", "{", "\x00"])
def test_a_damaged_curve_is_told_and_left_alone(tmp_path, line):
    curve = Curve(tmp_path / "curve.jsonl")
    curve.add(100, 1.0, [])
    with curve.path.open("a") as file:
        file.write(line + "\n")
    curve.add(200, 2.0, [])
    before = curve.path.read_bytes()
    for read in (curve.rows, lambda: curve.cut(150)):
        with pytest.raises(ValueError, match="line 2: not a row of a learning curve"):
            read()
    assert curve.path.read_bytes() == before


# ---------------------------------------------------------------------------------------------- a stranger's files
class Bomb:
    """Runs a command when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return os.system, (f"touch {self.mark}",)


@pytest.mark.parametrize("kind", ["pickle", "entry", "rules"])
def test_a_strangers_checkpoint_runs_nothing(tmp_path, monkeypatch, capsys, kind):
    """By every command that takes one."""
    import zipfile

    from torres_env import TorresRules

    monkeypatch.chdir(tmp_path)
    mark = tmp_path / "mark"
    payload = pickle.dumps(Bomb(mark))
    Path("run").mkdir()
    Path("run/args.json").write_text(TrainArgs(decisions=10).to_json())
    meta = {"format": 1, "game": "torres", "players": 2, "rules": TorresRules().to_dict(), "width": 2, "blocks": 0}
    meta |= {"steps": 5, "seconds": 1.0}
    if kind == "rules":
        meta |= {"game": "market", "rules": {"components": str(mark)}}
    for name in ("run/latest.zip", "evil.zip"):
        if kind == "pickle":
            Path(name).write_bytes(payload)
        else:
            with zipfile.ZipFile(name, "w") as archive:
                archive.writestr("meta.json", json.dumps(meta))
                archive.writestr("policy.pt", payload)
                archive.writestr("optimizer.pt", payload)
    for arguments in (
        ["evaluate", "evil.zip"],
        ["evaluate", "run"],
        ["train", "torres", "--resume", "run", "--decisions", "20"],
        ["train", "torres", "--opponents", "checkpoint:evil.zip", "--run", "new", "--decisions", "20"],
        ["train", "torres", "--imitate", "checkpoint:evil.zip", "--run", "new", "--decisions", "20"],
        ["train", "torres", "--against", "checkpoint:evil.zip", "--run", "new", "--decisions", "20"],
    ):
        assert run(arguments) == 2
        err = capsys.readouterr().err
        assert err.startswith("towers: ")
        assert err.count("\n") == 1
        assert not mark.exists(), arguments
        assert not Path("new").exists()
    pickle.loads(payload)
    assert mark.exists(), "the bomb is none, and the test says nothing"
