"""Compiled once, loaded afterwards, compiled anew when any source file changes; and what the user is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HELPER = """
from tower_core.native import jit

@jit
def factor(x):
    return 3 * x
"""
ENTRY = """
from tower_core.native import compile_entry
from toy.helper import factor

def entry(a: int, b: int) -> int:
    return factor(a) + b

function, address = compile_entry(entry, ("tower_core", "toy"), "a toy", num_args=2)
print(function(5, 2), address != 0)
"""


@pytest.fixture
def house(tmp_path):
    """A folder with a copy of the ground floor and a toy package of two files."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tower_core", tmp_path / "tower_core", ignore=ignore)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "__init__.py").write_text("")
    (tmp_path / "toy" / "helper.py").write_text(HELPER)
    (tmp_path / "toy" / "entry.py").write_text(ENTRY)
    return tmp_path


def run(house, **environment):
    inherited = {name: value for name, value in os.environ.items() if name not in ("TOWERS_QUIET", "NUMBA_CACHE_DIR")}
    return subprocess.run(
        [sys.executable, "-c", "import toy.entry"],
        capture_output=True,
        text=True,
        check=True,
        cwd=house,
        env={**inherited, "PYTHONPATH": str(house), **environment},
    )


def test_an_edit_anywhere_compiles_anew(house):
    first = run(house)
    assert first.stdout.split() == ["17", "True"]
    assert first.stderr.startswith("towers: compiling a toy (first use on this machine, some seconds) … done in ")
    assert first.stderr.count("\n") == 1
    second = run(house)
    assert second.stdout.split() == ["17", "True"]
    assert second.stderr == ""  # from the cache
    # The file of the entry stays as it is: Numba's own cache would not notice.
    (house / "toy" / "helper.py").write_text(HELPER.replace("3 * x", "4 * x"))
    third = run(house)
    assert third.stdout.split() == ["22", "True"]
    assert "compiling" in third.stderr
    with (house / "tower_core" / "bits.py").open("a") as file:
        file.write("\n# an edit of the ground floor\n")
    fourth = run(house)
    assert fourth.stdout.split() == ["22", "True"]
    assert "compiling" in fourth.stderr


def test_quiet_and_elsewhere(house, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    done = run(house, TOWERS_QUIET="1", NUMBA_CACHE_DIR=str(folder))
    assert done.stdout.split() == ["17", "True"]
    assert done.stderr == ""
    assert list(folder.rglob("*.nbc"))
    assert not list((house / "toy").rglob("*.nbc"))
    assert run(house, NUMBA_CACHE_DIR=str(folder)).stderr == ""
