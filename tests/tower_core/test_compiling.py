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
from tower_core.engine.compiling import jit

@jit
def factor(x):
    return 3 * x
"""
ENTRY = """
from tower_core.engine.compiling import compile_entry
from toy.helper import factor

def entry(a: int, b: int) -> int:
    return factor(a) + b

function, address = compile_entry(entry, ("toy",), "a toy", num_args=2)
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
    with (house / "tower_core" / "engine" / "intrinsics.py").open("a") as file:
        file.write("\n# an edit of the ground floor\n")
    fourth = run(house)
    assert fourth.stdout.split() == ["22", "True"]
    assert "compiling" in fourth.stderr


def test_quiet_and_elsewhere(house, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    done = run(house, TOWERS_QUIET="1", NUMBA_CACHE_DIR=str(folder))
    assert done.stdout.split() == ["17", "True"]
    assert done.stderr == ""
    assert list(folder.rglob("*.kernel"))
    assert not list((house / "toy").rglob("*.kernel"))
    assert run(house, NUMBA_CACHE_DIR=str(folder)).stderr == ""


def kept(house):
    return next((house / "toy" / "__pycache__").glob("toy.entry.entry-*.kernel"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: content[:16] + bytes(32) + content[48:],
    ],
    ids=["emptied", "truncated", "one bit", "no checksum"],
)
def test_a_damaged_file_is_compiled_again_with_one_warning(house, damage):
    run(house)
    file = kept(house)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    second = run(house)
    assert second.stdout.split() == ["17", "True"]
    assert second.stderr.count("RuntimeWarning") == 1
    assert f"{file} is damaged" in second.stderr
    assert "compiling" in second.stderr
    third = run(house)
    assert third.stdout.split() == ["17", "True"]
    assert third.stderr == ""


def test_a_file_that_cannot_be_written_is_warned_of(house):
    run(house)
    file = kept(house)
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


def test_kernels_of_older_sources_go(house):
    run(house)
    first = kept(house)
    (house / "toy" / "helper.py").write_text(HELPER.replace("3 * x", "4 * x"))
    run(house)
    assert not first.exists()
    assert kept(house) != first


# ---------------------------------------------------------------------------------------------- games from elsewhere
PLAY = """
import sys
sys.path[:0] = [sys.argv[1]]
from tower_core.registry import get_game
state = get_game(sys.argv[2]).state_class()(seed=3)
state.apply_action(0)
print(state.position())
"""


@pytest.mark.parametrize(
    ("source", "game", "file", "old", "new", "change"),
    [
        ("examples/connect_four", "connect_four", "connect_four/kernels.py", "cell = bit(action)",
         "cell = bit(COLUMNS - 1 - action)", ("[1, 0]", "[64, 0]")),
        ("tests/kit/dice", "dice_run", "dice_run.py", "s.turn += 1", "s.turn += 2", ("'turn': 1", "'turn': 2")),
    ],
)  # fmt: skip
def test_an_edit_of_a_plug_in_compiles_anew(tmp_path, source, game, file, old, new, change):
    """Wherever the package lies, and also where the game is a single file."""
    site = tmp_path / "elsewhere"
    shutil.copytree(ROOT / source, site, ignore=shutil.ignore_patterns("__pycache__"))
    if game == "connect_four":  # what pip would write
        info = site / "towers_connect_four.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tower-games-connect-four\nVersion: 1\n")
        (info / "entry_points.txt").write_text("[towers.games]\nconnect_four = connect_four.game:GAME\n")
    inherited = {name: value for name, value in os.environ.items() if name not in ("TOWERS_QUIET", "NUMBA_CACHE_DIR")}
    command = [sys.executable, "-c", PLAY, str(site), game]
    options = {"capture_output": True, "text": True, "check": True, "cwd": tmp_path}
    options["env"] = {**inherited, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    first, again = subprocess.run(command, **options), subprocess.run(command, **options)
    assert "compiling the rules" in first.stderr
    assert again.stderr == ""
    assert first.stdout == again.stdout
    assert change[0] in first.stdout
    path = site / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    third = subprocess.run(command, **options)
    assert "compiling the rules" in third.stderr
    assert change[1] in third.stdout
