"""Starts under unusual conditions play the same games: no home, no writable folder, ``python -O``, several at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from any_state import GAMES, game_digest

ROOT = Path(__file__).resolve().parents[2]
DICE = ROOT / "tests" / "kit" / "dice"
PLAY = "from any_state import game_digest\nfor game in {games}: print(game_digest(game, 1))"
DICE_PLAY = """
from tower_core.registry import get_game
state = get_game("dice_run").state_class()(seed=3)
state.apply_action(0)
print(state.position())
"""


def inherited(**changed):
    """The environment with some variables changed, or removed (None); messages of compilations are shown."""
    variables = {**os.environ, "TOWERS_QUIET": "", **changed}
    return {name: value for name, value in variables.items() if value is not None}


@pytest.mark.parametrize(
    ("flags", "variables", "folder"),
    [
        (["-O"], {}, None),
        (["-OO"], {"PYTHONDONTWRITEBYTECODE": "1"}, None),
        ([], {"HOME": None, "XDG_CACHE_HOME": None}, None),
        ([], {"HOME": "/proc/no home"}, "/"),
    ],
    ids=["-O", "-OO", "no home", "read-only home, other folder"],
)
def test_unusual_starts(flags, variables, folder, tmp_path):
    path = os.pathsep.join(map(str, (ROOT, ROOT / "tests", Path(__file__).parent)))
    done = subprocess.run(
        [sys.executable, *flags, "-c", PLAY.format(games=GAMES)],
        capture_output=True,
        text=True,
        cwd=folder or tmp_path,
        env=inherited(PYTHONPATH=path, **variables),
        check=True,
    )
    assert done.stdout.split() == [game_digest(game, 1) for game in GAMES]
    assert done.stderr == ""


@pytest.fixture
def cold(tmp_path):
    """A function that starts a process with a game that no cache holds, from a copy of the core."""
    shutil.copytree(ROOT / "tower_core", tmp_path / "tower_core", ignore=shutil.ignore_patterns("__pycache__"))
    variables = inherited(
        PYTHONPATH=os.pathsep.join([str(tmp_path), str(DICE)]), HOME="/proc/no home", NUMBA_CACHE_DIR=None
    )

    def start():
        command = [sys.executable, "-c", DICE_PLAY]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=variables
        )

    return start


def test_without_a_writable_folder_every_start_compiles(cold, tmp_path):
    (tmp_path / "tower_core" / "engine" / "__pycache__").touch()  # in the place of the folder
    first, second = (cold().communicate() for _ in range(2))
    assert first[0] == second[0] != ""
    for _, said in (first, second):
        assert said.startswith("towers: compiling") and said.count("\n") == 1


def test_three_cold_starts_at_once(cold, tmp_path):
    found = [process.communicate() for process in [cold() for _ in range(3)]]
    assert len({out for out, _ in found}) == 1 and found[0][0] != ""
    assert all(said.count("\n") == 1 for _, said in found)
    assert cold().communicate() == (found[0][0], "")
    assert not list(tmp_path.rglob("*.part"))
