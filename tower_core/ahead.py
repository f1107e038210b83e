"""Machine code for packages to ship: ``python -m tower_core.ahead [GAME] [--target NAME]``.

Compiles the rules of every game, and every compiled player, of the distribution that provides the game *GAME* (by default
of this suite), for all targets, into the folder ``machine_code`` of each package. It belongs to the package's data. Players are
found through the entry points of the groups ``towers.players…``, and in the modules that these import.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.metadata import distribution
from pathlib import Path


def build(game: str, targets: list[str]) -> list[Path]:
    """Write the files; returns their paths. ValueError for an unknown game."""
    from tower_core import SUITE, registry
    from tower_core.engine.compiling import ENTRIES
    from tower_core.engine.kernel_files import shipped_path, write
    from tower_core.engine.machine_code import TARGETS

    point = registry.find(registry.GAMES_GROUP, game, "game") if game else None
    if game and point is None:
        raise ValueError(f"unknown game {game!r}: choose one of {', '.join(registry.game_names())}")
    owner = point.dist.name if point and point.dist else SUITE
    points = distribution(owner).entry_points
    packages = {point.module.partition(".")[0] for point in points}
    for point in points:
        if point.group == registry.GAMES_GROUP:
            registry.get_game(point.name).rules_entry()
        elif point.group.startswith("towers.players"):
            try:
                point.load()
            except ModuleNotFoundError:  # of an extra that is not installed
                print(f"{point.value}: left out", file=sys.stderr)
    written = []
    for entry in {entry.key: entry for entry in ENTRIES}.values():
        if entry.package in packages:
            paths = [shipped_path(entry.package, entry.key, name) for name in targets]
            for path, code in zip(paths, entry.compile([TARGETS[name] for name in targets]), strict=True):
                if path is None:
                    raise ValueError(f"{entry.package} must be a package, not a module, to ship machine code")
                write(path, code)
                written.append(path)
                print(f"{path}: {path.stat().st_size:,} bytes, {len(code):,} loaded", flush=True)
    return written


def main() -> int:
    os.environ["NUMBA_OPT"] = "0"  # so that nothing is laid out for this processor before LLVM knows the target
    from tower_core.engine.machine_code import TARGETS

    parser = argparse.ArgumentParser(prog="python -m tower_core.ahead", description=__doc__)
    parser.add_argument("game", nargs="?", default="", help="a game of the distribution")
    parser.add_argument("--target", choices=TARGETS, action="append", help="only this target; may be repeated")
    arguments = parser.parse_args()
    build(arguments.game, arguments.target or [name for name in TARGETS if name != "wasm32"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
