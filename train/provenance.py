"""Provenance of a run: library versions, source revision, machine."""

from __future__ import annotations

import ctypes
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tower_core import SUITE

_LIBRARIES = (
    SUITE, "torch", "stable-baselines3", "sb3-contrib", "ray", "gymnasium", "numpy", "numba", "llvmlite", "openskill"
)  # fmt: skip

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # of mallopt, in malloc.h


def versions() -> dict[str, str]:
    """Versions of the installed libraries that a run depends on."""
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def describe(game: str, seed: int) -> dict[str, Any]:
    """The machine and software of a run, as JSON-able values."""
    import torch

    return {
        "game": game,
        "seed": seed,
        "python": platform.python_version(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "versions": versions(),
        "git": revision(Path(__file__).resolve().parent),
    }


def machine() -> str:
    """The machine in a few words: processor, cores, Python."""
    return f"{_processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def revision(folder: Path) -> dict[str, Any] | None:
    """The git commit of *folder*, and whether files differ from it; None without git."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.strip()

    try:
        # A folder that another repository ignores, such as a virtual environment, has no revision.
        if not git("ls-files", "--", str(folder)):
            return None
        return {
            "commit": git("rev-parse", "HEAD"),
            "changed": bool(git("status", "--porcelain", "--untracked-files=no")),
        }
    except (OSError, subprocess.SubprocessError):
        return None


def keep_memory() -> None:
    """Make the allocator of this process keep freed memory for the next gradient step.

    By default it returns large tensors to the system, which must clear their pages again: a fifth of an update. No effect
    without glibc.
    """
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        libc.mallopt(_TRIM_THRESHOLD, 2**31 - 1)
        libc.mallopt(_MMAP_MAX, 0)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor()
    )
