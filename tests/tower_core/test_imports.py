"""Imports point down only: roof, training, players, games, ground (architecture)."""

from __future__ import annotations

import ast
import re
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


def test_imports_point_down():
    parts = {path: path.relative_to(ROOT).parts for path in FILES}
    wrong = {"/".join(parts[path]): imported(path.read_text()) - MAY_IMPORT[parts[path][0]] for path in FILES}
    assert {path: names for path, names in wrong.items() if names} == {}


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


# ---------------------------------------------------------------------------------------------- circles
def modules_of(source: str, known: set[str]) -> set[str]:
    """The modules of *known* that a source imports: anywhere in it, for types or in functions, also by ``import_module``."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & known
            if inner - known:  # something that the module itself holds
                found.add(node.module)
        elif isinstance(node, ast.Call) and called(node) in CALLS and node.args:
            name = node.args[0]
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                found.add(name.value)
    return found & known


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that reach each other, each sorted."""

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for name in imports[waiting.pop()] - seen:
                seen.add(name)
                waiting.append(name)
        return seen

    reached = {name: reach(name) for name in imports}
    groups = {tuple(sorted(o for o in reached[n] if n in reached[o])) for n in imports if n in reached[n]}
    return sorted(map(list, groups))


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_no_circles_between_files(package):
    """For types and in functions included: what imports each other is one file, or one too many."""
    known = {module_name(path) for path in FILES}
    imports = {
        module_name(path): modules_of(path.read_text(), known) - {module_name(path)}
        for path in FILES
        if path.relative_to(ROOT).parts[0] == package
    }
    own = {name: {other for other in others if other in imports} for name, others in imports.items()}
    assert circles(own) == []


def test_circles_are_seen():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == [["b", "c"]]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    known = {"p", "p.a", "p.b"}
    assert modules_of("if TYPE_CHECKING:\n    from p.a import X", known) == {"p.a"}
    assert modules_of("def f():\n    from p import b, thing", known) == {"p.b", "p"}
    assert modules_of("import_module('p.b')", known) == {"p.b"}


# ---------------------------------------------------------------------------------------------- names of games
NAMES = ("torres", "market")
GENERIC = [path for path in FILES if not any(name in part for part in path.relative_to(ROOT).parts for name in NAMES)]


def texts_of(source: str) -> list[str]:
    """The texts of a source that mean something to the program: all but docstrings."""
    tree = ast.parse(source)
    said = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in said
    ]


@pytest.mark.parametrize("package", ["tower_core", "agents", "train", "towers"])
def test_generic_files_name_no_game(package):
    """A game's name stands in the game's package, in files and folders that bear it, and in entry points."""
    found = [
        f"{path.relative_to(ROOT)}: {text!r}"
        for path in GENERIC
        if path.relative_to(ROOT).parts[0] == package
        for text in texts_of(path.read_text())
        if " " not in text and any(word in re.split(r"\W|_", text.lower()) for word in NAMES)
    ]
    assert found == []


def test_the_page_names_no_game():
    pages = [path for path in (ROOT / "towers").rglob("*") if path.suffix in (".js", ".html", ".css")]
    assert len(pages) > 5
    assert [str(path) for path in pages if re.search("|".join(NAMES), path.read_text("utf-8"), re.IGNORECASE)] == []
