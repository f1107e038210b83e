"""Compiled once, loaded afterwards, compiled anew when any source file changes; and what the user is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tower_core.engine import kernel_files

ROOT = Path(__file__).resolve().parents[2]
HELPER = """
from tower_core.engine.compiling import jit

@jit
def factor(x):
    return 3 * x
"""
ENTRY = """
from tower_core.engine.compiling import Entry
from toy.helper import factor

def entry(a: int, b: int) -> int:
    return factor(a) + b

function, address = Entry(entry, ("toy",), "a toy", num_args=2)()
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
    older = kept(house)
    # The file of the entry stays as it is: Numba's own cache would not notice.
    (house / "toy" / "helper.py").write_text(HELPER.replace("3 * x", "4 * x"))
    third = run(house)
    assert third.stdout.split() == ["22", "True"]
    assert "compiling" in third.stderr
    assert older.exists() and len(files(house)) == 2  # both sources may be in use
    with (house / "tower_core" / "engine" / "intrinsics.py").open("a") as file:
        file.write("\n# an edit of the ground floor\n")
    fourth = run(house)
    assert fourth.stdout.split() == ["22", "True"]
    assert "compiling" in fourth.stderr


def cold(house):
    inherited = {name: value for name, value in os.environ.items() if name not in ("TOWERS_QUIET", "NUMBA_CACHE_DIR")}
    return subprocess.Popen(
        [sys.executable, "-c", "import toy.entry"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=house,
        env={**inherited, "PYTHONPATH": str(house), "HOME": "/proc/no home"},
    )  # fmt: skip


def test_without_a_writable_folder_every_start_compiles(house):
    (house / "toy" / "__pycache__").touch()  # in the place of the folder
    for _ in range(2):
        out, said = cold(house).communicate()
        assert out.split() == ["17", "True"]
        assert said.startswith("towers: compiling") and said.count("\n") == 1


def test_three_cold_starts_at_once(house):
    for process in [cold(house) for _ in range(3)]:
        out, said = process.communicate()
        assert out.split() == ["17", "True"] and said.count("\n") == 1
    assert cold(house).communicate() == ("17 True\n", "")
    assert not list(house.rglob("*.part"))


def test_quiet_and_elsewhere(house, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    done = run(house, TOWERS_QUIET="1", NUMBA_CACHE_DIR=str(folder))
    assert done.stdout.split() == ["17", "True"]
    assert done.stderr == ""
    assert list(folder.rglob("*.kernel"))
    assert not list((house / "toy").rglob("*.kernel"))
    assert run(house, NUMBA_CACHE_DIR=str(folder)).stderr == ""


def files(house):
    return list((house / "toy" / "__pycache__").glob("toy.entry.entry-*.kernel"))


def test_the_newest_other_sources_are_kept(tmp_path):
    for age, stamp in enumerate("fedcba"):
        path = tmp_path / f"toy-{stamp}-host.kernel"
        kernel_files.write(path, b"code", others=2)
        os.utime(path, (age, age))
    assert sorted(path.name[4] for path in tmp_path.iterdir()) == ["a", "b", "c"]


def kept(house):
    return next((house / "toy" / "__pycache__").glob("toy.entry.entry-*.kernel"))


DAMAGE = {
    "emptied": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "one bit": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "no checksum": lambda content: content[:16] + bytes(32) + content[48:],
}


def test_a_damaged_file_is_compiled_again_with_one_warning(house):
    run(house)
    file = kept(house)
    whole = file.read_bytes()
    for what, damaged in DAMAGE.items():
        file.write_bytes(damaged(whole))
        done = run(house)
        assert done.stdout.split() == ["17", "True"], what
        assert done.stderr.count("RuntimeWarning") == 1, what
        assert f"{file} is damaged" in done.stderr, what
        assert "compiling" in done.stderr, what
    done = run(house)
    assert done.stdout.split() == ["17", "True"]
    assert done.stderr == ""
    file.unlink()
    file.mkdir()  # a folder can be neither read nor replaced
    (file / "in the way").touch()
    done = run(house)
    assert done.stdout.split() == ["17", "True"]
    assert str(file) in done.stderr


def test_compiling_must_be_enabled(house):
    inherited = {**os.environ, "PYTHONPATH": str(house), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", "import toy.entry"], capture_output=True, text=True, cwd=house, env=inherited
    )
    assert done.stderr.splitlines()[-1] == (
        "tower_core.engine.compiling.CompilingDisabledError: games require compilation, but NUMBA_DISABLE_JIT is set: unset it"
    )


# ---------------------------------------------------------------------------------------------- games from elsewhere
PLAY = """
import sys
sys.path[:0] = [sys.argv[1]]
from tower_core.registry import get_game
state = get_game(sys.argv[2]).state_class()(seed=3)
state.apply_action(0)
print(state.position())
"""


ELSEWHERE = ROOT / "tests" / "kit" / "dice"


def test_an_edit_of_a_plug_in_compiles_anew(tmp_path):
    """Wherever it lies, and also where the game is a single file."""
    site = tmp_path / "elsewhere"
    shutil.copytree(ELSEWHERE, site, ignore=shutil.ignore_patterns("__pycache__"))
    inherited = {name: value for name, value in os.environ.items() if name not in ("TOWERS_QUIET", "NUMBA_CACHE_DIR")}
    command = [sys.executable, "-c", PLAY, str(site), "dice_run"]
    options = {"capture_output": True, "text": True, "check": True, "cwd": tmp_path}
    options["env"] = {**inherited, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    first, again = subprocess.run(command, **options), subprocess.run(command, **options)
    assert "compiling the rules" in first.stderr
    assert again.stderr == ""
    assert first.stdout == again.stdout
    assert "'turn': 1" in first.stdout
    path, old = site / "dice_run.py", "s.turn += 1"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, "s.turn += 2"))
    third = subprocess.run(command, **options)
    assert "compiling the rules" in third.stderr
    assert "'turn': 2" in third.stdout


def test_the_key_covers_every_file_of_a_plug_ins_package(tmp_path, monkeypatch):
    package = tmp_path / "a_game_of_files"
    (package / "deep").mkdir(parents=True)
    for name in ("__init__.py", "kernels.py", "deep/__init__.py", "deep/board.py"):
        (package / name).write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    stamps = set()
    for name in ("__init__.py", "kernels.py", "deep/board.py"):
        stamps.add(kernel_files.source_stamp.__wrapped__((package.name,)))
        (package / name).write_text("changed = 1")
    assert len({*stamps, kernel_files.source_stamp.__wrapped__((package.name,))}) == 4
