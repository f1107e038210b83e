"""Imports point down only: roof, training, players, games, ground (architecture)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = {"torres_env", "market_env"}
HOUSE = GAMES | {"tower_core", "agents", "train", "towers"}
MAY_IMPORT = {
    "tower_core": {"tower_core"},
    "torres_env": {"tower_core", "torres_env"},
    "market_env": {"tower_core", "market_env"},
    "agents": {"tower_core", "agents"} | GAMES,
    "train": {"tower_core", "agents", "train"} | GAMES,
    "towers": HOUSE,
}
FILES = sorted(path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))
CALLS = ("import_module", "__import__")


def imported(source: str) -> set[str]:
    """The packages of this house that a source imports, anywhere in it, also by ``import_module("…")``."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not this house's way"
            found.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and node.args and called(node) in CALLS:
            name = node.args[0]
            if isinstance(name, ast.JoinedStr):
                name = name.values[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                found.add(name.value.split(".")[0])
    return found & HOUSE


def called(node: ast.Call) -> str:
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path):
    package = path.relative_to(ROOT).parts[0]
    wrong = imported(path.read_text()) - MAY_IMPORT[package]
    assert not wrong, f"{path.relative_to(ROOT)} imports {', '.join(wrong)}"


def test_every_package_was_looked_at():
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(MAY_IMPORT)
    assert len(FILES) > 60


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import torres_env.board", {"torres_env"}),
        ("def f():\n    from agents import make", {"agents"}),
        ("if TYPE_CHECKING:\n    from train.run import Run", {"train"}),
        ("import_module('towers.cli')", {"towers"}),
        ("importlib.import_module(f'agents.{name}_native')", {"agents"}),
        ("__import__('market_env')", {"market_env"}),
        ("import numpy\nx = 'torres_env'", set()),
    ],
)
def test_the_rule_sees_imports(source, expected):
    assert imported(source) == expected


def test_the_ground_knows_no_game():
    """Neither by import nor by name."""
    for path in (ROOT / "tower_core").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value.lower() not in ("torres", "market"), f"{path.name}: {node.value!r}"
