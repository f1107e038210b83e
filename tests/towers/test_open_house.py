"""The roof names no game, and its files import each other in no circle."""

from __future__ import annotations

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

from tower_core.registry import game_names

ROOT = Path(__file__).resolve().parents[2]
FILES = [path for path in sorted((ROOT / "towers").rglob("*")) if path.suffix in (".py", ".js", ".html", ".css")]


def test_no_game_is_named():
    named = re.compile("torres|market", re.IGNORECASE)
    assert {"torres", "market"} <= set(game_names())
    assert len(FILES) > 30
    found = [
        f"{path.name}: {line.strip()}"
        for path in FILES
        for line in path.read_text("utf-8").splitlines()
        if named.search(line)
    ]
    assert found == []


def test_no_circles():
    """Imports inside functions and for type checkers included."""
    modules = {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path
        for path in FILES
        if path.suffix == ".py"
    }
    graph = {}
    for name, path in modules.items():
        found = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
            elif isinstance(node, ast.Import):
                found |= {one.name for one in node.names}
        graph[name] = found & set(modules)
    assert sum(map(len, graph.values())) > 20
    assert len(list(TopologicalSorter(graph).static_order())) == len(modules)
