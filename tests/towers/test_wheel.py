"""What is published: every file of the packages and no other, complete metadata, a description that stands alone."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from release.contents import PACKAGES, REQUIRED, problems
from release.description import description, relative_links

ROOT = Path(__file__).resolve().parents[2]
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    made = shutil.ignore_patterns("__pycache__", "*.nbi", "*.nbc", "*.kernel")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=made)
    for pattern in REQUIRED:  # machine code takes minutes to build
        if pattern.endswith(".kernel"):
            (folder / pattern).parent.mkdir(exist_ok=True)
            (folder / pattern.replace("*", "rules")).touch()
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    (folder / "README.md").write_text(description((ROOT / "README.md").read_text("utf-8")), "utf-8")
    return folder


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    built = subprocess.run(
        [sys.executable, "-c", BUILD, str(out)], cwd=source, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    [wheel] = out.iterdir()
    return wheel


def test_a_wheel_has_every_file_of_the_packages(source, wheel):
    files = {path.relative_to(source).as_posix() for name in PACKAGES for path in (source / name).rglob("*")}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert sorted(packed ^ {name for name in files if (source / name).is_file()}) == []


def test_contents_and_metadata_are_complete(wheel):
    assert problems(wheel) == []


def test_what_is_missing_or_too_much_is_named(wheel, tmp_path):
    other = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as good, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as bad:
        for name in good.namelist():
            if name != "towers/pictures/page.html":
                text = good.read(name)
                bad.writestr(name, text + b"[a](docs/a.md)" if name.endswith("METADATA") else text)
        bad.writestr("tests/test_a.py", "")
        bad.writestr("train/a.nbi", "")
    assert problems(other) == [
        "towers/pictures/page.html is missing",
        "train/a.nbi doesn't belong there",
        "tests is not a package of the suite",
        "the description has a relative link: docs/a.md",
    ]


def test_links_of_the_description():
    readme = "[a](docs/a.md#b), [c](https://c.org), [d](#d) ![e](e.png)"
    assert description(readme) == "a, [c](https://c.org), [d](#d) e"
    absolute = "[a](https://x.org/v1/docs/a.md#b), [c](https://c.org), [d](#d) ![e](https://x.org/v1/e.png)"
    assert description(readme, "https://x.org/v1/") == absolute
    assert relative_links(absolute) == []
    assert relative_links('<img src="f.svg"> ' + readme) == ["docs/a.md#b", "e.png", "f.svg"]
