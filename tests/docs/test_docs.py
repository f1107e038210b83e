"""The documents tell of the code as it is: generated tables are fresh, and every Python block in them runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs.generate import documents

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md", ROOT / "seeds" / "README.md"]
TORRES = (ROOT / "docs" / "torres.md").read_text("utf-8")
_BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>run|file: \S+) -->\n)?^```(?P<kind>python|console)\n(?P<source>.*?)^```",
    re.DOTALL | re.MULTILINE,
)


SMALL = "--decisions 256 --envs 16 --rollout 8 --batch-size 64 --epochs 1 --threads 1 --width 2 --blocks 0 --evaluate-games 2"
"""Instead of the minutes of a training that a page describes."""


def _table_names(section: str) -> list[str]:
    """First column of the first table after a heading."""
    body = TORRES.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|", body, re.MULTILINE)


def test_generated_tables_are_fresh():
    assert [path.name for path in documents.stale()] == [], "run python -m docs.generate"


def test_a_stale_table_is_noticed():
    text = "<!-- generated: torres-stacks -->\n| old |\n<!-- end -->\n"
    fresh = documents.renewed(text)
    assert fresh != text
    assert documents.renewed(fresh) == fresh


def test_measured_tables_are_left_alone_and_filled():
    text = "<!-- generated: torres-figures -->\nas measured\n<!-- end -->\n"
    assert documents.renewed(text) == text
    assert "| `passive` | `random` |" in TORRES


def test_every_table_has_its_place():
    marked = set(re.findall(r"<!-- generated: ([\w-]+) -->", "".join(path.read_text("utf-8") for path in DOCUMENTS)))
    assert marked == set(documents.TABLES) | set(documents.MEASURED)


def test_cards_stand_in_table_order():
    from torres_env.rules import CARDS, MASTER_CARDS

    assert tuple(_table_names("6. Action cards")) == CARDS
    assert tuple(_table_names("8. Master cards")) == MASTER_CARDS


def test_sections_have_the_numbers_that_the_code_refers_to():
    numbers = [int(number) for number in re.findall(r"^## (\d+)\. ", TORRES, re.MULTILINE)]
    assert numbers == list(range(1, 10))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_picture_is_an_svg(theme):
    root = ElementTree.parse(ROOT / "docs" / "images" / f"torres-{theme}.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(
    "path", [*DOCUMENTS, *sorted(ROOT.glob("notebooks/*.*"))], ids=lambda path: str(path.relative_to(ROOT))
)
def test_links_lead_somewhere(path):
    text = path.read_text("utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|(?:src|srcset)=\"([^\"]+)\"", text)
    for target in (first or second for first, second in targets):
        if not re.match(r"[a-z]+:", target):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def _anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_anchors_lead_somewhere(path):
    for target, anchor in re.findall(r"\]\(([\w./]*)#([^)]*)\)", path.read_text("utf-8")):
        page = path.parent / target if target else path
        assert anchor in _anchors(page), f"{path.name} links to {target}#{anchor}"


def _blocks():
    """The Python blocks of all documents, and the console blocks marked ``<!-- run -->``.

    The tutorial new_game.md is left out: tests/kit/test_tutorial.py installs its package before it runs them. So is
    openspiel.md where OpenSpiel is missing: ``make test-openspiel`` runs its blocks.
    """
    elsewhere = {"new_game.md", *(() if find_spec("pyspiel") else ("openspiel.md",))}
    for path in DOCUMENTS:
        if path.name in elsewhere:
            continue
        text = path.read_text("utf-8")
        for match in _BLOCK.finditer(text):
            line = text[: match.start("source")].count("\n") + 1
            if match["kind"] == "python" or match["mark"] == "run":
                yield pytest.param(path, line, match, id=f"{path.relative_to(ROOT)}:{line}")


_NAMES: dict[Path, dict[str, object]] = {}


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """One folder for each document."""
    return defaultdict(lambda: tmp_path_factory.mktemp("page"))


@pytest.mark.parametrize(("path", "line", "match"), list(_blocks()))
def test_block_runs(path, line, match, folders, monkeypatch):
    """Blocks of one document share their names and their folder, in order, so that one may go on from another.

    A block after ``<!-- file: NAME -->`` is also a file in that folder.
    """
    folder = folders[path]
    monkeypatch.chdir(folder)
    if match["kind"] == "console":
        _run_commands(match["source"])
        return
    if (mark := match["mark"] or "").startswith("file: "):
        (folder / mark.removeprefix("file: ")).write_text(match["source"])
    monkeypatch.syspath_prepend(folder)
    names = _NAMES.setdefault(path, {"__name__": f"{path.stem}_document"})
    exec(compile("\n" * (line - 1) + match["source"], str(path), "exec"), names)


def _run_commands(source: str) -> None:
    """Run the lines of a console block that begin with ``$``, as a reader would type them."""
    commands = "\n".join(line[2:] for line in source.splitlines() if line.startswith("$ "))
    commands = re.sub(r"--minutes \S+", SMALL, re.sub(r"games \d+", "games 2", commands))
    paths = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-e", "-c", commands],
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
