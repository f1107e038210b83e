"""Hashes of games, to compare processors and versions of Python.

``python -m tests.machines`` prints them. ``--arm`` compares them with those of an aarch64 Python under qemu-user, for which it
downloads Debian's Python and the packages from the index into ``.venv-arm``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ARM = ROOT / ".venv-arm"
NEEDED = ("numpy", "numba", "msgspec", "gymnasium", "pettingzoo")
_APT = {
    "APT::Architecture": "arm64",
    "APT::Architectures::": "arm64",
    "Dir::State::lists": ARM / "lists",
    "Dir::State::status": ARM / "status",
    "Dir::Cache": ARM / "cache",
}
_PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64", "manylinux_2_17_aarch64")


def hashes() -> dict[str, str]:
    """One hash for what a batch of random games shows, and one for the games of two players; for each game of the suite."""
    from agents import make
    from tower_core.registry import get_game

    found = {}
    for name in ("torres", "market"):
        game = get_game(name)
        batch = game.batch_class()(32, *game.measured, seed=7)
        digest = hashlib.blake2b(digest_size=8)
        for _ in range(300):
            batch.step(batch.sample_actions())
            for array in (batch.observation, batch.action_mask, batch.to_move, batch.reward, batch.done):
                digest.update(array.tobytes())
        found[f"{name}: 9,600 random moves in batches"] = digest.hexdigest()
        for rivals in pairwise(("planner", "greedy", "mcts:sims=50")):
            players = [make(rival, game=name, seed=1) for rival in rivals]
            state = game.state_class()(2, seed=7)
            while not state.is_terminal():
                state.apply_action(players[state.current_player()].act(state))
            text = json.dumps([state.history(), state.scores()])
            found[f"{name}: {' against '.join(rivals)}"] = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    return found


def arm_python() -> tuple[list[str], dict[str, str]]:
    """Command and environment of an aarch64 Python with the suite, made on first use. SystemExit says what is missing."""
    emulator = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if not emulator or not shutil.which("apt-get"):
        raise SystemExit("test-arm needs Debian's apt-get and qemu-user: apt-get install qemu-user-static")
    root, packages = ARM / "root", ARM / "packages"
    if not packages.exists():
        _unpack_debian(root)
    [python] = (root / "usr/bin").glob("python3.[0-9]*[0-9]")
    if not packages.exists():
        _install(python.name.removeprefix("python"), packages)
    environment = {**os.environ, "PYTHONPATH": str(packages), "PYTHONHOME": str(root / "usr")}
    return [emulator, "-L", str(root), str(python)], environment


def _unpack_debian(root: Path) -> None:
    """Debian's python3 for arm64 with all that it and the wheels depend on, without installing anything here."""
    options = [f"--option={name}={value}" for name, value in _APT.items()]
    debs = ARM / "cache" / "archives"
    for folder in (ARM / "lists" / "partial", debs / "partial", root):
        folder.mkdir(parents=True, exist_ok=True)
    (ARM / "status").touch()
    _run("apt-get", *options, "--quiet", "update")
    download = ("--quiet", "--yes", "--no-install-recommends", "--download-only", "install")
    _run("apt-get", *options, *download, "python3", "libstdc++6")
    for deb in debs.glob("*.deb"):
        _run("dpkg-deb", "--extract", str(deb), str(root))


def _install(version: str, target: Path) -> None:
    """The suite and what it needs, for Python *version* on aarch64."""
    pip = [sys.executable, "-m", "pip", "--quiet", "install", "--target"]
    part = target.with_name("packages.part")
    shutil.rmtree(part, ignore_errors=True)
    platforms = [f"--platform={platform}" for platform in _PLATFORMS]
    _run(*pip, str(part), "--only-binary=:all:", f"--python-version={version}", *platforms, *NEEDED)
    _run(*pip, str(part), "--no-deps", "--upgrade", str(ROOT))
    part.rename(target)


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def compare(command: list[str], environment: dict[str, str]) -> int:
    """Play the games with another interpreter and here; returns the number of differences."""
    start = time.monotonic()
    script = "import sys; sys.path.insert(0, sys.argv.pop()); import machines; machines.main()"
    other = subprocess.run(
        [*command, "-c", script, str(ROOT / "tests")], env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    theirs, own = json.loads(other.stdout), hashes()
    for name, value in own.items():
        print(f"{'same' if theirs[name] == value else 'DIFFERENT'}: {name}: {theirs[name]}, here {value}")
    print(f"{time.monotonic() - start:.0f} seconds")
    return sum(theirs[name] != value for name, value in own.items())


def main() -> int:
    if "--arm" in sys.argv:
        return compare(*arm_python())
    print(json.dumps(hashes(), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
