"""Distributions that exist for a test only: plug-ins with entry points, and a little game."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from types import ModuleType

import pytest
from distributions import write_distribution

from tower_core.registry import get_game

_number = itertools.count()


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs objects under names of an entry-point group; a text is the place of an object somewhere else."""

    def install(group, **objects):
        name = f"plugin{next(_number)}"
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        points = f"[{group}]\n"
        for point, value in objects.items():
            setattr(module, point, value)
            points += f"{point} = {value if isinstance(value, str) else f'{name}:{point}'}\n"
        write_distribution(tmp_path / name, name, points)
        monkeypatch.syspath_prepend(tmp_path / name)

    return install


@pytest.fixture(scope="module")
def stones(tmp_path_factory):
    """The little game of the folder ``stones``, installed as a distribution of its own."""
    site = tmp_path_factory.mktemp("site")
    write_distribution(site, "stones", "[towers.games]\nstones = stones.game:GAME\n")
    added = [str(site), str(Path(__file__).parent)]
    sys.path[:0] = added
    yield get_game("stones")
    for path in added:
        sys.path.remove(path)
