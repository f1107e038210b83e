"""Every notebook runs from its first cell to its last, and is kept without what it printed."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
SHORTER = {"8192": "512", "20_000": "1_000", "games=40": "games=4", "games=6": "games=2"}
"""What takes long in a notebook, and what does for a test."""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code), "clear all outputs before you commit it"
    for cell in code:
        for long, short in SHORTER.items():
            cell.source = cell.source.replace(long, short)
    NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = {kind for cell in code for output in cell.outputs for kind in output.get("data", {})}
    assert shown & {"text/html", "image/png"}, "a notebook has a picture"


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 5
    text = "".join(path.read_text("utf-8") for path in NOTEBOOKS)
    assert all(long in text for long in SHORTER)
