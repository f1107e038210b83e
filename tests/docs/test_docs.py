"""The documents tell of the code as it is: generated tables are fresh, and every Python block in them runs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from docs.generate import documents

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md", ROOT / "seeds" / "README.md"]
TORRES = (ROOT / "docs" / "torres.md").read_text("utf-8")
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
# What a reader may not have installed: blocks that need it are skipped where it is missing.
EXTRAS = {
    "torch",
    "stable_baselines3",
    "sb3_contrib",
    "ray",
    "supersuit",
    "matplotlib",
    "openskill",
    "resvg_py",
    "PIL",
    "cyclopts",
    "rich",
}


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


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    text = path.read_text("utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)|(?:src|srcset)=\"([^\"]+)\"", text)
    for target in (first or second for first, second in targets):
        if not re.match(r"[a-z]+:", target):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_anchors_lead_somewhere(path):
    text = path.read_text("utf-8")
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    for anchor in re.findall(r"\]\(#([^)]*)\)", text):
        assert anchor in anchors, f"{path.name} links to #{anchor}"


def _blocks():
    """The blocks of all documents but the tutorial, whose package tests/kit/test_tutorial.py installs before it runs them."""
    for path in DOCUMENTS:
        if path.name == "new_game.md":
            continue
        text = path.read_text("utf-8")
        for match in _BLOCK.finditer(text):
            line = text[: match.start()].count("\n") + 2
            yield pytest.param(path, line, match[1], id=f"{path.name}:{line}")


_NAMES: dict[Path, dict[str, object]] = {}


@pytest.mark.parametrize(("path", "line", "source"), list(_blocks()))
def test_block_runs(path, line, source, tmp_path, monkeypatch):
    """Blocks of one document share their names, in order, so that one may go on from another."""
    monkeypatch.chdir(tmp_path)
    names = _NAMES.setdefault(path, {"__name__": f"{path.stem}_document"})
    try:
        exec(compile("\n" * (line - 1) + source, str(path), "exec"), names)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in EXTRAS:
            raise
        pytest.skip(f"needs {error.name}")
