"""Set-up that all tests share: where packages are found, one thread, reproducible examples of Hypothesis."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("TOWERS_QUIET", "1")

# Folders here bear the names of the packages: the root must be on the path before them. `reference` is found in tests.
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile(
    "towers", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("towers")


@pytest.fixture(scope="module", autouse=True)
def registered_players():
    """What a module registers is gone afterwards."""
    from tower_core.players import specs

    before = dict(specs._registered)
    yield
    specs._registered.clear()
    specs._registered.update(before)


@pytest.fixture
def child(tmp_path):
    """Runs Python code in a fresh interpreter that finds this tree's packages, in an empty folder."""

    def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", code, *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False, timeout=300
        )

    return run
