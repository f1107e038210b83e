"""Every example runs, briefly, in the environment that its docstring names (``make test-examples`` makes them)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULT = re.compile(r"^against random: \d+(\.\d+)?% of \d+ games$", re.MULTILINE)
EXAMPLES = {
    "sb3_alone": ("", "--steps 2048 --games 4", RESULT),
    "cleanrl_ppo": ("", "--cpu-minutes 0.1 --threads 1 --evaluate-games 4", RESULT),
    "torchrl_rollout": (
        ".venv-torchrl",
        "--steps 300",
        re.compile(r"^three seats: \d+ decisions in one game$", re.MULTILINE),
    ),
    "tianshou_dqn": (".venv-tianshou", "--steps 500 --games 4", RESULT),
    "rllib_train": (".venv-rllib", "--steps 1024 --run run", re.compile("random")),
}


def test_every_example_is_run():
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} >= set(EXAMPLES)
    assert len((ROOT / "examples" / "cleanrl_ppo.py").read_text("utf-8").splitlines()) <= 250


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, tmp_path):
    venv, arguments, result = EXAMPLES[name]
    python = ROOT / venv / "bin" / "python" if venv else sys.executable
    command = [str(python), str(ROOT / "examples" / f"{name}.py"), *arguments.split()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert result.search(done.stdout), done.stdout
