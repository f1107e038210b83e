"""``python -m tests.golden``: play the golden games anew and write their files, after a change of behaviour that is meant."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parent)]

from playthroughs import FOLDER, beginnings, make  # noqa: E402

if __name__ == "__main__":
    for path in FOLDER.glob("*.txt"):
        if path.stem not in beginnings():
            path.unlink()
    for name in beginnings():
        (FOLDER / f"{name}.txt").write_text(make(name), "utf-8", newline="\n")
        print(name)
