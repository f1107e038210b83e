"""Build the machine code that packages ship: ``python -m tower_core.ahead [GAME]``; with ``--wasm FILE``, for browsers.

Compiles the rules of every game and every compiled player of the distribution that provides GAME (default: this suite), for
all targets, into the folder ``machine_code`` of each package, which belongs to its package data. Players are found through the
entry points of the groups ``towers.players…`` and in the modules that these import.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, distribution, entry_points
from pathlib import Path

from tower_core import SUITE, registry
from tower_core.engine import machine_code, wasm
from tower_core.engine.compiling import ENTRIES, Entry
from tower_core.engine.kernel_files import shipped_path, write

TARGETS = [name for name in machine_code.TARGETS if name != "wasm32"]


def find_entries(points: Sequence[EntryPoint]) -> dict[str, Entry]:
    """The entries of the games and players among the entry points, by key."""
    rules = []
    for point in points:
        if point.group == registry.GAMES_GROUP:
            rules.append(registry.get_game(point.name).rules_entry())
        elif point.group.startswith("towers.players"):
            try:
                point.load()
            except ModuleNotFoundError:  # of an extra that is not installed
                print(f"{point.value}: left out", file=sys.stderr)
    own = [entry for entry in ENTRIES if not entry.name.startswith("rules.")]
    return {entry.key: entry for entry in (*rules, *own)}


def build(owner: str, targets: Sequence[str] = TARGETS) -> Iterator[Path]:
    """Write the files of a distribution, one kernel after the other. ValueError if a game is a module instead of a package."""
    points = distribution(owner).entry_points
    packages = {point.module.partition(".")[0] for point in points}
    for key, entry in find_entries(points).items():
        if entry.package in packages:
            lowered = entry.lower()
            for name in targets:
                path = shipped_path(entry.package, key, name)
                if path is None:
                    raise ValueError(f"{entry.package} must be a package, not a module, to ship machine code")
                write(path, machine_code.emit(lowered, machine_code.TARGETS[name]))
                yield path


def browser_module(game: str) -> bytes:
    """A WebAssembly module with the rules of a game and all its compiled players; exports are named like the entries."""
    groups = {"towers.players", f"towers.players.{game}"}
    points = [point for group in groups for point in entry_points(group=group)]
    points += [point for point in entry_points(group=registry.GAMES_GROUP) if point.name == game]
    others = {other.package for other in registry.usable_games()[0] if other.name != game}
    found = [entry for entry in find_entries(points).values() if not others & set(entry.modules)]
    lowered = {entry.name: entry.lower() for entry in found}
    return wasm.module(machine_code.emit_together(lowered, machine_code.TARGETS["wasm32"]), list(lowered))


def main() -> int:
    os.environ["NUMBA_OPT"] = "0"  # no code may be optimised for this processor: the target comes later
    parser = argparse.ArgumentParser(prog="python -m tower_core.ahead", description=__doc__)
    parser.add_argument("game", nargs="?", default="", help="a game of the distribution")
    parser.add_argument("--target", choices=TARGETS, action="append", help="build only this target; can be repeated")
    parser.add_argument("--wasm", metavar="FILE", type=Path, help="write one module of this game for browsers")
    given = parser.parse_args()
    point = registry.find(registry.GAMES_GROUP, given.game, "game")
    if not point and (given.game or given.wasm):
        parser.error(f"unknown game {given.game!r}: choose one of {', '.join(registry.game_names())}")
    if given.wasm:
        given.wasm.write_bytes(browser_module(given.game))
        return 0
    for path in build(point.dist.name if point and point.dist else SUITE, given.target or TARGETS):
        print(f"{path}: {path.stat().st_size:,} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
