"""Starts under unusual conditions play the same games: no home, a folder that is not writable, ``python -OO``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from any_state import GAMES, game_digest

ROOT = Path(__file__).resolve().parents[2]
PLAY = "from any_state import game_digest\nfor game in {games}: print(game_digest(game, 1))"


def inherited(**changed):
    """The environment with some variables changed, or removed (None); messages of compilations are shown."""
    variables = {**os.environ, "TOWERS_QUIET": "", **changed}
    return {name: value for name, value in variables.items() if value is not None}


@pytest.mark.parametrize(
    ("flags", "variables", "folder"),
    [
        (["-OO"], {"PYTHONDONTWRITEBYTECODE": "1"}, None),
        ([], {"HOME": None, "XDG_CACHE_HOME": None, "PYTHONHASHSEED": "12345"}, None),
        ([], {"HOME": "/proc/no home"}, "/"),
    ],
    ids=["-OO", "no home", "read-only home, other folder"],
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
