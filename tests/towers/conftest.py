"""A game of another distribution, found by its entry points: tests/plugins."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PLUGINS = Path(__file__).resolve().parents[1] / "plugins"


@pytest.fixture
def third_game(monkeypatch):
    """The game ``race`` is installed, here and in processes that a test starts."""
    monkeypatch.syspath_prepend(str(PLUGINS))
    path = os.pathsep.join(filter(None, [str(PLUGINS), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("PYTHONPATH", path)
    return PLUGINS
