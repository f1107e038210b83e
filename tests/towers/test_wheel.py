"""What an installed package has with it: fonts, pages, component tables, benchmarks; not only the checkout has them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("tower_core", "torres_env", "market_env", "agents", "train", "towers")
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


def test_a_wheel_has_every_file_of_the_packages(tmp_path):
    source, out = tmp_path / "source", tmp_path / "out"
    out.mkdir()
    made = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=made)
    files = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    built = subprocess.run(
        [sys.executable, "-c", BUILD, str(out)], cwd=source, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    [wheel] = out.iterdir()
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert sorted(packed ^ files) == []
    kinds = {Path(name).suffix for name in packed}
    assert {".ttf", ".html", ".css", ".js", ".svg", ".toml", ".json"} <= kinds
