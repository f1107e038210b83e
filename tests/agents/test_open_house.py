"""The players' package as a whole: generic files name no game, and no file imports one that imports it."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import agents
from tower_core.registry import game_names

ROOT = Path(agents.__file__).parent


def test_generic_files_name_no_game():
    generic = [*ROOT.glob("*.py"), *(ROOT / "search").glob("*.py")]
    assert len(generic) > 5
    for path in generic:
        text = path.read_text().lower()
        assert not [name for name in game_names() if name in text], path


def test_no_circles():
    """Imports inside functions and for type checking included; TopologicalSorter raises CycleError."""
    names = {path: ".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in ROOT.rglob("*.py")}
    graph = {}
    for path, name in names.items():
        found = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
        inside = {f"{node.module}.{alias.name}" for node in found for alias in node.names}
        graph[name] = ({node.module for node in found} | inside) & set(names.values())
    assert sum(map(len, graph.values())) > 30
    TopologicalSorter(graph).prepare()
