"""``python -m release``: build machine code, sdist and wheel of the last commit into ``dist/``, check both; uploads nothing."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from release.contents import problems
from release.description import description

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="", help="address of the files of this version, for the links of the README")
    base = parser.parse_args().base
    out = ROOT / "dist"
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        archive, source = Path(folder, "source.tar"), Path(folder, "source")
        subprocess.run(["git", "archive", "--output", str(archive), "HEAD"], cwd=ROOT, check=True)
        shutil.unpack_archive(archive, source, filter="data")
        readme = source / "README.md"
        readme.write_text(description(readme.read_text("utf-8"), base), "utf-8")
        subprocess.run([sys.executable, "-m", "tower_core.ahead"], cwd=source, check=True)
        subprocess.run([sys.executable, "-m", "build", "--outdir", str(out), str(source)], check=True)
    files = sorted(map(str, out.iterdir()))
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], check=True)
    [wheel] = out.glob("*.whl")
    found = problems(wheel)
    for problem in found:
        print(f"{wheel.name}: {problem}", file=sys.stderr)
    if not found:
        print(f"{wheel.name}: contents and metadata are complete\nto publish: {sys.executable} -m twine upload dist/*")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
