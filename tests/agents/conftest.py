"""Distributions that exist for a test only: plug-ins with entry points, and a little game."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tower_core.registry import get_game

_number = itertools.count()


def write_distribution(folder, name, group, points):
    """What ``pip install`` leaves of a distribution with entry points, *points*: text of each by name."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = "".join(f"{point} = {value}\n" for point, value in points.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{lines}")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Installs objects under names of an entry-point group; a text is the place of an object somewhere else."""

    def install(group, **objects):
        name = f"plugin{next(_number)}"
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        points = {}
        for point, value in objects.items():
            setattr(module, point, value)
            points[point] = value if isinstance(value, str) else f"{name}:{point}"
        write_distribution(tmp_path / name, name, group, points)
        monkeypatch.syspath_prepend(tmp_path / name)

    return install


@pytest.fixture(scope="module")
def stones(tmp_path_factory):
    """The little game of the folder ``stones``, installed as a distribution of its own."""
    site = tmp_path_factory.mktemp("site")
    write_distribution(site, "stones", "towers.games", {"stones": "stones.game:GAME"})
    added = [str(site), str(Path(__file__).parent)]
    sys.path[:0] = added
    yield get_game("stones")
    for path in added:
        sys.path.remove(path)
