"""The tutorial docs/how_to/new_game.md: its files are the example's, and its steps work in order, in a fresh folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "connect_four"
PAGE = (ROOT / "docs" / "how_to" / "new_game.md").read_text("utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL))
STEPS = re.findall(r"<!-- run -->\n```(\w+)\n(.*?)```", PAGE, re.DOTALL)
MOST_LINES = 200
TOWERS = "import sys; from towers.__main__ import main; sys.exit(main())"


def written(folder: Path) -> Path:
    """The files of the tutorial in a folder ``connect_four``."""
    for name, text in FILES.items():
        path = folder / "connect_four" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "connect_four"


def program(path: Path, *command: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\nexec " + " ".join(f"'{part}'" for part in (sys.executable, *command)) + ' "$@"\n')
    path.chmod(0o755)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A fresh folder in which `pip`, `towers` and `python` are commands; pip installs into a folder of its own."""
    folder = tmp_path_factory.mktemp("tutorial")
    site, commands = folder / "site", folder / "bin"
    program(commands / "pip", "-m", "pip")
    program(commands / "towers", "-c", TOWERS)
    environment = {
        **os.environ,
        "PATH": f"{commands}:{os.environ['PATH']}",
        "PYTHONPATH": f"{site}:{ROOT}",
        "PIP_TARGET": str(site),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it so: there is to be none
    }
    written(folder)
    return folder, environment


def test_the_files_are_the_examples():
    there = {path.relative_to(EXAMPLE).as_posix(): path for path in EXAMPLE.rglob("*")}
    made = ("__pycache__", ".egg-info", "build/")
    names = {name for name, path in there.items() if path.is_file() and not any(part in name for part in made)}
    assert set(FILES) == names
    for name in names:
        assert FILES[name] == there[name].read_text(), name


def test_the_example_is_short():
    lines = [line for text in FILES.values() for line in text.splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
    assert f"{len(lines)} lines" in PAGE


def test_the_example_uses_public_names_only():
    for text in FILES.values():
        assert not re.search(r"tower_core\S*\._|import _|\b_[a-z]\w*\(", text)
        assert not re.search(r"\b(torres|market)\b", text, re.IGNORECASE)


@pytest.mark.parametrize("step", range(len(STEPS)), ids=[text.splitlines()[0][:40] for _, text in STEPS])
def test_a_step(step, place):
    folder, environment = place
    kind, text = STEPS[step]
    text = text.replace("--minutes 1", "--decisions 16384 --threads 1")  # enough to see that it learns
    command = ["sh", "-e", "-c", text] if kind == "sh" else [sys.executable, "-c", text]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=400
    )
    assert done.returncode == 0, done.stdout + done.stderr
    if text.startswith("towers train"):
        share = re.search(r"^random +200 +([0-9.]+) %", done.stdout, re.MULTILINE)
        assert share, done.stdout
        assert float(share[1]) >= 75, done.stdout


def test_a_wheel_of_the_example_has_all_its_files(tmp_path):
    source, out = written(tmp_path), tmp_path / "out"
    out.mkdir()
    build = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(out)], cwd=source, capture_output=True, check=True)
    [wheel] = out.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        assert {name for name in names if ".dist-info/" not in name} == set(FILES) - {"pyproject.toml"}
        [points] = [name for name in names if name.endswith("entry_points.txt")]
        assert "connect_four = connect_four.game:GAME" in archive.read(points).decode()
