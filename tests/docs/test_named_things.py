"""What the documents name exists: commands with their options, targets of make, modules, files, pages of the index."""

from __future__ import annotations

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from towers.cli import app
from train.config import TrainArgs

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*sorted((ROOT / "docs").glob("**/*.md")), ROOT / "README.md", ROOT / "seeds" / "README.md"]
TEXT = "\n".join(path.read_text("utf-8") for path in DOCUMENTS)
COMMAND_LINES = sorted(
    {
        *re.findall(r"^\$ (towers .+)$", TEXT, re.MULTILINE),
        *re.findall(r"`(towers [a-z][^`…]*)`", TEXT.replace("\n", " ")),
    }
)


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_command_lines_are_understood(line, tmp_path, monkeypatch):
    arguments = shlex.split(line, comments=True)[1:]
    if "--config" in arguments:  # the one option whose file is read while a line is parsed
        monkeypatch.chdir(tmp_path)
        settings = Path(arguments[arguments.index("--config") + 1])
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.with_suffix(".json").write_text(TrainArgs().to_json())
        settings.with_suffix(".toml").write_text("width = 8\n")
    if len(arguments) == 1:
        assert arguments[0] in app, line
    else:
        app.parse_args(arguments, exit_on_error=False, print_error=False)


def test_every_command_is_told():
    told = {line.split()[1] for line in COMMAND_LINES}
    assert told == {name for name in app if not name.startswith("-")}


def test_targets_of_make_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z]+)", TEXT)) | set(re.findall(r"^\$ make ([a-z]+)", TEXT, re.MULTILINE))
    assert len(named) > 3
    assert named <= targets


def test_modules_and_scripts_that_are_run_exist():
    modules = set(re.findall(r"python -m ((?:tests|docs|benchmarks)\.\w+)", TEXT))
    scripts = set(re.findall(r"python ([\w/]+\.py)", TEXT))
    assert modules
    assert scripts
    assert [name for name in sorted(modules) if find_spec(name) is None] == []
    assert [name for name in sorted(scripts) if not (ROOT / name).exists()] == []


def test_files_of_the_house_exist():
    """The tables of docs/design.md name files as they are."""
    named = set(re.findall(r"`([\w/]+\.(?:py|toml))`", (ROOT / "docs" / "design.md").read_text("utf-8")))
    known = {path.name for path in ROOT.rglob("*") if ".venv" not in path.parts}
    assert len(named) > 50
    assert [name for name in sorted(named) if "NAME" not in name and Path(name).name not in known] == []
    assert [name for name in sorted(named) if "/" in name and "NAME" not in name and not (ROOT / name).exists()] == []


def test_the_index_names_every_page():
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages == set(re.findall(r"\]\((\w+\.md)\)", index))
